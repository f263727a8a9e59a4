import type { Generated } from "kysely";

import type { NumericBoolean } from "./columns.ts";

/** What is found of a check, beside its results. */
export interface FindingTables {
  readonly diagnostics: DiagnosticsTable;
  readonly evidence: EvidenceTable;
  readonly certificates: CertificateTable;
  readonly started_runs: StartedRunTable;
}

export interface DiagnosticsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly check_no: number;
  readonly check_id: string;
  readonly outage: string;
  readonly location: string;
  readonly created_at: number;
  readonly attempts: number;
  /** Null once it is over. */
  readonly next_attempt_at: number | null;
  readonly ended_at: number | null;
  readonly findings: string | null;
}

export interface EvidenceTable {
  readonly account_id: string;
  readonly check_no: number;
  readonly started_at: number;
  readonly flipped: NumericBoolean;
  readonly text: string;
}

export interface CertificateTable {
  readonly check_no: number;
  readonly observed_at: number;
  readonly location: string;
  readonly subject: string;
  readonly issuer: string;
  readonly valid_to: number;
  /** When the next one was observed at its location; null while it is the latest. */
  readonly replaced_at: number | null;
}

export interface StartedRunTable {
  readonly check_no: number;
  readonly run_id: string;
  readonly started_at: number;
  readonly due_at: number | null;
}
