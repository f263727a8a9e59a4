import type { Program } from "../../../test/e2e/process.ts";

/** Programs of one installation, which end only where they are made to. */
export interface EndWatch {
  readonly watch: (name: string, program: Program) => void;
  readonly expectEnd: (program: Program) => void;
  /** Returns which of them ended on its own first, and how. */
  readonly ended: () => string | undefined;
}

export function createEndWatch(): EndWatch {
  const expected = new WeakSet<Program>();
  let first: string | undefined;
  return {
    watch(name, program) {
      void program.ended.then((how) => {
        if (!expected.has(program)) first ??= `${name} ended with ${how}`;
      });
    },
    expectEnd: (program) => void expected.add(program),
    ended: () => first,
  };
}
