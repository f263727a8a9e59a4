import type { AcknowledgeLinks } from "../channels/acknowledge-links.ts";
import { channelOf, type Channels } from "../channels/registry.ts";
import type { PageLinks } from "../channels/page-links.ts";
import type { Alert } from "../domain/alert/alert.ts";
import type { Address } from "../domain/contact/contact.ts";
import type { Clock } from "../kit/clock.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Store } from "../store/store.ts";
import type { Grouping } from "../store/tables/alerts.ts";
import type { AlertOutcomes } from "./alert-outcomes.ts";
import type { AlertQueue } from "./alert-queue.ts";
import { batchAlerts } from "./sending/batch.ts";
import type { BatchSender } from "./sending/batch-sender.ts";
import { filterAlerts } from "./filter-alerts.ts";
import { prepareMessages, type PreparedBatch } from "./sending/prepare-messages.ts";
import type { DeliverableAlert } from "./rules/suppressions.ts";
import type { InFlight } from "./in-flight.ts";

export interface PipelineDeps {
  readonly store: Store;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Log;
  readonly ids: Pick<Ids, "bundle">;
  readonly acknowledgeLinks: Pick<AcknowledgeLinks, "linkOf">;
  readonly pageLinks: Pick<PageLinks, "linkOf">;
  readonly url: string;
  /** Mails of alerts a day to one mailbox; 0 is no limit. */
  readonly alertMailLimit: number;
  readonly queue: AlertQueue;
  readonly outcomes: AlertOutcomes;
  readonly sender: BatchSender;
  readonly inFlight: InFlight;
  readonly grouping: Grouping;
  readonly sendSingly: ReadonlySet<string>;
}

/** Within this time an alert that waits is judged again: what it waits for may be changed at the moment it is judged. */
const JUDGED_WITHIN_MS = 10 * 60_000;

/** Takes claimed alerts to their end: filters them, batches them, prepares the messages and sends them. */
export function createPipeline(
  deps: PipelineDeps,
): (alerts: readonly Alert[], leaseEndsAt: number) => Promise<void> {
  const { store, clock, log, queue, outcomes, sender, inFlight, grouping, sendSingly } = deps;

  const processAlerts = async (alerts: readonly Alert[], leaseEndsAt: number): Promise<void> => {
    const context = {
      ...store,
      alertMailLimit: deps.alertMailLimit,
      resolvesIncidents: ({ kind, address }: Address) =>
        channelOf(deps.channels, kind).resolvesIncidents?.(address) === true,
      acknowledgesIncidents: ({ kind, address }: Address) =>
        channelOf(deps.channels, kind).acknowledgesIncidents?.(address) === true,
      dropsPastOutages: ({ kind, address, request }: Address) =>
        channelOf(deps.channels, kind).dropsPastOutages?.({ address, request }) === true,
      now: clock.now(),
      log,
    };
    const { kept, dropped, postponed, failed } = await filterAlerts(alerts, context);
    await Promise.all([
      ...dropped.map(({ alert, reason }) =>
        inFlight.end([alert], () => outcomes.drop(alert, reason)),
      ),
      ...postponed.map(({ alert, until, reason }) =>
        inFlight.end([alert], () =>
          outcomes.judgeAgain(alert, Math.min(until, context.now + JUDGED_WITHIN_MS), reason),
        ),
      ),
      ...failed.map(({ alert, error }) =>
        inFlight.end([alert], () => outcomes.defer([alert], error)),
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
        inFlight.end(alertsIn(batch.items), () => sender.send(batch, leaseEndsAt)),
      ),
      ...[...failed, ...unprepared].map(({ items, error }) =>
        inFlight.end(alertsIn(items), () => outcomes.defer(alertsIn(items), error)),
      ),
    ]);
  };

  return processAlerts;
}

function alertsIn(items: readonly DeliverableAlert[]): readonly Alert[] {
  return items.map(({ alert }) => alert);
}
