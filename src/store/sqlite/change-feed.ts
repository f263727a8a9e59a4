import type { DatabaseSync } from "node:sqlite";

import type { Invalidation } from "../../domain/change.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { ChangeReads } from "../changes.ts";

export interface ChangeFeed extends ChangeReads {
  /** Passes on what was committed since the last call. */
  readonly passOn: () => void;
}

/** Only this process writes, so the changes are read after its own commits, and there are no others. */
export function createChangeFeed(reader: DatabaseSync, log: Log): ChangeFeed {
  const later = reader.prepare(
    "SELECT seq, account_id, check_no FROM changes WHERE seq > ? ORDER BY seq",
  );
  const receivers: ((change: Invalidation) => void)[] = [];
  const { seq } = reader.prepare("SELECT coalesce(max(seq), 0) AS seq FROM changes").get() ?? {};
  let cursor = Number(seq);
  /** What was committed stays committed, so no failure here reaches whoever committed it. */
  const attempt = (task: () => void): void => {
    try {
      task();
    } catch (error) {
      log.error("store.change_feed_failed", { error: messageOf(error) });
    }
  };
  const read = (): void => {
    for (const { seq, account_id, check_no } of later.all(cursor)) {
      cursor = Number(seq);
      const checkNo = check_no === null ? undefined : Number(check_no);
      const change = { accountId: String(account_id), checkNo };
      for (const receive of receivers) attempt(() => receive(change));
    }
  };
  return {
    subscribe: (receive) => void receivers.push(receive),
    isCurrent: () => true,
    lagMs: () => 0,
    passOn: () => attempt(read),
  };
}
