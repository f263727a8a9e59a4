import { targetWithoutQuery } from "../../../src/domain/target.ts";
import { newValues, sentValues } from "../../parts/schema-form/form-values.ts";
import { visibleText } from "../../parts/visible-text.ts";
import type { CheckForm } from "../check-edit/queries.ts";
import type { CheckTest } from "../check-edit/test-result.tsx";

/** The parameters of a new check, with its type. */
export type Guess = Readonly<Record<string, unknown>> & Pick<CheckForm, "type">;

/** Forms of the check types. */
type Types = readonly CheckForm[];

/** Guesses checks from an entered URL, host, or host with port, in the order in which to try them. Empty if it is none of these. */
export function guessChecks(entered: string, types: Types): readonly Guess[] {
  const text = entered.trim();
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\/\S+$/i.exec(text) ?? [];
  if (scheme !== undefined)
    return types
      .filter(({ recognition }) => recognition?.schemes?.includes(scheme.toLowerCase()))
      .slice(0, 1)
      .map((type) => guess(type, { target: text }));
  const [, host, digits] = /^(\[[\da-f:.]+\]|[^\s/:@]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host !== undefined) return checksOfPort(types, host, Number(digits));
  if (isAddress(text))
    return suitsEvery(types, "host").map((type) => guess(type, { target: text }));
  // A path without a scheme.
  if (/^[^\s/:@]+\.[^\s/:@]+\/\S*$/.test(text)) return webChecks(types, text).slice(0, 1);
  if (!/^[^\s/:@]+$/.test(text)) return [];
  const ofHost = suitsEvery(types, "host").map((type) => guess(type, { target: text }));
  return [...webChecks(types, `${text}/`), ...ofHost];
}

function guess(form: CheckForm, entered: Readonly<Record<string, unknown>>): Guess {
  const suggested = sentValues(form.parameters, newValues(form.parameters));
  return { ...suggested, ...entered, type: form.type };
}

function isAddress(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || /^\[?[\da-f]*:[\da-f:.]+\]?$/i.test(text);
}

function suitsEvery(types: Types, what: "host" | "port"): Types {
  return types.filter(({ recognition }) => recognition?.suitsEvery === what);
}

/** The type that has both schemes and ports is the one of pages. */
function webChecks(types: Types, address: string): readonly Guess[] {
  const web = types.find(({ recognition }) => recognition?.schemes && recognition.ports);
  const schemes = web?.recognition?.schemes ?? [];
  return schemes.flatMap((scheme) =>
    web === undefined ? [] : [guess(web, { target: `${scheme}://${address}` })],
  );
}

function checksOfPort(types: Types, host: string, port: number): readonly Guess[] {
  const form =
    types.find(({ recognition }) => recognition?.ports?.[port] !== undefined) ??
    suitsEvery(types, "port")[0];
  if (form === undefined) return [];
  const { scheme, ...implied } = { scheme: "", ...form.recognition?.ports?.[port] };
  const target = scheme === "" ? host : `${scheme}://${host}:${port}/`;
  return [guess(form, { target, ...implied, ...(scheme === "" && { port }) })];
}

/** The name of a new check: the title of its page, or else its target without scheme and query. */
export function proposedName({ title = "", label }: Pick<CheckTest, "title" | "label">): string {
  const named = visibleText(title).trim();
  if (named !== "") return named;
  return targetWithoutQuery({ target: label })
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, "")
    .replace(/\/$/, "");
}
