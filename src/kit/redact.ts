import { prefixMatcher } from "./text-search.ts";

/** Replaces a credential. */
export const HIDDEN = "(hidden)";
/** Searching for more would block other runs, and no real check has as many. */
const MAX_SECRETS = 100;
/** A text may end with this many first characters of a secret by chance. */
const MAX_BY_CHANCE = 3;

/** Redacts the secrets in a text, in all usual encodings, also if the text is cut off within one. */
export function redact(text: string, secrets: readonly string[]): string {
  // guard: secrets in evidence = then
  if (secrets.length === 0) return text;
  if (secrets.length > MAX_SECRETS) return HIDDEN;
  const isSecret = new Uint8Array(text.length);
  const readings = readingsOf(text);
  for (const secret of secrets) {
    const match = prefixMatcher(secret);
    for (const reading of readings)
      for (const { begin, end } of occurrences(reading, secret, match))
        isSecret.fill(1, begin, end);
  }
  // Redacted at the end, because secrets may overlap.
  let redacted = "";
  for (let at = 0; at < text.length; at += 1)
    if (isSecret[at] !== 1) redacted += text.charAt(at);
    else if (isSecret[at - 1] !== 1) redacted += HIDDEN;
  return redacted;
}

interface Span {
  readonly begin: number;
  readonly end: number;
}

/** A text decoded in one way, with the part of the original that each character comes from. */
interface Reading {
  readonly text: string;
  readonly spans: readonly Span[];
}

function* occurrences(
  { text, spans }: Reading,
  secret: string,
  match: (character: number) => number,
): Generator<Span> {
  // Without its beginning there is no more of it than by chance, which is quicker to find out.
  if (!text.includes(secret.slice(0, MAX_BY_CHANCE + 1))) return;
  // A non-character ends a match of the previous reading.
  let length = match(Number.NaN);
  for (let at = 0; at < text.length; at += 1) {
    length = match(text.charCodeAt(at));
    if (length === secret.length) yield joined(spans, at + 1 - length, at);
  }
  const begin = spans[text.length - length]?.begin;
  if (length > MAX_BY_CHANCE && begin !== undefined) yield { begin, end: Infinity };
}

function joined(spans: readonly Span[], first: number, last: number): Span {
  return { begin: spans[first]?.begin ?? 0, end: spans[last]?.end ?? 0 };
}

interface Spelling {
  /** Matches an encoded sequence in a group, also one that is cut off at the end of the text. */
  readonly pattern: RegExp;
  readonly meaning: (spelled: string) => string;
}

const percent: Spelling = {
  pattern: /((?:%[\da-f]{2})+|%[\da-f]?$)/i,
  meaning: (spelled) => whole(Buffer.from(spelled.replaceAll("%", ""), "hex")),
};
const plus: Spelling = { pattern: /(\+)/, meaning: () => " " };
const json: Spelling = {
  pattern: /(\\(?:u[\da-fA-F]{4}|["/\\bfnrt])|\\(?:u[\da-fA-F]{0,3})?$)/,
  meaning: (spelled) =>
    /^\\(?:[^u]|u.{4})$/.test(spelled) ? String(JSON.parse(`"${spelled}"`)) : "",
};
const html: Spelling = {
  pattern: /(&(?:[a-z]{2,4}|#\d{1,6}|#x[\da-f]{1,5});|&#?\w{0,6}$)/i,
  meaning: character,
};
/** The encoding of HTTP Basic authentication and of mail logins. */
const base64: Spelling = {
  pattern: /([\w+/-]{4,}={0,2})/,
  meaning: (spelled) => whole(Buffer.from(spelled, "base64")),
};

/** The text unchanged, decoded as URL, form, JSON and HTML, and each of these decoded from Base64. */
function readingsOf(text: string): readonly Reading[] {
  const spans = Array.from({ length: text.length }, (_, at) => ({ begin: at, end: at + 1 }));
  const unchanged = { text, spans };
  const inForm = read(read(unchanged, plus), percent);
  const plain = [
    unchanged,
    read(unchanged, percent),
    inForm,
    read(unchanged, json),
    read(unchanged, html),
  ];
  return [...new Set([...plain, ...plain.map((reading) => read(reading, base64))])];
}

function read(reading: Reading, { pattern, meaning }: Spelling): Reading {
  const pieces = reading.text.split(pattern);
  if (pieces.length === 1) return reading;
  let at = 0;
  const parts = pieces.map((piece, index): Reading => {
    const spans = reading.spans.slice(at, (at += piece.length));
    // The matches of the group are the odd elements.
    if (index % 2 === 0) return { text: piece, spans };
    const text = meaning(piece);
    return { text, spans: Array<Span>(text.length).fill(joined(spans, 0, piece.length - 1)) };
  });
  return {
    text: parts.map(({ text }) => text).join(""),
    spans: parts.flatMap(({ spans }) => spans),
  };
}

/** The bytes as text, without an incomplete character at the end. */
function whole(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&apos;": "'",
  "&gt;": ">",
  "&lt;": "<",
  "&quot;": '"',
};

function character(reference: string): string {
  if (!reference.endsWith(";")) return "";
  if (!reference.startsWith("&#")) return CHARACTERS[reference.toLowerCase()] ?? reference;
  return String.fromCodePoint(Number(reference.slice(2, -1).replace(/^x/i, "0x")));
}
