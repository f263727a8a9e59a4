import type { CheckReport, PublicResult, UptimeRow } from "./check-report.ts";
import { jsonDocument, type PublicDocument } from "./public-document.ts";

/** As badge services and integrations read them: the members of a result of the API that disclose nothing of the target. */
export function resultsJson(
  { uuid, type, record: { check } }: CheckReport,
  results: readonly PublicResult[],
): PublicDocument {
  return jsonDocument(
    results.map(({ startedAt, endedAt, tick, passed, runtimeMs }) => ({
      _id: `${uuid}-${startedAt}`,
      t: type,
      i: String(check.intervalMinutes),
      ra: String(tick),
      s: startedAt,
      e: endedAt,
      rt: runtimeMs,
      sc: wordOf(passed),
      m: wordOf(passed),
      su: passed,
    })),
  );
}

/** The total is the last row. */
export function uptimeJson(rows: readonly UptimeRow[]): PublicDocument {
  return jsonDocument(
    rows.map(({ period, enabledMs, downMs, percent }) => ({
      period,
      enabled: enabledMs,
      down: downMs,
      uptime: percent,
    })),
  );
}

export function resultsCsv(results: readonly PublicResult[]): PublicDocument {
  return csvDocument(
    ["start", "result", "ms"],
    results.map(({ startedAt, passed, runtimeMs }) => [
      new Date(startedAt).toISOString(),
      wordOf(passed),
      runtimeMs,
    ]),
  );
}

export function uptimeCsv(rows: readonly UptimeRow[]): PublicDocument {
  return csvDocument(
    ["period", "enabled_ms", "down_ms", "uptime"],
    rows.map(({ period, enabledMs, downMs, percent }) => [
      period,
      enabledMs,
      downMs,
      percent ?? "",
    ]),
  );
}

function wordOf(passed: boolean): string {
  return passed ? "Up" : "Down";
}

/** Only dates, numbers and words of the program: no cell can be a formula. */
function csvDocument(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): PublicDocument {
  return {
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": "attachment",
    },
    body: [head, ...rows].map((cells) => `${cells.join(",")}\r\n`).join(""),
  };
}
