import type { VerdictKind } from "./judge-states.ts";

export const kinds = ["first", "down", "up"] as const;
/** A flip as it follows from the results of a check. */
export type Kind = (typeof kinds)[number];
/** Alerts that follow a down during the outage. */
export const followingKinds = ["reminder", "acknowledged"] as const;
export const statuses = ["waiting", "held", "delivered", "failed", "dropped"] as const;

/** An alert as it is stored. */
export interface AlertRow {
  readonly _id: string;
  readonly type: Kind | (typeof followingKinds)[number];
  readonly status: (typeof statuses)[number];
  readonly reason?: string;
  /** Set on an Up whose Down could not be delivered. */
  readonly isMissed?: boolean;
}

/** A message as its receiver saw it. */
export interface Message {
  readonly id: string;
  readonly alerts: readonly string[];
}

/** Alerts of one check to one address. */
export interface AlertHistory {
  readonly name: string;
  /** Whether each result passed, the oldest first. */
  readonly results: readonly boolean[];
  /** Its alerts, the oldest first. */
  readonly alerts: readonly AlertRow[];
  /** Ids in the order in which the receiver took them, those of other checks included. */
  readonly received: readonly string[];
  readonly refused: ReadonlySet<string>;
  /** Ids that were sent whole and got no response: the sender cannot know, and has to count them as received. */
  readonly unsure: ReadonlySet<string>;
}

export interface Tally {
  readonly flips: number;
  readonly delivered: number;
  readonly duplicates: number;
  readonly cancelled: number;
  readonly failed: number;
}

/** Why an alert may not have been sent although all are well: the outage was over before its Down had begun to leave. */
const allowedDrops: ReadonlySet<string> = new Set(["recovered", "down_not_sent"]);

/** Each flip, with the kind that an alert of it has. */
export function flipsIn(results: readonly boolean[]): readonly Kind[] {
  return results.flatMap((passed, index): readonly Kind[] => {
    if (index === 0) return ["first"];
    return results[index - 1] === passed ? [] : [passed ? "up" : "down"];
  });
}

/** Error in the handling of an alert. */
export class Violation extends Error {
  readonly kind: VerdictKind;

  constructor(kind: VerdictKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

type Fail = (what: string, kind?: VerdictKind) => never;

function failing(
  { name, alerts }: Pick<AlertHistory, "name" | "alerts">,
  flips: readonly Kind[],
): Fail {
  return (what, kind = "lost") => {
    throw new Violation(kind, `${name}: ${what}\n${JSON.stringify({ flips, alerts }, null, 1)}`);
  };
}

/** Throws where an alert was lost, sent under two ids, sent in the wrong order, or sent for no flip. */
export function verifyAlerts(history: AlertHistory): Tally {
  const flips = flipsIn(history.results);
  verifyFlips(history, flips);
  return { flips: flips.length, ...verifyDeliveries(history) };
}

/** Verifies that each flip has its alert and that there are no others. */
function verifyFlips(history: AlertHistory, flips: readonly Kind[]): void {
  const { results, alerts, received, unsure } = history;
  const fail: Fail = failing(history, flips);
  const times = new Set(received);
  const mayHaveArrived = ({ _id, status }: AlertRow): boolean =>
    status === "delivered" || times.has(_id) || unsure.has(_id);
  const queue = [...alerts];
  let outage: AlertRow | undefined;
  let isFailing = false;
  for (const [index, kind] of flips.entries()) {
    isFailing = kind === "down" || (kind === "first" && results[0] === false);
    if (kind === "up" && queue[0]?.type !== "up") {
      // The address was not alerted of the outage, and would not have been.
      if (outage?.status === "delivered") fail(`flip ${index}: an up is missing`);
      continue;
    }
    const alert = queue.shift();
    if (alert?.type !== kind) fail(`flip ${index}: no alert of kind ${kind}`);
    if (alert?.type === "up" && alert.status === "delivered") {
      const isKnown = outage !== undefined && mayHaveArrived(outage);
      if (!isKnown && alert.isMissed !== true)
        fail(`flip ${index}: an up without its down`, "unexpected");
      if (outage?.status === "delivered" && alert.isMissed === true)
        fail(`flip ${index}: a down that was delivered is said to be missed`, "unexpected");
    }
    if (isFailing) outage = alert;
  }
  if (queue.length > 0) fail("alerts of no flip", "doubled");
}

/** Throws where the status of an alert is not what its receiver saw, or they came in another order; for a check whose flips are not known, too. */
export function verifyDeliveries(history: Omit<AlertHistory, "results">): Omit<Tally, "flips"> {
  const { alerts, received, refused } = history;
  const fail: Fail = failing(history, []);
  const times = new Map<string, number>();
  for (const id of received) times.set(id, (times.get(id) ?? 0) + 1);
  for (const { _id, status, reason = "" } of alerts) {
    const isTaken = times.has(_id);
    if (status === "waiting" || status === "held") fail(`${_id} still waits`);
    if (status === "delivered" && !isTaken) fail(`${_id} was delivered, and nobody took it`);
    if (status === "failed" && !refused.has(_id)) fail(`${_id} failed, and nobody refused it`);
    if (status === "dropped" && !allowedDrops.has(reason)) fail(`${_id} was dropped: ${reason}`);
    if (status === "dropped" && isTaken)
      fail(`${_id} was dropped, and somebody took it`, "unexpected");
  }
  const own = new Set(alerts.map(({ _id }) => _id));
  const firstTimes = [...new Set(received.filter((id) => own.has(id)))];
  const inOrder = alerts.map(({ _id }) => _id).filter((id) => times.has(id));
  if (firstTimes.join() !== inOrder.join())
    fail(`sent in another order: ${firstTimes.join()}`, "reordered");
  const count = (wanted: AlertRow["status"]): number =>
    alerts.filter(({ status }) => status === wanted).length;
  return {
    delivered: count("delivered"),
    duplicates: inOrder.reduce((sum, id) => sum + (times.get(id) ?? 1) - 1, 0),
    cancelled: count("dropped"),
    failed: count("failed"),
  };
}

/**
 * Throws where a message came again with other alerts, or an alert that may have been received came in another message. While
 * nothing can be stored each is sent on its own, and a process that is killed then cannot know: it may come again with others.
 */
export function verifyMessages(
  messages: readonly Message[],
  { mayForget }: { readonly mayForget: boolean },
): { readonly joint: number } {
  const alertsOf = new Map<string, string>();
  const homes = new Map<string, string>();
  for (const { id, alerts } of messages) {
    const all = alerts.join();
    if ((alertsOf.get(id) ?? all) !== all)
      throw new Violation("doubled", `${id} came with other alerts: ${all}`);
    alertsOf.set(id, all);
    for (const alert of alerts) {
      const home = homes.get(alert) ?? id;
      const isForgotten = mayForget && alertsOf.get(home) === alert;
      if (home !== id && !isForgotten)
        throw new Violation("doubled", `${alert} came in ${home} and in ${id}`);
      homes.set(alert, id);
    }
  }
  return { joint: [...alertsOf.values()].filter((all) => all.includes(",")).length };
}
