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
  readonly xid: string;
  readonly seq: number;
  readonly account_id: string;
  readonly check_no: number | null;
  /** No transaction before this one can still commit. */
  readonly settled: boolean;
}

const POLL_EVERY_MS = 2000;
const CURRENT_FOR_MS = 5000;

/** Reads the log of changes every two seconds. Each visible row is passed on at once; the cursor passes only leading settled rows. */
export async function createChangeFeed(db: Kysely<Database>, clock: Clock): Promise<ChangeFeed> {
  const receivers: ((change: Change) => void)[] = [];
  let cursor = await start(db);
  let readAt = clock.monotonic();
  /** Rows after the cursor that were passed on already. */
  let passed = new Set<string>();
  let turn = Promise.resolve();
  /** A read that has not begun serves all who call meanwhile. */
  let next: Promise<void> | undefined;
  let count = 0;

  const read = async (): Promise<void> => {
    const began = clock.monotonic();
    const rows = await rowsAfter(db, cursor);
    for (const { xid, seq, account_id, check_no } of rows) {
      if (passed.has(`${xid} ${seq}`)) continue;
      const change = { accountId: account_id, checkNo: check_no ?? undefined };
      count += 1;
      for (const receive of receivers) receive(change);
    }
    const unsettled = rows.findIndex(({ settled }) => !settled);
    const leading = unsettled === -1 ? rows : rows.slice(0, unsettled);
    cursor = leading.at(-1) ?? cursor;
    passed = new Set(rows.slice(leading.length).map(({ xid, seq }) => `${xid} ${seq}`));
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

type Cursor = Pick<Row, "xid" | "seq">;

/** Before everything that may still be committed. */
async function start(db: Kysely<Database>): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xid, 0::bigint as seq`.execute(db);
  return rows[0] ?? { xid: "0", seq: 0 };
}

async function rowsAfter(db: Kysely<Database>, { xid, seq }: Cursor): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select xid::text as xid, seq, account_id, check_no, xid < pg_snapshot_xmin(pg_current_snapshot()) as settled
    from changes where (changes.xid, seq) > (${xid}::text::xid8, ${seq}::bigint) order by changes.xid, seq limit 5000`.execute(
    db,
  );
  return rows;
}
