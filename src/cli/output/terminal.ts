import type { ProgressLine } from "./progress-line.ts";

/** Reader of a command's output, who may answer its questions. */
export interface Terminal {
  /** Columns of the terminal with the output; undefined if the output goes to a program or a file. */
  readonly columns: number | undefined;
  readonly hasColors: boolean;
  /** Asks the person at the terminal; undefined if there is none. */
  readonly ask: ((question: Prompt) => Promise<string>) | undefined;
  /** Undefined if standard error is not a terminal. */
  readonly progress: ProgressLine | undefined;
}

export interface Prompt {
  readonly text: string;
  /** Whether what is typed is not shown. */
  readonly isSecret: boolean;
}

/** Terminal of a program that reads the output: no colors and no questions. */
export const noTerminal: Terminal = {
  columns: undefined,
  hasColors: false,
  ask: undefined,
  progress: undefined,
};
