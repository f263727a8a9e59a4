import { sleep, systemClock } from "../../src/kit/clock.ts";
import { limitDescriptors, pause, type OwnDisk, type SteppedClock } from "../e2e/trouble.ts";
import type { HookServer } from "./hooks.ts";
import type { OneProcess } from "./installation.ts";
import type { Finding } from "./judges/judge-states.ts";
import type { Caused } from "./judges/never-caused.ts";
import { loseFiles } from "./lost-files.ts";
import { sendOppositeHeartbeats } from "./opposite-heartbeats.ts";
import type { Random } from "./random.ts";
import { leaveReceiver } from "./receiver-away.ts";
import type { DeadResolver, StormResolver } from "./storm-resolver.ts";
import { unplugLink } from "./unplugged.ts";

export const troubleKinds = [
  "kill",
  "stop",
  "restart",
  "pause",
  "full",
  "killWhileFull",
  "freeze",
  "descriptors",
  "clockAhead",
  "clockBack",
  "silentResolver",
  "failingResolver",
  "oppositeHeartbeats",
  "receiverAway",
  "lostFiles",
  "unpluggedLink",
] as const;
export type TroubleKind = (typeof troubleKinds)[number];

export interface Troubled {
  readonly site: OneProcess;
  readonly disk: OwnDisk;
  readonly clock: SteppedClock;
  readonly resolver: StormResolver;
  /** Takes alerts, and answers well. */
  readonly receiver: HookServer;
  /** The folder of the database. */
  readonly data: string;
  readonly random: Random;
  readonly findings: Finding[];
  /** How long the longest of them lasts. */
  readonly maxMs: number;
}

const RESTART_RECOVERY_MS = 3000;
const PAUSE_RECOVERY_MS = 3000;
const DISK_RECOVERY_MS = 10_000;
const CLOCK_RECOVERY_MS = 5000;
/** A tick without a verdict is tried again within a minute. */
const RESOLVER_RECOVERY_MS = 60_000;
/** The longest that a stop may take is more than that. */
const MAX_STOP_MS = 1500;
const HOUR_MS = 3_600_000;

/** Each is over, and put right, when its promise resolves; with false where it could not be caused. */
const troubles: Readonly<Record<TroubleKind, (world: Troubled) => Promise<boolean | void>>> = {
  kill: ({ site }) => restarting(site, "kill", () => kill(site)),
  restart: (world) => restarting(world.site, "restart", () => stopInTime(world)),
  stop: ({ site, random }) =>
    restarting(site, "stop", async () => {
      void site.process().kill("SIGTERM");
      await sleep(systemClock, MAX_STOP_MS * random.next());
      await kill(site);
    }),
  pause: ({ site, random, maxMs }) =>
    site.interrupted({
      what: "pause",
      losesHeartbeats: true,
      recoveryMs: PAUSE_RECOVERY_MS,
      async act() {
        using _pause = pause(site.process().pid);
        await sleep(systemClock, lasting(random, maxMs));
      },
    }),
  // Heartbeats, state changes, and alerts continue on the reserve, so nothing may be late or missing.
  async full(world) {
    const from = systemClock.monotonic();
    world.site.lost.push({ what: "full", from, to: from });
    using _filling = world.disk.fill();
    await watchReadiness(world, lasting(world.random, world.maxMs));
  },
  killWhileFull: ({ site, disk, random, maxMs }) =>
    restarting(site, "kill while full", async () => {
      using _filling = disk.fill();
      await sleep(systemClock, lasting(random, maxMs));
      await kill(site);
    }),
  freeze: (world) =>
    world.site.interrupted({
      what: "freeze",
      losesHeartbeats: true,
      recoveryMs: DISK_RECOVERY_MS,
      async act() {
        await using _freeze = await world.disk.freeze();
        await watchReadiness(world, lasting(world.random, world.maxMs));
      },
    }),
  descriptors: ({ site, clock, random }) =>
    site.interrupted({
      what: "descriptors",
      // Heartbeats on connections that were open before are received.
      losesHeartbeats: false,
      recoveryMs: DISK_RECOVERY_MS,
      async act() {
        // Without a descriptor the library cannot read how far the clock is ahead.
        if (clock.offset() !== 0) return false;
        await using _limit = await limitDescriptors(site.process().pid, random.pick([0, 1, 3]));
        await sleep(systemClock, lasting(random, 6000));
        return true;
      },
    }),
  clockAhead: (world) => stepping(world, 1),
  clockBack: (world) => stepping(world, -1),
  silentResolver: (world) => withoutResolver(world, "silence"),
  failingResolver: (world) => withoutResolver(world, "failure"),
  oppositeHeartbeats: sendOppositeHeartbeats,
  receiverAway: leaveReceiver,
  lostFiles: (world) => restarting(world.site, "lost files", () => loseFiles(world)),
  async unpluggedLink(world) {
    const from = systemClock.monotonic();
    world.site.lost.push({ what: "unplugged link", from, to: from });
    return unplugLink(world);
  },
};

