import type { FinishedDiagnosticsRun, DiagnosticsRun, Finding } from "../domain/diagnostics.ts";

export interface DiagnosticsReads {
  /** Whether one could be claimed now, by the store's clock; none of these primary accounts and their subaccounts. */
  readonly isDue: (exceptOf?: readonly string[]) => Promise<boolean>;
  /** Finished runs of a check, newest first. */
  readonly listFinished: (
    checkNo: number,
    limit: number,
  ) => Promise<readonly FinishedDiagnosticsRun[]>;
  /** By outage the run that is finished; those that have none, or one that is not, are not in it. */
  readonly findFinished: (
    outages: readonly OutageOfCheck[],
  ) => Promise<ReadonlyMap<string, FinishedDiagnosticsRun>>;
  /** Whether one of an outage that this message alerts of is not finished: `message` is the id of a bundle. */
  readonly isAnyOpen: (message: string) => Promise<boolean>;
}

export type OutageOfCheck = Pick<DiagnosticsRun, "checkNo" | "outage">;

export interface DiagnosticsWrites {
  readonly insert: (run: Omit<DiagnosticsRun, "attempts">) => Promise<void>;
  /** Takes the one that has been due longest, none of these primary accounts: until the lease ends nobody else can claim it. */
  readonly claim: (lease: {
    readonly leaseMs: number;
    readonly exceptOf?: readonly string[];
  }) => Promise<DiagnosticsRun | undefined>;
  /** False where it is gone, finished already, or was claimed for a later attempt. */
  readonly finish: (
    run: Pick<DiagnosticsRun, "id" | "attempts">,
    end: { readonly at: number; readonly findings: readonly Finding[] },
  ) => Promise<boolean>;
  /** Moves all next attempts, as the clock was set by so many ms. */
  readonly shiftTimes: (byMs: number) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}
