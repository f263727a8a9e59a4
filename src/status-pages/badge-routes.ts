import { percentOf, type PublicSummary } from "../domain/status/public-check.ts";
import { badgeJson, badgeSvg, withAge, type Badge } from "./badge.ts";
import {
  barsOf,
  findReport,
  recentResults,
  type CheckReport,
  type ReportDeps,
} from "./check-report.ts";
import type { DocumentPlan } from "./document-cache.ts";
import type { PublicRequest } from "./public-request.ts";
import { ageIn, createDates, wordsIn } from "./words.ts";

const words = wordsIn("en");
/** Number of results whose median run time is shown. */
const TIMED_RESULTS = 20;
/** From these percentages on an uptime is good, or fair. */
const GOOD = 99;
const FAIR = 95;

type BadgeKind = (deps: ReportDeps, report: CheckReport) => Promise<Omit<Badge, "label">>;

const kinds: Readonly<Record<string, BadgeKind>> = {
  state: async (_, { state }) => ({ message: words.state[state], state }),
  async uptime(deps, { record: { check } }) {
    const bars = await barsOf(deps, [check.no]);
    const days = bars.get(check.no) ?? [];
    const percent = percentOf(days);
    return percent === undefined
      ? { message: words.state.unknown, state: "unknown" }
      : { message: `${percent} %`, state: uptimeState(percent) };
  },
  async time(deps, report) {
    const results = await recentResults(deps, report, TIMED_RESULTS);
    const times = results.filter(({ passed }) => passed).map(({ runtimeMs }) => runtimeMs);
    const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
    return median === undefined
      ? { message: words.state.unknown, state: "unknown" }
      : { message: `${median} ms`, state: report.state };
  },
};

/** Parses a request for a check's badge: `badges/<uuid>/state.svg`; undefined for an unknown kind. */
export function planBadge(
  deps: ReportDeps,
  { segments: [root, folder, uuid = "", file = "", ...rest] }: PublicRequest,
): DocumentPlan | undefined {
  if (root !== "reports" || folder !== "badges" || rest.length > 0) return undefined;
  const [, name = "", format] = /^(state|uptime|time)\.(svg|json)$/.exec(file) ?? [];
  const kind = kinds[name];
  if (kind === undefined) return undefined;
  return {
    key: `badge ${uuid} ${file}`,
    async make() {
      const report = await findReport(deps, uuid);
      if (report === undefined) return undefined;
      const { name: label, timeZone, record } = report;
      const known = { label, ...(await kind(deps, report)) };
      const dates = createDates("en", timeZone);
      return {
        accountId: record.check.accountId,
        show(outdated) {
          const badge = withAge(known, ageIn({ words, dates }, outdated));
          return format === "svg" ? badgeSvg(badge) : badgeJson(badge);
        },
      };
    },
  };
}

function uptimeState(percent: number): PublicSummary {
  if (percent >= GOOD) return "operational";
  return percent >= FAIR ? "partly" : "down";
}
