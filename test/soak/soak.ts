import { join } from "node:path";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { noteStalls } from "../chaos/installation.ts";
import { createRandom } from "../chaos/random.ts";
import { turnTargets } from "../chaos/targets.ts";
import type { Interval } from "../chaos/judges/timeline.ts";
import { start, temporaryFolder, type RunningInstallation } from "../e2e/process.ts";
import { smtpPeer } from "../peers/smtp.ts";
import { prepareAttack } from "./prepare-attack.ts";
import type { Attack } from "./attack.ts";
import { createClient, type Client } from "./client.ts";
import type { FloodReport } from "./attacking/floods.ts";
import { readHistories, type StoredTick } from "./histories.ts";
import {
  beatAll,
  makeHonest,
  SENS,
  TIMEOUT_S,
  type Counts,
  type Honest,
  type HonestAccount,
} from "./honest.ts";
import { judgeHauls, type Haul } from "./intrusion.ts";
import type { Finding, Limits } from "./judge-honest.ts";
import { judgeProcess, type ProcessFinding, type ProcessLimits } from "./judge-process.ts";
import { judgeEnd, judgeHonest, alertedOrLate } from "./judge-soak.ts";
import { honestRegions, makeLocations } from "./locations.ts";
import { measure, type Measured } from "./measure.ts";
import { profile } from "./profile.ts";
import { makePrimaryAccounts, type PrimaryAccount } from "./primary-accounts.ts";
import { judgeSignIns, signInAgainAndAgain, type SignInSample } from "./sign-ins.ts";

export interface Soak {
  readonly seed: number;
  readonly counts: Counts;
  readonly attacks: readonly Attack[];
  /** Factor for the numbers of things and the sending rates; 1 is the full attack. */
  readonly scale: number;
  readonly rate: number;
  /** For how long, once all that is attacked with is made. */
  readonly seconds: number;
  /** For how long targets stay as they are. */
  readonly staysS: readonly [number, ...number[]];
  readonly limits: ProcessLimits &
    Pick<Limits, "tickLateMs" | "alertLateMs"> & { readonly signInMs: number };
  /** Additional settings of the program. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where profiles of the main thread go. */
  readonly profile?: string;
  readonly say: (what: string) => void;
}

export interface Report {
  readonly measured: Measured;
  readonly signIns: readonly SignInSample[];
  readonly histories: ReadonlyMap<string, readonly StoredTick[]>;
  readonly honest: Pick<Honest, "checks" | "hooks">;
  readonly floods: readonly FloodReport[];
  readonly hauls: readonly Haul[];
  /** Mails to somebody who asked for none. */
  readonly strangerMails: number;
  /** When the attacks began, and for how long they were judged. */
  readonly began: number;
  readonly seconds: number;
  readonly findings: readonly (Finding | ProcessFinding)[];
}

const MINUTE_MS = 60_000;
/** Each run until its timeout, and a second between two. */
const CONFIRM_MS = (SENS + 1) * (TIMEOUT_S + 1) * 1000;
/** The first runs of all checks, which are at once, are over. */
const QUIET_MS = 3000;

/** Tokens of the hostile account, each with its own rate limit, for creating records in time. */
const HOSTILE_TOKENS = 4;

