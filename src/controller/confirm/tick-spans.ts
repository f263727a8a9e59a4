import type { RunningCheck } from "../../domain/check.ts";
import type { Verdict } from "../../domain/run/verdict.ts";
import type { Timings } from "../../domain/run/timings.ts";
import {
  spanIdOf,
  traceIdOf,
  traceOfResult,
  type TraceSpan,
  type Tracer,
} from "../../kit/tracing/tracer.ts";
import type { TimedReport } from "./run.ts";
import type { RunSeries } from "./series.ts";

interface Tick extends Pick<RunSeries, "runs" | "reports"> {
  readonly due: {
    readonly tick: number;
    readonly active: { readonly check: Pick<RunningCheck, "id" | "type"> };
  };
  readonly verdict: Exclude<Verdict, { kind: "again" }>;
  /** Time of the verdict, and of its storage. */
  readonly decidedAt: number;
  readonly storedAt: number;
}

/** Traces a tick from when it was due until its verdict was stored: its jobs with their phases, and the verdict. */
export function traceTick(tracer: Tracer, tick: Tick): void {
  const traceId = traceOfTick(tick);
  if (tracer.takes(traceId)) tracer.record(spansOfTick(tick, traceId));
}

/** The alerts of a flip belong to it as well. */
function traceOfTick({ due, runs }: Pick<Tick, "due" | "runs">): string {
  const { id } = due.active.check;
  const last = runs.findLast((run) => run.status !== "undecided");
  return last === undefined
    ? traceIdOf(`${id} tick ${due.tick}`)
    : traceOfResult(id, last.startedAt);
}

function spansOfTick(
  { due, reports = [], verdict, decidedAt, storedAt }: Tick,
  traceId: string,
): readonly TraceSpan[] {
  const { check } = due.active;
  const id = spanIdOf(traceId);
  const child = (name: string): Pick<TraceSpan, "traceId" | "id" | "parentId" | "name"> => ({
    traceId,
    id: spanIdOf(`${traceId} ${name}`),
    parentId: id,
    name,
  });
  return [
    {
      traceId,
      id,
      name: "check",
      startedAt: due.tick,
      endedAt: storedAt,
      attributes: {
        "watchpost.check.id": check.id,
        "watchpost.check.type": check.type,
        "watchpost.verdict": verdict.kind === "flip" ? `flip to ${verdict.to}` : verdict.kind,
      },
    },
    {
      ...child("schedule"),
      startedAt: due.tick,
      endedAt: reports[0]?.sentAt ?? decidedAt,
      attributes: {},
    },
    ...reports.flatMap((report, index) =>
      spansOfJob(report, { traceId, parentId: id, attempt: index + 1 }),
    ),
    { ...child("verdict"), startedAt: decidedAt, endedAt: storedAt, attributes: {} },
  ];
}

function spansOfJob(
  { report, location, sentAt, elapsedMs }: TimedReport,
  {
    traceId,
    parentId,
    attempt,
  }: { readonly traceId: string; readonly parentId: string; readonly attempt: number },
): readonly TraceSpan[] {
  const id = spanIdOf(`${traceId} job ${attempt}`);
  const job: TraceSpan = {
    traceId,
    id,
    parentId,
    name: "job",
    kind: "client",
    startedAt: sentAt,
    endedAt: sentAt + elapsedMs,
    attributes: { "watchpost.location": location, "watchpost.attempt": attempt },
  };
  if ("error" in report) return [{ ...job, error: report.error }];
  const { outcome, startOffsetMs } = report;
  const phases = outcome.timings === undefined ? [] : phasesOf(outcome.timings);
  return [
    {
      ...job,
      attributes: { ...job.attributes, "watchpost.outcome": outcome.reason },
      // The target's response is omitted because it may contain anything.
      ...(!outcome.passed && { error: outcome.reason }),
    },
    ...phases.map(({ name, from, to }) => ({
      traceId,
      id: spanIdOf(`${traceId} job ${attempt} ${name}`),
      parentId: id,
      name,
      startedAt: sentAt + startOffsetMs + from,
      endedAt: sentAt + startOffsetMs + to,
      attributes: {},
    })),
  ];
}

/** Phases are reported as the time of their end. */
function phasesOf({
  dns,
  connect,
  tls,
  firstByte,
  total,
}: Timings): readonly { readonly name: string; readonly from: number; readonly to: number }[] {
  let from = 0;
  return Object.entries({ dns, connect, tls, "first byte": firstByte, rest: total }).flatMap(
    ([name, to]) => {
      if (to === undefined || to < from) return [];
      const phase = { name, from, to };
      from = to;
      return [phase];
    },
  );
}
