import type { Client } from "pg";

import { sleep, systemClock } from "../../../src/kit/clock.ts";
import type { Installation } from "../installation.ts";
import type { Finding } from "../judges/judge-states.ts";
import type { Targets } from "../targets.ts";
import type { Fleet } from "./fleet.ts";
import type { ClusterProcess } from "./processes.ts";
import type { Database } from "./servers.ts";

/** Environment of troubles that wait for their moment. */
export interface AimedWorld {
  readonly fleet: Fleet;
  readonly site: Installation;
  readonly targets: Targets;
  /** Account whose checks are not changed. */
  readonly primary: { readonly account: string; readonly notifications: readonly object[] };
  readonly findings: Finding[];
}

/** Four times a minute, so that a storm has many ticks; the API knows no such interval. */
export const QUICK_INTERVAL_MINUTES = 0.25;
const LOOK_MS = 20;
/** Only what changes a verdict locks its check, and a target stays as it is for up to 90 s. */
const IN_UNIT_WITHIN_MS = 90_000;
/** They are looked after each ten seconds. */
const PARTITIONS_WITHIN_MS = 40_000;
/** A tick, its run and its rechecks, without a hint that the check was changed. */
const FOUND_WITHIN_MS = 45_000;
/** A run and its rechecks, on a busy machine. */
const VERDICT_WITHIN_MS = 30_000;
/** Maximum time for messages that were being sent. */
const LEAVES_WITHIN_MS = 20_000;
const TARGET_TIMEOUT_S = 2;
/** A unit that waits for a lock for longer is run again, and waits behind others then. */
const QUEUED_WITHIN_MS = 1500;
/** The server ends a session that is suspended inside a transaction after a second. */
const UNIT_ENDS_MS = 900;
/** Targets turn several times in it. */
const CLAIM_WITHIN_MS = 20_000;

type Look = () => Promise<boolean>;

/** Returns whether it came about in time; what could not be seen did not. */
async function comes(look: Look, withinMs: number): Promise<boolean> {
  const end = systemClock.monotonic() + withinMs;
  while (systemClock.monotonic() < end) {
    if (await look().catch(() => false)) return true;
    await sleep(systemClock, LOOK_MS);
  }
  return false;
}

/** A transaction of its own, which is rolled back where it still runs in the end. */
async function inTransaction(
  database: Database,
  work: (session: Client) => Promise<void>,
): Promise<void> {
  const session = await database.session();
  try {
    await session.query("begin");
    await work(session);
  } finally {
    await session.end();
  }
}

/** The services that wait for a lock of a session, or for one that does. */
async function waitingFor(session: Client, database: Database): Promise<readonly unknown[]> {
  const { rows } = await session.query("select pg_backend_pid() as pid");
  const waiting = await database.query(
    `with recursive waiting as (
       select pid, application_name from pg_stat_activity where ${Number(rows[0].pid)} = any(pg_blocking_pids(pid))
       union select other.pid, other.application_name from pg_stat_activity as other join waiting on waiting.pid = any(pg_blocking_pids(other.pid))
     ) select application_name as service from waiting`,
  );
  return waiting.map(({ service }) => service);
}

function finding(about: string, what: string, kind: Finding["kind"] = "unready"): Finding {
  return { kind, about, at: systemClock.monotonic(), what };
}

/** Suspends the first controller with a transaction that waits for a check's lock; it then gets the lock and keeps it. */
export async function pauseInUnit(
  { fleet: { database, withRole }, findings }: AimedWorld,
  forMs: number,
): Promise<boolean> {
  let isInUnit = false;
  await inTransaction(database, async (session) => {
    await session.query(
      "select 1 from check_states join checks on no = check_no where type <> 'PUSH' for update of check_states",
    );
    let found: ClusterProcess | undefined;
    const waits = async (): Promise<boolean> => {
      const waiting = await waitingFor(session, database);
      found = withRole("controller").find(({ name }) => waiting.includes(name));
      return found !== undefined;
    };
    if (!(await comes(waits, IN_UNIT_WITHIN_MS)) || found === undefined) {
      findings.push(finding("checks", `no controller began a unit in ${IN_UNIT_WITHIN_MS} ms`));
      return;
    }
    using _pause = found.pause();
    const { name } = found;
    await session.query("rollback");
    isInUnit = await comes(async () => (await openUnitsOf(name, database)) > 0, UNIT_ENDS_MS);
    await sleep(systemClock, forMs);
  });
  return isInUnit;
}

/** How many units of a process have what they waited for, and wait for the process now. */
async function openUnitsOf(service: string, database: Database): Promise<number> {
  const [row] = await database.query(
    `select count(*) as count from pg_stat_activity where application_name = '${service}' and state = 'idle in transaction'`,
  );
  return Number(row?.count);
}

