import recorded from "./examples.json" with { type: "json" };
import type { ParameterObject } from "./document.ts";

/** Request to a running service, with its response. */
export interface Example {
  /** Path and query parameters by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answer: unknown;
}

interface Recording {
  /** Examples by operation ID. */
  readonly operations: Readonly<Record<string, Example>>;
  /** Errors by status. */
  readonly errors: Readonly<Record<string, unknown>>;
}

const { operations, errors }: Recording = recorded;

/** Adds the example of an answer to what it is one of. */
export function withExample<Media extends object>(
  media: Media,
  example: unknown,
): Media & { readonly example?: unknown } {
  return example === undefined ? media : { ...media, example };
}

export function exampleOf(operationId: string): Partial<Example> {
  return operations[operationId] ?? {};
}

export function errorExampleOf(status: number): unknown {
  return errors[String(status)];
}

/** The parameters, each with its value of the example. */
export function withValues(
  parameters: readonly ParameterObject[],
  { parameters: values = {} }: Partial<Example>,
): readonly ParameterObject[] {
  return parameters.map((parameter) => withExample(parameter, values[parameter.name]));
}