/** Runs the program with honest accounts, attacks it, and judges what the honest got. It needs a network of its own. */
export async function runSoak(soak: Soak): Promise<Report> {
  const { say } = soak;
  const random = createRandom(soak.seed);
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const mail = stack.use(await smtpPeer());
  const settings = {
    WATCHPOST_DATA: join(folder.path, "data"),
    WATCHPOST_MAIL_FROM: "watch@example.net",
    WATCHPOST_SMTP_URL: mail.url,
    ...soak.settings,
  };
  const [hostile = nobody, victim = nobody, ...others] = await makePrimaryAccounts(
    settings.WATCHPOST_DATA,
    accountsFor(soak.counts),
  );
  const locations = soak.attacks.some(({ needsLocations }) => needsLocations)
    ? stack.use(await makeLocations(settings.WATCHPOST_DATA))
    : undefined;
  const site = stack.use(
    await start(folder.path, { ...settings, ...locations?.settings }, "none of the first account"),
  );
  stack.use(endedWithUs(site));
  const { base } = site;
  const client = stack.use(
    createClient({ base, token: "", localAddress: "127.0.0.1", isKept: true }),
  );
  const accounts = others.map((account, index) => reach(account, { base, index, stack }));
  const [first] = accounts;
  if (first !== undefined) await locations?.begin(first.client);
  const regions = locations === undefined ? ["wlw"] : honestRegions;
  const honest = stack.use(
    await makeHonest(accounts, soak.counts, { random: random.split(), regions }),
  );
  say(`${honest.checks.length} checks of ${soak.counts.accounts} honest accounts`);
  await sleep(systemClock, QUIET_MS);
  const attack = stack.use(
    await prepareAttack({
      ...soak,
      base,
      account: hostile,
      victim,
      locations: locations?.hostile,
      mails: () => mail.mails,
    }),
  );

  const acting = new AbortController();
  const { signal } = acting;
  const blurred: Interval[] = [];
  const switched = honest.checks.filter(({ isSwitched }) => isSwitched);
  const profiling = soak.profile === undefined ? undefined : await profile(site.pid, soak.profile);
  const began = systemClock.monotonic();
  attack.begin();
  say("all attacks have begun");
  const acts = [
    noteStalls({ blurred }, signal),
    beatAll(honest, { random: random.split(), signal }),
    turnTargets(
      switched.flatMap(({ target }) => target ?? []),
      { random: random.split(), signal, staysS: soak.staysS },
    ),
  ];
  const measuring = measure(site, {
    data: settings.WATCHPOST_DATA,
    attackers: attack.pids,
    signal,
  });
  const people = others.map(({ person }) => person);
  const signingIn = signInAgainAndAgain({ base, people }, signal);
  const intruding = attack.intrude(signal);
  const ended = await Promise.race([site.ended, sleep(systemClock, 1000 * soak.seconds)]);
  const until = systemClock.monotonic();
  acting.abort();
  const [measured, signIns, hauls] = await Promise.all([measuring, signingIn, intruding, ...acts]);
  say("the time is over");
  if (ended === undefined) await profiling?.save();
  const reports = await attack.end();
  const limits = { ...soak.limits, intervalMs: MINUTE_MS, confirmMs: CONFIRM_MS };
  const alive = ended === undefined;
  const readAt = systemClock.monotonic();
  const histories = alive ? await readHistories(honest) : new Map();
  const story = { honest, histories, began, until, readAt, blurred };
  await alertedOrLate(story, limits);
  return {
    measured,
    signIns,
    histories,
    honest,
    floods: reports,
    hauls,
    strangerMails: mail.mails.filter(({ to }) => to.includes("stranger@example.org")).length,
    began,
    seconds: Math.round((until - began) / 1000),
    findings: [
      ...judgeProcess(measured, limits),
      ...judgeHauls(hauls),
      ...judgeSignIns(signIns, limits.signInMs),
      ...(await judgeEnd(site, { client, ended })),
      ...(alive ? judgeHonest(story, limits) : []),
    ],
  };
}

const unknown = { mailbox: "", password: "" };
const nobody: PrimaryAccount = { id: "", tokens: [], person: unknown, viewer: unknown };

/** The hostile one, the one that attackers reach in part, and the honest. */
function accountsFor({ accounts }: Counts): Parameters<typeof makePrimaryAccounts>[1] {
  return [
    { name: "Hostile", tokens: HOSTILE_TOKENS },
    { name: "Victim", tokens: 1 },
    ...Array.from({ length: accounts }, (_, number) => ({ name: `Honest ${number}`, tokens: 1 })),
  ];
}

function reach(
  { id, tokens: [token = ""] }: PrimaryAccount,
  {
    base,
    index,
    stack,
  }: { readonly base: string; readonly index: number; readonly stack: AsyncDisposableStack },
): HonestAccount {
  const localAddress = `127.1.0.${index + 1}`;
  const use = (given: string, isKept: boolean): Client =>
    stack.use(createClient({ base, token: given, localAddress, isKept }));
  return { id, client: use(token, true), sender: use("", false) };
}

/** If this process ends, the program must not continue under attack. */
function endedWithUs(site: RunningInstallation): Disposable {
  const end = (): void => {
    void site[Symbol.asyncDispose]();
    process.exit(1);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, end);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, end);
    },
  };
}
