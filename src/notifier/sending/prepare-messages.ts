import type { Message } from "../../channels/channel.ts";
import { channelOf, type Channels } from "../../channels/registry.ts";
import type { Alert } from "../../domain/alert/alert.ts";
import { codeOf, DeliveryFailed, messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import type { RenderedMessage } from "../../store/tables/alerts.ts";
import { accountOf } from "../account-of.ts";
import type { AlertQueue } from "../alert-queue.ts";
import type { Batch } from "./batch.ts";
import {
  alertContextOf,
  renderedMessageOf,
  storedMessageOf,
  type MessageLinks,
} from "./rendered-message.ts";

export interface PreparedBatch extends Omit<Batch, "message"> {
  /** Message to send, or the reason why nothing can be sent. */
  readonly message: Message | DeliveryFailed;
  /** Rendered message that the store does not have yet. */
  readonly unsaved: RenderedMessage | undefined;
}

export interface PrepareDeps extends MessageLinks {
  readonly store: Pick<Store, "write">;
  readonly queue: Pick<AlertQueue, "findRendered" | "canClaim">;
  readonly channels: Channels;
  readonly log: Log;
}

/**
 * Assigns a message to each batch. An alert is rendered and saved before its first attempt, so that later attempts send the same message despite any changes,
 * unless the address has a new target by then.
 */
export async function prepareMessages(
  batches: readonly Batch[],
  deps: PrepareDeps,
): Promise<readonly PreparedBatch[]> {
  const single = batches.filter(({ message }) => message === undefined);
  const earlier = await deps.queue.findRendered(single.map(({ head }) => head.alert.id));
  const prepared = batches.map((batch) => prepare(batch, earlier, deps));
  const fresh = prepared.flatMap(({ head, unsaved }) =>
    unsaved === undefined ? [] : [{ alert: head.alert, rendered: unsaved }],
  );
  if (fresh.length === 0 || !(await save(fresh, deps))) return prepared;
  return prepared.map((batch) => ({ ...batch, unsaved: undefined }));
}

function prepare(
  { head, items, message: digest }: Batch,
  earlier: ReadonlyMap<string, RenderedMessage>,
  deps: PrepareDeps,
): PreparedBatch {
  if (digest !== undefined) return { head, items, message: digest, unsaved: undefined };
  try {
    const stored = earlier.get(head.alert.id);
    if (stored?.to === head.address.address) {
      const message = storedMessageOf(stored);
      if (message !== undefined) return { head, items, message, unsaved: undefined };
    }
    const channel = channelOf(deps.channels, head.address.kind);
    const message = channel.render(alertContextOf(head, deps));
    return { head, items, message, unsaved: renderedMessageOf(head, message, channel) };
  } catch (error) {
    const failure = new DeliveryFailed(`could not be rendered: ${messageOf(error)}`, {
      cause: error,
      retryable: codeOf(error) !== "invalid_input",
    });
    return { head, items, message: failure, unsaved: undefined };
  }
}

interface Fresh {
  readonly alert: Alert;
  readonly rendered: RenderedMessage;
}

/** Maximum messages saved in one transaction, which blocks others for some ms. */
const SAVED_TOGETHER = 25;

/** False if the store cannot save: the messages are sent nevertheless, and saved with the end of their attempts. */
async function save(fresh: readonly Fresh[], { store, queue, log }: PrepareDeps): Promise<boolean> {
  if (!queue.canClaim()) return false;
  try {
    const some = Map.groupBy(fresh, ({ alert }, index) =>
      JSON.stringify([alert.primaryId, Math.floor(index / SAVED_TOGETHER)]),
    );
    await Promise.all([...some.values()].map((each) => saveSome(each, store)));
    return true;
  } catch (error) {
    log.error("notifier.save_failed", { alerts: fresh.length, message: messageOf(error) });
    return false;
  }
}

/** Saves rendered messages of one account, using its share of commits. */
async function saveSome(fresh: readonly Fresh[], store: Pick<Store, "write">): Promise<void> {
  await store.write(
    async ({ alerts }) => {
      for (const { alert, rendered } of fresh)
        await alerts.setRendered(alert.id, rendered, alert.attempts);
    },
    accountOf(fresh.map(({ alert }) => alert)),
  );
}
