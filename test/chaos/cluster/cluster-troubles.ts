import { sleep, systemClock } from "../../../src/kit/clock.ts";
import type { Installation } from "../installation.ts";
import type { Random } from "../random.ts";
import {
  attachBesideReader,
  detachBesideReader,
  disableInFlip,
  killInClaim,
  killNatsInOutage,
  pauseInUnit,
  type AimedWorld,
} from "./aimed-troubles.ts";
import { judgeWaiting, type StartSample } from "./judge-waiting.ts";
import type { Finding } from "../judges/judge-states.ts";
import { sendOppositeHeartbeats } from "../opposite-heartbeats.ts";
import type { StormResolver } from "../storm-resolver.ts";
import { locations, type Fleet } from "./fleet.ts";
import type { LinkKind, Machine } from "./network.ts";
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
  "startWhilePostgresRecovers",
  "cutControllerFromPostgres",
  "cutControllerFromNats",
  "cutLeaf",
  "cutProbeFromTargets",
  "unplugProbeFromTargets",
  "killResolverOfProbe",
  "killNatsInOutage",
  "disableInFlip",
  "attachBesideReader",
  "detachBesideReader",
  "oppositeHeartbeats",
  "farPostgres",
] as const;
export type ClusterTroubleKind = (typeof clusterTroubleKinds)[number];

export interface ClusterWorld extends AimedWorld {
  readonly random: Random;
  readonly resolver: StormResolver;
}

/** General effects of a kind of trouble. */
interface Kind {
  /** Whether it met what it aims at. */
  readonly act: (world: ClusterWorld) => Promise<boolean>;
  /** While nobody can act as usual, and how long afterwards; undefined where others do the work. */
  readonly lostMs?: number;
  readonly losesHeartbeats?: boolean;
}

/** Longer than a take-over. */
const OWNER_AWAY_MS = 10_000;
const AWAY_MS = 4000;
/** The server is given up after 10 to 15 s. */
const SILENT_MS = 12_000;
const DATABASE_PAUSE_MS = 6000;
const RECONNECTED_MS = 8000;
/** Longer than two ticks of a check. */
const BLIND_MS = 32_000;
/** The round trip to a database in another region, at which everything must be on time. */
const FAR_MS = 100;
const LOOK_MS = 100;

const kinds: Readonly<Record<ClusterTroubleKind, Kind>> = {
  killController: {
    act: (world) => moving(world, restarting(oneOf(world, "controller"), OWNER_AWAY_MS)),
  },
  killNotifier: { act: (world) => killInClaim(world, AWAY_MS) },
  killApi: { act: (world) => restarting(oneOf(world, "api"), AWAY_MS), lostMs: AWAY_MS },
  killProbe: { act: (world) => restarting(anyOf(world, world.fleet.probes), AWAY_MS) },
  pauseController: {
    act: (world) => moving(world, pausing(oneOf(world, "controller"), OWNER_AWAY_MS)),
  },
  pauseControllerInUnit: { act: (world) => pauseInUnit(world, OWNER_AWAY_MS) },
  pauseNotifier: { act: (world) => pausing(oneOf(world, "notifier"), AWAY_MS) },
  pauseNats: { act: ({ fleet }) => pausing(fleet.broker, SILENT_MS), lostMs: RECONNECTED_MS },
  pausePostgres: {
    act: ({ fleet }) => pausing(fleet.database, DATABASE_PAUSE_MS),
    lostMs: RECONNECTED_MS,
    losesHeartbeats: true,
  },
  restartNats: { act: ({ fleet }) => restartServer(fleet.broker), lostMs: RECONNECTED_MS },
  restartPostgres: {
    act: ({ fleet }) => restartServer(fleet.database),
    lostMs: RECONNECTED_MS,
    losesHeartbeats: true,
  },
  startWhilePostgresRecovers: {
    act: startWhilePostgresRecovers,
    lostMs: RECONNECTED_MS,
    losesHeartbeats: true,
  },
  cutRegion: {
    act: async (world) => {
      const { name, machine } = anyOf(world, world.fleet.probes);
      await using _cut = await machine.cut("web", "broker");
      await sleep(systemClock, OWNER_AWAY_MS);
      return await isGone(world, name);
    },
  },
  cutControllerFromPostgres: {
    act: (world) =>
      moving(world, cutting(oneOf(world, "controller").machine, "database", OWNER_AWAY_MS)),
  },
  cutControllerFromNats: {
    act: (world) =>
      moving(world, cutting(oneOf(world, "controller").machine, "broker", 2 * SILENT_MS)),
  },
  cutLeaf: {
    act: async (world) => {
      const { behindLeaf } = world.fleet;
      await using _cut = await behindLeaf.cut("broker");
      await sleep(systemClock, SILENT_MS);
      return await isGone(world, behindLeaf.name);
    },
  },
  // All three last while nothing else is wrong: the location takes jobs, and cannot judge.
  cutProbeFromTargets: {
    act: (world) => cutting(anyOf(world, world.fleet.probes).machine, "web", BLIND_MS),
  },
  unplugProbeFromTargets: {
    act: async (world) => {
      const { log, machine } = anyOf(world, world.fleet.probes);
      const before = log().length;
      await using _unplugged = await machine.unplug("web");
      await sleep(systemClock, BLIND_MS);
      return /"event":"probe\.(?:offline|resolver_silent)"/.test(log().slice(before));
    },
  },
  killResolverOfProbe: {
    act: async (world) => {
      const { machine } = anyOf(world, world.fleet.probes);
      const how = world.random.pick(["silence", "failure"] as const);
      using _dead = world.resolver.kill(how, machine.addresses.web);
      await sleep(systemClock, BLIND_MS);
      return true;
    },
  },
  killNatsInOutage: { act: killNatsInOutage },
  disableInFlip: { act: disableInFlip },
  attachBesideReader: { act: attachBesideReader },
  detachBesideReader: { act: detachBesideReader },
  oppositeHeartbeats: { act: sendOppositeHeartbeats },
  farPostgres: {
    act: async ({ fleet }) => {
      using _far = fleet.database.far(FAR_MS);
      await sleep(systemClock, BLIND_MS);
      return true;
    },
  },
};

