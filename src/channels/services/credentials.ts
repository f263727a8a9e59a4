/** The URL without the parameters that are sent elsewhere. */
export function withoutParameters(url: URL, names: readonly string[]): URL {
  const rest = new URL(url);
  for (const name of names) rest.searchParams.delete(name);
  return rest;
}

/** A parameter that holds no spaces: numbers, mailboxes and keys are often written with a plus that is not encoded. */
export function parameterWithPlus(url: URL, name: string): string {
  return (url.searchParams.get(name) ?? "").replaceAll(" ", "+");
}

/** Returns the header for the token in the parameter; empty if the address has the header itself. */
export function bearerOf(url: URL, name: string): Readonly<Record<string, string>> {
  const token = url.searchParams.get(name);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
