import { prefixMatcher } from "../../kit/text-search.ts";

const HIDDEN = "(hidden)";
/** To look for more would hold up everybody else, and nobody has as many. */
const MOST_SECRETS = 100;
/** As much of a secret's beginning as a text may end with by chance. */
const MOST_BY_CHANCE = 3;

/** The text without them, however they are spelled, also where it breaks off within one. */
export function redact(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
  if (secrets.length > MOST_SECRETS) return HIDDEN;
  const isSecret = new Uint8Array(text.length);
  for (const reading of readingsOf(text))
    for (const secret of secrets)
      for (const { begin, end } of whereIn(reading, secret)) isSecret.fill(1, begin, end);
  // Hidden only now, for one secret may begin within another.
  let told = "";
  for (let at = 0; at < text.length; at += 1)
    if (isSecret[at] !== 1) told += text.charAt(at);
    else if (isSecret[at - 1] !== 1) told += HIDDEN;
  return told;
}

interface Span {
  readonly begin: number;
  readonly end: number;
}

/** What a text says where it is read in one way, and which part of the text says each character. */
interface Reading {
  readonly said: string;
  readonly spans: readonly Span[];
}

function* whereIn({ said, spans }: Reading, secret: string): Generator<Span> {
  const begun = prefixMatcher(secret);
  let length = 0;
  for (let at = 0; at < said.length; at += 1) {
    length = begun(said.charCodeAt(at));
    if (length === secret.length) yield joined(spans, at + 1 - length, at);
  }
  const begin = spans[said.length - length]?.begin;
  if (length > MOST_BY_CHANCE && begin !== undefined) yield { begin, end: Infinity };
}

function joined(spans: readonly Span[], first: number, last: number): Span {
  return { begin: spans[first]?.begin ?? 0, end: spans[last]?.end ?? 0 };
}

interface Spelling {
  /** A group around what says something else than it is, and around what says nothing because the text ends within it. */
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
/** As logins are sent. */
const base64: Spelling = {
  pattern: /([\w+/-]{4,}={0,2})/,
  meaning: (spelled) => whole(Buffer.from(spelled, "base64")),
};

/** As a text is, in a URL, in a form, in JSON, in HTML, and each of them in Base64. */
function readingsOf(text: string): readonly Reading[] {
  const spans = Array.from({ length: text.length }, (_, at) => ({ begin: at, end: at + 1 }));
  const asIs = { said: text, spans };
  const inForm = read(read(asIs, plus), percent);
  const plain = [asIs, read(asIs, percent), inForm, read(asIs, json), read(asIs, html)];
  return [...new Set([...plain, ...plain.map((reading) => read(reading, base64))])];
}

function read(reading: Reading, { pattern, meaning }: Spelling): Reading {
  const pieces = reading.said.split(pattern);
  if (pieces.length === 1) return reading;
  let at = 0;
  const parts = pieces.map((piece, index): Reading => {
    const spans = reading.spans.slice(at, (at += piece.length));
    // What the group took stands between the others.
    if (index % 2 === 0) return { said: piece, spans };
    const said = meaning(piece);
    return { said, spans: Array<Span>(said.length).fill(joined(spans, 0, piece.length - 1)) };
  });
  return {
    said: parts.map(({ said }) => said).join(""),
    spans: parts.flatMap(({ spans }) => spans),
  };
}

/** The text of bytes, without a character that they end within. */
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
