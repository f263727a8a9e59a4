import { sleep, systemClock } from "../../src/kit/clock.ts";
import { join } from "node:path";

import { noteStalls } from "../chaos/installation.ts";
import { createRandom } from "../chaos/random.ts";
import { turnTargets } from "../chaos/targets.ts";
import type { Interval } from "../chaos/timeline.ts";
import { root, run, start, temporaryFolder } from "../e2e/process.ts";
import type { RunningInstallation } from "../e2e/process.ts";
import { smtpPeer } from "../peers/smtp.ts";
import { attackingProcess } from "./attacking-process.ts";
import type { Attack } from "./attack.ts";
import { createClient } from "./client.ts";
import type { Client } from "./client.ts";
import { atRate } from "./floods.ts";
import type { FloodReport } from "./floods.ts";
import { readHistories } from "./histories.ts";
import type { StoredTick } from "./histories.ts";
import { addAccount, beatAll, makeHonest, SENS, TIMEOUT_S } from "./honest.ts";
import type { Counts, Honest } from "./honest.ts";
import { judgeAlerts, judgeHeartbeats, judgeTicks } from "./judge-honest.ts";
import type { Finding, Limits } from "./judge-honest.ts";
import { judgeProcess } from "./judge-process.ts";
import type { ProcessFinding, ProcessLimits } from "./judge-process.ts";
import { measure } from "./measure.ts";
import type { Measured } from "./measure.ts";

export interface Soak {
  readonly seed: number;
  readonly counts: Counts;
  readonly attacks: readonly Attack[];
  /** Of the numbers of things, and of how much is sent in a second; 1 is the whole of each attack. */
  readonly scale: number;
  readonly rate: number;
  /** For how long, once all attacks have begun. */
  readonly seconds: number;
  /** For how long targets stay as they are. */
  readonly staysS: readonly [number, ...number[]];
  readonly limits: ProcessLimits & Pick<Limits, "tickLateMs" | "alertLateMs">;
  /** Of the program, beside those that the soak needs. */
  readonly settings: Readonly<Record<string, string>>;
  readonly say: (what: string) => void;
}

