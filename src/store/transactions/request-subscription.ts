import type { MailLimits, SpentBudget } from "../../domain/contact/mail-limits.ts";
import { maxSubscribers, pendingMs, type Subscriber } from "../../domain/status/subscriber.ts";
import type { Transaction } from "../store.ts";

export interface RequestedSubscription {
  /** ID of the subscriber, if new. */
  readonly id: string;
  readonly accountId: string;
  readonly pageId: string;
  readonly mailbox: string;
  readonly at: number;
  /** Account whose mail budget is used. Strangers have a separate budget per account, so that its password mails stay available. */
  readonly budgetOf: string;
  readonly limits: MailLimits;
}

/** Result of the request: `known` is shown only to users who may see the list. */
export type SubscriptionEnd =
  | { readonly kind: "asked" | "known"; readonly subscriber: Subscriber }
  | { readonly kind: "full" }
  | { readonly kind: "spent"; readonly budget: SpentBudget };

/**
 * Asks the owner of a mailbox to confirm a subscription, unless asked recently. Conditions that do not depend on the mailbox are tested first, because their
 * result may be shown.
 */
export async function requestSubscription(
  {
    subscribers,
    pageMessages,
    mailBudget,
  }: Pick<Transaction, "subscribers" | "pageMessages" | "mailBudget">,
  { id, accountId, pageId, mailbox, at, budgetOf, limits }: RequestedSubscription,
): Promise<SubscriptionEnd> {
  const counts = await subscribers.counts({ accountId, pageId });
  if (counts.pending + counts.confirmed >= maxSubscribers) return { kind: "full" };
  const mail = { mailbox, accountId: budgetOf, at, limits };
  const spent = await mailBudget.spent(mail);
  if (spent?.of === "account") return { kind: "spent", budget: spent };
  const subscriber = await subscribers.insert({
    id,
    accountId,
    pageId,
    kind: "email",
    address: mailbox,
    state: "pending",
    createdAt: at,
    confirmedAt: undefined,
    endsAt: at + pendingMs,
  });
  // guard: one request to a mailbox
  if (subscriber.id !== id) return { kind: "known", subscriber };
  const budget = await mailBudget.take(mail);
  if (budget !== undefined) {
    await subscribers.remove(accountId, id);
    return { kind: "spent", budget };
  }
  await pageMessages.request(subscriber);
  return { kind: "asked", subscriber };
}
