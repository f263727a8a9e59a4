import { isDeepStrictEqual } from "node:util";

import type { z } from "zod";

import type { Access } from "../domain/account/access.ts";
import type { AuditedValue } from "../domain/account/audit.ts";
import type { Call } from "./http/auth.ts";
import { InvalidInput } from "../kit/errors.ts";
import { isRecord } from "../kit/safe-json.ts";
import type { JsonSchema } from "../schema/field.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { Transaction } from "../store/store.ts";
import type { JsonStream } from "./http/responses/json-stream.ts";
import type { RawValues } from "./http/parse-request.ts";
import { findUnknownOf } from "./unknown-parameters.ts";

/** The body of a response: a JSON value, or a stream of JSON text for long lists. */
export type ResponseBody = object | string | JsonStream;

/** Parameters accepted in addition to those of `input` for one value of `type`. */
export interface Variant {
  /** The name of its schema in the OpenAPI document. */
  readonly schemaName: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly input: z.ZodObject;
  /** Example values of these parameters, for the OpenAPI document. */
  readonly example: RawValues;
}

export interface Operation {
  /** One sentence for the reference. */
  readonly summary: string;
  /** Minimum access of the caller. */
  readonly needs: Access;
  /** Whether it only reads: a browser may then send it by GET, with nothing but a session. */
  readonly effect: "read" | "write";
  readonly input: z.ZodObject;
  /** Parameters beyond those of `input`, for the OpenAPI document. */
  readonly extraParameters?: Readonly<Record<string, JsonSchema>>;
  /** Variants by the value of the parameter `type`, for the OpenAPI document. */
  readonly variants?: Readonly<Record<string, Variant>>;
  /** Parameters for the OpenAPI document to show; the id is not among them. */
  readonly example?: RawValues;
  /** The schema of the response body. */
  readonly response: z.ZodType;
  /** Whether the account may be one that is deleted, and not yet purged. */
  readonly allowsDeletedAccount: boolean;
  readonly handle: (values: RawValues, call: Call) => Promise<ResponseBody>;
}

/** A record at one moment, by the names of its parameters. */
export interface RecordedValues {
  /** Values that the audit log keeps. */
  readonly kept: Readonly<Record<string, AuditedValue | undefined>>;
  /** Values that are compared and forgotten: all that may be or contain a secret. */
  readonly compared: Readonly<Record<string, unknown>>;
}

interface RecordKey {
  readonly accountId: string;
  /** The account's own id where the record is the account. */
  readonly id: string;
}

/** Reads the values of a record; undefined where there is none. A field that is not kept has none of its values in the audit log. */
export type ReadRecorded = (tx: Transaction, key: RecordKey) => Promise<RecordedValues | undefined>;

export interface Resource {
  readonly name: string;
  /**
   * Kind of the resource's IDs: account IDs, record IDs, which begin with the ID of their account, or names chosen by clients. For records, an account ID in
   * the path replaces the parameter customerid.
   */
  readonly ids: "account" | "record" | "name";
  /** One line for the reference. */
  readonly summary: string;
  /** What the audit log compares and keeps of a record before and after a change; none of a resource without. */
  readonly recorded?: ReadRecorded;
  /** Operations by HTTP method, or by the name of an action, which is also a path segment. */
  readonly operations: Readonly<Record<string, Operation>>;
}

/** Defines an operation whose handler gets typed input; the type of the input is hidden from callers. */
export function operation<Input extends z.ZodObject>(definition: {
  readonly summary: string;
  readonly needs: Access;
  readonly effect: "read" | "write";
  readonly input: Input;
  readonly extraParameters?: Readonly<Record<string, JsonSchema>>;
  readonly variants?: Readonly<Record<string, Variant>>;
  readonly example?: RawValues;
  readonly response: z.ZodType;
  /** Parameters that the record shows under another name, by that name. */
  readonly shownAs?: Readonly<Record<string, string>>;
  /** Names of values that `normalize` adds. */
  readonly internal?: readonly string[];
  readonly allowsDeletedAccount?: boolean;
  /** Converts other notations of the parameters into the one that `input` parses. */
  readonly normalize?: (values: RawValues) => RawValues;
  readonly handle: (input: z.output<Input>, call: Call) => Promise<ResponseBody>;
}): Operation {
  const {
    input,
    allowsDeletedAccount = false,
    normalize = (values) => values,
    shownAs = {},
    internal = [],
    handle,
    ...rest
  } = definition;
  const findUnknown = findUnknownOf({ input, internal, ...rest });
  return {
    ...rest,
    input,
    allowsDeletedAccount,
    async handle(values, call) {
      const normal = normalize(values);
      if (call.action === "PUT" || call.action === "DELETE") assertChosen(normal, call);
      const parsed = parseInput(input, normal);
      for (const unknown of findUnknown(normal, { isWrite: isWrite(call.action) }))
        call.warn(unknown);
      const answer = await handle(parsed, call);
      for (const [shown, name] of Object.entries(shownAs))
        if (isChangeOf(answer, normal, shown))
          call.warn(`${shown}: only shown, and ignored, did you mean ${name}?`);
      return answer;
    },
  };
}

/**
 * Clients send whole records back, in which the ids are `_id` and `customer_id`. Neither is a parameter, so a request that has one of them alone would change
 * something of the caller's own account.
 */
function assertChosen(values: RawValues, { account }: Pick<Call, "account">): void {
  const { id, customerid, _id, customer_id } = values;
  if (id !== undefined) return;
  if (isOther(_id, account))
    throw new InvalidInput("_id: does not choose the record, send its id as id or in the path");
  if (customerid === undefined && isOther(customer_id, account))
    throw new InvalidInput("customer_id: does not choose the account, send its id as customerid");
}

function isOther(sent: unknown, { id }: Pick<Call["account"], "id">): boolean {
  return sent !== undefined && sent !== "" && sent !== id;
}

/** Returns whether a member of the record was sent with another value than it has. What is empty says none. */
function isChangeOf(answer: ResponseBody, sent: RawValues, name: string): boolean {
  const value = sent[name];
  if (value === undefined || isEmpty(value) || !isRecord(answer)) return false;
  return !isDeepStrictEqual(answer[name], value);
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}

function isWrite(action: string): boolean {
  return action === "POST" || action === "PUT";
}
