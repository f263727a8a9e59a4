/** The target as people may see it: without the credentials that a URL can carry; "" where there is none. */
export function targetWithoutCredentials({ target }: Readonly<Record<string, unknown>>): string {
  if (typeof target !== "string") return "";
  const url = URL.parse(target);
  if (url === null || url.host === "") return target.slice(target.lastIndexOf("@") + 1);
  if (url.username === "" && url.password === "") return target;
  url.username = "";
  url.password = "";
  return url.href;
}
