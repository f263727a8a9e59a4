import type { AcknowledgeLinks } from "../channels/acknowledge-links.ts";
import type { PageLinks } from "../channels/page-links.ts";
import { addressKinds, type Channels } from "../channels/registry.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Tracer } from "../kit/tracing/tracer.ts";
import type { Egress } from "../kit/net/egress.ts";
import { poll } from "../kit/poll.ts";
import { createWakeSignal } from "../kit/wake-signal.ts";
import type { Store } from "../store/store.ts";
import type { Grouping } from "../store/tables/alerts.ts";
import { createAlertOutcomes } from "./alert-outcomes.ts";
import { createAlertQueue, leaseMs } from "./alert-queue.ts";
import { createBatchSender } from "./sending/batch-sender.ts";
import type { SendSlots } from "./send-slots.ts";
import { createPipeline } from "./pipeline.ts";
import { createInFlight } from "./in-flight.ts";

export interface Notifier {
  /** Returns once the signal has aborted and the sends in flight have ended. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Polls for alerts now. */
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
  readonly acknowledgeLinks: Pick<AcknowledgeLinks, "linkOf">;
  readonly pageLinks: Pick<PageLinks, "linkOf">;
  /** The public address of this installation. */
  readonly url: string;
  /** How long later alerts to the same address wait to be sent together; 0 sends each on its own. */
  readonly groupWaitMs: number;
  /** Mails of alerts a day to one mailbox; 0 is no limit. */
  readonly alertMailLimit: number;
  /** Shared with all that sends by the same channels. */
  readonly slots: SendSlots;
  readonly tracer?: Tracer | undefined;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

const MAX_POLL_DELAY_MS = 5000;
const MIN_POLL_DELAY_MS = 100;
/** Between two looks while the store cannot commit. */
const UNAVAILABLE_POLL_DELAY_MS = 1000;

export function createNotifier(deps: NotifierDeps): Notifier {
  const { store, clock, log, slots, random = Math.random } = deps;
  const grouping = groupingOf(deps);
  const sendSingly = new Set<string>();
  const wakeSignal = createWakeSignal(clock);
  const queue = createAlertQueue({ ...deps, grouping });
  const outcomes = createAlertOutcomes({ ...deps, queue, sendSingly, random });
  const sender = createBatchSender({ ...deps, queue, outcomes });
  const inFlight = createInFlight((alert, error) => {
    if (error !== undefined)
      log.error("notifier.error", { alert: alert.id, message: messageOf(error) });
    queue.release(alert);
  }, wakeSignal.wake);
  const parts = { queue, outcomes, sender, inFlight, grouping, sendSingly };
  const processAlerts = createPipeline({ ...deps, ...parts });

  const noteAlive = createLivenessNote(deps);
  const round = async (): Promise<number> => {
    const waitMs = (await store.alerts.msUntilDue()) ?? Infinity;
    if (waitMs < Infinity) await noteAlive();
    const now = clock.now();
    if (waitMs <= 0 || queue.unsaved() > 0) {
      const alerts = await queue.claim();
      if (alerts.length > 0) {
        inFlight.begin(processAlerts(alerts, now + leaseMs));
        return 0;
      }
    }
    return pollDelay((await store.alerts.msUntilDue()) ?? Infinity);
  };
  const pollDelay = (waitMs: number): number => {
    const shortest = queue.canClaim() ? MIN_POLL_DELAY_MS : UNAVAILABLE_POLL_DELAY_MS;
    return Math.min(Math.max(waitMs, shortest), MAX_POLL_DELAY_MS);
  };

  return {
    async run(signal) {
      const onError = (error: unknown): void =>
        log.error("notifier.poll_failed", { message: messageOf(error) });
      signal.addEventListener("abort", slots.close, { once: true });
      if (signal.aborted) slots.close();
      await poll({ clock, signal, wakeSignal, round, onError, errorDelayMs: MAX_POLL_DELAY_MS });
      const grace = sender.abortSoon();
      await inFlight.ended();
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

function groupingOf({ channels, groupWaitMs }: NotifierDeps): Grouping {
  if (groupWaitMs === 0) return new Map();
  return new Map(
    addressKinds
      .filter((kind) => channels[kind].renderDigest !== undefined)
      .map((kind) => {
        const { groupWaitFactor = 1, groupedAlerts = "all" } = channels[kind];
        return [kind, { waitMs: groupWaitMs * groupWaitFactor, alerts: groupedAlerts }];
      }),
  );
}

const NOTE_INTERVAL_MS = 60_000;

/** Says in the store, once a minute where it is called, that alerts are being sent: time in which they are not is of no alert's six hours. */
function createLivenessNote({
  store,
  clock,
}: {
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
}): () => Promise<void> {
  let notedAt = -Infinity;
  return async () => {
    const now = clock.monotonic();
    if (now - notedAt < NOTE_INTERVAL_MS) return;
    notedAt = now;
    try {
      await store.write(({ alerts }) => alerts.noteAlive());
    } catch (error) {
      // Alerts committed earlier are still sent while the store cannot commit.
      if (codeOf(error) !== "unavailable") throw error;
    }
  };
}
