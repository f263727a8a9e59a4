import type { z } from "zod";

import { InvalidInput } from "../kit/errors.ts";
import type { Scope } from "./http/auth.ts";
import type { JsonSchema } from "../schema/field.ts";
import type { JsonStream } from "./http/json-stream.ts";
import type { RawValues } from "./http/parse-request.ts";

/** What goes out as JSON: a value, or a stream of it where there may be much. */
export type ResponseBody = object | string | JsonStream;

export interface Operation {
  /** One sentence for the reference. */
  readonly summary: string;
  readonly input: z.ZodObject;
  /** Parameters that it takes beyond those that `input` names. */
  readonly extraParameters?: Readonly<Record<string, JsonSchema>>;
  /** What is answered. */
  readonly response: z.ZodType;
  /** Whether it may be about an account that is deleted but not yet gone. */
  readonly allowsDeletedAccount: boolean;
  readonly handle: (values: RawValues, scope: Scope) => Promise<ResponseBody>;
}

export interface Resource {
  readonly name: string;
  /**
   * What an id of it is: an account's own, a record's that begins with its account's, or a name that the client chose.
   * Where records are meant, an account's id in the path stands for the parameter customerid.
   */
  readonly ids: "account" | "record" | "name";
  /** One line for the reference. */
  readonly summary: string;
  /** By verb, or by the name of an action, which is also a path segment. */
  readonly operations: Readonly<Record<string, Operation>>;
}

/** Ties an operation's input and its handling together; everybody else sees neither's type. */
export function operation<Input extends z.ZodObject>(definition: {
  readonly summary: string;
  readonly input: Input;
  readonly extraParameters?: Readonly<Record<string, JsonSchema>>;
  readonly response: z.ZodType;
  readonly allowsDeletedAccount?: boolean;
  /** Puts other spellings of the parameters into the one that `input` reads. */
  readonly normalize?: (values: RawValues) => RawValues;
  readonly handle: (input: z.output<Input>, scope: Scope) => Promise<ResponseBody>;
}): Operation {
  const {
    input,
    allowsDeletedAccount = false,
    normalize = (values) => values,
    handle,
    ...rest
  } = definition;
  return {
    ...rest,
    input,
    allowsDeletedAccount,
    handle: async (values, scope) => handle(parseInput(input, normalize(values)), scope),
  };
}

/** Throws InvalidInput that names the first parameter that cannot be taken. */
export function parseInput<Input extends z.ZodObject>(
  input: Input,
  values: RawValues,
): z.output<Input> {
  const parsed = input.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidInput(
    `${issue?.path.join(".") ?? "parameters"}: ${issue?.message ?? "invalid"}`,
  );
}
