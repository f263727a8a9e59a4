import { InvalidInput } from "../kit/errors.ts";
import { parseInstant } from "../schema/dates.ts";
import {
  barsOf,
  findReport,
  recentResults,
  uptimeRows,
  type CheckReport,
  type ReportDeps,
} from "./check-report.ts";
import type { DocumentPlan, RenderableDocument } from "./document-cache.ts";
import type { PublicDocument } from "./public-document.ts";
import type { PublicRequest } from "./public-request.ts";
import { resultsCsv, resultsJson, uptimeCsv, uptimeJson } from "./report-figures.ts";
import { reportPage } from "./report-page.ts";

const DAY_MS = 86_400_000;
const PAGE_RESULTS = 20;
const USUAL_RESULTS = 100;
const MAX_RESULTS = 500;
const USUAL_DAYS = 30;
const MAX_DAYS = 400;
const MAX_MONTHS_MS = 10 * 366 * DAY_MS;

const formats = ["json", "csv", "html"] as const;
type Format = (typeof formats)[number];

/** Parses a request for a check's report; undefined for an unknown path. The last segment may be a file name. */
export function planReport(
  deps: ReportDeps,
  { segments: [root, kind = "", uuid = "", ...rest], query }: PublicRequest,
): DocumentPlan | undefined {
  if (root !== "reports") return undefined;
  const format = formatOf(query);
  if (kind === "checks" && rest.length === 0) return planPage(deps, uuid);
  if (kind === "results" && rest.length <= 2) {
    const limit = limitOf(rest[0]);
    if (format === "html") return planPage(deps, uuid);
    return planOf(deps, uuid, {
      key: `results ${uuid} ${limit} ${format}`,
      async make(report) {
        const results = await recentResults(deps, report, limit);
        return always(format === "csv" ? resultsCsv(results) : resultsJson(report, results));
      },
    });
  }
  if (kind !== "uptime" || rest.length > 1) return undefined;
  return format === "html" ? planPage(deps, uuid) : planUptime(deps, { uuid, query, format });
}

function planPage(deps: ReportDeps, uuid: string): DocumentPlan {
  return planOf(deps, uuid, {
    key: `checks ${uuid}`,
    async make(report) {
      const { no } = report.record.check;
      const bars = await barsOf(deps, [no]);
      const results = await recentResults(deps, report, PAGE_RESULTS);
      const days = bars.get(no) ?? [];
      return (outdated) => reportPage({ report, days, results }, outdated);
    },
  });
}

function planUptime(
  deps: ReportDeps,
  {
    uuid,
    query,
    format,
  }: {
    readonly uuid: string;
    readonly query: URLSearchParams;
    readonly format: Exclude<Format, "html">;
  },
): DocumentPlan {
  const period = query.get("interval") === "months" ? "months" : "days";
  const [start, end] = [instantOf(query, "start"), instantOf(query, "end")];
  return planOf(deps, uuid, {
    key: `uptime ${uuid} ${period} ${start} ${end} ${format}`,
    async make({ record: { check } }) {
      const to = Math.min(end ?? Infinity, deps.clock.now());
      const maxMs = period === "days" ? MAX_DAYS * DAY_MS : MAX_MONTHS_MS;
      const wanted = start ?? to - (period === "days" ? USUAL_DAYS * DAY_MS : MAX_MONTHS_MS);
      const imported = await deps.store.importedHistories.find(check.no);
      const first = Math.min(check.createdAt, imported?.start ?? check.createdAt);
      const from = Math.max(wanted, first, to - maxMs);
      const rows = await uptimeRows(deps, check, { from, to, period });
      return always(format === "csv" ? uptimeCsv(rows) : uptimeJson(rows));
    },
  });
}

type Show = NonNullable<RenderableDocument>["show"];

/** Figures with instants of their own are as right when they are old. */
function always(document: PublicDocument): Show {
  return () => document;
}

function planOf(
  deps: ReportDeps,
  uuid: string,
  { key, make }: { readonly key: string; readonly make: (report: CheckReport) => Promise<Show> },
): DocumentPlan {
  return {
    key,
    async make() {
      const report = await findReport(deps, uuid);
      if (report === undefined) return undefined;
      return { accountId: report.record.check.accountId, show: await make(report) };
    },
  };
}

function formatOf(query: URLSearchParams): Format {
  return formats.find((format) => format === query.get("format")) ?? "html";
}

/** Returns the number of results in the path; a file name means the default. */
function limitOf(segment: string | undefined): number {
  return segment !== undefined && /^\d{1,6}$/.test(segment)
    ? Math.min(Math.max(Number(segment), 1), MAX_RESULTS)
    : USUAL_RESULTS;
}

function instantOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "" || text === "now") return undefined;
  const at = text.length > 100 ? undefined : parseInstant(text);
  if (at === undefined) throw new InvalidInput(`${name}: must be ms since 1970 or YYYY-MM-DD`);
  return at;
}
