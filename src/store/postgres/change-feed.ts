import { sql, type Kysely } from "kysely";

import type { ChangeKind, Invalidation, LoggedChange } from "../../domain/change.ts";
import type { Clock } from "../../kit/clock.ts";
import type { ChangeReads } from "../changes.ts";
import { codeOf } from "../../kit/errors.ts";
import { changeFromRow, invalidationOf } from "../tables/changes.ts";
import { CHANGES_KEPT_MS } from "../retention/change-purge.ts";
import type { Database } from "../tables/database.ts";

export interface PostgresChangeFeed extends ChangeReads {
  /** Passes on what was committed before this call, by whichever process. */
  readonly passOn: () => Promise<void>;
  /** Number of changes passed on so far. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

interface Row {
  readonly snapshot: string;
  readonly now: number;
  /** Null if there is no change. */
  readonly xid: string | null;
  readonly seq: number;
  readonly account_id: string;
  readonly check_no: number | null;
  readonly kind: ChangeKind;
  readonly removed_id: string | null;
}

const POLL_INTERVAL_MS = 2000;
const CURRENT_FOR_MS = 5000;

/** Time without a read after which changes may be lost, by either clock: the wall clock can be set, and the monotonic clock stops while a machine sleeps. */
const MAX_UNREAD_MS = CHANGES_KEPT_MS / 2;

/** How many changes are in memory at once. */
const PAGE_ROWS = 5000;

/**
 * Reads the log of changes every two seconds: what is visible now and was not at the read before, so that each is passed on once however
 * late its transaction was committed, and however long another one stays open.
 */
export async function createPostgresChangeFeed(
  db: Kysely<Database>,
  clock: Clock,
): Promise<PostgresChangeFeed> {
  const receivers: ((change: LoggedChange | "everything") => void)[] = [];
  let { snapshot, now } = await readSnapshot(db);
  let readAt = clock.monotonic();
  let turn = Promise.resolve();
  /** A read that has not begun serves all who call meanwhile. */
  let next: Promise<void> | undefined;
  let count = 0;

  const pass = (change: LoggedChange | "everything"): void => {
    count += 1;
    for (const receive of receivers) receive(change);
  };
  const read = async (): Promise<void> => {
    const began = clock.monotonic();
    let until: Taken | undefined;
    for (let page: Page | undefined = await readPage(db, { snapshot }); page !== undefined;) {
      // Changes committed between two pages are in the next read.
      if (until === undefined) {
        until = page.taken;
        if (Math.max(until.now - now, began - readAt) >= MAX_UNREAD_MS) pass("everything");
      }
      for (const change of page.changes) pass(change);
      const { last }: Page = page;
      page = last && (await readPage(db, { snapshot, until: until.snapshot, after: last }));
    }
    ({ snapshot, now } = until ?? { snapshot, now });
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
    timer = clock.setTimer(() => void passOn().then(poll), POLL_INTERVAL_MS);
  };
  let timer = clock.setTimer(() => void passOn().then(poll), POLL_INTERVAL_MS);

  return {
    subscribe: (receive) => void receivers.push(ofConfiguration(receive)),
    subscribeAll: (receive) => void receivers.push(receive),
    position: () => `${now}/${snapshot}`,
    since: (accountId, position, most) => readSince(db, { accountId, position, most }),
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

/** Filters changes for receivers that run or cache the configuration. */
function ofConfiguration(
  receive: (change: Invalidation) => void,
): (change: LoggedChange | "everything") => void {
  return (change) => {
    const invalidation = change === "everything" ? change : invalidationOf(change);
    if (invalidation !== undefined) receive(invalidation);
  };
}

/** Time, and snapshot text as the database writes it; positions with more open transactions cannot be resumed. */
const POSITION = /^(\d{1,15})\/(\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19}){0,200})?)$/;
/** Error code of an invalid snapshot. */
const INVALID_TEXT = "22P02";

interface SinceQuery {
  readonly accountId: string;
  readonly position: string;
  readonly most: number;
}

async function readSince(
  db: Kysely<Database>,
  { accountId, position, most }: SinceQuery,
): Promise<readonly LoggedChange[] | undefined> {
  const [, at, snapshot] = POSITION.exec(position) ?? [];
  if (at === undefined || snapshot === undefined) return undefined;
  const { now } = await readSnapshot(db);
  if (Math.abs(now - Number(at)) >= MAX_UNREAD_MS) return undefined;
  try {
    const { rows } = await sql<Row>`
      select * from changes
      where account_id = ${accountId} and xid >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
        and not pg_visible_in_snapshot(xid, ${snapshot}::text::pg_snapshot)
      order by xid, seq limit ${most + 1}`.execute(db);
    return rows.length > most ? undefined : rows.map(changeFromRow);
  } catch (error) {
    if (codeOf(error) === INVALID_TEXT) return undefined;
    throw error;
  }
}

/** Snapshot of a statement, with its time by the database clock. */
interface Taken {
  readonly snapshot: string;
  readonly now: number;
}

interface Page {
  /** Snapshot of the statement that read it. */
  readonly taken: Taken;
  readonly changes: readonly LoggedChange[];
  /** Undefined if there are no more. */
  readonly last: Position | undefined;
}

interface Position {
  readonly xid: string;
  readonly seq: number;
}

async function readSnapshot(db: Kysely<Database>): Promise<Taken> {
  const { rows } = await sql<Taken>`
    select pg_current_snapshot()::text as snapshot, now_ms() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("a query without a table gives one row");
  return row;
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
    readonly after?: Position | undefined;
  },
): Promise<Page> {
  const { rows } = await sql<Row>`
    select taken.snapshot::text as snapshot, now_ms() as now, unseen.xid::text as xid, unseen.seq, unseen.account_id, unseen.check_no, unseen.kind, unseen.removed_id
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
    taken: takenOf(rows),
    changes: found.map(changeFromRow),
    last: found.length < PAGE_ROWS ? undefined : found.at(-1),
  };
}

function takenOf([first]: readonly Row[]): Taken {
  if (first === undefined)
    throw new Error("a row of the left side is there without one of the right");
  return { snapshot: first.snapshot, now: first.now };
}
