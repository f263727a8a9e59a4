import type { Check } from "../domain/check.ts";
import type { StoredResult } from "../store/results.ts";

export function resultToWire(
  check: Pick<Check, "id" | "accountId" | "queue">,
  result: StoredResult,
): Readonly<Record<string, unknown>> {
  const {
    type,
    target,
    timeoutSeconds,
    intervalMinutes,
    tick,
    startedAt,
    endedAt,
    passed,
    text,
    message,
    runtimeMs,
    location,
    earlierRuns,
  } = result;
  return {
    _id: `${check.id}-${startedAt}`,
    ci: check.accountId,
    t: type,
    tg: target,
    th: String(timeoutSeconds),
    i: String(intervalMinutes),
    ra: String(tick),
    q: check.queue,
    s: startedAt,
    sc: text,
    m: message,
    su: passed,
    rt: Math.round(runtimeMs),
    e: endedAt,
    l: Object.fromEntries([...earlierRuns, [startedAt, location] as const]),
    rhp: location,
    f: "",
    jobid: check.id,
  };
}