export interface TroubleReport {
  readonly kind: ClusterTroubleKind;
  /** Whether it met what it aims at: a unit under way, say. */
  readonly hasHit: boolean;
  readonly lastedMs: number;
  /** From its end until every process is ready, every shard owned and every location there. */
  readonly wholeAfterMs: number;
}

/** On a busy machine a moment is missed at times. */
const ATTEMPTS = 3;

/** It is over, and put right, when its promise resolves. */
export async function causeInCluster(
  kind: ClusterTroubleKind,
  world: ClusterWorld,
): Promise<TroubleReport> {
  const { site } = world;
  const { act, lostMs, losesHeartbeats = false } = kinds[kind];
  const from = systemClock.monotonic();
  const acting = async (): Promise<boolean> => {
    let hasHit = await act(world);
    for (let again = 1; !hasHit && again < ATTEMPTS; again += 1) {
      await untilWhole(world, kind);
      hasHit = await act(world);
    }
    return hasHit;
  };
  let hasHit: boolean;
  if (lostMs === undefined) {
    // For people, who are to see when it was.
    site.lost.push({ what: kind, from, to: from });
    hasHit = await acting();
  } else
    hasHit = await site.interrupted({
      what: kind,
      losesHeartbeats,
      recoveryMs: lostMs,
      act: acting,
    });
  const to = systemClock.monotonic();
  await untilWhole(world, kind);
  return { kind, hasHit, lastedMs: to - from, wholeAfterMs: systemClock.monotonic() - to };
}

/** Kinds that never met what they aim at: nothing is known of what they would have done. */
export function judgeHits(
  troubles: readonly Pick<TroubleReport, "kind" | "hasHit">[],
): readonly Finding[] {
  const kindsOf = (some: typeof troubles) => new Set(some.map(({ kind }) => kind));
  const hit = kindsOf(troubles.filter(({ hasHit }) => hasHit));
  return [...kindsOf(troubles)]
    .filter((kind) => !hit.has(kind))
    .map((about) => ({ kind: "unhit", about, at: Infinity, what: "never met what it aims at" }));
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

async function restarting(process: ClusterProcess, ms: number): Promise<boolean> {
  await process.kill("SIGKILL");
  await sleep(systemClock, ms);
  await process.start();
  return true;
}

async function restartServer(server: Fleet["broker"]): Promise<boolean> {
  await server.kill();
  await sleep(systemClock, AWAY_MS / 2);
  await server.start();
  return true;
}

const RECOVERS_MS = 8000;

/** Starts a process while PostgreSQL takes no writes; whether it was seen to wait for that. */
async function startWhilePostgresRecovers(world: ClusterWorld): Promise<boolean> {
  const { fleet, findings } = world;
  const process = anyOf(world, fleet.services);
  const { name } = process;
  await process.kill("SIGKILL");
  await fleet.database.kill();
  const samples: StartSample[] = [];
  let recovers = true;
  const recovered = fleet.database.recover(RECOVERS_MS).finally(() => (recovers = false));
  const started = process.start().catch(() => {});
  while (recovers) {
    const [end, unready] = [await process.end(), await process.unready()];
    // It may have been promoted while it was asked.
    if (recovers) samples.push({ end, unready });
    await sleep(systemClock, LOOK_MS);
  }
  await recovered;
  await started;
  const { wrong, hasWaited } = judgeWaiting(samples);
  const at = systemClock.monotonic();
  findings.push(...wrong.map((what) => ({ kind: "unready" as const, about: name, at, what })));
  if ((await process.end()) !== undefined) await process.start();
  return hasWaited;
}

async function pausing(
  process: { readonly pause: () => Disposable },
  ms: number,
): Promise<boolean> {
  using _pause = process.pause();
  await sleep(systemClock, ms);
  return true;
}

async function cutting(machine: Machine, link: LinkKind, ms: number): Promise<boolean> {
  await using _cut = await machine.cut(link);
  await sleep(systemClock, ms);
  return true;
}

/** Returns whether an owner of shards has none any more once that is over. */
async function moving({ fleet }: ClusterWorld, acting: Promise<unknown>): Promise<boolean> {
  const owners = async (): Promise<readonly unknown[]> =>
    (await fleet.database.query("select distinct owner from shards")).map(({ owner }) => owner);
  const [before] = await Promise.all([owners(), acting]);
  const after = await owners();
  return before.some((owner) => owner !== null && !after.includes(owner));
}

/** Returns whether nobody knows of a live probe at a location. */
async function isGone({ site }: ClusterWorld, location: string): Promise<boolean> {
  return !Object.keys(await site.call("GET info/probe")).includes(location);
}