export interface Report {
  readonly measured: Measured;
  readonly histories: ReadonlyMap<string, readonly StoredTick[]>;
  readonly honest: Pick<Honest, "checks" | "hooks">;
  readonly floods: readonly FloodReport[];
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

/** Runs the program with honest accounts, attacks it, and judges what the honest got. It needs a network of its own. */
export async function runSoak(soak: Soak): Promise<Report> {
  const { say } = soak;
  const random = createRandom(soak.seed);
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const mail = stack.use(await smtpPeer());
  const settings = {
    WATCHPOST_DATA: join(folder.path, "data"),
    WATCHPOST_OWNER_EMAIL: "owner@example.net",
    WATCHPOST_MAIL_FROM: "watch@example.net",
    WATCHPOST_SMTP_URL: mail.url,
    ...soak.settings,
  };
  const site = stack.use(await start(folder.path, settings));
  stack.use(endedWithUs(site));
  const { base } = site;
  const hostileToken = await createToken(folder.path, settings);
  const local = { base, token: site.token, localAddress: "127.0.0.1" };
  const client = stack.use(createClient({ ...local, isKept: true }));
  const honest = stack.use(await makeHonest(client, soak.counts, random.split()));
  say(`${honest.checks.length} checks of ${soak.counts.accounts} honest accounts`);
  await sleep(systemClock, QUIET_MS);

  const targets = stack.use(attackingProcess());
  const floods = stack.use(attackingProcess());
  const hostile = stack.use(
    createClient({ base, token: hostileToken, localAddress: "127.0.2.1", isKept: true }),
  );
  const attacker = {
    client: hostile,
    token: hostileToken,
    account: await addAccount(hostile, "Hostile"),
    targets: await targets.listen(),
    port: Number(new URL(base).port),
    scale: soak.scale,
    say,
  };
  const acting = new AbortController();
  const { signal } = acting;
  const blurred: Interval[] = [];
  const switched = honest.checks.filter(({ isSwitched }) => isSwitched);
  // One connection a heartbeat, as senders do.
  const sender = stack.use(createClient({ ...local, token: "", isKept: false }));
  const acts = [
    noteStalls({ blurred }, signal),
    beatAll(honest, { client: sender, random: random.split(), signal }),
    turnTargets(
      switched.flatMap(({ target }) => target ?? []),
      { random: random.split(), signal, staysS: soak.staysS },
    ),
  ];
  const measuring = measure(site, { data: settings.WATCHPOST_DATA, signal });
  const began = systemClock.monotonic();
  const beginning = soak.attacks.map(async ({ name, what, begin }) => {
    const orders = await begin(attacker);
    floods.flood(
      orders.map((order) => atRate(order, soak.rate)),
      attacker.port,
    );
    say(`${name}: ${what}`);
  });
  await Promise.all(beginning);
  say("all attacks have begun");
  const ended = await Promise.race([site.ended, sleep(systemClock, 1000 * soak.seconds)]);
  const until = systemClock.monotonic();
  acting.abort();
  const [measured] = await Promise.all([measuring, ...acts]);
  say("the time is over");
  const reports = await floods.stop();
  const limits = { ...soak.limits, intervalMs: MINUTE_MS, confirmMs: CONFIRM_MS };
  const alive = ended === undefined;
  const readAt = systemClock.monotonic();
  const histories = alive ? await readHistories(client, honest.checks) : new Map();
  const story = { honest, histories, began, until, readAt, blurred };
  await toldOrLate(story, limits);
  return {
    measured,
    histories,
    honest,
    floods: reports,
    strangerMails: mail.mails.filter(({ to }) => to.includes("stranger@example.org")).length,
    began,
    seconds: Math.round((until - began) / 1000),
    findings: [
      ...judgeProcess(measured, limits),
      ...(await judgeEnd(site, { client, ended })),
      ...(alive ? judgeHonest(story, limits) : []),
    ],
  };
}

/** Where this process is ended, the program must not go on under attack. */
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

async function createToken(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const main = join(root, "src/main.ts");
  await using program = run(folder, settings, [process.execPath, main, "token", "create"]);
  await program.ended;
  return program.output().trim();
}

interface Story {
  readonly honest: Pick<Honest, "checks" | "hooks">;
  readonly histories: ReadonlyMap<string, readonly StoredTick[]>;
  /** When the attacks began and ended, and when the histories were read. */
  readonly began: number;
  readonly until: number;
  readonly readAt: number;
  readonly blurred: readonly Interval[];
}

function judgeHonest(story: Story, limits: Limits): readonly Finding[] {
  const { honest, histories, began: since, until, blurred } = story;
  const states = honest.checks.flatMap(({ id: about, target, beats }) => {
    const ticks = histories.get(about) ?? [];
    return target === undefined
      ? judgeHeartbeats({ about, ticks, beats })
      : judgeTicks({ about, ticks, since, until, truths: target.truths, blurred }, limits);
  });
  return [...states, ...judgeTold(story, limits)];
}

function judgeTold(
  { honest: { checks, hooks }, histories, began: since, readAt }: Story,
  limits: Limits,
): readonly Finding[] {
  return checks
    .filter(({ path }) => path !== "")
    .flatMap(({ id: about, path }) => {
      const ticks = histories.get(about) ?? [];
      const known = new Set(ticks.map(({ id }) => id));
      const receipts = hooks
        .receipts(path)
        .filter(({ at, result }) => at <= readAt || known.has(result));
      return judgeAlerts({ about, ticks, since, receipts }, limits);
    });
}

const LOOK_MS = 100;

/** Waits until all that changed is told, for as long as that may take. */
async function toldOrLate(story: Story, limits: Limits): Promise<void> {
  const end = story.readAt + limits.alertLateMs;
  const isOpen = (): boolean => judgeTold(story, limits).some(({ harm }) => harm === "lostAlert");
  while (systemClock.monotonic() < end && isOpen()) await sleep(systemClock, LOOK_MS);
}

/** Whether the process that began is the one that answers, and is ready. */
async function judgeEnd(
  site: RunningInstallation,
  { client, ended }: { readonly client: Client; readonly ended: number | string | void },
): Promise<readonly ProcessFinding[]> {
  const about = "the process";
  if (ended !== undefined)
    return [{ harm: "ended", about, what: `${ended}: ${site.log().slice(-2000)}` }];
  const { status, body } = await client.send({ path: "/readyz" });
  return status === 200 ? [] : [{ harm: "unready", about, what: `${status} ${body}` }];
}
