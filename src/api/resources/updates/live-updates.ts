import { primaryIdOf } from "../../../domain/account/account.ts";
import { TooManyRequests } from "../../../kit/errors.ts";
import { createSlotCounts, type SlotCounts } from "../../../kit/concurrency/slot-counts.ts";
import type { Timer } from "../../../kit/clock.ts";
import type { Call } from "../../http/auth.ts";
import type { EventClient } from "../../http/responses/event-stream.ts";
import {
  createAccountFeed,
  MAX_CHANGES,
  newsOf,
  type AccountFeed,
  type FeedDeps,
  type Reader,
} from "./account-feed.ts";
import { eventText } from "./event-text.ts";

/** Subscription of a client to events. */
export interface UpdateSubscription {
  readonly call: Pick<Call, "caller" | "account" | "actor" | "isStillAllowed">;
  readonly watched: readonly string[];
  /** Whether runs on request of other checks are wanted too. */
  readonly hasRequested: boolean;
  /** Position to resume from; undefined to start now. */
  readonly since: string | undefined;
}

export interface LiveUpdates {
  /** Sends the client what happens until either ends the connection. Throws TooManyRequests. */
  readonly open: (subscription: UpdateSubscription, client: EventClient) => Promise<void>;
}

interface Connection {
  readonly reader: Reader;
  readonly feed: AccountFeed;
  readonly subscription: UpdateSubscription;
  sentAt: number;
}

/** Maximum connections in all; an account may use as many as it leaves for all others. */
const MAX = 1000;
/** Maximum connections per session or token; browsers open six to one address. */
const MAX_PER_CALLER = 12;
const RETRY_AFTER_SECONDS = 30;
/** How soon a session that has ended gets nothing more, and a run is sent. */
const LOOK_INTERVAL_MS = 5000;
/** Less than the 30 s after which some proxies close a connection. */
const SIGN_OF_LIFE_AFTER_MS = 20_000;

export function createLiveUpdates(deps: FeedDeps): LiveUpdates {
  const { store, clock } = deps;
  const slots = createSlotCounts();
  const feeds = new Map<string, AccountFeed>();
  const connections = new Set<Connection>();
  let timer: Timer | undefined;
  let isSubscribed = false;

  /** Once there is a client. */
  const subscribe = (): void => {
    if (isSubscribed) return;
    isSubscribed = true;
    store.changes.subscribeAll((change) => {
      if (change === "everything") for (const feed of feeds.values()) feed.changed(change);
      else feeds.get(change.accountId)?.changed(change);
    });
  };
  const look = async (): Promise<void> => {
    for (const connection of connections) await keepOrClose(connection, clock.monotonic());
    for (const feed of feeds.values())
      await feed.look().catch(() => feed.readers.forEach((reader) => reader.close()));
    timer =
      connections.size === 0 ? undefined : clock.setTimer(() => void look(), LOOK_INTERVAL_MS);
  };
  const leave = (connection: Connection, keys: readonly string[]): void => {
    const { feed, reader, subscription } = connection;
    if (!connections.delete(connection)) return;
    slots.change(keys, -1);
    feed.readers.delete(reader);
    if (feed.readers.size > 0) return;
    feed.close();
    feeds.delete(subscription.call.account.id);
  };

  return {
    async open(subscription, client) {
      const { account } = subscription.call;
      const keys = takeSlots(slots, subscription.call);
      subscribe();
      const feed = feeds.get(account.id) ?? createAccountFeed(deps, account.id);
      feeds.set(account.id, feed);
      /** Not before its beginning, which may be older. */
      let held: string[] | undefined = [];
      const connection: Connection = {
        feed,
        subscription,
        sentAt: clock.monotonic(),
        reader: {
          watched: subscription.watched,
          requested: subscription.hasRequested ? new Set() : undefined,
          known: new Map(),
          close: client.close,
          send(text) {
            connection.sentAt = clock.monotonic();
            if (held === undefined) client.send(text);
            else held.push(text);
          },
        },
      };
      connections.add(connection);
      // Nothing is missed from here on: changes logged meanwhile are sent twice.
      feed.readers.add(connection.reader);
      client.onClose(() => leave(connection, keys));
      timer ??= clock.setTimer(() => void look(), LOOK_INTERVAL_MS);
      try {
        const first = await beginning(deps, account.id, subscription.since);
        for (const text of [first, ...held]) client.send(text);
        held = undefined;
      } catch (error) {
        leave(connection, keys);
        throw error;
      }
    },
  };
}

/** Returns the keys that count the stream. Throws TooManyRequests if its caller or its account has too many. */
function takeSlots(
  slots: SlotCounts,
  { caller, actor }: Pick<Call, "caller" | "actor">,
): readonly string[] {
  const shared = ["all", primaryIdOf(caller)] as const;
  const own = `caller ${actor.kind} ${actor.id}`;
  // guard: streams of one caller = right
  if (slots.countOf(own) >= MAX_PER_CALLER || slots.exceedsFairShare(shared, MAX))
    throw new TooManyRequests("too many streams of updates are open", RETRY_AFTER_SECONDS);
  const keys = [...shared, own];
  slots.change(keys, 1);
  return keys;
}

async function keepOrClose(
  { feed, reader, subscription, sentAt }: Connection,
  now: number,
): Promise<void> {
  const mayStay = await subscription.call.isStillAllowed().catch(() => false);
  // guard: streams after their session
  if (!mayStay) reader.close();
  else if (now - sentAt >= SIGN_OF_LIFE_AFTER_MS) reader.send(feed.signOfLife());
}

/** Returns the first events: missed updates, or an instruction to reload everything, before later updates follow. */
async function beginning(
  deps: FeedDeps,
  accountId: string,
  since: string | undefined,
): Promise<string> {
  const { changes } = deps.store;
  const position = changes.position();
  const missed =
    since === undefined ? undefined : await changes.since(accountId, since, MAX_CHANGES);
  const news = await newsOf(deps, accountId, missed);
  if (news === undefined) return eventText("reset", {}, position);
  const { statuses, removed } = news;
  return [
    statuses.length === 0 ? "" : eventText("statuses", statuses),
    removed.length === 0 ? "" : eventText("removed", removed),
    eventText("position", {}, position),
  ].join("");
}
