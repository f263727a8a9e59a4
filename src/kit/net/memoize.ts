/** Texts with their values: a few hundred KB. */
const MAX_REMEMBERED = 4096;

/** Caches a function of a text, within a maximum number of texts. */
export function memoize<Value>(
  compute: (text: string) => Value,
  most = MAX_REMEMBERED,
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
