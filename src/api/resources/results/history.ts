import { z } from "zod";

import { DAY_MS } from "../../../domain/availability.ts";
import {
  emptySummary,
  meanMs,
  meanPhaseMs,
  mergeSummaries,
  quantileMs,
  summaryPhases,
  type RunSummary,
  type SummaryPhase,
} from "../../../domain/run/run-summary.ts";
import { CLOCK_SKEW_TOLERANCE_MS } from "../../../kit/clock.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { choice, flag } from "../../../schema/scalars.ts";
import { HOUR_MS, type StoredSummary } from "../../../store/results.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { instant, instantOrNow } from "../instants.ts";

const USUAL_MS = DAY_MS;
/** Maximum hours shown by hour unless requested; longer periods are shown by day. */
const MAX_AUTO_HOURS = 31 * 24;

interface Step {
  readonly ms: number;
  /** The longest range that is shown by it. */
  readonly maxDays: number;
}

/** Ten-minute steps are computed from results, of which a check may have 7,200 a day. */
const steps = {
  "10min": { ms: 600_000, maxDays: 2 },
  hour: { ms: HOUR_MS, maxDays: 100 },
  day: { ms: DAY_MS, maxDays: 3700 },
} as const satisfies Readonly<Record<string, Step>>;
type StepName = keyof typeof steps;
const stepNames = ["10min", "hour", "day"] as const;

const counts = z.array(z.int());
const times = z.array(z.number().nullable());

const time = z.number().nullable();

const totalResponse = z.object({
  runs: z.int(),
  failures: z.int(),
  min: time,
  median: time,
  p95: time,
  max: time,
  mean: time,
});

const seriesResponse = z
  .object({
    location: z.string().optional().describe("Missing for all locations together"),
    t: counts.describe(
      "When each stretch begins, in ms since 1970; those without runs are left out",
    ),
    runs: counts,
    failures: counts,
    min: times.describe("The shortest run, in ms, of those that passed and were timed"),
    median: times.describe("As `p95`"),
    p95: times.describe("The time that 95 % of the runs did not exceed, in ms, to 5 %"),
    max: times,
    mean: times,
    phases: z
      .object({ dns: times, connect: times, tls: times, firstbyte: times, rest: times })
      .describe("What each phase took itself on average, in ms"),
    total: totalResponse.describe("Of the whole range"),
  })
  .meta({ id: "ResultSeries" });
type Series = z.infer<typeof seriesResponse>;

const historyResponse = z
  .object({
    step: z.enum(stepNames).describe("How long each stretch is"),
    start: z.int().describe("The first instant, in ms since 1970"),
    end: z.int(),
    series: z.array(seriesResponse),
  })
  .meta({ id: "ResultHistory" });

export function getHistory({ store, clock }: Pick<ResourceDeps, "store" | "clock">): Operation {
  return operation({
    summary: "Returns how long the runs of a check took over months and years, by hours or days",
    needs: "view",
    effect: "read",
    input: z.object({
      id: required(id).describe("The check's id"),
      customerid,
      start: instant.describe("The first instant; 24 hours before the last if missing"),
      end: instantOrNow.describe("The last instant; now if missing"),
      step: choice(stepNames).describe(
        "The length of a stretch, `10min` for at most two days, `hour` for at most 100; by the range if missing",
      ),
      bylocation: flag.describe("Whether each location has a series of its own"),
    }),
    response: historyResponse,
    async handle({ id, start, end, step, bylocation = false }, { account }) {
      const check = await findCheck(store, account.id, id);
      const to = Math.min(end ?? Number.MAX_SAFE_INTEGER, clock.now() + CLOCK_SKEW_TOLERANCE_MS);
      const from = start ?? Math.max(0, to - USUAL_MS);
      const name = step ?? usualStep(to - from);
      assertRange(from, to, name);
      const stepMs = steps[name].ms;
      const summaries = await store.results.summaries({
        checkNo: check.no,
        from: from - (from % stepMs),
        to,
        stepMs,
      });
      return { step: name, start: from, end: to, series: seriesOf(summaries, bylocation) };
    },
  });
}

function usualStep(rangeMs: number): StepName {
  if (rangeMs <= DAY_MS + HOUR_MS) return "10min";
  return rangeMs <= MAX_AUTO_HOURS * HOUR_MS + CLOCK_SKEW_TOLERANCE_MS ? "hour" : "day";
}

function assertRange(from: number, to: number, step: StepName): void {
  if (from > to) throw new InvalidInput("end: must not be before start");
  const { maxDays } = steps[step];
  if (to - from > maxDays * DAY_MS + CLOCK_SKEW_TOLERANCE_MS)
    throw new InvalidInput(`start: at most ${maxDays} days before end with step ${step}`);
}

function seriesOf(summaries: readonly StoredSummary[], isByLocation: boolean): readonly Series[] {
  if (!isByLocation) return [toResponse(summaries)];
  const locations = Map.groupBy(summaries, ({ location }) => location);
  return [...locations]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([location, own]) => ({ location, ...toResponse(own) }));
}

function toResponse(summaries: readonly StoredSummary[]): Series {
  const stretches = new Map<number, RunSummary>();
  for (const { at, summary } of summaries)
    stretches.set(at, mergeSummaries(stretches.get(at) ?? emptySummary, summary));
  const all = [...stretches.values()];
  const total = all.reduce(mergeSummaries, emptySummary);
  const each = (read: (summary: RunSummary) => number | undefined): (number | null)[] =>
    all.map((summary) => rounded(read(summary)));
  const phase = (name: SummaryPhase): (number | null)[] =>
    each((summary) => meanPhaseMs(summary, name));
  const [dns, connect, tls, firstByte, rest] = summaryPhases;
  return {
    t: [...stretches.keys()],
    runs: all.map(({ runs }) => runs),
    failures: all.map(({ failures }) => failures),
    min: each(figures.min),
    median: each(figures.median),
    p95: each(figures.p95),
    max: each(figures.max),
    mean: each(meanMs),
    phases: {
      dns: phase(dns),
      connect: phase(connect),
      tls: phase(tls),
      firstbyte: phase(firstByte),
      rest: phase(rest),
    },
    total: {
      runs: total.runs,
      failures: total.failures,
      min: rounded(figures.min(total)),
      median: rounded(figures.median(total)),
      p95: rounded(figures.p95(total)),
      max: rounded(figures.max(total)),
      mean: rounded(meanMs(total)),
    },
  };
}

const figures = {
  min: ({ timed, minMs }: RunSummary) => (timed === 0 ? undefined : minMs),
  median: (summary: RunSummary) => quantileMs(summary, 0.5),
  p95: (summary: RunSummary) => quantileMs(summary, 0.95),
  max: ({ timed, maxMs }: RunSummary) => (timed === 0 ? undefined : maxMs),
};

/** To tenths of a ms. */
function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms * 10) / 10;
}
