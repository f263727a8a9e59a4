import type { Progress } from "./progress-line.ts";

/** Who reads what a command prints, and answers what it asks. */
export interface Terminal {
  /** The columns of the terminal that shows the output; undefined where a program or a file gets it. */
  readonly columns: number | undefined;
  readonly hasColors: boolean;
  /** Asks the person at the terminal; undefined where there is none. */
  readonly ask: ((question: Question) => Promise<string>) | undefined;
  /** Undefined where no terminal shows what is written to standard error. */
  readonly progress: Progress | undefined;
}

export interface Question {
  readonly text: string;
  /** Whether what is typed is not shown. */
  readonly isSecret: boolean;
}

/** What a program has that reads the output: no colors, and nobody to ask. */
export const noTerminal: Terminal = {
  columns: undefined,
  hasColors: false,
  ask: undefined,
  progress: undefined,
};
