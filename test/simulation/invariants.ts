import type { Result } from "../../src/domain/run/result.ts";
import { minute } from "../record-builders.ts";
import { benDelayMinutes, recipients, type FinalState, type SimulatedRun } from "./simulate.ts";
import type { AlertRow, CheckRow, FlipRow, SpanRow } from "./rows.ts";

/** Invariants of every final state; each returns the violations. */
export const invariants: Readonly<Record<string, (end: FinalState) => readonly string[]>> = {
  "a result and its earlier runs are all decided runs of its tick": ({ results, ...end }) =>
    results
      .filter((result) => runsOf(result, end) === undefined)
      .map((result) => JSON.stringify(result)),

  "a result begins after all that were stored before it": ({ results }) =>
    results
      .filter((result, index) =>
        results
          .slice(0, index)
          .some(
            ({ checkNo, startedAt }) => checkNo === result.checkNo && startedAt >= result.startedAt,
          ),
      )
      .map((result) => JSON.stringify(result)),

  "a flip has as many agreeing rechecks as were asked for, and none that disagrees with a known state":
    (end) =>
      end.flips.filter((flip) => !isConfirmed(flip, end)).map((flip) => JSON.stringify(flip)),

  "the flips of a check follow from each other": ({ flips }) =>
    flips
      .filter((flip, index) => {
        const before = flips.slice(0, index).findLast(({ checkNo }) => checkNo === flip.checkNo);
        return flip.from !== before?.to || flip.from === flip.to;
      })
      .map((flip) => JSON.stringify(flip)),

  "when all is well an enabled check has the state of its target and no open gap": ({
    checks,
    targets,
  }) =>
    checks
      .filter(
        ({ id, enabled, state, inTrouble }) =>
          enabled && (inTrouble || state !== (targets.get(id) === true ? "passing" : "failing")),
      )
      .map((check) => JSON.stringify(check)),

  "a check is down in one open span while it fails and is enabled, else in none": ({
    checks,
    spans,
  }) =>
    checks.filter((check) => !isDownInSpans(check, spans)).map((check) => JSON.stringify(check)),

  "every recipient gets the down alert of an outage, and a first verdict, once": ({
    flips,
    alerts,
  }) =>
    flips
      .filter(({ from, to }) => from === undefined || to === "failing")
      .filter(({ id, from }) => {
        const found = alerts.filter((alert) => alert.flipId === id && begins(alert));
        const kind = from === undefined ? "first" : "down";
        const names = found.map(({ contactId }) => contactId).toSorted();
        return names.join() !== recipients.join() || found.some((alert) => alert.kind !== kind);
      })
      .map((flip) => JSON.stringify(flip)),

  "no Up was sent to anybody who was not sent the outage's Down before": ({ alerts, sends }) =>
    sends.flatMap(({ alertId }, index) => {
      const up = alerts.find(({ id, kind }) => id === alertId && kind === "up");
      if (up === undefined || up.isMissed) return [];
      const down = beginningOf(up, alerts);
      const wasSent = sends.slice(0, index).some((send) => send.alertId === down?.id);
      return wasSent ? [] : [JSON.stringify(up)];
    }),

  "no Down that was accepted, or may have been, is said to be missed": ({ alerts, sends }) =>
    alerts
      .filter((up) => {
        const down = up.isMissed ? beginningOf(up, alerts) : undefined;
        return sends.some(({ alertId, mayBeTaken }) => mayBeTaken && alertId === down?.id);
      })
      .map((up) => JSON.stringify(up)),

  "an outage that ended after an attempt at its Down had failed is told of": ({ alerts, sends }) =>
    alerts
      .filter(({ kind, reason }) => kind === "up" && reason === "down_not_sent")
      .filter((up) => {
        const down = beginningOf(up, alerts);
        const wasTried = sends.some(({ alertId }) => alertId === down?.id);
        return wasTried && down?.reason === "recovered";
      })
      .map((up) => JSON.stringify(up)),

  "whoever got the down alert of an outage that is over gets the recovery, unless the check was disabled or removed":
    ({ flips, alerts, sends }) => {
      const took = new Set(sends.filter(({ accepted }) => accepted).map(({ alertId }) => alertId));
      return flips
        .filter(({ from, to }) => from === "failing" && to === "passing")
        .flatMap((flip) => {
          const outage = flips.findLast(
            ({ checkNo, to }, index) =>
              checkNo === flip.checkNo && to === "failing" && index < flips.indexOf(flip),
          );
          return alerts
            .filter((alert) => begins(alert) && alert.flipId === outage?.id && took.has(alert.id))
            .filter(({ contactId }) => {
              const up = alerts.find(
                (alert) => alert.flipId === flip.id && alert.contactId === contactId,
              );
              return up === undefined || up.reason === "down_not_sent";
            })
            .map((down) => JSON.stringify({ flip, down }));
        });
    },

  "no reminder, and no word of an acknowledgement, is sent to anybody who was not sent the Down before":
    ({ alerts, sends }) =>
      sends.flatMap(({ alertId }, index) => {
        const alert = alerts.find(({ id }) => id === alertId);
        if (alert === undefined || begins(alert) || alert.kind === "up") return [];
        const down = beginningOf(alert, alerts);
        const wasSent = sends.slice(0, index).some((send) => send.alertId === down?.id);
        return wasSent ? [] : [JSON.stringify(alert)];
      }),

  "no reminder is sent once its outage is over or acknowledged": (end) =>
    sentOf(end, ({ kind }) => kind === "reminder")
      .filter(({ alert, at }) => {
        const isOver = end.flips.some(
          (flip) =>
            flip.to === "passing" &&
            flip.checkNo === checkOf(alert, end) &&
            flip.at > (beganAt(alert, end) ?? 0) &&
            flip.at < at - UNDER_WAY_MS,
        );
        return isOver || isAcknowledged(alert, at - UNDER_WAY_MS, end);
      })
      .map((sent) => JSON.stringify(sent)),

  "what was delayed is not sent once its outage is acknowledged": (end) =>
    sentOf(end, begins)
      .filter(({ alert, at }) => {
        const acknowledged = end.acknowledgements.findLast(
          ({ outage, at: then }) => outage === alert.outage && then <= at,
        );
        const delayMs = alert.contactId === "ben" ? benDelayMinutes * minute : 0;
        const dueAt = (beganAt(alert, end) ?? 0) + delayMs;
        return acknowledged?.on === true && dueAt > acknowledged.at;
      })
      .map((sent) => JSON.stringify(sent)),

  "no two reminders of an outage to one address have one number": ({ alerts }) => {
    const reminders = alerts.filter(({ kind }) => kind === "reminder");
    const numbers = Map.groupBy(
      reminders,
      ({ outage, contactId, number }) => `${outage} ${contactId} ${number}`,
    );
    return [...numbers.values()]
      .filter(({ length }) => length > 1)
      .map((some) => JSON.stringify(some));
  },

  "what may have been received comes in no other message": ({ sends }) =>
    sends
      .filter(({ alertId, message }, index) =>
        sends
          .slice(0, index)
          .some(
            (before) =>
              before.alertId === alertId && before.mayBeTaken && before.message !== message,
          ),
      )
      .map((send) => JSON.stringify(send)),

  "what was accepted is kept as delivered or as possibly so": ({ alerts, sends }) =>
    alerts
      .filter(
        ({ id, status, possiblySent }) =>
          sends.some(({ alertId, accepted }) => accepted && alertId === id) &&
          status !== "delivered" &&
          !possiblySent,
      )
      .map((alert) => JSON.stringify(alert)),
};

