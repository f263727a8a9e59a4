/** The values of all cookies of that name in a Cookie header, in its order. A value ends at an equals sign, which ours never contain. */
export function cookieValues(header: string | undefined, name: string): readonly string[] {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.flatMap(([key, value = ""]) => (key === name ? [value] : []));
}
