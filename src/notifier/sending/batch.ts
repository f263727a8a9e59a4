import type { Message } from "../../channels/channel.ts";
import { channelOf, type Channels } from "../../channels/registry.ts";
import { mayBeGrouped } from "../../domain/alert/alert-grouping.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { Reads } from "../../store/store.ts";
import type { ClaimedAlert, Grouping, NewBundle } from "../../store/tables/alerts.ts";
import { alertContextOf, shownMessageOf, type MessageLinks } from "./rendered-message.ts";
import type { DeliverableAlert } from "../rules/suppressions.ts";

/** Alerts for one address that are sent as one message. */
export interface Batch {
  readonly head: DeliverableAlert;
  /** The head among them. */
  readonly items: readonly DeliverableAlert[];
  /** The stored message of a bundle; undefined of an alert on its own. */
  readonly message: Message | undefined;
}

export interface Batches {
  readonly batches: readonly Batch[];
  readonly failed: readonly {
    readonly items: readonly DeliverableAlert[];
    readonly error: unknown;
  }[];
}

export interface BatchDeps extends MessageLinks {
  readonly alerts: Pick<Reads["alerts"], "findBundle">;
  /** Saves a bundle before it is sent for the first time. */
  readonly saveBundle: (bundle: NewBundle) => Promise<void>;
  /** Saves that alerts are sent singly, before they are. */
  readonly removeFromBundles: (members: readonly ClaimedAlert[]) => Promise<void>;
  readonly ids: Pick<Ids, "bundle">;
  readonly channels: Channels;
  readonly grouping: Grouping;
  /** Alerts that are sent on their own, for a bundle of theirs was refused. */
  readonly sendSingly: ReadonlySet<string>;
  readonly log: Log;
}

/** A mail lists every alert ID in a header: this many take 11 KB, and mail servers accept at least 64 KB. */
const MAX_BATCH_SIZE = 500;

/**
 * Groups alerts to the same address that were certainly not sent yet. A bundle is sent again unchanged, unless it was certainly not sent and one of its alerts
 * must not be sent any more: then the others are regrouped.
 */
export async function batchAlerts(
  alerts: readonly DeliverableAlert[],
  deps: BatchDeps,
): Promise<Batches> {
  const groups = Map.groupBy(alerts, (item) => groupKeyOf(item, deps)).values();
  const batched = await Promise.all(
    groups.map(async (items): Promise<Batches> => {
      try {
        return { batches: await batchGroup(items, deps), failed: [] };
      } catch (error) {
        return { batches: [], failed: [{ items, error }] };
      }
    }),
  );
  return {
    batches: batched.flatMap(({ batches }) => batches),
    failed: batched.flatMap(({ failed }) => failed),
  };
}

function groupKeyOf(
  { alert, address }: DeliverableAlert,
  { grouping, sendSingly }: BatchDeps,
): string {
  if (sendSingly.has(alert.id)) return alert.id;
  const mayJoin = !alert.possiblySent && mayBeGrouped(alert, grouping.get(address.kind));
  return alert.bundle ?? (mayJoin ? `${alert.contactId} ${alert.addressId}` : alert.id);
}

async function batchGroup(
  items: readonly DeliverableAlert[],
  deps: BatchDeps,
): Promise<readonly Batch[]> {
  const [head] = items;
  if (head === undefined) return [];
  const message = await storedBundleMessage(head.alert.bundle, items, deps);
  if (message !== undefined) return [{ head, items, message }];
  const most = channelOf(deps.channels, head.address.kind).maxDigestSize ?? MAX_BATCH_SIZE;
  const chunks = Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
  const batches = await Promise.all(chunks.map((chunk) => bundle(chunk, deps)));
  return batches.flat();
}

async function storedBundleMessage(
  id: string | undefined,
  items: readonly DeliverableAlert[],
  { alerts }: BatchDeps,
): Promise<Message | undefined> {
  const stored = id === undefined ? undefined : await alerts.findBundle(id);
  if (stored === undefined) return undefined;
  const isSentAgain = items.length === stored.size || items.some(({ alert }) => alert.possiblySent);
  return isSentAgain ? JSON.parse(stored.message) : undefined;
}

/** One batch; where no message can have them all, or it cannot be saved, one for each. */
async function bundle(
  items: readonly DeliverableAlert[],
  deps: BatchDeps,
): Promise<readonly Batch[]> {
  const { saveBundle, ids, channels, log } = deps;
  const [head, ...others] = items;
  const channel = head && channelOf(channels, head.address.kind);
  if (head === undefined || others.length === 0 || channel?.renderDigest === undefined)
    return split(items, deps);
  try {
    const id = ids.bundle();
    const digest = channel.renderDigest(
      [alertContextOf(head, deps), ...others.map((item) => alertContextOf(item, deps))],
      id,
    );
    if (digest === undefined) return await split(items, deps);
    const { parts, ...message } = digest;
    const members = items.map((item, index) => ({
      ...claimedAlertOf(item),
      wording: shownMessageOf(item, { ...message, body: parts[index] ?? "" }, channel),
    }));
    const { accountId } = head.alert;
    await saveBundle({ id, accountId, message: JSON.stringify(message), members });
    log.info("notifier.bundled", { bundle: id, alerts: items.length });
    const bundledHead = inBundle(head, id);
    const bundledItems = [bundledHead, ...others.map((item) => inBundle(item, id))];
    return [{ head: bundledHead, items: bundledItems, message }];
  } catch (error) {
    log.warn("notifier.bundle_failed", { alerts: items.length, message: messageOf(error) });
    return split(items, deps);
  }
}

/** One batch for each alert. Where the outcome of one stays unknown, it must not be sent again in the bundle that it was in. */
async function split(
  items: readonly DeliverableAlert[],
  { removeFromBundles, log }: BatchDeps,
): Promise<readonly Batch[]> {
  const bundled = items.filter(({ alert }) => alert.bundle !== undefined);
  try {
    if (bundled.length > 0) await removeFromBundles(bundled.map(claimedAlertOf));
  } catch (error) {
    log.warn("notifier.unbundle_failed", { alerts: bundled.length, message: messageOf(error) });
  }
  return items.map((item) => {
    const head = inBundle(item, undefined);
    return { head, items: [head], message: undefined };
  });
}

function claimedAlertOf({ alert }: DeliverableAlert): ClaimedAlert {
  return { alertId: alert.id, attempt: alert.attempts };
}

function inBundle(item: DeliverableAlert, id: string | undefined): DeliverableAlert {
  return { ...item, alert: { ...item.alert, bundle: id } };
}
