export interface TestReference {
  readonly file: string;
  /** The title as it is reported. */
  readonly name: string;
}

/** Attack, and the tests that must hold against it. */
export interface Attack {
  readonly attack: string;
  readonly required: string;
  /** Names of guards, each with the test that fails without it. */
  readonly guards: readonly string[];
  /** Tests of what no single guard holds. */
  readonly tests?: readonly TestReference[];
}
