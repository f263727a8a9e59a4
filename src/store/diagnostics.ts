import type { DiagnosticsRun } from "../domain/diagnostics.ts";

export type OutageOfCheck = Pick<DiagnosticsRun, "checkNo" | "outage">;
