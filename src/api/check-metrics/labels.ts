/** A name may be longer than any chart shows, and is sent with each metric. */
const MAX_VALUE_LENGTH = 200;

/** The labels of a sample in the text format of Prometheus, without braces. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

function escaped(value: string): string {
  return (
    value
      .slice(0, MAX_VALUE_LENGTH)
      // A pair of surrogates may have been cut.
      .toWellFormed()
      .replaceAll("\0", "")
      .replace(/[\\"\n]/g, (character) => escapes[character] ?? character)
  );
}
