import type { DatabaseSync } from "node:sqlite";

import { changeKinds, type Invalidation, type LoggedChange } from "../../domain/change.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { ChangeReads } from "../changes.ts";
import { changeFromRow, invalidationOf } from "../tables/changes.ts";

export interface SqliteChangeFeed extends ChangeReads {
  /** Passes on what was committed since the last call. */
  readonly passOn: () => void;
}

/** Maximum changes of all accounts searched for those of one; takes 2 ms. */
const MAX_SEARCHED = 20_000;

/** Only this process writes, so the changes are read after its own commits, and there are no others. */
export function createSqliteChangeFeed(reader: DatabaseSync, log: Log): SqliteChangeFeed {
  const columns = "seq, account_id, check_no, kind, removed_id";
  const later = reader.prepare(`SELECT ${columns} FROM changes WHERE seq > ? ORDER BY seq`);
  const laterOf = reader.prepare(
    `SELECT ${columns} FROM changes WHERE seq > ? AND account_id = ? ORDER BY seq LIMIT ?`,
  );
  const kept = reader.prepare("SELECT min(seq) AS oldest FROM changes");
  const receivers: ((change: LoggedChange) => void)[] = [];
  // Also of those that were purged.
  const last = reader.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").get();
  let cursor = Number(last?.seq ?? 0);
  /** The change is already committed, so no failure here reaches the writer. */
  const attempt = (task: () => void): void => {
    try {
      task();
    } catch (error) {
      log.error("store.change_feed_failed", { error: messageOf(error) });
    }
  };
  const read = (): void => {
    for (const row of later.all(cursor)) {
      cursor = Number(row.seq);
      const change = fromRow(row);
      for (const receive of receivers) attempt(() => receive(change));
    }
  };
  return {
    subscribe: (receive) => void receivers.push(ofConfiguration(receive)),
    subscribeAll: (receive) => void receivers.push(receive),
    position: () => String(cursor),
    async since(accountId, position, most) {
      if (!/^\d{1,15}$/.test(position)) return undefined;
      const after = Number(position);
      const oldest = Number(kept.get()?.oldest ?? cursor + 1);
      const isKnown = after <= cursor && after >= oldest - 1;
      if (!isKnown || cursor - after > MAX_SEARCHED) return undefined;
      const rows = laterOf.all(after, accountId, most + 1);
      return rows.length > most ? undefined : rows.map(fromRow);
    },
    isCurrent: () => true,
    lagMs: () => 0,
    passOn: () => attempt(read),
  };
}

/** Filters changes for receivers that run or cache the configuration. */
function ofConfiguration(receive: (change: Invalidation) => void): (change: LoggedChange) => void {
  return (change) => {
    const invalidation = invalidationOf(change);
    if (invalidation !== undefined) receive(invalidation);
  };
}

function fromRow(row: Readonly<Record<string, unknown>>): LoggedChange {
  return changeFromRow({
    account_id: String(row.account_id),
    check_no: row.check_no === null ? null : Number(row.check_no),
    kind: changeKinds.find((kind) => kind === row.kind) ?? "configuration",
    removed_id: typeof row.removed_id === "string" ? row.removed_id : null,
  });
}