/** Kills the notifier that has claimed an alert, before it says what became of it. */
export async function killInClaim(
  { fleet: { database, withRole } }: AimedWorld,
  awayMs: number,
): Promise<boolean> {
  const [notifier, ...others] = withRole("notifier");
  if (notifier === undefined) throw new Error("there is no notifier");
  // So that what is claimed is claimed by this one.
  const pauses = new DisposableStack();
  for (const other of others) pauses.use(other.pause());
  const isClaimed: Look = async () => {
    const [row] = await database.query(
      "select exists (select from alerts where status = 'waiting' and lease_until > now_ms()) as found",
    );
    return row?.found === true;
  };
  let hasHit = false;
  {
    using _pauses = pauses;
    hasHit = await comes(isClaimed, CLAIM_WITHIN_MS);
    await notifier.kill("SIGKILL");
    hasHit &&= await isClaimed();
  }
  await sleep(systemClock, awayMs);
  await notifier.start();
  return hasHit;
}

/** Fails a target while the NATS server is away: the controllers' own location finds it, and its alert arrives before the server is back. */
export async function killNatsInOutage(world: AimedWorld): Promise<boolean> {
  const { site, targets, primary, findings } = world;
  const { broker, database } = world.fleet;
  const target = targets.http();
  const { body } = await site.insist("POST checks", {
    ...target.parameters,
    customerid: primary.account,
    notifications: primary.notifications,
    label: "fails without NATS",
    sens: 2,
    recheckwait: 0,
    interval: 1,
    threshold: TARGET_TIMEOUT_S,
    enabled: true,
  });
  const id = String(body._id);
  const ofCheck = `check_no = (select no from checks where id = '${id}')`;
  const holds = (condition: string) => async (): Promise<boolean> => {
    const [row] = await database.query(`select exists (${condition}) as found`);
    return row?.found === true;
  };
  const isIn = (state: string): Look =>
    holds(`select from check_states where ${ofCheck} and state = '${state}'`);
  const isAlerted = holds(
    `select from alerts where check_id = '${id}' and kind = 'down' and status = 'delivered'`,
  );
  await database.query(
    `update checks set interval_minutes = ${QUICK_INTERVAL_MINUTES}, run_revision = run_revision + 1 where id = '${id}'`,
  );
  await site.insist(`PUT checks/${id}`, { description: "four times a minute" });
  const hasPassed = await comes(isIn("passing"), VERDICT_WITHIN_MS);
  if (!hasPassed) findings.push(finding(id, "a new check has no verdict"));
  await broker.kill();
  await target.turn(false, "error");
  if (!(await comes(isIn("failing"), FOUND_WITHIN_MS)))
    findings.push(finding(id, "its outage is not found without NATS", "missed"));
  else if (!(await comes(isAlerted, VERDICT_WITHIN_MS)))
    findings.push(finding(id, "its outage is not alerted without NATS", "undelivered"));
  await broker.start();
  await target.turn(true);
  if (!(await comes(isIn("passing"), FOUND_WITHIN_MS)))
    findings.push(finding(id, "its target is up again, and it does not pass", "missed"));
  await site.insist(`PUT checks/${id}`, { enabled: false });
  return hasPassed;
}

/** Has a check flip and be disabled at the same time: whichever is first, it then has no open span and no alert that waits. */
export async function disableInFlip(world: AimedWorld): Promise<boolean> {
  const { site, targets, primary, findings } = world;
  const { database } = world.fleet;
  const target = targets.http();
  const { body } = await site.insist("POST checks", {
    ...target.parameters,
    customerid: primary.account,
    notifications: primary.notifications,
    label: "disabled in its flip",
    sens: 0,
    interval: 1,
    threshold: TARGET_TIMEOUT_S,
    enabled: true,
  });
  const id = String(body._id);
  const ofCheck = `check_no = (select no from checks where id = '${id}')`;
  const put = (change: object) => site.insist(`PUT checks/${id}`, change);
  const isIn = (state: string) => async (): Promise<boolean> => {
    const [row] = await database.query(`select state from check_states where ${ofCheck}`);
    return row?.state === state;
  };
  if (!(await comes(isIn("passing"), VERDICT_WITHIN_MS)))
    findings.push(finding(id, "a new check has no verdict"));
  await target.turn(false, "hang");
  // Another interval has it run at once.
  await put({ interval: 2 });
  let haveMet = false;
  await inTransaction(database, async (session) => {
    await session.query(`select 1 from check_states where ${ofCheck} for update`);
    const wait =
      (count: number): Look =>
      async () =>
        (await waitingFor(session, database)).length >= count;
    if (!(await comes(wait(1), VERDICT_WITHIN_MS))) findings.push(finding(id, "does not flip"));
    const disabled = put({ enabled: false });
    haveMet = await comes(wait(2), QUEUED_WITHIN_MS);
    await session.query("rollback");
    await disabled;
  });
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await database.query(
      `select exists (select from spans where ${ofCheck} and end_at is null) or exists (select from alerts where check_id = '${id}' and status = 'waiting') as found`,
    );
    return row?.found === false;
  };
  if (!(await comes(isQuiet, LEAVES_WITHIN_MS)))
    findings.push(
      finding(id, "was disabled in its flip, and has an open span, or an alert that waits"),
    );
  await target.turn(true);
  await put({ enabled: true });
  if (!(await comes(isIn("passing"), VERDICT_WITHIN_MS)))
    findings.push(finding(id, "was enabled again, and does not pass"));
  return haveMet;
}

