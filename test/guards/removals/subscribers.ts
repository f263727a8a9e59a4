import type { Guard } from "../guard.ts";

const pages = "src/server/pages/subscriptions.long.test.ts";

/** What is between the form of a status page and mailboxes of strangers. */
export const subscribersGuards: Readonly<Record<string, Guard>> = {
  "proof of a subscriber's link": {
    file: "src/channels/subscriber-links.ts",
    text: 'return constantTimeEquals(query.get("proof") ?? "", proofOf(link)) ? link : undefined;',
    without: "return link;",
    test: {
      file: pages,
      name: "a link that is not ours, or for another purpose or subscriber, does nothing and tells nothing",
    },
  },
  "subscription by POST alone": {
    file: "src/status-pages/subscriptions/manage.ts",
    text: "return isPost ? confirm(deps, linked) : askToConfirm(deps, linked);",
    without: "return isPost || !isPost ? confirm(deps, linked) : askToConfirm(deps, linked);",
    test: {
      file: pages,
      name: "who subscribes is mailed a link, confirms by a button, is sent every update, and ends it with one click",
    },
  },
  "one request to a mailbox": {
    file: "src/store/transactions/request-subscription.ts",
    text: 'if (subscriber.id !== id) return { kind: "known", subscriber };',
    without: "",
    test: {
      file: pages,
      name: "the answer to a subscription tells nobody who subscribes, and nobody is asked twice",
    },
  },
  "rate of subscriptions": {
    file: "src/status-pages/subscriptions/subscribe.ts",
    text: "if (ofClients.isUsedUp(client, MOST_OF_CLIENT)) return refused(words.tooMany, 429);",
    without: "",
    test: {
      file: pages,
      name: "what is no mailbox is refused, and a flood from one address ends soon, whatever it names",
    },
  },
  "budget of requests to strangers": {
    file: "src/status-pages/subscriptions/subscribe.ts",
    text: "const budgetOf = `subscribers of ${account?.parentId ?? accountId}`;",
    without: "const budgetOf = account?.parentId ?? accountId;",
    test: {
      file: pages,
      name: "a flood from everywhere ends with the account's own budget of strangers, and leaves it its passwords",
    },
  },
  "shares of requests to strangers": {
    file: "src/status-pages/subscriptions/subscribe.ts",
    text: "ofNetwork >= left * SHARE_OF_NETWORK",
    without: "false",
    test: {
      file: pages,
      name: "25 addresses leave requests of the day to others, whatever mailboxes they name: different ones",
    },
  },
  "names of pages to strangers": {
    file: "src/status-pages/subscription-messages.ts",
    text: "isLinkLike(page.title)",
    without: "(isLinkLike(page.title) && false)",
    test: {
      file: pages,
      name: "a page whose name is a message or a link to people who do not know it says only where it is",
    },
  },
  "addresses of subscribers": {
    file: "src/api/resources/subscribers/subscribers.ts",
    text: "address: isOwner ? address : hostIn(address),",
    without: 'address: isOwner || address !== "" ? address : hostIn(address),',
    test: {
      file: "src/api/resources/subscribers/subscribers.test.ts",
      name: "only owners are shown addresses and secrets",
    },
  },
};
