/** What a location can do to see why a target does not answer. */
export const diagnosticTools = ["route", "lookup", "page"] as const;
export type DiagnosticTool = (typeof diagnosticTools)[number];

/** What one tool found, in words and without credentials. */
export interface Finding {
  readonly tool: DiagnosticTool;
  /** What it looked at, such as an address. */
  readonly about: string;
  readonly text: string;
}

/** A look at why a check went down, ordered with its flip at the location that saw it. */
export interface DiagnosticsRun {
  readonly id: string;
  readonly accountId: string;
  readonly checkNo: number;
  readonly checkId: string;
  /** The id of the flip that began the outage. */
  readonly outage: string;
  readonly location: string;
  readonly createdAt: number;
  readonly attempts: number;
}

/** One that is over. */
export interface FinishedDiagnosticsRun extends DiagnosticsRun {
  readonly endedAt: number;
  readonly findings: readonly Finding[];
}
