/** The target as its account may see it: without user name and password of a URL; "" where there is none. */
export function targetWithoutCredentials({ target }: Readonly<Record<string, unknown>>): string {
  if (typeof target !== "string") return "";
  const url = URL.parse(target);
  if (url === null || url.host === "") return target.slice(target.lastIndexOf("@") + 1);
  if (url.username === "" && url.password === "") return target;
  url.username = "";
  url.password = "";
  return url.href;
}

/** The target as it is stored in the clear and sent to people: also without query and fragment, which may contain keys. */
export function targetWithoutQuery(parameters: Readonly<Record<string, unknown>>): string {
  return targetWithoutCredentials(parameters).replace(/[?#].*$/s, "");
}

/** The host that a target names, in lower case; "" where it names none. */
export function hostOfTarget(target: string): string {
  const url = URL.parse(target);
  const host = url !== null && url.hostname !== "" ? url.hostname : withoutPort(target);
  return /^[^\s/@?#]+$/.test(host) ? host.toLowerCase() : "";
}

function withoutPort(target: string): string {
  return target.replace(/^([^:]+|\[[^\]]*\]):\d+$/, "$1");
}
