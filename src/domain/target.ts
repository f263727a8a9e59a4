/** Returns the target as shown to its account, without the credentials of a URL; "" if there is none. */
export function targetWithoutCredentials({ target }: Readonly<Record<string, unknown>>): string {
  if (typeof target !== "string") return "";
  const url = URL.parse(target);
  if (url === null || url.host === "") return target.slice(target.lastIndexOf("@") + 1);
  if (url.username === "" && url.password === "") return target;
  url.username = "";
  // guard: targets without credentials
  url.password = "";
  return url.href;
}

/** The target as it is stored in the clear and sent to people: also without query and fragment, which may contain keys. */
export function targetWithoutQuery(parameters: Readonly<Record<string, unknown>>): string {
  return targetWithoutCredentials(parameters) /* guard: targets without queries */
    .replace(/[?#].*$/s, "");
}

/** User names and passwords of URLs. */
const USER_INFO = /(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#@"'<>]{1,2000}@/gi;
/** The query and fragment of a URL or a path, as in `/login?next=/` or `https://example.com/#token`. */
const QUERY = /[?#][\w.~%[\]-]{1,200}=[^\s"'<>)]*|(?<=\/[^\s?#"'<>()]*)[?#][^\s"'<>)]+/g;

/** A text that a target sent, with the credentials, queries, and fragments of its URLs cut off. */
export function withoutUrlSecrets(text: string): string {
  return text.replaceAll(USER_INFO, "$1").replaceAll(QUERY, "");
}

/** Returns the host of a target, in lower case; "" if it has none. */
export function hostOfTarget(target: string): string {
  const url = URL.parse(target);
  const host = url !== null && url.hostname !== "" ? url.hostname : withoutPort(target);
  return /^[^\s/@?#]+$/.test(host) ? host.toLowerCase() : "";
}

function withoutPort(target: string): string {
  return target.replace(/^([^:]+|\[[^\]]*\]):\d+$/, "$1");
}
