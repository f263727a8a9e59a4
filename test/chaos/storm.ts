import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { temporaryFolder } from "../e2e/process.ts";
import { ownDisk, steppedClock } from "../e2e/trouble.ts";
import {
  makeChangedAccount,
  makeChecks,
  type ChangedAccount,
  type Counts,
  type StormCheck,
} from "./accounts.ts";
import { settledAlertsIn, type Row } from "./alert-rows.ts";
import { beat, keepAlive, observe } from "./beating.ts";
import { makeChanges } from "./changes.ts";
import { historiesOf } from "./history.ts";
import { hookServer } from "./hooks.ts";
import { install, noteStalls } from "./installation.ts";
import { judgeAccount, judgeStates } from "./judges/judge-storm.ts";
import { verdictKinds, type Finding, type VerdictKind } from "./judges/judge-states.ts";
import { judgePlain } from "./judges/judge-plain.ts";
import type { Caused } from "./judges/never-caused.ts";
import { createRandom, shuffled, type Random } from "./random.ts";
import { hookReceiver, mailReceiver } from "./receivers.ts";
import { judgeReadiness, plainAccount, putRight } from "./scene.ts";
import { stormResolver } from "./storm-resolver.ts";
import { createTargets, turnTargets } from "./targets.ts";
import { besideOthers, cause, revive, type Troubled, type TroubleKind } from "./troubles.ts";
import type { Tally } from "./judges/verify-alerts.ts";

export interface Storm {
  readonly seed: number;
  /** Checks whose receivers misbehave, and which nobody changes. */
  readonly plain: Counts;
  /** Checks of each account that is changed while it is in use. */
  readonly changed: Counts;
  readonly accounts: number;
  /** Whether some are alerted a minute later, before which nothing is settled. */
  readonly hasDelays: boolean;
  /** Seconds with each trouble, followed by seconds without. */
  readonly cycles: number;
  readonly stormySeconds: number;
  readonly calmSeconds: number;
  readonly kinds: readonly [TroubleKind, ...TroubleKind[]];
  /** How long the longest of them lasts. */
  readonly longestSeconds: number;
  /** How long alerts may wait at the end. */
  readonly settleSeconds: number;
  /** Receives how far it is. */
  readonly say?: ((what: string) => void) | undefined;
  /** Where to keep what the processes logged. */
  readonly log?: string | undefined;
}

export interface Report extends Omit<Tally, "flips"> {
  readonly flips: number;
  readonly beats: number;
  /** Heartbeats that were not accepted, because the process was down or nothing could be stored. */
  readonly refusedBeats: number;
  /** Mails with several alerts. */
  readonly joint: number;
  /** Reminders that arrived. */
  readonly reminders: number;
  readonly acknowledgements: number;
  readonly troubles: number;
  readonly caused: readonly Caused<TroubleKind>[];
  readonly seconds: number;
  readonly findings: ReadonlyMap<VerdictKind, number>;
  /** Errors, with the history of each check concerned. */
  readonly histories: readonly string[];
}

const HERE = "127.0.0.1";
const DISK_MB = 256;
/** Enough for all that is stored while the disk is full. */
const RESERVE_MB = 16;
const MAX_LULL_MS = 8000;
const ROUGH_CHANGES_MS = 15_000;

