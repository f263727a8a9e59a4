import * as fc from "fast-check";

import type { Values } from "./values.ts";

/** Positions of parameters. */
export interface PlacedParameters {
  readonly query: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const nowhere: PlacedParameters = { query: "", contentType: undefined, body: "" };

/** How lists and objects are written where there is no JSON around them. */
const nestings = ["json", "brackets", "repeated"] as const;
type Nesting = (typeof nestings)[number];

/** Every way of sending parameters that there is, and the mixtures. */
export const placements: fc.Arbitrary<(values: Values) => PlacedParameters> = fc
  .record({
    way: fc.constantFrom("query", "form", "json", "query json", "form json", "mixed", "twice"),
    nesting: fc.constantFrom(...nestings),
  })
  .map(
    ({ way, nesting }) =>
      (values) =>
        placed(values, way, nesting),
  );

function placed(values: Values, way: string, nesting: Nesting): PlacedParameters {
  const json = JSON.stringify(values);
  switch (way) {
    case "query":
      return { ...nowhere, query: formOf(values, nesting) };
    case "form":
      return { ...nowhere, contentType: FORM_TYPE, body: formOf(values, nesting) };
    case "query json":
      return { ...nowhere, query: formOf({ json }, nesting) };
    case "form json":
      return { ...nowhere, contentType: FORM_TYPE, body: formOf({ json }, nesting) };
    case "mixed": {
      const entries = Object.entries(values);
      const half = Object.fromEntries(entries.slice(0, entries.length / 2));
      const rest = Object.fromEntries(entries.slice(entries.length / 2));
      return {
        query: formOf(half, nesting),
        contentType: JSON_TYPE,
        body: JSON.stringify(rest),
      };
    }
    case "twice": {
      const query = formOf(values, nesting);
      return { query: `${query}&${query}`, contentType: JSON_TYPE, body: json };
    }
    default:
      return { ...nowhere, contentType: JSON_TYPE, body: json };
  }
}

function formOf(values: Values, nesting: Nesting): string {
  return Object.entries(values)
    .flatMap(([name, value]) => pairsOf(name, value, nesting))
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join("&");
}

function pairsOf(
  name: string,
  value: unknown,
  nesting: Nesting,
): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [[name, textOf(value)]];
  if (nesting === "json" || Object.keys(value).length === 0) return [[name, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    nesting === "repeated" && Array.isArray(value)
      ? pairsOf(name, member, "json")
      : pairsOf(`${name}[${key}]`, member, nesting),
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}

/** For a URL or a form. Half a surrogate pair goes out as the bytes that it would have, which no text has. */
export function percentEncode(text: string): string {
  return text.replaceAll(/./gsu, (letter) =>
    letter.isWellFormed() ? encodeURIComponent(letter) : "%ED%A0%80",
  );
}
