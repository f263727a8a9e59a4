import type { StormCheck } from "../accounts.ts";
import type { Row } from "../alert-rows.ts";
import type { Installation } from "../installation.ts";
import type { Finding } from "./judge-states.ts";
import type { Receiver } from "../receivers.ts";
import { overlaps, type Interval } from "./timeline.ts";
import {
  verifyAlerts,
  verifyDeliveries,
  verifyMessages,
  Violation,
  type Tally,
} from "./verify-alerts.ts";

interface Plain {
  readonly site: Installation;
  readonly checks: readonly StormCheck[];
  readonly rows: readonly Row[];
  readonly mail: Receiver;
  readonly hook: Receiver;
  readonly results: ResultOrder;
  /** Whether it was killed while nothing could be stored. */
  readonly mayForget: boolean;
}

/** Effect of a clock change on results. */
interface ResultOrder {
  /** Whether they come back in the order in which they were stored. */
  readonly hasOrder: boolean;
  /** When the clock was ahead: results of then are not shown before their time. */
  readonly ahead: readonly Interval[];
}

interface Judged {
  readonly tally: Omit<Tally, "flips">;
  readonly joint: number;
  readonly findings: readonly Finding[];
}

/** Compares the results of checks that nobody changed with the alerts of their two addresses, one by one. */
export async function judgePlain(plain: Plain): Promise<Judged> {
  const { site, checks, mail, hook, results: order } = plain;
  const findings: Finding[] = [];
  const tallies: Omit<Tally, "flips">[] = [];
  let joint = 0;
  for (const check of checks) {
    const passed = await resultsOf(check, site);
    judging(findings, check.id, () => verifyKept(check, passed, order));
    for (const [isHook, receiver] of [
      [false, mail],
      [true, hook],
    ] as const)
      judging(findings, check.id, () => {
        const history = historyAt({ plain, check, receiver, isHook });
        tallies.push(
          order.hasOrder
            ? verifyAlerts({ ...history, results: passed })
            : verifyDeliveries(history),
        );
      });
  }
  judging(findings, "webhooks", () => void verifyMessages(hook.messages(), plain));
  judging(findings, "mails", () => ({ joint } = verifyMessages(mail.messages(), plain)));
  const sum = (key: keyof Judged["tally"]): number =>
    tallies.reduce((all, tally) => all + tally[key], 0);
  return {
    tally: {
      delivered: sum("delivered"),
      duplicates: sum("duplicates"),
      cancelled: sum("cancelled"),
      failed: sum("failed"),
    },
    joint,
    findings,
  };
}

function historyAt({
  plain: { rows, site },
  check,
  receiver: { received, refused, unsure },
  isHook,
}: {
  readonly plain: Plain;
  readonly check: StormCheck;
  readonly receiver: Receiver;
  readonly isHook: boolean;
}): Parameters<typeof verifyDeliveries>[0] {
  const alerts = rows.filter((row) => row.check === check.id && row.isHook === isHook);
  // A claimed alert may have been sent, whatever its next attempt did.
  const claimed = alerts.filter(
    ({ status, tried }) =>
      status === "failed" && site.kills.some((at) => at >= tried.from && at <= tried.to),
  );
  // A process that lost its files may have sent what the next, which does not know that, had to drop.
  const forgotten = new Set(
    alerts
      .filter(({ status, tried }) => status === "dropped" && overlaps(site.unsaved, tried))
      .map(({ _id }) => _id),
  );
  return {
    name: `${check.id} by ${isHook ? "webhook" : "mail"}`,
    alerts: alerts.map(({ _id, type, status, reason = "", isMissed = false }) => ({
      _id,
      type,
      status,
      reason,
      isMissed,
    })),
    received: received().filter((id) => !forgotten.has(id)),
    refused: refused(alerts),
    unsure: unsure().union(new Set(claimed.map(({ _id }) => _id))),
  };
}

function judging(findings: Finding[], about: string, judge: () => void): void {
  try {
    judge();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    findings.push({ kind: error.kind, about, at: Infinity, what: error.message });
  }
}

/** Whether each heartbeat of checks that are changed meanwhile is there that was acknowledged. */
export async function judgeKept(
  checks: readonly StormCheck[],
  { site, account }: { readonly site: Installation; readonly account: string },
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const passed = await resultsOf(check, site, account);
    judging(findings, check.id, () => verifyKept(check, passed, { hasOrder: true, ahead: [] }));
  }
  return findings;
}

/** Whether each result passed, the oldest first. */
async function resultsOf(
  { id }: Pick<StormCheck, "id">,
  site: Installation,
  account?: string,
): Promise<readonly boolean[]> {
  const of = account === undefined ? "" : `&customerid=${account}`;
  const { body } = await site.insist(`GET results/${id}?clean=1&limit=43200${of}`);
  const results: readonly { readonly su: boolean }[] = body;
  return results.map(({ su }) => su).toReversed();
}

/** Every heartbeat that was acknowledged is a result; others may be, for the answer to one can be lost. */
export function verifyKept(
  { id, beats, target }: Pick<StormCheck, "id" | "beats" | "target">,
  kept: readonly boolean[],
  { hasOrder, ahead }: ResultOrder,
): void {
  if (target !== undefined) return;
  const acknowledged = beats
    .filter((beat) => beat.outcome === "stored" && !overlaps(ahead, beat))
    .map(({ isPassing }) => isPassing);
  const [wanted, found] = hasOrder
    ? [acknowledged, kept]
    : [failingFirst(acknowledged), failingFirst(kept)];
  let next = 0;
  for (const passed of found) if (passed === wanted[next]) next += 1;
  if (next < wanted.length)
    throw new Violation("forgotten", `${id}: ${wanted.join()} became ${found.join()}`);
}

function failingFirst(passed: readonly boolean[]): readonly boolean[] {
  return passed.toSorted((one, other) => Number(one) - Number(other));
}