/** Causes troubles while checks flip and change; then ends them and compares the alerts with its own record of the truth. Requires its own mounts. */
export async function runStorm(storm: Storm): Promise<Report> {
  const { say = () => {} } = storm;
  const random = createRandom(storm.seed);
  const began = systemClock.monotonic();
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const disk = stack.use(await ownDisk(DISK_MB));
  const clock = stack.use(await steppedClock());
  const mail = stack.use(await mailReceiver(random.split()));
  const hook = stack.use(await hookReceiver(random.split()));
  const wellBehaved = stack.use(await hookServer(random.split()));
  const misbehaving = stack.use(await hookServer(random.split()));
  const resolver = stack.use(await stormResolver(HERE));
  const targets = stack.use(await createTargets(random.split(), resolver.name, HERE));
  const data = join(disk.path, "data");
  const site = stack.use(
    await install(folder.path, {
      WATCHPOST_DATA: data,
      WATCHPOST_OWNER_EMAIL: "owner@example.net",
      WATCHPOST_MAIL_FROM: "watch@example.net",
      WATCHPOST_SMTP_URL: mail.url,
      WATCHPOST_TOKEN_RATE: "0",
      WATCHPOST_ADDRESS_RATE: "0",
      WATCHPOST_DISK_RESERVE_MB: String(RESERVE_MB),
      ...(storm.kinds.some(isClock) ? clock.environment : {}),
    }),
  );
  stack.defer(() => {
    if (storm.log !== undefined) writeFileSync(storm.log, site.log());
  });
  const world = { site, targets, random: random.split() };
  const primary = await plainAccount(site, hook.url);
  const plain = await makeChecks(world, { ...primary, counts: storm.plain });
  const accounts: ChangedAccount[] = [];
  for (let index = 0; index < storm.accounts; index += 1)
    accounts.push(
      await makeChangedAccount(world, {
        ...storm,
        index,
        counts: storm.changed,
        wellBehaved,
        misbehaving,
      }),
    );
  const all: readonly StormCheck[] = [...plain, ...accounts.flatMap(({ checks }) => checks)];
  const observed = [
    { account: primary.account, checks: plain },
    ...accounts.map(({ id, checks }) => ({ account: id, checks })),
  ];

  const stormy = new AbortController();
  const observing = new AbortController();
  const { signal } = stormy;
  const switched = all.flatMap(({ target }) => target ?? []);
  const watching = [
    observe(observed, { site, signal: observing.signal }),
    noteStalls(site, observing.signal),
  ];
  const acting = [
    misbehave([mail, hook], { random: random.split(), signal, maxMs: 500 }),
    misbehave([misbehaving], { random: random.split(), signal, maxMs: ROUGH_CHANGES_MS }),
    turnTargets(switched, { random: random.split(), signal }),
    beat(all, { site, random: random.split(), signal }),
    ...accounts.map((account) =>
      makeChanges({ account, random: random.split(), mails: mail.mails }, signal),
    ),
  ];
  const findings: Finding[] = [];
  say(`${all.length} checks`);
  const troubled = {
    site,
    disk,
    clock,
    resolver,
    receiver: wellBehaved,
    data,
    findings,
    random: random.split(),
    maxMs: storm.longestSeconds * 1000,
  };
  const caused = await causeTroubles(storm, troubled);
  await revive(troubled);
  say(`${caused.length} troubles are over`);
  stormy.abort();
  await Promise.all(acting);

  const staying = keepAlive(all, { site, signal: observing.signal });
  findings.push(...(await putRight({ site, all, observed })));
  say("all is put right");
  const rows = await settledAlertsIn(data, 1000 * storm.settleSeconds);
  observing.abort();
  await Promise.all([...watching, staying]);
  findings.push(...(await judgeReadiness(site)));
  const judged = await judgePlain({
    site,
    checks: plain,
    rows,
    mail,
    hook,
    mayForget: storm.kinds.some((kind) => kind === "killWhileFull" || kind === "lostFiles"),
    results: { hasOrder: !storm.kinds.some(isClock), ahead: site.ahead },
  });
  findings.push(
    ...judged.findings,
    ...plain.flatMap((check) => judgeStates(check, { inactive: [], edited: [] }, site)),
    ...accounts.flatMap((account) => judgeAccount(account, rows, site)),
  );
  const beats = all.flatMap((check) => check.beats);
  return {
    ...judged.tally,
    flips: new Set(rows.map(({ flip }) => flip)).size,
    beats: beats.filter(({ outcome }) => outcome === "stored").length,
    refusedBeats: beats.filter(({ outcome }) => outcome !== "stored").length,
    joint: judged.joint,
    reminders: countOfKind(rows, "reminder"),
    acknowledgements: countOfKind(rows, "acknowledged"),
    troubles: caused.length,
    caused,
    seconds: Math.round((systemClock.monotonic() - began) / 1000),
    findings: countOf(findings),
    histories: historiesOf(findings, { accounts, plain, around: site, began }),
  };
}

const isClock = (kind: TroubleKind): boolean => kind === "clockAhead" || kind === "clockBack";

function countOfKind(rows: readonly Row[], kind: Row["type"]): number {
  return rows.filter(({ type, status }) => type === kind && status === "delivered").length;
}

function countOf(findings: readonly Finding[]): Report["findings"] {
  const counts = verdictKinds.map((wanted): readonly [VerdictKind, number] => [
    wanted,
    findings.filter(({ kind }) => kind === wanted).length,
  ]);
  return new Map(counts);
}

/** Causes each kind equally often, in sequence; some last beyond the start of the next. */
async function causeTroubles(
  storm: Storm,
  world: Troubled,
): Promise<readonly Caused<TroubleKind>[]> {
  const bag: TroubleKind[] = [];
  const caused: Caused<TroubleKind>[] = [];
  const beside = new Map<TroubleKind, Promise<void>>();
  const note = async (kind: TroubleKind): Promise<void> =>
    void caused.push(await cause(kind, world));
  for (let cycle = 0; cycle < storm.cycles; cycle += 1) {
    const end = systemClock.monotonic() + 1000 * storm.stormySeconds;
    while (systemClock.monotonic() < end) {
      await sleep(systemClock, MAX_LULL_MS * world.random.next());
      if (bag.length === 0) bag.push(...shuffled(world.random, storm.kinds));
      const kind = bag.pop();
      await revive(world);
      if (kind === undefined || beside.has(kind)) continue;
      const noted = note(kind);
      if (!besideOthers.has(kind)) await noted;
      else
        beside.set(
          kind,
          noted.finally(() => beside.delete(kind)),
        );
    }
    await sleep(systemClock, 1000 * storm.calmSeconds);
  }
  await Promise.all(beside.values());
  return caused;
}

interface Misbehaving {
  readonly misbehave: () => void;
  readonly behave: () => void;
}

async function misbehave(
  receivers: readonly Misbehaving[],
  {
    random,
    signal,
    maxMs,
  }: { readonly random: Random; readonly signal: AbortSignal; readonly maxMs: number },
): Promise<void> {
  while (!signal.aborted) {
    for (const receiver of receivers) receiver.misbehave();
    await sleep(systemClock, maxMs * (0.2 + 0.8 * random.next()), signal);
  }
  for (const receiver of receivers) receiver.behave();
}
