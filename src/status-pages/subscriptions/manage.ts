import type { SubscriberLink, SubscriberLinks } from "../../channels/subscriber-links.ts";
import type { StatusPage } from "../../domain/status/status-page.ts";
import { refusedMs, type Subscriber } from "../../domain/status/subscriber.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import type { PublicDocument } from "../public-document.ts";
import type { PublicRequest } from "../public-request.ts";
import { buttonPage, sentencePage, stoppedPage } from "./pages.ts";
import { mailboxIn } from "./subscribe.ts";
import { subscriberWords } from "./words.ts";

export interface ManageDeps {
  readonly store: Pick<Store, "statusPages" | "subscribers" | "write">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly links: SubscriberLinks;
}

interface Linked {
  readonly link: SubscriberLink;
  readonly subscriber: Subscriber;
  readonly page: StatusPage;
}

/** The pages behind the links of mails to subscribers: following one shows what posting to it does, because programs that read mails follow links too. */
export function createManage(
  deps: ManageDeps,
): (request: PublicRequest) => Promise<PublicDocument> {
  return async (request) => {
    const linked = await findLinked(deps, request.query);
    if (linked === undefined) return noPage;
    const isPost = request.method === "POST";
    if (linked.link.purpose === "confirm")
      // guard: subscription by POST alone = then
      return isPost ? confirm(deps, linked) : askToConfirm(deps, linked);
    return isPost ? stop(deps, linked, request.form) : askToStop(linked);
  };
}

/** The same page whether there never was such a subscriber, or the link is not ours. */
const noPage = sentencePage(
  { title: "Watchpost", language: "en" },
  { sentence: subscriberWords("en").invalid, status: 404 },
);

async function findLinked(
  { links, store }: ManageDeps,
  query: URLSearchParams,
): Promise<Linked | undefined> {
  const link = links.verify(query);
  const subscriber = link && (await store.subscribers.find(link.subscriberId));
  if (link === undefined || subscriber === undefined) return undefined;
  const page = await store.statusPages.find(subscriber.accountId, subscriber.pageId);
  return page && { link, subscriber, page };
}

function askToConfirm({ links }: ManageDeps, { subscriber, page }: Linked): PublicDocument {
  const { state, address = "" } = subscriber;
  const words = subscriberWords(page.language);
  if (state === "confirmed") return confirmedPage(links, page, address);
  if (state === "ended") return sentencePage(page, { sentence: words.invalid, status: 410 });
  return buttonPage(page, { sentence: words.confirmHint(address), button: words.confirm });
}

async function confirm(deps: ManageDeps, linked: Linked): Promise<PublicDocument> {
  const { store, clock, log, links } = deps;
  const { subscriber, page } = linked;
  const { id, address, endsAt = 0 } = subscriber;
  const now = clock.now();
  if (subscriber.state !== "pending" || address === undefined) return askToConfirm(deps, linked);
  if (endsAt <= now)
    return sentencePage(page, { sentence: subscriberWords(page.language).invalid, status: 410 });
  await store.write(({ subscribers }) => subscribers.confirm(id, now));
  log.info("web.subscribed", { page: page.id, subscriber: id });
  return confirmedPage(links, page, address);
}

function confirmedPage(links: SubscriberLinks, page: StatusPage, mailbox: string): PublicDocument {
  const sentence = subscriberWords(page.language).confirmed(mailbox, page.title);
  return sentencePage(page, { sentence, back: links.addressOf(page) });
}

function askToStop({ subscriber: { state, address = "" }, page }: Linked): PublicDocument {
  if (state === "ended") return stoppedPage(page);
  const words = subscriberWords(page.language);
  return buttonPage(page, { sentence: words.stopHint(address, page.title), button: words.stop });
}

/** A POST unsubscribes (RFC 8058); with the ended mailbox, which only its owner knows, it subscribes again. */
async function stop(
  { store, clock, log, links }: ManageDeps,
  { subscriber, page }: Linked,
  form: URLSearchParams,
): Promise<PublicDocument> {
  const { id, state } = subscriber;
  const now = clock.now();
  if (state !== "ended") {
    await store.write(({ subscribers }) => subscribers.end(id, now + refusedMs));
    log.info("web.unsubscribed_from_page", { page: page.id, subscriber: id });
    return stoppedPage(page);
  }
  if (!form.has("email")) return stoppedPage(page);
  const mailbox = mailboxIn(form);
  const isResumed =
    mailbox !== undefined &&
    (await store.write(({ subscribers }) => subscribers.resume(id, { address: mailbox, at: now })));
  return isResumed
    ? confirmedPage(links, page, mailbox)
    : stoppedPage(page, subscriberWords(page.language).otherMailbox);
}
