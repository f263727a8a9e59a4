import type { Channel, Message } from "../channels/channel.ts";
import { channelOf } from "../channels/registry.ts";
import { messageOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { AlertReads, ClaimedAlert, Grouping, NewBundle } from "../store/alerts.ts";
import { tellingOf, wordingOf } from "./attempt.ts";
import type { Wanted } from "./stages/suppressions.ts";

/** Alerts for one address that go out as one message. */
export interface Parcel {
  readonly head: Wanted;
  /** The head among them. */
  readonly items: readonly Wanted[];
  /** What they say together, fixed; an alert on its own finds its words when it leaves. */
  readonly message: Message | undefined;
}

export interface Packed {
  readonly parcels: readonly Parcel[];
  /** What nobody knows how to put together. */
  readonly broken: readonly { readonly lot: readonly Wanted[]; readonly error: unknown }[];
}

export interface PackDeps {
  readonly alerts: Pick<AlertReads, "findBundle">;
  /** Keeps a bundle before it leaves for the first time. */
  readonly keep: (bundle: NewBundle) => Promise<void>;
  /** Keeps that alerts leave on their own, before they do. */
  readonly part: (members: readonly ClaimedAlert[]) => Promise<void>;
  readonly ids: Pick<Ids, "bundle">;
  readonly channels: readonly Channel[];
  readonly company: Grouping;
  /** Alerts that go on their own, for a bundle of theirs was refused. */
  readonly alone: ReadonlySet<string>;
  readonly url: string;
  readonly log: Log;
}

const MOST_TOGETHER = 100;

/**
 * Puts together what is for one address and has surely not left. A bundle goes out again as it was, unless it surely has not
 * left and one of its alerts does not go any more: then the others are put together anew.
 */
export async function pack(wanted: readonly Wanted[], deps: PackDeps): Promise<Packed> {
  const lots = Map.groupBy(wanted, (item) => lotOf(item, deps)).values();
  const packed = await Promise.all(
    lots.map(async (lot): Promise<Packed> => {
      try {
        return { parcels: await packLot(lot, deps), broken: [] };
      } catch (error) {
        return { parcels: [], broken: [{ lot, error }] };
      }
    }),
  );
  return {
    parcels: packed.flatMap(({ parcels }) => parcels),
    broken: packed.flatMap(({ broken }) => broken),
  };
}

function lotOf({ alert, address }: Wanted, { company, alone }: PackDeps): string {
  if (alone.has(alert.id)) return alert.id;
  const mayJoin = !alert.possiblySent && company.has(address.kind);
  return alert.bundle ?? (mayJoin ? `${alert.contactId} ${alert.addressId}` : alert.id);
}

async function packLot(lot: readonly Wanted[], deps: PackDeps): Promise<readonly Parcel[]> {
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
  lot: readonly Wanted[],
  { alerts }: PackDeps,
): Promise<Message | undefined> {
  const bundle = id === undefined ? undefined : await alerts.findBundle(id);
  if (bundle === undefined) return undefined;
  const stands = lot.length === bundle.size || lot.some(({ alert }) => alert.possiblySent);
  return stands ? JSON.parse(bundle.message) : undefined;
}

/** One parcel; where they cannot be told together, or that cannot be stored, one for each. */
async function putTogether(items: readonly Wanted[], deps: PackDeps): Promise<readonly Parcel[]> {
  const { keep, ids, channels, url, log } = deps;
  const [head, ...others] = items;
  const channel = head && channelOf(channels, head.address.kind);
  if (head === undefined || others.length === 0 || channel?.renderTogether === undefined)
    return takeApart(items, deps);
  try {
    const id = ids.bundle();
    const tellings = others.map((item) => tellingOf(item, url));
    const { parts, ...message } = channel.renderTogether([tellingOf(head, url), ...tellings], id);
    const members = items.map((item, index) => ({
      ...claimed(item),
      wording: wordingOf(item, { ...message, body: parts[index] ?? "" }, channel),
    }));
    await keep({ id, accountId: head.alert.accountId, message: JSON.stringify(message), members });
    log.info("notifier.bundled", { bundle: id, alerts: items.length });
    const first = inBundle(head, id);
    return [{ head: first, items: [first, ...others.map((item) => inBundle(item, id))], message }];
  } catch (error) {
    log.warn("notifier.not_bundled", { alerts: items.length, message: messageOf(error) });
    return takeApart(items, deps);
  }
}

/** Each on its own. One whose end stays unknown must not come again in the bundle that it stood in. */
async function takeApart(
  items: readonly Wanted[],
  { part, log }: PackDeps,
): Promise<readonly Parcel[]> {
  const bundled = items.filter(({ alert }) => alert.bundle !== undefined);
  try {
    if (bundled.length > 0) await part(bundled.map(claimed));
  } catch (error) {
    log.warn("notifier.not_parted", { alerts: bundled.length, message: messageOf(error) });
  }
  return items.map((item) => {
    const head = inBundle(item, undefined);
    return { head, items: [head], message: undefined };
  });
}

function claimed({ alert }: Wanted): ClaimedAlert {
  return { alertId: alert.id, attempt: alert.attempts };
}

function inBundle(item: Wanted, bundle: string | undefined): Wanted {
  return { ...item, alert: { ...item.alert, bundle } };
}
