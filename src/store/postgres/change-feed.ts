import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Change } from "../../domain/change.ts";
import type { Clock } from "../../kit/clock.ts";
import type { ChangeReads } from "../changes.ts";
import type { Database } from "../queries/tables.ts";

export interface ChangeFeed extends ChangeReads {
  /** Passes on what was committed before this call, by whichever process. */
  readonly passOn: () => Promise<void>;
  /** How many were passed on so far. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

interface Row {
  readonly snapshot: string;
  /** Null where there is no change. */
  readonly xid: string | null;
  readonly seq: number;
  readonly account_id: string;
  readonly check_no: number | null;
}

const POLL_EVERY_MS = 2000;
const CURRENT_FOR_MS = 5000;

/** How many changes are in memory at once. */
const PAGE_ROWS = 5000;

/**
 * Reads the log of changes every two seconds: what is visible now and was not at the read before, so that each is passed on once however
 * late its transaction was committed, and however long another one stays open.
 */
export async function createChangeFeed(db: Kysely<Database>, clock: Clock): Promise<ChangeFeed> {
  const receivers: ((change: Change) => void)[] = [];
  let snapshot = await readSnapshot(db);
  let readAt = clock.monotonic();
  let turn = Promise.resolve();
  /** A read that has not begun serves all who call meanwhile. */
  let next: Promise<void> | undefined;
  let count = 0;

  const read = async (): Promise<void> => {
    const began = clock.monotonic();
    let until: string | undefined;
    for (let page: Page | undefined = await readPage(db, { snapshot }); page !== undefined;) {
      // Of what is committed between two pages the next read gives all.
      until ??= page.snapshot;
      for (const change of page.changes) {
        count += 1;
        for (const receive of receivers) receive(change);
      }
      page = page.last && (await readPage(db, { snapshot, until, after: page.last }));
    }
    snapshot = until ?? snapshot;
    readAt = began;
  };
  const passOn = (): Promise<void> => {
    if (next !== undefined) return next;
    const begin = (): Promise<void> => {
      next = undefined;
      return read();
    };
    // A failed read changes nothing: what it missed is read by the next, and until then nothing is current.
    next = turn.then(begin).catch(() => {});
    turn = next;
    return turn;
  };
  const lagMs = (): number => clock.monotonic() - readAt;
  const poll = (): void => {
    timer = clock.setTimer(() => void passOn().then(poll), POLL_EVERY_MS);
  };
  let timer = clock.setTimer(() => void passOn().then(poll), POLL_EVERY_MS);

  return {
    subscribe: (receive) => void receivers.push(receive),
    isCurrent: () => lagMs() <= CURRENT_FOR_MS,
    lagMs,
    passOn,
    count: () => count,
    async close() {
      timer.cancel();
      await turn;
      timer.cancel();
    },
  };
}

interface Page {
  /** Of the statement that read it. */
  readonly snapshot: string;
  readonly changes: readonly Change[];
  /** Undefined where there are no more. */
  readonly last: Position | undefined;
}

interface Position {
  readonly xid: string;
  readonly seq: number;
}

async function readSnapshot(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`
    select pg_current_snapshot()::text as snapshot`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("a query without a table gives one row");
  return row.snapshot;
}

/** Changes that a snapshot did not see, and another one did where it is given. */
async function readPage(
  db: Kysely<Database>,
  {
    snapshot,
    until,
    after = { xid: "0", seq: 0 },
  }: {
    readonly snapshot: string;
    readonly until?: string | undefined;
    readonly after?: Position;
  },
): Promise<Page> {
  const { rows } = await sql<Row>`
    select taken.snapshot::text as snapshot, unseen.xid::text as xid, unseen.seq, unseen.account_id, unseen.check_no
    from (select pg_current_snapshot() as snapshot) as taken
    left join lateral (
      select * from changes
      where (changes.xid, changes.seq) > (${after.xid}::text::xid8, ${after.seq}::bigint)
        and changes.xid >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
        and not pg_visible_in_snapshot(changes.xid, ${snapshot}::text::pg_snapshot)
        and pg_visible_in_snapshot(changes.xid, coalesce(${until ?? null}::text::pg_snapshot, taken.snapshot))
      order by changes.xid, changes.seq limit ${PAGE_ROWS}
    ) as unseen on true`.execute(db);
  const found = rows.flatMap(({ xid, ...row }) => (xid === null ? [] : [{ ...row, xid }]));
  return {
    snapshot: rows[0]?.snapshot ?? snapshot,
    changes: found.map(({ account_id, check_no }) => ({
      accountId: account_id,
      checkNo: check_no ?? undefined,
    })),
    last: found.length < PAGE_ROWS ? undefined : found.at(-1),
  };
}
