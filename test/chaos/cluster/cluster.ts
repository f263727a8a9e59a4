import { writeFileSync } from "node:fs";

import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { makeChangedAccount, makeChecks, type StormCheck } from "../accounts.ts";
import { settledAlerts } from "../alert-rows.ts";
import { beat, keepAlive, observe } from "../beating.ts";
import { makeChanges } from "../changes.ts";
import { historiesOf } from "../history.ts";
import { hookServer } from "../hooks.ts";
import { installationAt, noteStalls, type Installation } from "../installation.ts";
import { judgeAccount, judgeStates } from "../judges/judge-storm.ts";
import type { Finding } from "../judges/judge-states.ts";
import { judgeKept, judgePlain } from "../judges/judge-plain.ts";
import { createRandom, shuffled } from "../random.ts";
import { hookReceiver, mailReceiver } from "../receivers.ts";
import { plainAccount, putRight } from "../scene.ts";
import { waitFor } from "../../time/wait-for.ts";
import { within } from "../../time/within.ts";
import { stormResolver } from "../storm-resolver.ts";
import { createTargets, turnTargets } from "../targets.ts";
import { QUICK_INTERVAL_MINUTES } from "./aimed-troubles.ts";
import {
  causeInCluster,
  judgeHits,
  whatIsMissing,
  type ClusterTroubleKind,
  type ClusterWorld,
  type TroubleReport,
} from "./cluster-troubles.ts";
import { permittedLocations, startFleet, type Fleet, type Layout } from "./fleet.ts";
import type { Database } from "./servers.ts";
import { judgeForeign, sentBy } from "./judge-foreign.ts";
import { handoversIn, judgeShards, type Handover, type ShardSample } from "./judge-shards.ts";
import type { TickTally } from "./judge-ticks.ts";
import {
  detectionsOf,
  judgeAllTicks,
  restartsIn,
  sampleShards,
  deliveryTimes,
} from "./measures.ts";
import { ownNetwork, places } from "./network.ts";
import { API_PORT } from "./processes.ts";

export interface ClusterStorm {
  readonly seed: number;
  readonly layout: Layout;
  /** Kinds in one entry start together. */
  readonly kinds: readonly (readonly ClusterTroubleKind[])[];
  /** Runs each entry once, then repeats for this time. */
  readonly seconds: number;
  /** Between two troubles, by half more or less. */
  readonly lullMs: number;
  readonly counts: { readonly push: number; readonly stale: number; readonly probed: number };
  readonly settleSeconds: number;
  readonly say?: ((what: string) => void) | undefined;
  readonly log?: string | undefined;
}

export interface ClusterReport {
  readonly troubles: readonly TroubleReport[];
  readonly findings: readonly Finding[];
  readonly histories: readonly string[];
  readonly handovers: readonly Handover[];
  readonly ticks: TickTally;
  readonly beats: number;
  readonly refusedBeats: number;
  readonly delivered: number;
  readonly duplicates: number;
  readonly flips: number;
  /** From when a target went down until the API said so. */
  readonly detectedMs: readonly number[];
  /** From the flip until its alert was taken. */
  readonly deliveredMs: readonly number[];
  readonly steady: number;
  /** Number of messages from hostile probes. */
  readonly foreignMessages: number;
}

const REQUEST_MS = 5000;
/** Another interval than before, so that the check runs at once. */
const PUT_RIGHT_MINUTES = 2;
/** A take-over, a retry of a tick and a location that is gone may come together. */
const LATE_MS = 45_000;
/** A notifier that died keeps its claims for 90 s. */
const DELIVERED_WITHIN_MS = 115_000;
/** A controller has few of the checks: where most of them are silent each is judged again half a minute later. */
const STALE_WITHIN_MS = 50_000;
/** A request is tried for five minutes at most. */
const ENDS_WITHIN_MS = 6 * 60_000;
const STAYS_S: readonly [number, ...number[]] = [4, 20, 40, 60];
/** Every third of the checked targets stays up. */
const STEADY_EVERY = 3;

/** Two of each role, and what they work on. The controllers have a location of their own, which needs no broker. */
export const wholeCluster: Pick<ClusterStorm, "layout" | "counts" | "lullMs"> = {
  layout: {
    api1: ["api"],
    api2: ["api"],
    control1: ["controller", "probe"],
    control2: ["controller", "probe"],
    notify1: ["notifier"],
    notify2: ["notifier"],
  },
  counts: { push: 12, stale: 3, probed: 12 },
  lullMs: 5000,
};

