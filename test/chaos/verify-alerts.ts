export const kinds = ["first", "down", "up"] as const;
/** A flip as it follows from the results of a check. */
export type Kind = (typeof kinds)[number];
export const statuses = ["waiting", "delivered", "failed", "dropped"] as const;

/** An alert as it is stored. */
export interface AlertRow {
  readonly _id: string;
  readonly type: Kind;
  readonly status: (typeof statuses)[number];
  readonly reason?: string;
}

/** A message as its receiver saw it. */
export interface Message {
  readonly id: string;
  readonly alerts: readonly string[];
}

/** What happened at one address to the alerts of one check. */
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

/** Throws where an alert was lost, sent under two ids, sent in the wrong order, or sent for no flip. */
export function verifyAlerts(history: AlertHistory): Tally {
  const { name, results, alerts, received, refused, unsure } = history;
  const flips = flipsIn(results);
  const fail = (what: string): never => {
    throw new Error(`${name}: ${what}\n${JSON.stringify({ flips, alerts }, null, 1)}`);
  };
  const times = new Map<string, number>();
  for (const id of received) times.set(id, (times.get(id) ?? 0) + 1);
  const mayBeHeard = ({ _id, status }: AlertRow): boolean =>
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
    if (alert?.type === "up" && alert.status === "delivered" && !(outage && mayBeHeard(outage)))
      fail(`flip ${index}: an up without its down`);
    if (isFailing) outage = alert;
  }
  if (queue.length > 0) fail("alerts of no flip");

  for (const { _id, status, reason = "" } of alerts) {
    const isTaken = times.has(_id);
    if (status === "waiting") fail(`${_id} still waits`);
    if (status === "delivered" && !isTaken) fail(`${_id} was delivered, and nobody took it`);
    if (status === "failed" && !refused.has(_id)) fail(`${_id} failed, and nobody refused it`);
    if (status === "dropped" && !allowedDrops.has(reason)) fail(`${_id} was dropped: ${reason}`);
    if (status === "dropped" && isTaken) fail(`${_id} was dropped, and somebody took it`);
  }
  const own = new Set(alerts.map(({ _id }) => _id));
  const firstTimes = [...new Set(received.filter((id) => own.has(id)))];
  const inOrder = alerts.map(({ _id }) => _id).filter((id) => times.has(id));
  if (firstTimes.join() !== inOrder.join()) fail(`sent in another order: ${firstTimes.join()}`);
  const count = (wanted: AlertRow["status"]): number =>
    alerts.filter(({ status }) => status === wanted).length;
  return {
    flips: flips.length,
    delivered: count("delivered"),
    duplicates: inOrder.reduce((sum, id) => sum + (times.get(id) ?? 1) - 1, 0),
    cancelled: count("dropped"),
    failed: count("failed"),
  };
}

/** Throws where a message came again with other alerts, or an alert that may have been received came in another message. */
export function verifyMessages(messages: readonly Message[]): { readonly joint: number } {
  const alertsOf = new Map<string, string>();
  const homes = new Map<string, string>();
  for (const { id, alerts } of messages) {
    const all = alerts.join();
    if ((alertsOf.get(id) ?? all) !== all) throw new Error(`${id} came with other alerts: ${all}`);
    alertsOf.set(id, all);
    for (const alert of alerts) {
      const home = homes.get(alert) ?? id;
      if (home !== id) throw new Error(`${alert} came in ${home} and in ${id}`);
      homes.set(alert, id);
    }
  }
  return { joint: [...alertsOf.values()].filter((all) => all.includes(",")).length };
}
