import type { Alert } from "../../domain/alert/alert.ts";
import { spanIdOf, traceOfResult, type TraceSpan, type Tracer } from "../../kit/tracing/tracer.ts";
import type { AttemptEnd } from "../../store/tables/alerts.ts";
import type { Attempt } from "./attempt.ts";

export interface FinishedAlert {
  readonly alert: Alert;
  readonly end: AttemptEnd;
  readonly channel?: string | undefined;
  /** Undefined if nothing was sent. */
  readonly attempt: Attempt | undefined;
}

/** Traces what became of alerts, in the trace of the tick that they alert of. */
export function traceAlerts(tracer: Tracer, finished: readonly FinishedAlert[], at: number): void {
  for (const each of finished) {
    const { checkId, notice } = each.alert;
    const traceId = traceOfResult(checkId, notice.result.startedAt);
    if (tracer.takes(traceId)) tracer.record(spansOf(each, { traceId, at }));
  }
}

function spansOf(
  { alert, end, channel, attempt }: FinishedAlert,
  { traceId, at }: { readonly traceId: string; readonly at: number },
): readonly TraceSpan[] {
  const id = spanIdOf(alert.id);
  const delivery: TraceSpan | undefined = attempt && {
    traceId,
    id: spanIdOf(`${alert.id} ${alert.attempts}`),
    parentId: id,
    name: "delivery",
    kind: "client",
    startedAt: attempt.startedAt,
    endedAt: attempt.endedAt,
    attributes: { "watchpost.channel": channel, "watchpost.attempt": alert.attempts },
    // The receiver's response is omitted because it may repeat the address, which may be secret.
    error: attempt.failure && (attempt.failure.retryable ? "failed" : "refused"),
  };
  const isOver = end.status !== "waiting";
  const whole: TraceSpan | undefined = isOver
    ? {
        traceId,
        id,
        parentId: spanIdOf(traceId),
        name: "alert",
        startedAt: alert.createdAt,
        endedAt: at,
        attributes: {
          "watchpost.check.id": alert.checkId,
          "watchpost.alert.id": alert.id,
          "watchpost.alert.kind": alert.kind,
          "watchpost.alert.status": end.status,
        },
        error: end.status === "failed" ? "failed" : undefined,
      }
    : undefined;
  return [delivery, whole].filter((span) => span !== undefined);
}
