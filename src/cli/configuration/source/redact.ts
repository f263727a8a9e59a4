import { isRecord } from "../../../kit/safe-json.ts";

/** The text without any of what was filled in. A short secret is in many words, so that only names, values and messages are redacted, and not what is put around them. */
export type Redact = (text: string) => string;

/** The value, of whose texts each is redacted. */
export function redactedValue(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactedValue(each, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, redactedValue(each, redact)]),
  );
}

/** The text without the secrets, also where they stand in JSON, or in a URL. */
export function redacted(text: string, secrets: ReadonlySet<string>): string {
  const forms = [...secrets].flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
  ]);
  return [...new Set(forms)]
    .toSorted((one, other) => other.length - one.length)
    .reduce((whole, form) => whole.replaceAll(form, "(secret)"), text);
}
