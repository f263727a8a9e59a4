import type { Clock } from "../../../kit/clock.ts";
import { messageOf } from "../../../kit/errors.ts";
import type { Log } from "../../../kit/log.ts";
import type { Store } from "../../../store/store.ts";

interface Deps {
  readonly store: Pick<Store, "write">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly log: Log;
}

/** How precisely it is known when a token was last used: to store every use would be a write for every read. */
const PRECISION_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

/** Records token use, at most once an hour per token, without delaying the request. */
export function createTokenUses({ store, clock, log }: Deps): (digest: string) => void {
  const notedAt = new Map<string, number>();
  return (digest) => {
    const used = clock.monotonic();
    if (used - (notedAt.get(digest) ?? -Infinity) < PRECISION_MS) return;
    if (notedAt.size >= MAX_REMEMBERED) notedAt.clear();
    notedAt.set(digest, used);
    const at = clock.now();
    store
      .write((tx) => tx.tokens.noteUse({ digest, at, since: at - PRECISION_MS }))
      .catch((error: unknown) =>
        log.warn("api.token_use_not_saved", { message: messageOf(error) }),
      );
  };
}