/** Returns the runs of one process that led to a result; undefined if none match. */
function runsOf(result: Result, { runs, known }: Pick<FinalState, "runs" | "known">) {
  const id = known.get(result.checkNo)?.id;
  const slots = [...result.earlierRuns.map(([, location]) => location), result.location];
  const processes = new Set(runs.map(({ process }) => process));
  return [...processes]
    .map((process) =>
      runs.filter(
        (run) =>
          run.process === process &&
          run.checkId === id &&
          run.tick === result.tick &&
          run.revision === result.revision,
      ),
    )
    .find(
      (series) =>
        series.map(({ location }) => location).join() === slots.join() &&
        series.at(-1)?.passed === result.passed,
    );
}

function isConfirmed(flip: FlipRow, end: FinalState): boolean {
  const rechecks = end.known.get(flip.checkNo)?.rechecks ?? 0;
  const agrees = ({ passed }: Pick<SimulatedRun, "passed">): boolean =>
    passed === (flip.to === "passing");
  return end.results.some((result) => {
    if (result.checkNo !== flip.checkNo || result.revision !== flip.revision) return false;
    const starts = [...result.earlierRuns.map(([at]) => at), result.startedAt];
    const series = runsOf(result, end);
    if (!starts.includes(flip.since) || series === undefined) return false;
    const agreeing = series.filter(agrees).length;
    return (
      agrees(result) &&
      agreeing === rechecks + 1 &&
      (flip.from === undefined || agreeing === series.length) &&
      series.findIndex(agrees) === starts.indexOf(flip.since)
    );
  });
}

function isDownInSpans(
  { no, enabled, state, downSince }: CheckRow,
  spans: readonly SpanRow[],
): boolean {
  const down = spans.filter(({ checkNo, kind }) => checkNo === no && kind === "down");
  const open = down.filter(({ end }) => end === undefined);
  const isDown = enabled && state === "failing";
  const inOrder = down.every(
    ({ start, end }, index) =>
      (end === undefined || end >= start) && start >= (down[index - 1]?.end ?? 0),
  );
  return inOrder && open.length === (isDown ? 1 : 0) && (!isDown || open[0]?.start === downSince);
}

function beginningOf(up: AlertRow, alerts: readonly AlertRow[]): AlertRow | undefined {
  return alerts.find(
    (alert) =>
      begins(alert) &&
      alert.outage !== undefined &&
      alert.outage === up.outage &&
      alert.contactId === up.contactId,
  );
}

/** How long an attempt may have waited since it was judged: for its place, and for the store. */
const UNDER_WAY_MS = 10_000;

function begins({ kind }: Pick<AlertRow, "kind">): boolean {
  return kind === "down" || kind === "first";
}

function sentOf(
  { alerts, sends }: Pick<FinalState, "alerts" | "sends">,
  isChosen: (alert: AlertRow) => boolean,
): readonly { readonly alert: AlertRow; readonly at: number }[] {
  return sends.flatMap(({ alertId, at }) => {
    const alert = alerts.find(({ id }) => id === alertId);
    return alert !== undefined && isChosen(alert) ? [{ alert, at }] : [];
  });
}

function beganAt({ outage }: AlertRow, { flips }: Pick<FinalState, "flips">): number | undefined {
  return flips.find(({ id }) => id === outage)?.at;
}

function checkOf({ outage }: AlertRow, { flips }: Pick<FinalState, "flips">): number | undefined {
  return flips.find(({ id }) => id === outage)?.checkNo;
}

function isAcknowledged(
  { outage }: AlertRow,
  at: number,
  { acknowledgements }: Pick<FinalState, "acknowledgements">,
): boolean {
  const latest = acknowledgements.findLast((each) => each.outage === outage && each.at <= at);
  return latest?.on === true;
}