/** Kills, stops and cuts off processes, servers and links in turn while targets flip; then judges what was alerted and stored. It needs a network and mounts of its own. */
export async function runCluster(storm: ClusterStorm): Promise<ClusterReport> {
  const { say = () => {} } = storm;
  const random = createRandom(storm.seed);
  const began = systemClock.monotonic();
  await using stack = new AsyncDisposableStack();
  const network = await ownNetwork();
  const mail = stack.use(await mailReceiver(random.split(), places.web));
  const hook = stack.use(await hookReceiver(random.split(), places.web));
  const changedHook = stack.use(await hookServer(random.split(), places.web));
  const resolver = stack.use(await stormResolver(places.web));
  const targets = stack.use(await createTargets(random.split(), resolver.name, places.web));
  const fleet = stack.use(
    await startFleet(network, storm.layout, {
      WATCHPOST_OWNER_EMAIL: "owner@example.net",
      WATCHPOST_MAIL_FROM: "watch@example.net",
      WATCHPOST_SMTP_URL: mail.url,
      WATCHPOST_TOKEN_RATE: "0",
      WATCHPOST_ADDRESS_RATE: "0",
    }),
  );
  const site = clientsOf(fleet);
  const findings: Finding[] = [];
  await waitFor("all are there", async () => (await whatIsMissing(fleet, site)) === undefined);
  say(`${fleet.services.length + fleet.probes.length} processes are there`);
  const world = { site, targets, random: random.split() };
  const primary = await plainAccount(site, hook.url);
  const { counts } = storm;
  const made = await makeChecks(world, { ...primary, counts });
  const plain = await quicken(made, { site, database: fleet.database });
  const changed = await makeChangedAccount(world, {
    index: 0,
    counts: { ...counts, push: 4, stale: 1, probed: 3 },
    hasDelays: false,
    wellBehaved: changedHook,
    misbehaving: changedHook,
  });
  const all: readonly StormCheck[] = [...plain, ...changed.checks];
  const observed = [
    { account: primary.account, checks: plain },
    { account: changed.id, checks: changed.checks },
  ];
  const stormy = new AbortController();
  const observing = new AbortController();
  const { signal } = stormy;
  const looked = all.flatMap(({ target }) => target ?? []);
  const steady = looked.filter((_, index) => index % STEADY_EVERY === 0);
  const samples: ShardSample[] = [];
  const watching = [
    observe(observed, { site, signal: observing.signal }),
    noteStalls(site, observing.signal),
    sampleShards(fleet.database, samples, observing.signal),
  ];
  const turned = looked.filter((target) => !steady.includes(target));
  const acting = [
    turnTargets(turned, { random: random.split(), signal, staysS: STAYS_S }),
    beat(all, { site, random: random.split(), signal }),
    makeChanges({ account: changed, random: random.split(), mails: mail.mails }, signal),
  ];
  const quickSince = systemClock.now();
  say(`${all.length} checks are there`);
  const troubled = { fleet, site, targets, resolver, primary, findings, random: random.split() };
  const troubles = await causeAll(storm, troubled);
  stormy.abort();
  await within(ENDS_WITHIN_MS, "the last heartbeats and changes are answered", Promise.all(acting));

  // A change of the interval has a check run at once; those that nobody changes run four times a minute.
  for (const { id, target } of changed.checks)
    if (target !== undefined)
      await site.insist(`PUT checks/${id}`, {
        customerid: changed.id,
        interval: PUT_RIGHT_MINUTES,
      });
  const staying = keepAlive(all, { site, signal: observing.signal });
  findings.push(...(await putRight({ site, all, observed })));
  say("all is put right");
  const rows = await settledAlerts(fleet.database.query, 1000 * storm.settleSeconds);
  observing.abort();
  await within(ENDS_WITHIN_MS, "the last looks are answered", Promise.all([...watching, staying]));
  const judged = await judgePlain({
    site,
    checks: plain,
    rows,
    mail,
    hook,
    mayForget: false,
    results: { hasOrder: true, ahead: [] },
  });
  const ticks = await judgeAllTicks(plain, quickSince, fleet.database);
  const handovers = handoversIn(samples, site.lost);
  const around = { ...site, restarts: fleet.services.flatMap(({ log }) => restartsIn(log())) };
  findings.push(
    ...judged.findings,
    ...plain.flatMap((check) => judgeStates(check, { inactive: [], edited: [] }, around)),
    ...judgeAccount(changed, rows, around),
    ...(await judgeKept(changed.checks, { site, account: changed.id })),
    ...ticks.findings,
    ...judgeHits(troubles),
    ...judgeShards(samples, handovers),
    ...judgeForeign(fleet.foreign, {
      live: regionsOf((await site.insist("GET info/probe")).body),
      known: permittedLocations,
    }),
  );
  if (storm.log !== undefined) writeFileSync(storm.log, logOf(fleet));
  const beats = all.flatMap((check) => check.beats);
  return {
    troubles,
    findings,
    histories: historiesOf(findings, { accounts: [changed], plain, around: site, began }),
    handovers,
    ticks: ticks.tally,
    beats: beats.filter(({ outcome }) => outcome === "stored").length,
    refusedBeats: beats.filter(({ outcome }) => outcome !== "stored").length,
    delivered: judged.tally.delivered,
    duplicates: judged.tally.duplicates,
    flips: new Set(rows.map(({ flip }) => flip)).size,
    detectedMs: plain.flatMap(detectionsOf),
    deliveredMs: await deliveryTimes(fleet.database),
    steady: steady.length,
    foreignMessages: sentBy(fleet.foreign),
  };
}

