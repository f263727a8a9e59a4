import type { PageMessage, SubscriberKind } from "../../domain/status/subscriber.ts";
import { createSlotCounts } from "../../kit/concurrency/slot-counts.ts";
import type { Store } from "../../store/store.ts";
import { leaseMs } from "../alert-queue.ts";

/** Selects messages to subscribers in turns of primary accounts, so that a post to thousands does not delay posts of other accounts. */
export interface TurnsOfAccounts {
  /** The next message of a kind for whose account there is room; it counts until it is ended. */
  readonly claim: (kind: SubscriberKind) => Promise<PageMessage | undefined>;
  readonly ended: (message: PageMessage) => void;
}

/** How many are sent at a time. Alone, an account has half. */
export const maxAtOnce: Readonly<Record<SubscriberKind, number>> = { email: 2, webhook: 8 };

export function createTurnsOfAccounts(
  store: Pick<Store, "pageMessages" | "write">,
): TurnsOfAccounts {
  const running = createSlotCounts();
  /** The last of these was served last. */
  let served: readonly string[] = [];
  const keysOf = (kind: SubscriberKind, primaryId: string) =>
    [kind, `${kind} ${primaryId}`] as const;

  const claimOf = (kind: SubscriberKind, primaryId: string | undefined) =>
    store.write(({ pageMessages }) => pageMessages.claim({ kind, primaryId, leaseMs }));
  /** All mails go to one server, which controls their order, so an account may send whenever any slot is free. */
  const hasRoom = (kind: SubscriberKind, primaryId: string): boolean =>
    kind === "email" || !running.exceedsFairShare(keysOf(kind, primaryId), maxAtOnce[kind]);
  const claim = async (kind: SubscriberKind): Promise<PageMessage | undefined> => {
    // New subscribers are waiting for this mail.
    const request = kind === "email" ? await claimOf(kind, undefined) : undefined;
    if (request !== undefined) return request;
    const accounts = await store.pageMessages.sendingAccounts();
    const inTurn = accounts.toSorted((one, other) => served.indexOf(one) - served.indexOf(other));
    for (const primaryId of inTurn) {
      if (!hasRoom(kind, primaryId)) continue;
      const message = await claimOf(kind, primaryId);
      if (message === undefined) continue;
      served = [
        ...served.filter((each) => each !== primaryId && accounts.includes(each)),
        primaryId,
      ];
      return message;
    }
    return undefined;
  };
  return {
    async claim(kind) {
      const message = await claim(kind);
      if (message !== undefined) running.change(keysOf(kind, message.primaryId), 1);
      return message;
    },
    ended: ({ kind, primaryId }) => running.change(keysOf(kind, primaryId), -1),
  };
}
