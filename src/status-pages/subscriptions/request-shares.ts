import type { Clock } from "../../kit/clock.ts";
import { createPace } from "../../kit/concurrency/pace.ts";
import { networksOf } from "../../kit/http/client-address.ts";

/** Shares the mails that strangers may cause in a day, so that some are left for those who come last. */
export interface RequestShares {
  /** Counts a request; undefined where its network or its mail domain has had its share. */
  readonly take: (request: StrangerRequest) => { readonly giveBack: () => void } | undefined;
}

interface StrangerRequest {
  /** Whose mails they are. */
  readonly budget: string;
  readonly client: string;
  readonly mailbox: string;
}

const DAY_MS = 86_400_000;
/** A network may use an eighth of what it leaves to all others: 25 networks together three quarters of the whole. */
const SHARE_OF_NETWORK = 1 / 8;
/** A mail domain may use as much as it leaves. */
const SHARE_OF_DOMAIN = 1;

/** `perDay` is the number of mails of a budget; 0 is no limit. */
export function createRequestShares(
  clock: Pick<Clock, "monotonic">,
  perDay: number,
): RequestShares {
  const counts = createPace(clock, DAY_MS);
  return {
    take({ budget, client, mailbox }) {
      const network = `${budget} network ${networksOf(client).site}`;
      const domain = `${budget} domain ${mailbox.slice(mailbox.lastIndexOf("@") + 1).toLowerCase()}`;
      const left = perDay - counts.countOf(budget);
      const ofNetwork = counts.countOf(network);
      // A first request passes: a common mail domain is used up by others, a network by its own.
      const isShareTaken =
        ofNetwork > 0 &&
        (ofNetwork >= left * SHARE_OF_NETWORK || counts.countOf(domain) >= left * SHARE_OF_DOMAIN);
      if (perDay > 0 && isShareTaken) return undefined;
      const change = (by: number): void => {
        for (const key of [budget, network, domain]) counts.change(key, by);
      };
      change(1);
      return { giveBack: () => change(-1) };
    },
  };
}
