import { isMailbox } from "../../domain/contact/contact.ts";
import { postponedFor, runStage, type StageResult } from "./run-stage.ts";
import type { DeliverableAlert } from "./suppressions.ts";
import type { Reads } from "../../store/store.ts";

export interface MailBudgetContext {
  readonly mailBudget: Pick<Reads["mailBudget"], "alertsResumeAt">;
  /** A day to one mailbox; 0 is no limit. */
  readonly alertMailLimit: number;
  readonly now: number;
}

/** Postpones alerts to a mailbox that was sent all the alert mails of a day, whatever accounts they were of. */
export async function requireMailBudget(
  items: readonly DeliverableAlert[],
  { mailBudget, alertMailLimit: limit, now: at }: MailBudgetContext,
): Promise<StageResult<DeliverableAlert>> {
  const mailboxes = new Set(
    items.flatMap(({ address }) => (isMailbox(address) ? [address.address] : [])),
  );
  const resumeAt = new Map(
    [...mailboxes].map((mailbox) => [mailbox, mailBudget.alertsResumeAt({ mailbox, at, limit })]),
  );
  const result = await runStage(items, async (item) => {
    // guard: mails of alerts to a mailbox = then
    if (!isMailbox(item.address)) return item;
    return (await resumeAt.get(item.address.address)) ?? item;
  });
  return postponedFor(() => "mailbox_limit", result);
}
