import { isIP } from "node:net";

type Headers = Readonly<Record<string, string>>;

/** The cookies that the responses of one run set, for its next requests. */
export interface RunCookies {
  readonly keep: (url: URL, setCookie: readonly string[]) => void;
  /** The headers of a request, with the cookies that belong to it. */
  readonly addTo: (url: URL, headers: Headers) => Headers;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  /** Whether it belongs to the hosts below this one too. */
  readonly withSubdomains: boolean;
  readonly path: string;
  readonly isSecure: boolean;
  readonly isOver: boolean;
}

/** Browser limits for cookies per host, and for one cookie. */
const MAX_COOKIES = 50;
const MAX_COOKIE_LENGTH = 4096;
/** Usual server limit for all headers together. */
const MAX_HEADER_LENGTH = 16_384;

/** Many pages set a cookie and redirect to themselves, until it comes back. */
export function createRunCookies(now: () => number): RunCookies {
  const kept = new Map<string, Cookie>();
  return {
    keep(url, setCookie) {
      for (const text of setCookie.slice(0, MAX_COOKIES)) {
        const cookie = parseCookie(text, url, now());
        if (cookie === undefined) continue;
        const key = JSON.stringify([cookie.name, cookie.host, cookie.path]);
        kept.delete(key);
        if (!cookie.isOver && kept.size < MAX_COOKIES) kept.set(key, cookie);
      }
    },
    addTo(url, headers) {
      const own = [...kept.values()].filter((cookie) => belongsTo(cookie, url));
      return own.length === 0 ? headers : withCookies(headers, own);
    },
  };
}

/** RFC 6265, 5.2 and 5.3; undefined for what a browser would not keep. */
function parseCookie(text: string, { hostname, pathname }: URL, now: number): Cookie | undefined {
  if (text.length > MAX_COOKIE_LENGTH) return undefined;
  const [pair = "", ...rest] = text.split(";").map((part) => part.trim());
  const equals = pair.indexOf("=");
  if (equals < 1) return undefined;
  const attributes = new Map(
    rest.map((part) => {
      const [name = "", ...value] = part.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim()];
    }),
  );
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  if (domain !== "" && domain !== hostname && !isBelow(hostname, domain)) return undefined;
  const path = attributes.get("path") ?? "";
  const end = attributes.get("max-age") ?? "";
  return {
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    host: domain || hostname,
    withSubdomains: domain !== "",
    path: path.startsWith("/") ? path : pathname.slice(0, pathname.lastIndexOf("/")) || "/",
    isSecure: attributes.has("secure"),
    isOver: end === "" ? Date.parse(attributes.get("expires") ?? "") <= now : Number(end) <= 0,
  };
}

/** A whole top-level domain is nobody's. */
function isBelow(host: string, domain: string): boolean {
  return domain.includes(".") && host.endsWith(`.${domain}`) && isIP(host) === 0;
}

function belongsTo(cookie: Cookie, { hostname, pathname, protocol }: URL): boolean {
  const { host, withSubdomains, path, isSecure } = cookie;
  const isInPath = pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
  return (
    // guard: cookies stay with their host = right
    (hostname === host || (withSubdomains && isBelow(hostname, host))) &&
    isInPath &&
    (!isSecure || protocol === "https:")
  );
}

/** A cookie that the check sends itself gives way to one of the same name. */
function withCookies(headers: Headers, cookies: readonly Cookie[]): Headers {
  const names = new Set(cookies.map(({ name }) => name));
  const [header, sent = ""] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === "cookie") ?? [];
  const own = sent
    .split(/; */)
    .filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0] ?? ""));
  let line = "";
  for (const pair of [...own, ...cookies.map(({ name, value }) => `${name}=${value}`)])
    if (line.length + pair.length <= MAX_HEADER_LENGTH) line += line === "" ? pair : `; ${pair}`;
  return { ...headers, [header ?? "Cookie"]: line };
}
