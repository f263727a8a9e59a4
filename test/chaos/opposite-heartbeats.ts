import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { Installation } from "./installation.ts";
import type { Finding } from "./judges/judge-states.ts";
import type { Random } from "./random.ts";

const CHECKS = 4;
/** Pairs per check: with its first heartbeat, at most the five that are accepted per minute. */
const PAIRS = 2;
const APART_MS = 100;
const BETWEEN_PAIRS_MS = 1000;
/** How long a heartbeat without an answer may still be stored, and other processes may show an earlier state. */
const SETTLES_WITHIN_MS = 10_000;
const LOOK_MS = 300;

interface World {
  readonly site: Installation;
  readonly random: Random;
  readonly findings: Finding[];
}

/** Sends opposite heartbeats of a check within 100 ms, each over the next of the processes that serve the API, and judges the state; whether both heartbeats of a pair were stored. */
export async function sendOppositeHeartbeats(world: World): Promise<boolean> {
  const checks = Array.from({ length: CHECKS }, () =>
    sendPairs({ ...world, random: world.random.split() }),
  );
  return (await Promise.all(checks)).some((hasHit) => hasHit);
}

async function sendPairs({ site, random, findings }: World): Promise<boolean> {
  const { body: made } = await site.insist("POST checks", {
    type: "PUSH",
    label: "opposite heartbeats",
    enabled: true,
    interval: 60,
    sens: 0,
    fields: { one: { name: "load", min: 0, max: 1 } },
  });
  const check = { id: String(made._id), token: String(made.parameters.checktoken) };
  let hasHit = false;
  await site.beat(check, true);
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const isFirstPassing = random.chance(0.5);
    const both = await Promise.all([
      site.beat(check, isFirstPassing),
      sleep(systemClock, APART_MS * random.next()).then(() => site.beat(check, !isFirstPassing)),
    ]);
    if (both.every(({ outcome }) => outcome === "stored")) hasHit = true;
    findings.push(...(await judgeNewest(check.id, site)));
    await sleep(systemClock, BETWEEN_PAIRS_MS);
  }
  await site.insist(`DELETE checks/${check.id}`);
  return hasHit;
}

/** Whether the state of a check is that of its newest stored result, at the latest once all has settled. */
async function judgeNewest(id: string, site: Installation): Promise<readonly Finding[]> {
  const end = systemClock.monotonic() + SETTLES_WITHIN_MS;
  for (;;) {
    const { body: results } = await site.insist(`GET results/${id}?clean=1&limit=1`);
    const { body: check } = await site.insist(`GET checks/${id}`);
    const [newest]: readonly { readonly su: boolean }[] = results;
    const isUp = check.state === 1;
    if (newest?.su === isUp) return [];
    const at = systemClock.monotonic();
    if (at > end) return [{ kind: "false", about: id, at, what: whatDiffers(isUp, newest?.su) }];
    await sleep(systemClock, LOOK_MS);
  }
}

function whatDiffers(isUp: boolean, hasPassed: boolean | undefined): string {
  const newest = hasPassed === undefined ? "is missing" : hasPassed ? "passed" : "failed";
  return `is ${isUp ? "up" : "down"} after opposite heartbeats, and its newest result ${newest}`;
}