/** They last while others come and go. */
export const besideOthers: ReadonlySet<TroubleKind> = new Set(["receiverAway"]);

export async function cause(kind: TroubleKind, world: Troubled): Promise<Caused<TroubleKind>> {
  return { kind, hasHit: (await troubles[kind](world)) !== false };
}

/** Nothing is confirmed of targets that are found by name, and nothing of them is called down. */
function withoutResolver(
  { site, resolver, random, maxMs }: Troubled,
  how: DeadResolver,
): Promise<void> {
  return site.interrupted({
    what: `resolver: ${how}`,
    losesHeartbeats: false,
    recoveryMs: RESOLVER_RECOVERY_MS,
    async act() {
      using _dead = resolver.kill(how);
      await sleep(systemClock, lasting(random, maxMs));
    },
  });
}

function lasting(random: Random, maxMs: number): number {
  return maxMs * (0.2 + 0.8 * random.next());
}

async function kill(site: OneProcess): Promise<void> {
  site.kills.push(systemClock.monotonic());
  await site.process().kill("SIGKILL");
}

const STOPS_WITHIN_MS = 30_000;

async function stopInTime({ site, findings }: Troubled): Promise<void> {
  const ending = new AbortController();
  const late = sleep(systemClock, STOPS_WITHIN_MS, ending.signal).then(async () => {
    if (ending.signal.aborted) return;
    findings.push(unready("did not end within 30 s of SIGTERM"));
    await kill(site);
  });
  await site.process().kill("SIGTERM");
  ending.abort();
  await late;
}

/** Starts it again where it ended by itself. */
export async function revive({ site, findings }: Troubled): Promise<void> {
  const { ended, log } = site.process();
  const how = await Promise.race([ended, sleep(systemClock, 0)]);
  if (how === undefined) return;
  findings.push(unready(`ended by itself with ${how}: ${log().slice(-LAST_WORDS)}`));
  await restarting(site, "end", () => Promise.resolve());
}

const LAST_WORDS = 2000;

function unready(what: string): Finding {
  return { kind: "unready", about: "the process", at: systemClock.monotonic(), what };
}

/** Starts it once it was ended; gives what ending it gave. */
function restarting<Value>(
  site: OneProcess,
  what: string,
  end: () => Promise<Value>,
): Promise<Value> {
  return site.interrupted({
    what,
    losesHeartbeats: true,
    recoveryMs: RESTART_RECOVERY_MS,
    async act() {
      const value = await end();
      await site.process().ended;
      await site.start();
      return value;
    },
  });
}

/** Some seconds up to hours, and back again after a while. */
async function stepping({ site, clock, random, maxMs }: Troubled, sign: number): Promise<void> {
  const by =
    sign * Math.round(random.pick([5000, 90_000, HOUR_MS, 7 * HOUR_MS]) * (0.5 + random.next()));
  const step = (ms: number): Promise<void> =>
    site.interrupted({
      what: `clock by ${ms} ms`,
      losesHeartbeats: true,
      recoveryMs: CLOCK_RECOVERY_MS,
      act: () => clock.step(ms),
    });
  const from = systemClock.monotonic();
  await step(by);
  site.restarts.push(systemClock.monotonic());
  await sleep(systemClock, lasting(random, maxMs));
  await step(-clock.offset());
  site.restarts.push(systemClock.monotonic());
  if (by > 0) site.ahead.push({ from, to: systemClock.monotonic() + CLOCK_RECOVERY_MS });
}

const RED_WITHIN_MS = 10_000;
const ANSWERS_WITHIN_MS = 5000;
const LOOK_MS = 1000;

/** While nothing can be stored, the process says so, and answers. */
async function watchReadiness({ site, findings }: Troubled, lastsMs: number): Promise<void> {
  const began = systemClock.monotonic();
  /** 206 for a process that is ready without some of what it does, as on a full disk with a reserve. */
  const statusOf = async (path: string): Promise<number> => {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    return fetch(`${site.process().base}${path}`, { signal }).then(
      async (response) => {
        const isDegraded = (await response.text()).includes('"degraded":');
        return isDegraded && response.ok ? 206 : response.status;
      },
      () => 0,
    );
  };
  const said = new Set<string>();
  const say = (what: string): void => {
    if (said.has(what)) return;
    said.add(what);
    findings.push(unready(what));
  };
  while (systemClock.monotonic() < began + lastsMs) {
    const age = systemClock.monotonic() - began;
    const [health, readiness] = await Promise.all([statusOf("/healthz"), statusOf("/readyz")]);
    if (health !== 200) say("/healthz does not answer while the disk does not");
    if (age > RED_WITHIN_MS && readiness !== 503 && readiness !== 206)
      say(
        `/readyz is ${readiness === 0 ? "silent" : readiness} though the disk has been in trouble for 10 s`,
      );
    await sleep(
      systemClock,
      Math.min(LOOK_MS, Math.max(0, began + lastsMs - systemClock.monotonic())),
    );
  }
}
