import { sleep, systemClock } from "../../../src/kit/clock.ts";
import type { Installation } from "../installation.ts";
import type { Finding } from "../judge-states.ts";
import type { Random } from "../random.ts";
import { locations } from "./fleet.ts";
import type { Fleet } from "./fleet.ts";
import type { ClusterProcess } from "./processes.ts";

export const clusterTroubleKinds = [
  "killController",
  "cutRegion",
  "pauseController",
  "pauseControllerInUnit",
  "killNotifier",
  "killApi",
  "killProbe",
  "pauseNotifier",
  "pauseNats",
  "pausePostgres",
  "restartNats",
  "restartPostgres",
  "cutControllerFromPostgres",
  "cutControllerFromNats",
  "cutLeaf",
  "readLong",
] as const;
export type ClusterTroubleKind = (typeof clusterTroubleKinds)[number];

export interface ClusterWorld {
  readonly fleet: Fleet;
  readonly site: Installation;
  readonly random: Random;
  readonly findings: Finding[];
}

/** What a trouble does to all, beside what it is about. */
interface Kind {
  readonly act: (world: ClusterWorld) => Promise<void>;
  /** While nobody can act as usual, and how long afterwards; undefined where others do the work. */
  readonly lostMs?: number;
  readonly isDeaf?: boolean;
}

/** Longer than a take-over. */
const OWNER_AWAY_MS = 10_000;
const AWAY_MS = 4000;
/** The server is given up after 10 to 15 s. */
const SILENT_MS = 12_000;
const DATABASE_PAUSE_MS = 6000;
const RECONNECTED_MS = 8000;
const LOOK_MS = 20;
/** Only what changes a verdict locks its check, and a target stays as it is for up to 90 s. */
const IN_UNIT_WITHIN_MS = 90_000;
/** They are looked after each ten seconds. */
const PARTITIONS_WITHIN_MS = 30_000;

const kinds: Readonly<Record<ClusterTroubleKind, Kind>> = {
  killController: { act: (world) => restarting(oneOf(world, "controller"), OWNER_AWAY_MS) },
  killNotifier: { act: (world) => restarting(oneOf(world, "notifier"), AWAY_MS) },
  killApi: { act: (world) => restarting(oneOf(world, "api"), AWAY_MS), lostMs: AWAY_MS },
  killProbe: { act: (world) => restarting(anyOf(world, world.fleet.probes), AWAY_MS) },
  pauseController: { act: (world) => pausing(oneOf(world, "controller"), OWNER_AWAY_MS) },
  pauseControllerInUnit: { act: pauseInUnit },
  pauseNotifier: { act: (world) => pausing(oneOf(world, "notifier"), AWAY_MS) },
  pauseNats: { act: ({ fleet }) => pausing(fleet.broker, SILENT_MS), lostMs: RECONNECTED_MS },
  pausePostgres: {
    act: ({ fleet }) => pausing(fleet.database, DATABASE_PAUSE_MS),
    lostMs: RECONNECTED_MS,
    isDeaf: true,
  },
  restartNats: { act: ({ fleet }) => restartServer(fleet.broker), lostMs: RECONNECTED_MS },
  restartPostgres: {
    act: ({ fleet }) => restartServer(fleet.database),
    lostMs: RECONNECTED_MS,
    isDeaf: true,
  },
  cutRegion: {
    act: async (world) => {
      await using _cut = await anyOf(world, world.fleet.probes).machine.cut("web", "broker");
      await sleep(systemClock, OWNER_AWAY_MS);
    },
  },
  cutControllerFromPostgres: {
    act: async (world) => {
      await using _cut = await oneOf(world, "controller").machine.cut("database");
      await sleep(systemClock, OWNER_AWAY_MS);
    },
  },
  cutControllerFromNats: {
    act: async (world) => {
      await using _cut = await oneOf(world, "controller").machine.cut("broker");
      await sleep(systemClock, 2 * SILENT_MS);
    },
  },
  cutLeaf: {
    act: async ({ fleet }) => {
      await using _cut = await fleet.behindLeaf.cut("broker");
      await sleep(systemClock, SILENT_MS);
    },
  },
  readLong: { act: readLong },
};

export interface TroubleReport {
  readonly kind: ClusterTroubleKind;
  readonly lastedMs: number;
  /** From its end until every process is ready, every shard owned and every location there. */
  readonly wholeAfterMs: number;
}

/** It is over, and put right, when its promise resolves. */
export async function causeInCluster(
  kind: ClusterTroubleKind,
  world: ClusterWorld,
): Promise<TroubleReport> {
  const { site } = world;
  const { act, lostMs, isDeaf = false } = kinds[kind];
  const from = systemClock.monotonic();
  if (lostMs === undefined) {
    // For people, who are to see when it was.
    site.lost.push({ what: kind, from, to: from });
    await act(world);
  } else await site.interrupted({ what: kind, isDeaf, recoveryMs: lostMs, act: () => act(world) });
  const to = systemClock.monotonic();
  await untilWhole(world, kind);
  return { kind, lastedMs: to - from, wholeAfterMs: systemClock.monotonic() - to };
}

