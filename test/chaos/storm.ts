import { execFileSync } from "node:child_process";
import { mkdirSync, openSync, rmSync, writeSync, closeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { codeOf } from "../../src/kit/errors.ts";
import { start, temporaryFolder } from "../e2e/process.ts";
import type { CheckRecord, RunningInstallation } from "../e2e/process.ts";
import { createRandom } from "./random.ts";
import type { Random } from "./random.ts";
import { verifyMessages, verifyAlerts, kinds, statuses } from "./verify-alerts.ts";
import type { AlertRow, Kind, Tally } from "./verify-alerts.ts";
import { hookReceiver, mailReceiver } from "./receivers.ts";
import type { Receiver } from "./receivers.ts";

export interface Storm {
  readonly seed: number;
  readonly checks: number;
  /** Heartbeats to each check, no faster than the intake takes them. */
  readonly beats: number;
  readonly kills: number;
  /** How often the disk fills. */
  readonly floods: number;
}

export interface Report extends Tally {
  readonly beats: number;
  /** Heartbeats that were not accepted, because the process was down or nothing could be stored. */
  readonly refusedBeats: number;
  /** Mails with several alerts. */
  readonly joint: number;
  readonly seconds: number;
}

/** The log of a busy database grows by tens of MB between two rounds of housekeeping. */
const DISK_MB = 256;
const FLOOD_MS = 1500;
const SETTLED_WITHIN_MS = 20 * 60_000;
/** The intake takes five in any minute. */
const BEAT_EVERY_MS = 12_500;

/** Sends heartbeats while the process is killed, the disk fills and the receivers misbehave; then all are well, and the alerts are compared with the results. It needs mounts of its own. */
export async function runStorm(storm: Storm): Promise<Report> {
  const { seed, kills, floods } = storm;
  const random = createRandom(seed);
  const began = systemClock.monotonic();
  await using folder = await temporaryFolder();
  const disk = join(folder.path, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", disk]);
  using _disk = { [Symbol.dispose]: () => execFileSync("umount", ["--lazy", disk]) };
  await using mail = await mailReceiver(random.split());
  await using hook = await hookReceiver(random.split());
  const settings = {
    WATCHPOST_DATA: join(disk, "data"),
    WATCHPOST_OWNER_EMAIL: "owner@example.net",
    WATCHPOST_MAIL_FROM: "watch@example.net",
    WATCHPOST_SMTP_URL: mail.url,
    WATCHPOST_TOKEN_RATE: "0",
    WATCHPOST_ADDRESS_RATE: "0",
  };
  let site = await start(folder.path, settings);
  const { token } = site;
  await using _process = { [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
  const checks = await makeChecks(site, { count: storm.checks, hook });

  const wellBehaved = new AbortController();
  const misbehaving = misbehave([mail, hook], {
    random: random.split(),
    signal: wellBehaved.signal,
  });
  const breaking = async (): Promise<void> => {
    const events = shuffled(random.split(), [
      ...Array.from({ length: kills }, () => "kill" as const),
      ...Array.from({ length: floods }, () => "flood" as const),
    ]);
    const pause = (storm.beats * BEAT_EVERY_MS) / (events.length + 1);
    for (const event of events) {
      await sleep(systemClock, pause);
      if (event === "flood") await flood(disk);
      else {
        await site.kill("SIGKILL");
        site = await start(folder.path, settings, token);
      }
    }
  };
  const beating = beat(() => site, { checks, beats: storm.beats, random: random.split() });
  const [acknowledged] = await Promise.all([beating, breaking()]);
  wellBehaved.abort();
  await misbehaving;

  const rows = await settledAlerts(join(disk, "data"));
  const tallies: Tally[] = [];
  for (const check of checks) {
    const results: readonly { readonly su: boolean }[] = await site.api(
      `GET results/${check._id}?clean=1&limit=1000`,
    );
    const passed = results.map(({ su }) => su).toReversed();
    assertKept(check, acknowledged.get(check._id) ?? [], passed);
    for (const [isHook, { received, refused, unsure }] of [
      [false, mail],
      [true, hook],
    ] as const) {
      const alerts = rows.filter((row) => row.check === check._id && row.isHook === isHook);
      const name = `seed ${seed}, ${check._id} by ${isHook ? "webhook" : "mail"}`;
      const history = {
        name,
        results: passed,
        alerts,
        received: received(),
        refused: refused(alerts),
        unsure: unsure(),
      };
      tallies.push(verifyAlerts(history));
    }
  }
  verifyMessages(hook.messages());
  const { joint } = verifyMessages(mail.messages());
  const sum = (key: keyof Tally): number => tallies.reduce((all, tally) => all + tally[key], 0);
  const kept = [...acknowledged.values()].reduce((all, beats) => all + beats.length, 0);
  return {
    flips: sum("flips") / 2,
    delivered: sum("delivered"),
    duplicates: sum("duplicates"),
    cancelled: sum("cancelled"),
    failed: sum("failed"),
    beats: kept,
    joint,
    refusedBeats: storm.checks * storm.beats - kept,
    seconds: Math.round((systemClock.monotonic() - began) / 1000),
  };
}

interface Row extends AlertRow {
  readonly check: string;
  readonly isHook: boolean;
}

/** Every alert as it ended, read from the database beside the process: the API does not say of a dropped one where it was to go. */
async function settledAlerts(data: string): Promise<readonly Row[]> {
  const end = systemClock.monotonic() + SETTLED_WITHIN_MS;
  using database = new DatabaseSync(join(data, "watchpost.db"), { readOnly: true });
  const count = database.prepare("SELECT count(*) AS n FROM alerts WHERE status = 'waiting'");
  while (count.get()?.n !== 0) {
    if (systemClock.monotonic() > end) throw new Error("alerts wait for ever");
    await sleep(systemClock, 500);
  }
  return database
    .prepare(
      "SELECT alerts.id, alerts.check_id, alerts.kind, alerts.status, alerts.reason, addresses.kind AS channel FROM alerts JOIN addresses ON addresses.id = alerts.address_id ORDER BY seq",
    )
    .all()
    .map((row) => ({
      _id: String(row.id),
      check: String(row.check_id),
      type: kindOf(row.kind),
      status: statusOf(row.status),
      reason: String(row.reason ?? ""),
      isHook: row.channel === "webhook",
    }));
}

function kindOf(kind: unknown): Kind {
  const found = kinds.find((known) => known === kind);
  if (found === undefined) throw new Error(`no kind of alert: ${String(kind)}`);
  return found;
}

function statusOf(status: unknown): AlertRow["status"] {
  const found = statuses.find((known) => known === status);
  if (found === undefined) throw new Error(`no status of an alert: ${String(status)}`);
  return found;
}

async function makeChecks(
  site: RunningInstallation,
  { count, hook }: { readonly count: number; readonly hook: Receiver },
): Promise<readonly CheckRecord[]> {
  const contacts: Record<string, { addresses: object }> = await site.api("GET contacts");
  const [mailbox = ""] = Object.values(contacts).flatMap(({ addresses }) => Object.keys(addresses));
  const contact = await site.api("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: hook.url, type: "webhook" }],
  });
  const checks: CheckRecord[] = [];
  for (let made = 0; made < count; made += 1) {
    checks.push(
      await site.api("POST checks", {
        type: "PUSH",
        label: `check ${made}`,
        interval: 60,
        enabled: true,
        fields: { one: { name: "load", min: 0, max: 1 } },
        notifications: [{ [mailbox]: "All" }, { [contact._id]: "All" }],
      }),
    );
  }
  return checks;
}

/** Gives, for each check, what was acknowledged: whether each heartbeat passes, in order. */
async function beat(
  site: () => RunningInstallation,
  {
    checks,
    beats,
    random,
  }: { readonly checks: readonly CheckRecord[]; readonly beats: number; readonly random: Random },
): Promise<ReadonlyMap<string, readonly boolean[]>> {
  const acknowledged = new Map<string, boolean[]>();
  for (let round = 0; round < beats; round += 1) {
    const end = systemClock.monotonic() + BEAT_EVERY_MS;
    for (const [index, { _id, parameters }] of checks.entries()) {
      const isPassing = random.chance(0.5);
      const data = { load: isPassing ? 0 : 2 };
      const status = await site()
        .push(_id, String(parameters.checktoken), data)
        .catch(() => 0);
      if (status === 200) acknowledged.set(_id, [...(acknowledged.get(_id) ?? []), isPassing]);
      const left = end - systemClock.monotonic();
      await sleep(systemClock, Math.max(0, left / (checks.length - index)));
    }
  }
  return acknowledged;
}

async function misbehave(
  receivers: readonly Receiver[],
  { random, signal }: { readonly random: Random; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    for (const receiver of receivers) receiver.misbehave();
    await sleep(systemClock, 100 + 400 * random.next(), signal);
  }
  for (const receiver of receivers) receiver.behave();
}

/** Fills the disk to its last byte for a while. */
async function flood(disk: string): Promise<void> {
  const path = join(disk, "flood");
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(2 ** 16));
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
  await sleep(systemClock, FLOOD_MS);
  rmSync(path);
}

/** Every heartbeat that was acknowledged is a result; others may be, for the answer to one can be lost. */
function assertKept(
  { _id }: CheckRecord,
  acknowledged: readonly boolean[],
  kept: readonly boolean[],
): void {
  let found = 0;
  for (const passed of kept) if (passed === acknowledged[found]) found += 1;
  if (found < acknowledged.length)
    throw new Error(`${_id} lost heartbeats: ${acknowledged.join()} became ${kept.join()}`);
}

function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
