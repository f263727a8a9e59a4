export type Path = readonly (string | number)[];

/** One file of a configuration: what it says, and where. */
export interface SourceFile {
  readonly name: string;
  /** The folder that paths in it are relative to. */
  readonly folder: string;
  readonly value: unknown;
  /** Position of the value at the path, or of the nearest one around it. */
  readonly positionOf: (path: Path) => LinePosition;
}

export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** Location of a value in a file. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly path: Path;
}
