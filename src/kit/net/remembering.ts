/** Texts with their values: a few hundred KB. */
const MOST_REMEMBERED = 4096;

/** The same function of a text, which computes the value once for as long as not too many others were asked for. */
export function remembering<Value>(
  compute: (text: string) => Value,
  most = MOST_REMEMBERED,
): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.value;
    const value = compute(text);
    if (known.size >= most) known.clear();
    known.set(text, { value });
    return value;
  };
}
