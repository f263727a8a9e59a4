import { CommandError } from "../../command-context.ts";
import type { Place, Position } from "./place.ts";

/** What is wrong with the files, all of it, for one look at them. */
export interface Faults {
  readonly add: (place: Place, message: string) => void;
  readonly addAt: (file: string, position: Position, message: string) => void;
  readonly count: () => number;
  /** By file and position, a line each. */
  readonly lines: () => readonly string[];
  /** Throws a CommandError that names all of them, if there are any. */
  readonly assertNone: () => void;
}

interface Fault extends Position {
  readonly file: string;
  readonly message: string;
}

/** More are nothing that anybody reads at once. */
const MOST_SHOWN = 100;

export function createFaults(): Faults {
  const faults: Fault[] = [];
  const lines = (): readonly string[] => {
    const sorted = faults.toSorted(
      (one, other) =>
        one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column,
    );
    return [
      ...new Set(
        sorted.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
      ),
    ];
  };
  return {
    add({ file, path }, message) {
      const title = path.join(".");
      const named = title === "" ? message : `${title}: ${message}`;
      faults.push({ file: file.name, ...file.positionOf(path), message: named });
    },
    addAt(file, position, message) {
      faults.push({ file, ...position, message });
    },
    count: () => faults.length,
    lines,
    assertNone() {
      const all = lines();
      if (all.length === 0) return;
      const more = all.length - MOST_SHOWN;
      throw new CommandError(
        [
          ...all.slice(0, MOST_SHOWN),
          ...(more > 0 ? [`and ${more} more`] : []),
          `${all.length} ${all.length === 1 ? "fault" : "faults"}, and nothing was changed.`,
        ].join("\n"),
      );
    },
  };
}
