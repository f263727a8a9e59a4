import { sleep, systemClock } from "../../../src/kit/clock.ts";
import type { Installation } from "../installation.ts";
import type { Random } from "../random.ts";
import {
  attachBesideReader,
  detachBesideReader,
  disableInFlip,
  pauseInUnit,
} from "./aimed-troubles.ts";
import type { AimedWorld } from "./aimed-troubles.ts";
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
  "disableInFlip",
  "attachBesideReader",
  "detachBesideReader",
] as const;
export type ClusterTroubleKind = (typeof clusterTroubleKinds)[number];

export interface ClusterWorld extends AimedWorld {
  readonly random: Random;
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
const LOOK_MS = 100;

const kinds: Readonly<Record<ClusterTroubleKind, Kind>> = {
  killController: { act: (world) => restarting(oneOf(world, "controller"), OWNER_AWAY_MS) },
  killNotifier: { act: (world) => restarting(oneOf(world, "notifier"), AWAY_MS) },
  killApi: { act: (world) => restarting(oneOf(world, "api"), AWAY_MS), lostMs: AWAY_MS },
  killProbe: { act: (world) => restarting(anyOf(world, world.fleet.probes), AWAY_MS) },
  pauseController: { act: (world) => pausing(oneOf(world, "controller"), OWNER_AWAY_MS) },
  pauseControllerInUnit: { act: (world) => pauseInUnit(world, OWNER_AWAY_MS) },
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
  disableInFlip: { act: disableInFlip },
  attachBesideReader: { act: attachBesideReader },
  detachBesideReader: { act: detachBesideReader },
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
    await sleep(systemClock, LOOK_MS);
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
