import type { Alert, DropReason, WaitReason } from "../domain/alert/alert.ts";
import { isMailbox } from "../domain/contact/contact.ts";
import type { Clock } from "../kit/clock.ts";
import { DeliveryFailed, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Tracer } from "../kit/tracing/tracer.ts";
import type { AttemptEnd, NewDelivery } from "../store/tables/alerts.ts";
import type { AlertMail } from "../store/tables/mail-budget.ts";
import type { AlertQueue } from "./alert-queue.ts";
import { traceAlerts } from "./sending/alert-spans.ts";
import type { Attempt } from "./sending/attempt.ts";
import type { PreparedBatch } from "./sending/prepare-messages.ts";
import { decideRetry } from "./sending/retry-decision.ts";

/** Decides what an attempt, or the decision against one, means for the alerts of a message: saves, logs and counts it. */
export interface AlertOutcomes {
  readonly drop: (alert: Alert, reason: DropReason) => Promise<void>;
  /** Postpones the alert, unless the state of its check and account makes the store hold or drop it. */
  readonly judgeAgain: (alert: Alert, at: number, reason?: WaitReason) => Promise<void>;
  /** Tries alerts again later that failed by an error of our own. */
  readonly defer: (alerts: readonly Alert[], error: unknown) => Promise<void>;
  /** Leaves alerts due whose attempt did not begin: their turn did not come in time, or we are stopping. Those whose time is over while their receiver is away fail. */
  readonly giveBack: (alerts: readonly Alert[], isAway: boolean) => Promise<void>;
  readonly attempted: (
    batch: PreparedBatch,
    attempt: Attempt & { readonly isAway: boolean },
  ) => Promise<void>;
}

export interface AlertOutcomesDeps {
  readonly queue: AlertQueue;
  /** Alerts that a message with others was refused for, maybe because of one of them: each is then sent on its own. */
  readonly sendSingly: Set<string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly tracer?: Tracer | undefined;
  /** 0 to 1; spreads the retries. */
  readonly random: () => number;
}

const UNREACHED = "its receiver was away until its time was over";

interface Tried {
  readonly batch: PreparedBatch;
  readonly attempt: Attempt;
}

export function createAlertOutcomes(deps: AlertOutcomesDeps): AlertOutcomes {
  const { queue, sendSingly, clock, log, meter, random } = deps;

  const finish = (alerts: readonly Alert[], end: AttemptEnd, tried?: Tried): Promise<void> => {
    if (end.status !== "waiting") for (const { id } of alerts) sendSingly.delete(id);
    traceEnd(deps, { alerts, end, tried });
    return queue.finish(
      alerts.map((alert, index) => ({
        alert,
        end,
        ...(tried && {
          ...(index === 0 && { mailed: mailedBy(tried) }),
          delivery: deliveryOf(alert, tried.attempt),
          rendered: tried.batch.unsaved,
          addressChange: tried.attempt.addressChange,
        }),
      })),
    );
  };
  const retryOrFail = (
    alerts: readonly Alert[],
    failure: DeliveryFailed,
    isAway = false,
  ): AttemptEnd => {
    const isSplit = alerts.length > 1 && mayBeOfOneAlert(failure);
    if (isSplit) for (const { id } of alerts) sendSingly.add(id);
    const judged = isSplit ? new DeliveryFailed(failure.message, { retryable: true }) : failure;
    const tries = alerts.map((alert) => ({ ...alert, retryUntil: queue.retryUntil(alert) }));
    const end = decideRetry(tries, judged, { now: clock.now(), jitter: random(), isAway });
    reportFailure(alerts, { failure, status: end.status }, deps);
    return end;
  };
  return {
    drop(alert, reason) {
      log.info("notifier.dropped", { ...logFieldsOf(alert), reason });
      meter.count("notifier.dropped", { reason });
      return finish([alert], { status: "dropped", at: clock.now(), reason });
    },
    judgeAgain(alert, at, reason) {
      reportPostponed(alert, { until: new Date(at).toISOString(), reason }, deps);
      const end = { status: "waiting", nextAttemptAt: at, possiblySent: false, reason } as const;
      // Not counted as an attempt, so that what waited goes into one message.
      return queue.finish([{ alert, end, isUnbegun: true }]);
    },
    defer(alerts, error) {
      for (const alert of alerts)
        log.error("notifier.error", { ...logFieldsOf(alert), message: messageOf(error) });
      const failure = new DeliveryFailed(messageOf(error), { cause: error, retryable: true });
      return finish(alerts, retryOrFail(alerts, failure));
    },
    async giveBack(all, isAway) {
      const now = clock.now();
      const isOver = (alert: Alert): boolean => isAway && queue.retryUntil(alert) <= now;
      const over = all.filter(isOver);
      const unreached = new DeliveryFailed(UNREACHED, { retryable: true });
      if (over.length > 0) await finish(over, retryOrFail(over, unreached));
      const alerts = all.filter((alert) => !isOver(alert));
      const end = { status: "waiting", nextAttemptAt: now, possiblySent: false } as const;
      reportGivenBack(alerts, deps);
      await queue.finish(alerts.map((alert) => ({ alert, end, isUnbegun: true })));
    },
    attempted(batch, attempt) {
      const alerts = batch.items.map(({ alert }) => alert);
      const tried = { batch, attempt };
      if (attempt.failure === undefined) {
        reportDelivery(batch, attempt, deps);
        return finish(alerts, { status: "delivered", at: attempt.endedAt }, tried);
      }
      const end = retryOrFail(alerts, attempt.failure, attempt.isAway);
      reportRefusal(deps, attempt);
      return finish(alerts, end, tried);
    },
  };
}

