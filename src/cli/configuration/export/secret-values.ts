import { isDeepStrictEqual } from "node:util";

import { isRecord } from "../../../kit/safe-json.ts";
import { escapeReferences } from "../source/references.ts";

/** References that replace secrets in files, with variable names that describe them. */
export interface SecretValues {
  /** The value with its secret texts replaced: those that differ from `hidden`. */
  readonly replace: (value: unknown, hidden: unknown, names: readonly string[]) => unknown;
  /** Values of the variables that files refer to. */
  readonly variables: () => ReadonlyMap<string, string>;
}

/** With `isClear` all is written as it is. */
export function createSecretValues({ isClear }: { readonly isClear: boolean }): SecretValues {
  const variables = new Map<string, string>();
  const reference = (value: unknown, names: readonly string[]): string => {
    const wanted = ["WATCHPOST", ...names]
      .map(wordOf)
      .filter((word) => word !== "")
      .join("_");
    const text = String(value);
    let name = wanted;
    for (let number = 2; variables.has(name); number += 1) name = `${wanted}_${number}`;
    variables.set(name, text);
    return `\${env:${name}}`;
  };
  const replace: SecretValues["replace"] = (value, hidden, names) => {
    if (isClear || isDeepStrictEqual(value, hidden)) return escaped(value);
    if (isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [
          name,
          replace(each, isRecord(hidden) ? hidden[name] : undefined, [...names, name]),
        ]),
      );
    if (Array.isArray(value))
      return value.map((each, at) =>
        replace(each, Array.isArray(hidden) ? hidden[at] : undefined, names),
      );
    return typeof value === "string" || typeof value === "number" ? reference(value, names) : value;
  };
  return { replace, variables: () => variables };
}

function wordOf(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase()
    .replaceAll(/[^\dA-Z]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}

function escaped(value: unknown): unknown {
  if (typeof value === "string") return escapeReferences(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escaped(each)]));
}