/** Reads all results for a long time, as a backup does, while a future partition is created. */
export async function attachBesideReader({
  fleet: { database },
  findings,
}: AimedWorld): Promise<boolean> {
  const newest =
    "select relname from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'results'::regclass order by relname desc limit 1";
  const nameOf = async (): Promise<string> => String((await database.query(newest))[0]?.relname);
  const name = await nameOf();
  await database.query(`alter table results detach partition ${name}`);
  await database.query(`drop table ${name}`);
  let isMadeBeside = false;
  await inTransaction(database, async (session) => {
    await session.query("select count(*) from results");
    const before = await countOf(database);
    const isMade: Look = async () => (await nameOf()) === name;
    isMadeBeside = await comes(isMade, PARTITIONS_WITHIN_MS);
    if (!isMadeBeside) findings.push(finding("results", `${name} is not made beside a reader`));
    const isStored: Look = async () => (await countOf(database)) > before;
    if (!(await comes(isStored, READS_ON_MS)))
      findings.push(finding("results", "none is stored beside a reader"));
    await session.query("commit");
  });
  return isMadeBeside;
}

/** Two days ago, which is packed by any process that starts. */
const OLD_DAYS = 2;
const DAY_MS = 86_400_000;
const READS_MS = 700;
/** While a partition waits to be detached. */
const READS_ON_MS = 8000;

/** Reads all results repeatedly and then in one long read while a partition is detached: results are stored nevertheless. */
export async function detachBesideReader(world: AimedWorld): Promise<boolean> {
  const { fleet, findings } = world;
  const { database } = fleet;
  const name = await makeOldPartition(database);
  const [notifier] = fleet.withRole("notifier");
  // Each process packs when it starts.
  await notifier?.kill("SIGTERM");
  await notifier?.start();
  const state = async (): Promise<unknown> => {
    const [row] = await database.query(
      `select inhdetachpending as pending from pg_inherits where inhrelid = to_regclass('${name}')`,
    );
    return row?.pending;
  };
  const end = systemClock.monotonic() + PARTITIONS_WITHIN_MS;
  let isDetaching = false;
  while (!isDetaching && systemClock.monotonic() < end)
    await inTransaction(database, async (session) => {
      await session.query("select count(*) from results");
      isDetaching = await comes(async () => (await state()) === true, READS_MS);
      if (!isDetaching) return;
      const before = await countOf(database);
      await sleep(systemClock, READS_ON_MS);
      if ((await countOf(database)) <= before)
        findings.push(finding("results", "none is stored while a partition is detached"));
    });
  if (!isDetaching) findings.push(finding("results", `${name} is not detached beside readers`));
  const isGone: Look = async () => {
    const [row] = await database.query(`select to_regclass('${name}') as found`);
    return row?.found === null;
  };
  if (!(await comes(isGone, PARTITIONS_WITHIN_MS)))
    findings.push(finding("results", `${name} is not dropped`));
  return isDetaching;
}

async function countOf(database: Database): Promise<number> {
  const [row] = await database.query("select count(*) as count from results");
  return Number(row?.count);
}

/** One without results, as of a day that is over and packed. */
async function makeOldPartition(database: Database): Promise<string> {
  const day = (Math.floor(systemClock.now() / DAY_MS) - OLD_DAYS) * DAY_MS;
  const date = new Date(day).toISOString().slice(0, "2026-11-22".length).replaceAll("-", "");
  const name = `results_${date}`;
  await database.query(
    `create table ${name} (like results including all, constraint bounds check (started_at >= ${day} and started_at < ${day + DAY_MS}))`,
  );
  await database.query(
    `alter table results attach partition ${name} for values from (${day}) to (${day + DAY_MS})`,
  );
  return name;
}