function traceEnd(
  { tracer, clock }: Pick<AlertOutcomesDeps, "tracer" | "clock">,
  {
    alerts,
    end,
    tried,
  }: {
    readonly alerts: readonly Alert[];
    readonly end: AttemptEnd;
    readonly tried: Tried | undefined;
  },
): void {
  if (tracer === undefined) return;
  const channel = tried?.batch.head.address.kind;
  const finished = alerts.map((alert) => ({ alert, end, channel, attempt: tried?.attempt }));
  traceAlerts(tracer, finished, clock.now());
}

function reportRefusal(
  { log, meter }: Pick<AlertOutcomesDeps, "log" | "meter">,
  { addressChange, failure }: Attempt,
): void {
  if (addressChange === undefined || failure === undefined) return;
  const { contactId: contact, addressId: address, status } = addressChange;
  log.warn("notifier.address_refused", { contact, address, status, message: failure.message });
  meter.count("notifier.address_refused", { status });
}

function reportDelivery(
  { head, items }: PreparedBatch,
  { endedAt }: Attempt,
  { log, meter }: Pick<AlertOutcomesDeps, "log" | "meter">,
): void {
  const channel = head.address.kind;
  for (const { alert } of items) {
    log.info("notifier.delivered", { ...logFieldsOf(alert), attempt: alert.attempts });
    meter.count("notifier.delivered", { channel });
    meter.observe("notifier.lateness", endedAt - alert.dueAt, { channel });
  }
}

function reportFailure(
  alerts: readonly Alert[],
  { failure, status }: { readonly failure: DeliveryFailed; readonly status: AttemptEnd["status"] },
  { log, meter }: Pick<AlertOutcomesDeps, "log" | "meter">,
): void {
  const event = status === "failed" ? "notifier.failed" : "notifier.retry";
  for (const alert of alerts) {
    const fields = { ...logFieldsOf(alert), attempt: alert.attempts, message: failure.message };
    log.warn(event, fields, failure.message);
    meter.count(event);
  }
}

function reportPostponed(
  alert: Alert,
  { until, reason }: { readonly until: string; readonly reason: WaitReason | undefined },
  { log, meter }: Pick<AlertOutcomesDeps, "log" | "meter">,
): void {
  const fields = { ...logFieldsOf(alert), until };
  if (reason === "mailbox_limit") {
    log.warn("notifier.mailbox_limit", fields);
    meter.count("notifier.mailbox_limit");
  } else if (reason === undefined || reason !== alert.waitedFor) {
    // Once for each reason: a dependency that stays down is looked at every minute.
    log.info("notifier.postponed", reason === undefined ? fields : { ...fields, reason });
  }
}

function reportGivenBack(
  alerts: readonly Alert[],
  { log, meter }: Pick<AlertOutcomesDeps, "log" | "meter">,
): void {
  for (const alert of alerts) {
    log.info("notifier.given_back", logFieldsOf(alert));
    meter.count("notifier.given_back");
  }
}

export function logFieldsOf(alert: Alert): Readonly<Record<string, string>> {
  const { id, checkId, kind, contactId, addressId } = alert;
  return { alert: id, check: checkId, kind, contact: contactId, address: addressId };
}

/** The mail that an attempt surely or maybe was, however many alerts were in it. */
function mailedBy({
  batch: { head },
  attempt: { failure, endedAt: at },
}: Tried): AlertMail | undefined {
  const isSent = failure === undefined || failure.mayHaveArrived;
  return isSent && isMailbox(head.address) ? { mailbox: head.address.address, at } : undefined;
}

/** Returns whether a permanent refusal may be of what the message says of one alert, rather than of the address. */
function mayBeOfOneAlert({ retryable, mayHaveArrived, address }: DeliveryFailed): boolean {
  return !retryable && !mayHaveArrived && address === undefined;
}

function deliveryOf(
  { id: alertId, attempts: attempt }: Alert,
  { startedAt, endedAt, to, failure, response }: Attempt,
): NewDelivery {
  const accepted = failure === undefined;
  const delivery = { alertId, attempt, startedAt, endedAt, accepted, response };
  return to === undefined ? delivery : { ...delivery, to };
}
