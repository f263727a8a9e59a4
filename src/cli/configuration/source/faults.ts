import { CommandError } from "../../command-context.ts";
import type { SourceLocation, LinePosition } from "./source-location.ts";
import type { Redact } from "./redact.ts";

/** All errors in the files, so that they are reported together. */
export interface Faults {
  readonly add: (place: SourceLocation, message: string) => void;
  readonly addAt: (file: string, position: LinePosition, message: string) => void;
  readonly count: () => number;
  /** Errors by file and position, one line each. */
  readonly lines: () => readonly string[];
  /** Throws a FilesError that names all of them, if there are any. */
  readonly assertNone: () => void;
}

/** Says what is wrong with the files, and nothing that they only refer to. */
export class FilesError extends CommandError {}

interface Fault extends LinePosition {
  readonly file: string;
  /** Member concerned, with a colon; empty if there is none. */
  readonly about: string;
  readonly message: string;
}

/** More are nothing that anybody reads at once. */
const MAX_SHOWN = 100;

/** `redact` is applied to messages, which may quote values. */
export function createFaults(redact: Redact): Faults {
  const faults: Fault[] = [];
  const lines = (): readonly string[] => {
    const sorted = faults.toSorted(
      (one, other) =>
        one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column,
    );
    return [
      ...new Set(
        sorted.map(
          ({ file, line, column, about, message }) =>
            `${file}:${line}:${column}: ${about}${redact(message)}`,
        ),
      ),
    ];
  };
  return {
    add({ file, path }, message) {
      const title = path.join(".");
      const about = title === "" ? "" : `${title}: `;
      faults.push({ file: file.name, ...file.positionOf(path), about, message });
    },
    addAt(file, position, message) {
      faults.push({ file, ...position, about: "", message });
    },
    count: () => faults.length,
    lines,
    assertNone() {
      const all = lines();
      if (all.length === 0) return;
      const more = all.length - MAX_SHOWN;
      throw new FilesError(
        [
          ...all.slice(0, MAX_SHOWN),
          ...(more > 0 ? [`and ${more} more`] : []),
          `${all.length} ${all.length === 1 ? "fault" : "faults"}, and nothing was changed.`,
        ].join("\n"),
      );
    },
  };
}
