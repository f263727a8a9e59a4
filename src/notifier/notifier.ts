import type { Channel } from "../channels/channel.ts";
import { channelOf } from "../channels/registry.ts";
import type { Alert, DropReason } from "../domain/alert.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/egress.ts";
import { DeliveryFailed, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Store } from "../store/store.ts";
import { attempt, attemptMs, lastWordMs } from "./attempt.ts";
import { createBell } from "./bell.ts";
import { endingOf } from "./ending.ts";
import { createGate } from "./gate.ts";
import { createLedger, leaseMs } from "./ledger.ts";
import type { Settlement } from "./ledger.ts";
import type { Wanted } from "./stages/suppressions.ts";
import { triage } from "./triage.ts";

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
  /** The public address of this installation. */
  readonly url: string;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

/** More than can be sent at a time, so that those for a stuck destination do not keep the others out. */
const MOST_TAKEN = 64;
const LIMITS = { places: 16, placesEach: 4, patienceMs: 5000 };
const LONGEST_SLEEP_MS = 5000;
const SHORTEST_SLEEP_MS = 100;
/** Between two looks while the store cannot commit. */
const TROUBLED_SLEEP_MS = 1000;
/** How long the sends under way may still take once we are told to stop. */
const PARTING_MS = 8000;

export function createNotifier(deps: NotifierDeps): Notifier {
  const { store, channels, clock, log, meter, egress, url, random = Math.random } = deps;
  const bell = createBell(clock);
  const gate = createGate(clock, LIMITS);
  const ledger = createLedger({ store, clock, log });
  const hurry = new AbortController();
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  /** Says whether there is more than there was room for. */
  const takeRound = async (): Promise<boolean> => {
    const room = MOST_TAKEN - ledger.taken();
    const next = await store.alerts.nextDue();
    const now = clock.now();
    if (room === 0 || ((next === undefined || next > now) && ledger.unwritten() === 0))
      return false;
    const alerts = await ledger.take(room);
    if (alerts.length > 0) begin(workOn(alerts, now + leaseMs));
    return alerts.length === room;
  };
  const sleepUntilDue = async (): Promise<void> => {
    const next = (await store.alerts.nextDue()) ?? Infinity;
    const shortest = ledger.canClaim() ? SHORTEST_SLEEP_MS : TROUBLED_SLEEP_MS;
    await bell.sleep(Math.min(Math.max(next - clock.now(), shortest), LONGEST_SLEEP_MS));
  };
  const begin = (work: Promise<void>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  const workOn = async (alerts: readonly Alert[], leaseEnds: number): Promise<void> => {
    const { kept, dropped, broken } = await triage(alerts, {
      ...readsOf(store),
      now: clock.now(),
      log,
    });
    await Promise.all([
      ...dropped.map(({ alert, reason }) => finish(alert, () => drop(alert, reason))),
      ...broken.map(({ alert, error }) => finish(alert, () => defer(alert, error))),
      ...kept.map((wanted) => finish(wanted.alert, () => send(wanted, leaseEnds))),
    ]);
  };
  /** Whatever becomes of one alert is no other's business. */
  const finish = async (alert: Alert, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error("notifier.broke", { alert: alert.id, message: messageOf(error) });
    } finally {
      ledger.letGo(alert);
      bell.ring();
    }
  };

  const drop = async (alert: Alert, reason: DropReason): Promise<void> => {
    log.info("notifier.dropped", { ...about(alert), reason });
    meter.count("notifier.dropped", { reason });
    await ledger.settle({ alert, end: { status: "dropped", at: clock.now(), reason } });
  };
  const defer = async (alert: Alert, error: unknown): Promise<void> => {
    log.error("notifier.broke", { ...about(alert), message: messageOf(error) });
    await fail(alert, new DeliveryFailed(messageOf(error), { cause: error, retryable: true }));
  };
  const fail = async (
    alert: Alert,
    failure: DeliveryFailed,
    tried: Partial<Settlement> = {},
  ): Promise<void> => {
    const end = endingOf(alert, failure, { now: clock.now(), jitter: random() });
    const event = end.status === "failed" ? "notifier.failed" : "notifier.retry";
    log.warn(event, { ...about(alert), attempt: alert.attempts, message: failure.message });
    meter.count(event);
    await ledger.settle({ ...tried, alert, end });
  };

  const send = async (wanted: Wanted, leaseEnds: number): Promise<void> => {
    const { alert, address } = wanted;
    const channel = channelOf(channels, address.kind);
    if (channel === undefined)
      return fail(
        alert,
        new DeliveryFailed(`no channel for ${JSON.stringify(address.kind)}`, { retryable: false }),
      );
    const leave = await gate.enter(`${channel.kind} ${channel.destinationOf(address.address)}`);
    if (leave === undefined) return turnAway(alert);
    try {
      // We were not running for a while: by the end of an attempt another may have claimed it.
      if (clock.now() + attemptMs + lastWordMs > leaseEnds)
        return log.warn("notifier.lease_short", about(alert));
      const { delivery, wording, failure } = await attempt(wanted, {
        channel,
        clock,
        egress,
        url,
        hurry: hurry.signal,
      });
      if (failure !== undefined) return await fail(alert, failure, { delivery, wording });
      log.info("notifier.delivered", { ...about(alert), attempt: alert.attempts });
      meter.count("notifier.delivered", { channel: channel.kind });
      meter.observe("notifier.lateness", delivery.endedAt - alert.dueAt, { channel: channel.kind });
      return await ledger.settle({
        alert,
        end: { status: "delivered", at: delivery.endedAt },
        delivery,
        wording,
      });
    } finally {
      leave();
    }
  };
  const turnAway = async (alert: Alert): Promise<void> => {
    if (stopping)
      return ledger.settle({
        alert,
        end: { status: "waiting", nextAttemptAt: clock.now(), mayHaveLeft: false },
      });
    return fail(
      alert,
      new DeliveryFailed("found no free place to be sent from", { retryable: true }),
    );
  };

  const stop = (): void => {
    stopping = true;
    gate.close();
    bell.ring();
  };

  return {
    async run(signal) {
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      while (!signal.aborted) {
        try {
          if (!(await takeRound())) await sleepUntilDue();
        } catch (error) {
          log.error("notifier.round_failed", { message: messageOf(error) });
          await bell.sleep(LONGEST_SLEEP_MS);
        }
      }
      const parting = clock.setTimer(() => hurry.abort(), PARTING_MS);
      await Promise.all(underWay);
      parting.cancel();
      await ledger.catchUp().catch((error: unknown) =>
        log.error("notifier.unwritten", {
          alerts: ledger.unwritten(),
          message: messageOf(error),
        }),
      );
    },
    wake: bell.ring,
  };
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
