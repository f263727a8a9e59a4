import type { Alert } from "../domain/alert/alert.ts";
import { clockOffset, type Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import { accountOf } from "./account-of.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { AttemptEnd, NewDelivery, RenderedMessage } from "../store/tables/alerts.ts";
import type { AddressStatusChange } from "../store/tables/contacts.ts";
import type { AlertMail } from "../store/tables/mail-budget.ts";

/** How an attempt, or the decision against one, left an alert. */
export interface AlertUpdate {
  readonly alert: Alert;
  readonly end: AttemptEnd;
  readonly delivery?: NewDelivery;
  /** Only where it could not be saved before the attempt. */
  readonly rendered?: RenderedMessage | undefined;
  readonly addressChange?: AddressStatusChange | undefined;
  /** The mail that was sent, which counts towards what its mailbox may get. */
  readonly mailed?: AlertMail | undefined;
  /** No attempt was made, so that the one it was claimed for does not count. */
  readonly isUnbegun?: boolean;
}

/** Saves what became of alerts, and remembers it for as long as the store cannot commit. */
export interface AlertUpdates {
  /** Saves all of them, or remembers all of them. */
  readonly save: (updates: readonly AlertUpdate[]) => Promise<void>;
  /** Saves what was remembered, except of these alerts. Throws Unavailable where the store still cannot commit. */
  readonly flush: (except: Pick<ReadonlySet<string>, "has">) => Promise<void>;
  readonly unsaved: () => number;
  readonly isUnsaved: (alertId: string) => boolean;
  /** Alerts that are due again by what was remembered of them. */
  readonly dueAgain: (now: number) => readonly Alert[];
  readonly findRendered: (
    alertIds: readonly string[],
  ) => readonly (readonly [alertId: string, rendered: RenderedMessage])[];
}

type Times = Pick<Clock, "now" | "monotonic">;

/** An update, and the offset of the clock when it was decided. */
interface DatedUpdate extends AlertUpdate {
  readonly offset: number;
}

export function createAlertUpdates({
  store,
  clock,
  log,
}: {
  readonly store: Pick<Store, "write">;
  readonly clock: Times;
  readonly log: Log;
}): AlertUpdates {
  /** Updates by alert, in order. */
  const unsaved = new Map<string, readonly DatedUpdate[]>();

  const write = async (histories: readonly (readonly DatedUpdate[])[]): Promise<void> => {
    const alerts = histories.flatMap(([first]) => first?.alert ?? []);
    const checks = [...new Set(alerts.map(({ checkNo }) => checkNo))];
    const unit = async (tx: Transaction): Promise<readonly string[]> => {
      const finishedBefore: string[] = [];
      for (const history of histories)
        if (!(await record(tx, history, clock))) finishedBefore.push(history[0]?.alert.id ?? "");
      return finishedBefore;
    };
    const late = await store.write(unit, { checks, ...accountOf(alerts) });
    for (const alert of late) log.warn("notifier.late_outcome", { alert });
  };

  return {
    async save(updates) {
      const offset = clockOffset(clock);
      const histories = new Map(
        updates.map((update) => [
          update.alert.id,
          [...(unsaved.get(update.alert.id) ?? []), { ...update, offset }],
        ]),
      );
      try {
        await write([...histories.values()]);
        for (const id of histories.keys()) unsaved.delete(id);
      } catch (error) {
        for (const [id, history] of histories) unsaved.set(id, history);
        log.error("notifier.save_failed", { alerts: histories.size, message: messageOf(error) });
      }
    },
    async flush(except) {
      for (const [id, history] of unsaved) {
        if (except.has(id)) continue;
        try {
          await write([history]);
          unsaved.delete(id);
        } catch (error) {
          if (codeOf(error) === "unavailable") throw error;
          log.error("notifier.save_failed", { alert: id, message: messageOf(error) });
        }
      }
    },
    unsaved: () => unsaved.size,
    isUnsaved: (alertId) => unsaved.has(alertId),
    dueAgain: (now) =>
      [...unsaved.values()]
        .flatMap((history) => history.slice(-1))
        .flatMap((update) => {
          const { alert, delivery, isUnbegun } = update;
          const end = endOf(update, clock);
          if (end.status !== "waiting" || end.nextAttemptAt > now) return [];
          const attempts = isUnbegun === true ? alert.attempts - 1 : alert.attempts;
          const possiblySent = alert.possiblySent || end.possiblySent;
          return [
            { ...alert, attempts, possiblySent, judged: alert.judged || delivery !== undefined },
          ];
        }),
    findRendered: (alertIds) =>
      alertIds.flatMap((id) => {
        const rendered = unsaved.get(id)?.findLast((update) => update.rendered)?.rendered;
        return rendered === undefined ? [] : [[id, rendered] as const];
      }),
  };
}

/** How it left the alert, by the clock as it is now: that may have been set since. */
function endOf({ end, offset }: DatedUpdate, clock: Times): AttemptEnd {
  return end.status === "waiting"
    ? { ...end, nextAttemptAt: end.nextAttemptAt + clockOffset(clock) - offset }
    : end;
}

/** False if the alert had already ended, or was claimed by another process since. */
async function record(
  { alerts, contacts, mailBudget }: Transaction,
  history: readonly DatedUpdate[],
  clock: Times,
): Promise<boolean> {
  let isOpen = true;
  for (const [index, update] of history.entries()) {
    const { alert, delivery, rendered, addressChange, mailed } = update;
    const end = endOf(update, clock);
    if (rendered !== undefined) await alerts.setRendered(alert.id, rendered, alert.attempts);
    const isLast = index === history.length - 1;
    // Only a possible delivery matters from an earlier attempt, because recording it as waiting could drop the alert.
    if (isLast || ("possiblySent" in end && end.possiblySent))
      isOpen = await alerts.finishAttempt(alert.id, end, alert);
    if (update.isUnbegun === true)
      await alerts.uncountAttempt({ alertId: alert.id, attempt: alert.attempts });
    if (delivery !== undefined) await alerts.addDelivery(delivery);
    if (mailed !== undefined) await mailBudget.countAlertMail(mailed);
    if (addressChange !== undefined) await contacts.changeAddressStatus(addressChange);
  }
  return isOpen;
}
