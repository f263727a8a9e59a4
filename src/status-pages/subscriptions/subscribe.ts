import { parseMailbox } from "../../channels/mail/mailbox.ts";
import type { MailLimits } from "../../domain/contact/mail-limits.ts";
import type { StatusPage } from "../../domain/status/status-page.ts";
import type { Clock } from "../../kit/clock.ts";
import { createWindowCounter } from "../../kit/concurrency/window-counter.ts";
import { networksOf } from "../../kit/http/client-address.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import { requestSubscription } from "../../store/transactions/request-subscription.ts";
import type { PublicDocument } from "../public-document.ts";
import type { PublicRequest } from "../public-request.ts";
import { sentencePage, subscribePage } from "./pages.ts";
import { subscriberWords } from "./words.ts";

export interface SubscribeDeps {
  readonly store: Pick<Store, "accounts" | "write">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly ids: Pick<Ids, "subscriber">;
  readonly log: Log;
  readonly mailLimits: MailLimits;
}

const HOUR_MS = 3_600_000;
/** Requests of one client address an hour: an office shares one. */
const MAX_PER_CLIENT = 20;

/** Takes what strangers send with the form. The answer is the same whether the mailbox is known or not. */
export function createSubscribe({
  store,
  clock,
  ids,
  log,
  mailLimits,
}: SubscribeDeps): (page: StatusPage, request: PublicRequest) => Promise<PublicDocument> {
  const ofClients = createWindowCounter(clock, HOUR_MS);
  const shares = createRequestShares(clock, mailLimits.perAccount);
  return async (page, { client, form }) => {
    const words = subscriberWords(page.language);
    const refused = (problem: string, status: number) =>
      subscribePage(page, { back: ".", problem, status });
    // guard: rate of subscriptions
    if (!ofClients.tryAdd(client, 1, MAX_PER_CLIENT)) return refused(words.tooMany, 429);
    const mailbox = mailboxIn(form);
    if (mailbox === undefined) return refused(words.noMailbox, 400);
    const { id: pageId, accountId } = page;
    const account = await store.accounts.find(accountId);
    // guard: budget of requests to strangers = account?.parentId ?? accountId
    const budgetOf = `subscribers of ${account?.parentId ?? accountId}`;
    const share = shares.take({ budget: budgetOf, client, mailbox });
    if (share === undefined) return refused(words.tooMany, 429);
    const end = await store.write((tx) =>
      requestSubscription(tx, {
        id: ids.subscriber(),
        accountId,
        pageId,
        mailbox,
        at: clock.now(),
        budgetOf,
        limits: mailLimits,
      }),
    );
    if (end.kind !== "asked") share.giveBack();
    log.info("web.subscription_requested", { page: pageId, end: end.kind });
    if (end.kind === "full") return refused(words.full, 409);
    if (end.kind === "spent" && end.budget.of === "account") return refused(words.tooMany, 429);
    return sentencePage(page, { sentence: words.asked, back: "." });
  };
}

/** Undefined if it is not a mailbox. */
export function mailboxIn(form: URLSearchParams): string | undefined {
  try {
    return parseMailbox(form.get("email") ?? "");
  } catch {
    return undefined;
  }
}

/** Shares the mails that strangers may cause in a day, so that some are left for those who come last. */
interface RequestShares {
  /** Counts a request; undefined if its network or its mail domain has used up its share. */
  readonly take: (request: StrangerRequest) => { readonly giveBack: () => void } | undefined;
}

interface StrangerRequest {
  /** Account whose mail budget is used. */
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
function createRequestShares(clock: Pick<Clock, "monotonic">, perDay: number): RequestShares {
  const counts = createWindowCounter(clock, DAY_MS);
  return {
    take({ budget, client, mailbox }) {
      const network = `${budget} network ${networksOf(client).site}`;
      const domain = `${budget} domain ${mailbox.slice(mailbox.lastIndexOf("@") + 1).toLowerCase()}`;
      const left = perDay - counts.countOf(budget);
      const ofNetwork = counts.countOf(network);
      // A first request passes: a common mail domain is used up by others, a network by its own.
      const isShareTaken =
        ofNetwork > 0 &&
        // guard: shares of requests to strangers = right
        (ofNetwork >= left * SHARE_OF_NETWORK || counts.countOf(domain) >= left * SHARE_OF_DOMAIN);
      if (perDay > 0 && isShareTaken) return undefined;
      const change = (by: number): void => {
        for (const key of [budget, network, domain]) counts.add(key, by);
      };
      change(1);
      return { giveBack: () => change(-1) };
    },
  };
}
