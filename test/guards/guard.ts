/** What is put in the place of a part of a source. */
export interface Replacement {
  /** From the root. */
  readonly file: string;
  /** Text that is in the file exactly once. */
  readonly text: string;
  /** What stands in its place when the guard is removed. */
  readonly without: string;
}

/** A protection in the sources, what the sources are without it, and the test that must fail then. */
export interface Guard extends Replacement {
  readonly test: TestReference;
}

export interface TestReference {
  readonly file: string;
  /** The title as it is reported. */
  readonly name: string;
}

/** What somebody may try, and what must hold against it. */
export interface Attack {
  readonly attack: string;
  readonly required: string;
  /** Names of guards, each with the test that fails without it. */
  readonly guards: readonly string[];
  /** Tests of what no single guard holds. */
  readonly tests?: readonly TestReference[];
}

/** The source without the guard. Throws where its text is not there exactly once. */
export function withoutGuard({ file, text, without }: Replacement, source: string): string {
  const [before = "", after, ...more] = source.split(text);
  if (after === undefined || more.length > 0)
    throw new Error(`${file} must have this exactly once: ${JSON.stringify(text)}`);
  return `${before}${without}${after}`;
}