const WHOLE_WITHIN_MS = 60_000;

async function untilWhole({ fleet, site, findings }: ClusterWorld, after: string): Promise<void> {
  const end = systemClock.monotonic() + WHOLE_WITHIN_MS;
  for (;;) {
    const wrong = await whatIsMissing(fleet, site).catch((error: unknown) => String(error));
    if (wrong === undefined) return;
    const at = systemClock.monotonic();
    if (at > end) {
      findings.push({ kind: "unready", about: after, at, what: `is not whole after it: ${wrong}` });
      return;
    }
    await sleep(systemClock, LOOK_MS * 5);
  }
}

/** Undefined where nothing is. */
export async function whatIsMissing(
  { services, database, withRole }: Fleet,
  site: Pick<Installation, "call">,
): Promise<string | undefined> {
  for (const each of services) {
    const how = await each.end();
    if (how !== undefined) return `${each.name} ended with ${how}: ${each.log().slice(-2000)}`;
    const why = await each.unready();
    if (why !== undefined) return `${each.name} is not ready: ${why}`;
  }
  const owners = await database.query("select owner, count(*) from shards group by owner");
  const isShared = owners.every(({ owner }) => owner !== null);
  if (!isShared || owners.length !== withRole("controller").length)
    return `shards have the owners ${JSON.stringify(owners)}`;
  const live = Object.keys(await site.call("GET info/probe"));
  const gone = Object.keys(locations).filter((code) => !live.includes(code));
  return gone.length === 0 ? undefined : `no probe at ${gone.join()}`;
}

function oneOf(world: ClusterWorld, role: "api" | "controller" | "notifier"): ClusterProcess {
  return anyOf(world, world.fleet.withRole(role));
}

function anyOf({ random }: ClusterWorld, all: readonly ClusterProcess[]): ClusterProcess {
  const [first, ...rest] = all;
  if (first === undefined) throw new Error("there is no such process");
  return random.pick([first, ...rest]);
}

async function restarting(process: ClusterProcess, ms: number): Promise<void> {
  await process.kill("SIGKILL");
  await sleep(systemClock, ms);
  await process.start();
}

async function restartServer(server: Fleet["broker"]): Promise<void> {
  await server.kill();
  await sleep(systemClock, AWAY_MS / 2);
  await server.start();
}

async function pausing(process: { readonly pause: () => Disposable }, ms: number): Promise<void> {
  using _pause = process.pause();
  await sleep(systemClock, ms);
}

/** Stops the first controller of which a unit waits for the lock of a check, which it then gets, and keeps. */
async function pauseInUnit({ fleet, findings }: ClusterWorld): Promise<void> {
  const session = await fleet.database.session();
  try {
    await session.query("begin");
    await session.query(
      "select 1 from check_states join checks on no = check_no where type <> 'PUSH' for update of check_states",
    );
    const controller = await firstThatWaits(fleet);
    if (controller === undefined) {
      const what = `no controller began a unit in ${IN_UNIT_WITHIN_MS} ms`;
      findings.push({ kind: "unready", about: "checks", at: systemClock.monotonic(), what });
      return;
    }
    using _pause = controller.pause();
    await session.query("rollback");
    await sleep(systemClock, OWNER_AWAY_MS);
  } finally {
    await session.end();
  }
}

async function firstThatWaits({ database, withRole }: Fleet): Promise<ClusterProcess | undefined> {
  const end = systemClock.monotonic() + IN_UNIT_WITHIN_MS;
  while (systemClock.monotonic() < end) {
    const waiting = await database.query(
      "select host(client_addr) as client from pg_stat_activity where wait_event_type = 'Lock'",
    );
    const found = withRole("controller").find(({ machine }) =>
      waiting.some(({ client }) => client === machine.addresses.database),
    );
    if (found !== undefined) return found;
    await sleep(systemClock, LOOK_MS);
  }
  return undefined;
}

/** A read of all results that lasts, as a backup does, beside which the partition of a day to come is made. */
async function readLong({ fleet, findings }: ClusterWorld): Promise<void> {
  const session = await fleet.database.session();
  const newest =
    "select relname from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'results'::regclass order by relname desc limit 1";
  const nameOf = async (): Promise<string> => String((await session.query(newest)).rows[0].relname);
  try {
    const name = await nameOf();
    await session.query(`alter table results detach partition ${name}`);
    await session.query(`drop table ${name}`);
    await session.query("begin");
    await session.query("select count(*) from results");
    const end = systemClock.monotonic() + PARTITIONS_WITHIN_MS;
    while ((await nameOf()) !== name && systemClock.monotonic() < end)
      await sleep(systemClock, LOOK_MS);
    const isMade = (await nameOf()) === name;
    await session.query("commit");
    if (isMade) return;
    const what = `${name} is not made beside a reader`;
    findings.push({ kind: "unready", about: "results", at: systemClock.monotonic(), what });
  } finally {
    await session.end();
  }
}
