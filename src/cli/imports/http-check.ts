import type { JsonObject } from "../api-client.ts";
import type { Notes } from "./imported.ts";

/** A request over HTTP, and what its response must be. */
export interface HttpCheckInput {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly follow: boolean;
  readonly verify: boolean;
  readonly warningdays?: number | undefined;
  /** Codes such as 404, ranges such as 200-299, or classes such as 2xx; the default if empty. */
  readonly statuses?: readonly string[];
  readonly content?: {
    readonly text: string;
    readonly isAbsent?: boolean;
    readonly isRegex?: boolean;
    readonly ignoresCase?: boolean;
  };
  readonly fields?: Readonly<Record<string, JsonObject>>;
  readonly clientcert?: string | undefined;
  readonly ipv6?: boolean;
}

export interface HttpParameters {
  readonly type: "HTTP" | "HTTPADV" | "HTTPCONTENT";
  readonly target: string;
  readonly parameters: JsonObject;
}

const METHODS = new Set(["GET", "POST", "PUT", "HEAD", "TRACE", "CONNECT", "DELETE"]);

/** The simplest type of check that does it. */
export function httpCheck(wish: HttpCheckInput, notes: Notes): HttpParameters {
  const method = (wish.method ?? "GET").toUpperCase();
  const isKnown = METHODS.has(method);
  if (!isKnown) notes.off("method", `checks cannot send ${method}`);
  const status = statusOf(wish, notes);
  const headers = wish.headers ?? {};
  const isAdvanced =
    method !== "GET" ||
    Object.keys(headers).length > 0 ||
    wish.body !== undefined ||
    status !== undefined ||
    wish.fields !== undefined ||
    wish.clientcert !== undefined;
  const { content } = wish;
  if (wish.follow && method !== "GET")
    notes.changed("redirects", "only followed after a GET: here a redirect passes");
  return {
    type: isAdvanced ? "HTTPADV" : content === undefined ? "HTTP" : "HTTPCONTENT",
    target: wish.url,
    parameters: {
      ...(wish.follow && { follow: true }),
      ...(wish.url.startsWith("https:") && wish.verify && { verify: true }),
      ...(wish.warningdays !== undefined && { warningdays: wish.warningdays }),
      ...(wish.ipv6 === true && { ipv6: true }),
      ...(isAdvanced && isKnown && method !== "GET" && { method }),
      ...(Object.keys(headers).length > 0 && { sendheaders: headers }),
      ...(wish.body !== undefined && { postdata: wish.body }),
      ...(status !== undefined && { statuscode: status }),
      ...(wish.fields !== undefined && { fields: wish.fields }),
      ...(wish.clientcert !== undefined && { clientcert: wish.clientcert }),
      ...(content !== undefined && {
        contentstring: content.ignoresCase === true ? anyCase(content.text) : content.text,
        ...((content.isRegex === true || content.ignoresCase === true) && { regex: true }),
        ...(content.isAbsent === true && { invert: true }),
      }),
    },
  };
}

/** One code can be asked for; of lists and ranges only those that lie within 200 to 399. */
function statusOf({ statuses = [] }: HttpCheckInput, notes: Notes): number | undefined {
  const ranges = statuses.map(rangeOf);
  const [first] = ranges;
  if (ranges.length === 0) return undefined;
  if (ranges.length === 1 && first !== undefined && first[0] === first[1]) return first[0];
  const all = statuses.join(", ");
  if (ranges.every((range) => range !== undefined && range[0] >= 200 && range[1] <= 399)) {
    const isSame = ranges.some((range) => range?.[0] === 200) && ranges.some(endsAt399);
    if (!isSame) notes.changed("status", `${all} becomes 200 to 399`);
    return undefined;
  }
  notes.off("status", `a check expects 200 to 399 or one code, not ${all}`);
  return undefined;
}

function endsAt399(range: readonly [number, number] | undefined): boolean {
  return range?.[1] === 399;
}

function rangeOf(status: string): readonly [number, number] | undefined {
  const [, digit] = /^([1-5])xx$/i.exec(status) ?? [];
  if (digit !== undefined) return [Number(`${digit}00`), Number(`${digit}99`)];
  const [, from, to = from] = /^(\d{3})(?:-(\d{3}))?$/.exec(status.trim()) ?? [];
  return from === undefined ? undefined : [Number(from), Number(to)];
}

/** A regular expression that finds text in any case. */
function anyCase(text: string): string {
  return Array.from(text)
    .map((character) => {
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
      return character.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
    })
    .join("");
}

export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
