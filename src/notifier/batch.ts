import type { Channel, Message } from "../channels/channel.ts";
import { channelOf } from "../channels/registry.ts";
import { messageOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { AlertReads, ClaimedAlert, Grouping, NewBundle } from "../store/alerts.ts";
import { alertContextOf, renderedMessageOf } from "./attempt.ts";
import type { DeliverableAlert } from "./stages/suppressions.ts";

/** Alerts for one address that go out as one message. */
export interface Batch {
  readonly head: DeliverableAlert;
  /** The head among them. */
  readonly items: readonly DeliverableAlert[];
  /** What they say together, fixed; an alert on its own finds its words when it leaves. */
  readonly message: Message | undefined;
}

export interface Batches {
  readonly batches: readonly Batch[];
  /** What nobody knows how to put together. */
  readonly failed: readonly {
    readonly lot: readonly DeliverableAlert[];
    readonly error: unknown;
  }[];
}

export interface BatchDeps {
  readonly alerts: Pick<AlertReads, "findBundle">;
  /** Keeps a bundle before it leaves for the first time. */
  readonly saveBundle: (bundle: NewBundle) => Promise<void>;
  /** Keeps that alerts leave on their own, before they do. */
  readonly removeFromBundles: (members: readonly ClaimedAlert[]) => Promise<void>;
  readonly ids: Pick<Ids, "bundle">;
  readonly channels: readonly Channel[];
  readonly grouping: Grouping;
  /** Alerts that go on their own, for a bundle of theirs was refused. */
  readonly sendSingly: ReadonlySet<string>;
  readonly url: string;
  readonly log: Log;
}

const MOST_TOGETHER = 100;

/**
 * Puts together what is for one address and has surely not left. A bundle goes out again as it was, unless it surely has not
 * left and one of its alerts does not go any more: then the others are put together anew.
 */
export async function batchAlerts(
  wanted: readonly DeliverableAlert[],
  deps: BatchDeps,
): Promise<Batches> {
  const lots = Map.groupBy(wanted, (item) => lotOf(item, deps)).values();
  const packed = await Promise.all(
    lots.map(async (lot): Promise<Batches> => {
      try {
        return { batches: await packLot(lot, deps), failed: [] };
      } catch (error) {
        return { batches: [], failed: [{ lot, error }] };
      }
    }),
  );
  return {
    batches: packed.flatMap(({ batches }) => batches),
    failed: packed.flatMap(({ failed }) => failed),
  };
}

function lotOf({ alert, address }: DeliverableAlert, { grouping, sendSingly }: BatchDeps): string {
  if (sendSingly.has(alert.id)) return alert.id;
  const mayJoin = !alert.possiblySent && grouping.has(address.kind);
  return alert.bundle ?? (mayJoin ? `${alert.contactId} ${alert.addressId}` : alert.id);
}

async function packLot(
  lot: readonly DeliverableAlert[],
  deps: BatchDeps,
): Promise<readonly Batch[]> {
  const [head] = lot;
  if (head === undefined) return [];
  const message = await fixedMessage(head.alert.bundle, lot, deps);
  if (message !== undefined) return [{ head, items: lot, message }];
  const pieces = Array.from({ length: Math.ceil(lot.length / MOST_TOGETHER) }, (_, index) =>
    lot.slice(index * MOST_TOGETHER, (index + 1) * MOST_TOGETHER),
  );
  const parcels = await Promise.all(pieces.map((piece) => putTogether(piece, deps)));
  return parcels.flat();
}

async function fixedMessage(
  id: string | undefined,
  lot: readonly DeliverableAlert[],
  { alerts }: BatchDeps,
): Promise<Message | undefined> {
  const bundle = id === undefined ? undefined : await alerts.findBundle(id);
  if (bundle === undefined) return undefined;
  const stands = lot.length === bundle.size || lot.some(({ alert }) => alert.possiblySent);
  return stands ? JSON.parse(bundle.message) : undefined;
}

/** One parcel; where they cannot be told together, or that cannot be stored, one for each. */
async function putTogether(
  items: readonly DeliverableAlert[],
  deps: BatchDeps,
): Promise<readonly Batch[]> {
  const { saveBundle, ids, channels, url, log } = deps;
  const [head, ...others] = items;
  const channel = head && channelOf(channels, head.address.kind);
  if (head === undefined || others.length === 0 || channel?.renderDigest === undefined)
    return takeApart(items, deps);
  try {
    const id = ids.bundle();
    const tellings = others.map((item) => alertContextOf(item, url));
    const { parts, ...message } = channel.renderDigest(
      [alertContextOf(head, url), ...tellings],
      id,
    );
    const members = items.map((item, index) => ({
      ...claimed(item),
      wording: renderedMessageOf(item, { ...message, body: parts[index] ?? "" }, channel),
    }));
    await saveBundle({
      id,
      accountId: head.alert.accountId,
      message: JSON.stringify(message),
      members,
    });
    log.info("notifier.bundled", { bundle: id, alerts: items.length });
    const first = inBundle(head, id);
    return [{ head: first, items: [first, ...others.map((item) => inBundle(item, id))], message }];
  } catch (error) {
    log.warn("notifier.bundle_failed", { alerts: items.length, message: messageOf(error) });
    return takeApart(items, deps);
  }
}

/** Each on its own. One whose end stays unknown must not come again in the bundle that it stood in. */
async function takeApart(
  items: readonly DeliverableAlert[],
  { removeFromBundles, log }: BatchDeps,
): Promise<readonly Batch[]> {
  const bundled = items.filter(({ alert }) => alert.bundle !== undefined);
  try {
    if (bundled.length > 0) await removeFromBundles(bundled.map(claimed));
  } catch (error) {
    log.warn("notifier.unbundle_failed", { alerts: bundled.length, message: messageOf(error) });
  }
  return items.map((item) => {
    const head = inBundle(item, undefined);
    return { head, items: [head], message: undefined };
  });
}

function claimed({ alert }: DeliverableAlert): ClaimedAlert {
  return { alertId: alert.id, attempt: alert.attempts };
}

function inBundle(item: DeliverableAlert, bundle: string | undefined): DeliverableAlert {
  return { ...item, alert: { ...item.alert, bundle } };
}
