import {
  createPageMessageQueue,
  type PageMessageQueue,
  type PageMessageQueueDeps,
} from "./subscribers/page-message-queue.ts";
import { createPageMessageSender } from "./subscribers/page-message-sender.ts";

/** Notifies subscribers of status pages of what is posted there. */
export function createSubscriberNotifier(
  deps: Omit<PageMessageQueueDeps, "sender"> & Parameters<typeof createPageMessageSender>[0],
): PageMessageQueue {
  return createPageMessageQueue({ ...deps, sender: createPageMessageSender(deps) });
}
