/** How a location can find out why a target does not respond. */
export const diagnosticTools = ["route", "lookup", "page", "ping"] as const;
export type DiagnosticTool = (typeof diagnosticTools)[number];

/** Output of one tool, as text without credentials. */
export interface DiagnosticsFinding {
  readonly tool: DiagnosticTool;
  /** Subject examined by the tool, such as an address. */
  readonly about: string;
  readonly text: string;
}

/** How much of the findings of one location is kept: a tool writes at most 64 KB. */
export const findingLimits = { findings: 32, about: 500, text: 65_536 } as const;

/** Diagnostics of an outage, requested with its flip from the location that detected it. */
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

/** Report of a finished run, as mailed to recipients. */
export interface DiagnosticsReport {
  readonly location: string;
  readonly at: number;
  readonly findings: readonly DiagnosticsFinding[];
}

/** A run of diagnostics that is over. */
export interface FinishedDiagnosticsRun extends DiagnosticsRun {
  readonly endedAt: number;
  readonly findings: readonly DiagnosticsFinding[];
}
