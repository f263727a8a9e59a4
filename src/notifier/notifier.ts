import type { Channels } from "../channels/registry.ts";
import { addressKinds } from "../channels/registry.ts";
import type { Alert } from "../domain/alert.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Egress } from "../kit/net/egress.ts";
import { poll } from "../kit/poll.ts";
import { createWakeSignal } from "../kit/wake-signal.ts";
import type { Grouping } from "../store/alerts.ts";
import type { Store } from "../store/store.ts";
import { createAlertOutcomes } from "./alert-outcomes.ts";
import { createAlertQueue, leaseMs } from "./alert-queue.ts";
import { batchAlerts } from "./batch.ts";
import { createBatchSender } from "./batch-sender.ts";
import { filterAlerts } from "./filter-alerts.ts";
import { prepareMessages } from "./prepare-messages.ts";
import type { PreparedBatch } from "./prepare-messages.ts";
import type { DeliverableAlert } from "./stages/suppressions.ts";

export interface Notifier {
  /** Returns once the signal has aborted and the sends under way have ended. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Looks for alerts now. */
  readonly wake: () => void;
}

export interface NotifierDeps {
  readonly store: Store;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly egress: Egress;
  readonly ids: Pick<Ids, "bundle">;
  /** The public address of this installation. */
  readonly url: string;
  /** How long later alerts to the same address wait to be sent together; 0 sends each on its own. */
  readonly groupWaitMs: number;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

/** More than can be sent at a time, so that those for a stuck destination do not keep the others out. */
const MAX_CLAIMED = 64;
const MAX_POLL_DELAY_MS = 5000;
const MIN_POLL_DELAY_MS = 100;
/** Between two looks while the store cannot commit. */
const UNAVAILABLE_POLL_DELAY_MS = 1000;

export function createNotifier(deps: NotifierDeps): Notifier {
  const { store, clock, log, random = Math.random } = deps;
  const grouping = groupingOf(deps);
  const sendSingly = new Set<string>();
  const wakeSignal = createWakeSignal(clock);
  const queue = createAlertQueue({ store, clock, log, grouping });
  const outcomes = createAlertOutcomes({ ...deps, queue, sendSingly, random });
  const sender = createBatchSender({ ...deps, outcomes });
  const underWay = createUnderWay((alert, error) => {
    if (error !== undefined)
      log.error("notifier.error", { alert: alert.id, message: messageOf(error) });
    queue.release(alert);
  }, wakeSignal.wake);

  const process = async (alerts: readonly Alert[], leaseEndsAt: number): Promise<void> => {
    const { checks, contacts, accounts, alerts: reads, schedules } = store;
    const context = { checks, contacts, accounts, alerts: reads, schedules, now: clock.now(), log };
    const { kept, dropped, failed } = await filterAlerts(alerts, context);
    await Promise.all([
      ...dropped.map(({ alert, reason }) =>
        underWay.end([alert], () => outcomes.drop(alert, reason)),
      ),
      ...failed.map(({ alert, error }) =>
        underWay.end([alert], () => outcomes.defer([alert], error)),
      ),
      sendAll(kept, leaseEndsAt),
    ]);
  };
  const sendAll = async (kept: readonly DeliverableAlert[], leaseEndsAt: number): Promise<void> => {
    const { batches, failed } = await batchAlerts(kept, {
      ...deps,
      alerts: store.alerts,
      grouping,
      sendSingly,
      saveBundle: (bundle) => store.write((tx) => tx.alerts.bundle(bundle)),
      removeFromBundles: (members) => store.write((tx) => tx.alerts.unbundle(members)),
    });
    let prepared: readonly PreparedBatch[] = [];
    let unprepared: typeof failed = [];
    try {
      prepared = await prepareMessages(batches, { ...deps, queue });
    } catch (error) {
      unprepared = batches.map(({ items }) => ({ items, error }));
    }
    await Promise.all([
      ...prepared.map((batch) =>
        underWay.end(alertsIn(batch.items), () => sender.send(batch, leaseEndsAt)),
      ),
      ...[...failed, ...unprepared].map(({ items, error }) =>
        underWay.end(alertsIn(items), () => outcomes.defer(alertsIn(items), error)),
      ),
    ]);
  };
  const round = async (): Promise<number> => {
    const room = MAX_CLAIMED - underWay.messages();
    const next = (await store.alerts.nextDueAt()) ?? Infinity;
    const now = clock.now();
    if (room > 0 && (next <= now || queue.unsaved() > 0)) {
      const alerts = await queue.claim(room);
      if (alerts.length > 0) underWay.begin(alerts, process(alerts, now + leaseMs));
      if (alerts.length >= room) return 0;
    }
    return delayUntil((await store.alerts.nextDueAt()) ?? Infinity);
  };
  const delayUntil = (at: number): number => {
    const shortest = queue.canClaim() ? MIN_POLL_DELAY_MS : UNAVAILABLE_POLL_DELAY_MS;
    return Math.min(Math.max(at - clock.now(), shortest), MAX_POLL_DELAY_MS);
  };

  return {
    async run(signal) {
      const onError = (error: unknown): void =>
        log.error("notifier.poll_failed", { message: messageOf(error) });
      signal.addEventListener("abort", sender.close, { once: true });
      if (signal.aborted) sender.close();
      await poll({ clock, signal, wakeSignal, round, onError, errorDelayMs: MAX_POLL_DELAY_MS });
      const grace = sender.abortSoon();
      await underWay.ended();
      grace.cancel();
      await queue.flush().catch((error: unknown) =>
        log.error("notifier.save_failed", {
          alerts: queue.unsaved(),
          message: messageOf(error),
        }),
      );
    },
    wake: wakeSignal.wake,
  };
}

/** The alerts that are worked on, counted by the messages that they need as far as that is known. */
interface UnderWay {
  readonly begin: (alerts: readonly Alert[], work: Promise<void>) => void;
  /** Does the last work on alerts that share a message. Whatever it throws concerns no other alert. */
  readonly end: (alerts: readonly Alert[], work: () => Promise<void>) => Promise<void>;
  readonly messages: () => number;
  readonly ended: () => Promise<unknown>;
}

function createUnderWay(
  released: (alert: Alert, error: unknown) => void,
  wake: () => void,
): UnderWay {
  const works = new Set<Promise<void>>();
  /** One alert of each message, and those that are in none yet. */
  const messages = new Set<string>();
  return {
    begin(alerts, work) {
      for (const { id } of alerts) messages.add(id);
      works.add(work);
      void work.finally(() => works.delete(work));
    },
    async end(alerts, work) {
      for (const { id } of alerts.slice(1)) messages.delete(id);
      let failure: unknown;
      try {
        await work();
      } catch (error) {
        failure = error;
      }
      for (const alert of alerts) {
        messages.delete(alert.id);
        released(alert, failure);
      }
      wake();
    },
    messages: () => messages.size,
    ended: () => Promise.all(works),
  };
}

function groupingOf({ channels, groupWaitMs }: NotifierDeps): Grouping {
  if (groupWaitMs === 0) return new Map();
  return new Map(
    addressKinds
      .filter((kind) => channels[kind].renderDigest !== undefined)
      .map((kind) => [kind, groupWaitMs * (channels[kind].groupWaitFactor ?? 1)]),
  );
}

function alertsIn(items: readonly DeliverableAlert[]): readonly Alert[] {
  return items.map(({ alert }) => alert);
}