async function quicken(
  checks: readonly StormCheck[],
  { site, database }: { readonly site: Installation; readonly database: Database },
): Promise<readonly StormCheck[]> {
  return Promise.all(
    checks.map(async (check) => {
      if (check.target === undefined) return check;
      await database.query(
        `update checks set interval_minutes = ${QUICK_INTERVAL_MINUTES}, run_revision = run_revision + 1 where id = '${check.id}'`,
      );
      // The controller that runs it reads it again.
      await site.insist(`PUT checks/${check.id}`, { description: "four times a minute" });
      return { ...check, intervalMinutes: QUICK_INTERVAL_MINUTES };
    }),
  );
}

/** Asks the processes that serve the API in turn. */
function clientsOf({ withRole, token }: Fleet): Installation {
  const apis = withRole("api");
  let turn = 0;
  const base = (): string => {
    turn += 1;
    return `http://${apis[turn % apis.length]?.machine.addresses.web}:${API_PORT}`;
  };
  const clients = installationAt(base, { token, requestMs: REQUEST_MS });
  const bounds = {
    lateMs: LATE_MS,
    deliveredWithinMs: DELIVERED_WITHIN_MS,
    staleWithinMs: STALE_WITHIN_MS,
  };
  return { ...clients, ...bounds };
}

async function causeAll(
  { kinds, seconds, lullMs, say = () => {} }: ClusterStorm,
  world: ClusterWorld,
): Promise<readonly TroubleReport[]> {
  const reports: TroubleReport[] = [];
  const end = systemClock.monotonic() + 1000 * seconds;
  const bag: (readonly ClusterTroubleKind[])[] = [];
  for (let turn = 0; turn < kinds.length || systemClock.monotonic() < end; turn += 1) {
    if (bag.length === 0) bag.push(...shuffled(world.random, kinds));
    const atOnce = bag.pop() ?? [];
    await sleep(systemClock, lullMs * (0.5 + world.random.next()));
    const caused = await Promise.all(atOnce.map((kind) => causeInCluster(kind, world)));
    for (const { kind, lastedMs, wholeAfterMs } of caused)
      say(`${kind}: ${Math.round(lastedMs)} ms, whole ${Math.round(wholeAfterMs)} ms later`);
    reports.push(...caused);
  }
  return reports;
}

/** Returns the locations as the API shows them. */
function regionsOf(
  shown: Readonly<Record<string, { readonly region: string }>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(shown).map(([code, { region }]) => [code, region]));
}

function logOf({ services, probes, foreign }: Fleet): string {
  const logs = [...services, ...probes].map(({ name, log }) => `== ${name}\n${log()}`);
  return [...logs, ...foreign.map(({ output }) => `== foreign\n${output()}`)].join("\n");
}
