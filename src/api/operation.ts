import type { z } from "zod";

import { InvalidInput } from "../kit/errors.ts";
import type { Scope } from "./auth.ts";
import type { Forms } from "./fields.ts";
import type { JsonStream } from "./json-stream.ts";
import type { Values } from "./params.ts";

/** What goes out as JSON: a value, or a stream of it where there may be much. */
export type Reply = object | string | JsonStream;

export interface Operation {
  /** One sentence for the reference. */
  readonly summary: string;
  readonly input: z.ZodObject;
  /** Parameters that it takes beyond those that `input` names. */
  readonly further?: Readonly<Record<string, Forms>>;
  /** What is answered. */
  readonly answer: z.ZodType;
  /** Whether it may be about an account that is deleted but not yet gone. */
  readonly seesDeleted: boolean;
  readonly handle: (values: Values, scope: Scope) => Promise<Reply>;
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
  readonly further?: Readonly<Record<string, Forms>>;
  readonly answer: z.ZodType;
  readonly seesDeleted?: boolean;
  /** Puts other spellings of the parameters into the one that `input` reads. */
  readonly arrange?: (values: Values) => Values;
  readonly handle: (input: z.output<Input>, scope: Scope) => Promise<Reply>;
}): Operation {
  const { input, seesDeleted = false, arrange = (values) => values, handle, ...rest } = definition;
  return {
    ...rest,
    input,
    seesDeleted,
    handle: async (values, scope) => handle(parseInput(input, arrange(values)), scope),
  };
}

/** Throws InvalidInput that names the first parameter that cannot be taken. */
export function parseInput<Input extends z.ZodObject>(
  input: Input,
  values: Values,
): z.output<Input> {
  const parsed = input.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidInput(
    `${issue?.path.join(".") ?? "parameters"}: ${issue?.message ?? "invalid"}`,
  );
}
