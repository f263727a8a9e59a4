import type { Channel } from "../channels/channel.ts";
import { channelOf } from "../channels/registry.ts";
import type { Alert, DropReason } from "../domain/alert.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";
import { DeliveryFailed, messageOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { AttemptEnd, Grouping, NewDelivery } from "../store/alerts.ts";
import type { Store } from "../store/store.ts";
import { attempt, attemptMs, abortGraceMs } from "./attempt.ts";
import type { Attempt } from "./attempt.ts";
import { poll } from "../kit/poll.ts";
import { createWakeSignal } from "../kit/wake-signal.ts";
import { decideRetry } from "./retry-decision.ts";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";
import { createAlertQueue, leaseMs } from "./alert-queue.ts";
import { batchAlerts } from "./batch.ts";
import type { Batch } from "./batch.ts";
import type { DeliverableAlert } from "./stages/suppressions.ts";
import { filterAlerts } from "./filter-alerts.ts";

export interface Notifier {
  /** Returns once the signal has aborted and the sends under way have ended. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Looks for alerts now. */
  readonly wake: () => void;
}

export interface NotifierDeps {
  readonly store: Store;
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly egress: Egress;
  readonly ids: Pick<Ids, "bundle">;
  /** The public address of this installation. */
  readonly url: string;
  /** How long what follows an alert to the same address waits for more; 0 tells each on its own. */
  readonly groupWaitMs: number;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

/** More than can be sent at a time, so that those for a stuck destination do not keep the others out. */
const MOST_TAKEN = 64;
const LIMITS = { total: 16, perDestination: 4, maxWaitMs: 5000 };
const LONGEST_SLEEP_MS = 5000;
const SHORTEST_SLEEP_MS = 100;
/** Between two looks while the store cannot commit. */
const TROUBLED_SLEEP_MS = 1000;
/** How long the sends under way may still take once we are told to stop. */
const PARTING_MS = 8000;

export function createNotifier(deps: NotifierDeps): Notifier {
  const { store, channels, clock, log, meter, egress, url, random = Math.random } = deps;
  const bell = createWakeSignal(clock);
  const gate = createConcurrencyLimiter(clock, LIMITS);
  const grouping = companyOf(deps);
  const ledger = createAlertQueue({ store, clock, log, company: grouping });
  const hurry = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** One alert of each message, and those that stand in none yet. */
  const inHand = new Set<string>();
  /** Alerts that were refused for good in a message with others, maybe because of one of those: each is tried on its own. */
  const sendSingly = new Set<string>();
  let stopping = false;
  /** Says whether there is more than there was room for. */
  const takeRound = async (): Promise<boolean> => {
    const room = MOST_TAKEN - inHand.size;
    const waitMs = (await store.alerts.msUntilDue()) ?? Infinity;
    const now = clock.now();
    if (room <= 0 || (waitMs > 0 && ledger.unsaved() === 0)) return false;
    const alerts = await ledger.claim(room);
    for (const { id } of alerts) inHand.add(id);
    if (alerts.length > 0) begin(workOn(alerts, now + leaseMs));
    return alerts.length >= room;
  };
  const untilDueMs = async (): Promise<number> => {
    const waitMs = (await store.alerts.msUntilDue()) ?? Infinity;
    const shortest = ledger.canClaim() ? SHORTEST_SLEEP_MS : TROUBLED_SLEEP_MS;
    return Math.min(Math.max(waitMs, shortest), LONGEST_SLEEP_MS);
  };
  const begin = (work: Promise<void>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  const workOn = async (alerts: readonly Alert[], leaseEnds: number): Promise<void> => {
    const now = clock.now();
    const { kept, dropped, failed } = await filterAlerts(alerts, { ...readsOf(store), now, log });
    await Promise.all([
      ...dropped.map(({ alert, reason }) => finish([alert], () => drop(alert, reason))),
      ...failed.map(({ alert, error }) => finish([alert], () => defer([alert], error))),
      sendAll(kept, leaseEnds),
    ]);
  };
  const sendAll = async (kept: readonly DeliverableAlert[], leaseEnds: number): Promise<void> => {
    const { batches, failed } = await batchAlerts(kept, {
      ...deps,
      alerts: store.alerts,
      grouping,
      sendSingly,
      saveBundle: (bundle) => store.write((tx) => tx.alerts.bundle(bundle)),
      removeFromBundles: (members) => store.write((tx) => tx.alerts.unbundle(members)),
    });
    await Promise.all([
      ...batches.map((parcel) => finish(alertsIn(parcel.items), () => send(parcel, leaseEnds))),
      ...failed.map(({ lot, error }) => finish(alertsIn(lot), () => defer(alertsIn(lot), error))),
    ]);
  };
  /** Whatever becomes of some alerts is no other's business. */
  const finish = async (alerts: readonly Alert[], work: () => Promise<void>): Promise<void> => {
    for (const { id } of alerts.slice(1)) inHand.delete(id);
    try {
      await work();
    } catch (error) {
      for (const alert of alerts)
        log.error("notifier.error", { alert: alert.id, message: messageOf(error) });
    } finally {
      for (const alert of alerts) {
        inHand.delete(alert.id);
        ledger.release(alert);
      }
      bell.wake();
    }
  };

  const drop = async (alert: Alert, reason: DropReason): Promise<void> => {
    log.info("notifier.dropped", { ...about(alert), reason });
    meter.count("notifier.dropped", { reason });
    await ledger.finish([{ alert, end: { status: "dropped", at: clock.now(), reason } }]);
  };
  const defer = async (alerts: readonly Alert[], error: unknown): Promise<void> => {
    for (const alert of alerts)
      log.error("notifier.error", { ...about(alert), message: messageOf(error) });
    await fail(alerts, new DeliveryFailed(messageOf(error), { cause: error, retryable: true }));
  };
  const fail = async (
    alerts: readonly Alert[],
    failure: DeliveryFailed,
    tried?: Attempt,
  ): Promise<void> => {
    const isParted = alerts.length > 1 && mayBeOfOne(failure);
    if (isParted) for (const { id } of alerts) sendSingly.add(id);
    const judged = isParted ? new DeliveryFailed(failure.message, { retryable: true }) : failure;
    const end = decideRetry(alerts, judged, { now: clock.now(), jitter: random() });
    const event = end.status === "failed" ? "notifier.failed" : "notifier.retry";
    for (const alert of alerts) {
      log.warn(event, { ...about(alert), attempt: alert.attempts, message: failure.message });
      meter.count(event);
    }
    if (tried?.addressChange !== undefined) {
      const { contactId: contact, addressId: address, status } = tried.addressChange;
      log.warn("notifier.address_refused", { contact, address, status, message: failure.message });
      meter.count("notifier.address_refused", { status });
    }
    await settle(alerts, end, tried);
  };
  const settle = (alerts: readonly Alert[], end: AttemptEnd, tried?: Attempt): Promise<void> => {
    if (end.status !== "waiting") for (const { id } of alerts) sendSingly.delete(id);
    return ledger.finish(
      alerts.map((alert) => ({
        alert,
        end,
        ...(tried && {
          delivery: deliveryOf(alert, tried),
          rendered: tried.rendered,
          addressChange: tried.addressChange,
        }),
      })),
    );
  };

  const send = async (parcel: Batch, leaseEnds: number): Promise<void> => {
    const alerts = alertsIn(parcel.items);
    const { kind, address } = parcel.head.address;
    const channel = channelOf(channels, kind);
    if (channel === undefined)
      return fail(
        alerts,
        new DeliveryFailed(`no channel for ${JSON.stringify(kind)}`, { retryable: false }),
      );
    const leave = await gate.acquire(`${channel.kind} ${channel.destinationOf(address)}`);
    if (leave === undefined) return turnAway(alerts);
    try {
      // We were not running for a while: by the end of an attempt another may have claimed it.
      if (clock.now() + attemptMs + abortGraceMs > leaseEnds)
        return log.warn("notifier.lease_too_short", about(parcel.head.alert));
      const tried = await attempt(parcel, {
        channel,
        clock,
        egress,
        url,
        shutdownSignal: hurry.signal,
      });
      if (tried.failure !== undefined) return await fail(alerts, tried.failure, tried);
      for (const alert of alerts) {
        log.info("notifier.delivered", { ...about(alert), attempt: alert.attempts });
        meter.count("notifier.delivered", { channel: channel.kind });
        meter.observe("notifier.lateness", tried.endedAt - alert.dueAt, { channel: channel.kind });
      }
      return await settle(alerts, { status: "delivered", at: tried.endedAt }, tried);
    } finally {
      leave();
    }
  };
  const turnAway = async (alerts: readonly Alert[]): Promise<void> => {
    if (stopping)
      return settle(alerts, {
        status: "waiting",
        nextAttemptAt: clock.now(),
        possiblySent: false,
      });
    return fail(
      alerts,
      new DeliveryFailed("found no free place to be sent from", { retryable: true }),
    );
  };

  const stop = (): void => {
    stopping = true;
    gate.close();
  };

  return {
    async run(signal) {
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      await poll({
        clock,
        signal,
        wakeSignal: bell,
        round: async () => ((await takeRound()) ? 0 : untilDueMs()),
        onError: (error) => log.error("notifier.poll_failed", { message: messageOf(error) }),
        errorDelayMs: LONGEST_SLEEP_MS,
      });
      const parting = clock.setTimer(() => hurry.abort(), PARTING_MS);
      await Promise.all(underWay);
      parting.cancel();
      await ledger.flush().catch((error: unknown) =>
        log.error("notifier.save_failed", {
          alerts: ledger.unsaved(),
          message: messageOf(error),
        }),
      );
    },
    wake: bell.wake,
  };
}

function companyOf({ channels, groupWaitMs }: NotifierDeps): Grouping {
  if (groupWaitMs === 0) return new Map();
  return new Map(
    channels
      .filter(({ renderDigest }) => renderDigest !== undefined)
      .map(({ kind, groupWaitFactor = 1 }) => [kind, groupWaitMs * groupWaitFactor]),
  );
}

/** Whether a refusal for good may be of what the message says, rather than of whom it is for. */
function mayBeOfOne({ retryable, mayHaveArrived, address }: DeliveryFailed): boolean {
  return !retryable && !mayHaveArrived && address === undefined;
}

function alertsIn(items: readonly DeliverableAlert[]): readonly Alert[] {
  return items.map(({ alert }) => alert);
}

function deliveryOf(
  { id: alertId, attempts: attempt }: Alert,
  { startedAt, endedAt, to, rendered, failure, response }: Attempt,
): NewDelivery {
  const accepted = failure === undefined;
  const delivery = { alertId, attempt, startedAt, endedAt, accepted, response };
  // New words say whom they are for.
  return rendered === undefined ? { ...delivery, to } : delivery;
}

function readsOf({
  checks,
  contacts,
  accounts,
  alerts,
  schedules,
}: Store): Pick<Store, "checks" | "contacts" | "accounts" | "alerts" | "schedules"> {
  return { checks, contacts, accounts, alerts, schedules };
}

function about({
  id,
  checkId,
  kind,
  contactId,
  addressId,
}: Alert): Readonly<Record<string, string>> {
  return { alert: id, check: checkId, kind, contact: contactId, address: addressId };
}
