import type { z } from "zod";

import { InvalidInput } from "../kit/errors.ts";
import type { Scope } from "./auth.ts";
import type { JsonStream } from "./json-stream.ts";
import type { Values } from "./params.ts";

/** What goes out as JSON: a value, or a stream of it where there may be much. */
export type Reply = object | string | JsonStream;

export interface Operation {
  readonly input: z.ZodObject;
  readonly handle: (values: Values, scope: Scope) => Promise<Reply>;
}

export interface Resource {
  readonly name: string;
  /**
   * What an id of it is: an account's own, a record's that begins with its account's, or a name that the client chose.
   * Where records are meant, an account's id in the path stands for the parameter customerid.
   */
  readonly ids: "account" | "record" | "name";
  /** By verb, or by the name of an action, which is also a path segment. */
  readonly operations: Readonly<Record<string, Operation>>;
}

/** Ties an operation's input and its handling together; everybody else sees neither's type. */
export function operation<Input extends z.ZodObject>(definition: {
  readonly input: Input;
  /** Puts other spellings of the parameters into the one that `input` reads. */
  readonly arrange?: (values: Values) => Values;
  readonly handle: (input: z.output<Input>, scope: Scope) => Promise<Reply>;
}): Operation {
  const { input, arrange = (values) => values, handle } = definition;
  return {
    input,
    handle: async (values, scope) => handle(parseInput(input, arrange(values)), scope),
  };
}

function parseInput<Input extends z.ZodObject>(input: Input, values: Values): z.output<Input> {
  const parsed = input.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidInput(
    `${issue?.path.join(".") ?? "parameters"}: ${issue?.message ?? "invalid"}`,
  );
}
