import type { FinishedDiagnosticsRun, DiagnosticsRun, Finding } from "../domain/diagnostics.ts";

export interface DiagnosticsReads {
  /** Whether one could be claimed at `now`. */
  readonly isDue: (now: number) => Promise<boolean>;
  /** Of a check, those that are over, the newest first. */
  readonly listFinished: (
    checkNo: number,
    limit: number,
  ) => Promise<readonly FinishedDiagnosticsRun[]>;
}

export interface DiagnosticsWrites {
  readonly insert: (diagnosis: Omit<DiagnosticsRun, "attempts">) => Promise<void>;
  /** Takes the one that has been due the longest: nobody else can claim it before `until`. */
  readonly claim: (lease: {
    readonly now: number;
    readonly until: number;
  }) => Promise<DiagnosticsRun | undefined>;
  /** False where it is gone, over already, or was claimed for a later attempt. */
  readonly finish: (
    diagnosis: Pick<DiagnosticsRun, "id" | "attempts">,
    end: { readonly at: number; readonly findings: readonly Finding[] },
  ) => Promise<boolean>;
  readonly remove: (id: string) => Promise<void>;
}
