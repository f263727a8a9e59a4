import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { codeOf } from "../../src/kit/errors.ts";
import { closing, tcpPeer } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import { start, temporaryFolder } from "./process.ts";
import type { CheckRecord, RunningInstallation } from "./process.ts";
import { isInSandbox, runInSandbox } from "./sandbox.ts";

if (isInSandbox) test("a full disk is told once a minute, with a count", fullDisk);
else
  test("with mounts of their own, hundreds of checks on a full disk do not flood the log", () =>
    runInSandbox(import.meta.filename));

const DISK_MB = 64;
const CHECKS = 300;
const RETRIES = 1000;
const RETRY = "confirm.commit_retry";

async function fullDisk(): Promise<void> {
  await using folder = await temporaryFolder();
  const disk = join(folder.path, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", disk]);
  using _mount = { [Symbol.dispose]: () => execFileSync("umount", ["--lazy", disk]) };
  await using target = new AsyncDisposableStack();
  const { port } = target.use(await tcpPeer(closing));
  await using site = await start(folder.path, {
    WATCHPOST_DATA: join(disk, "data"),
    WATCHPOST_TOKEN_RATE: "0",
    WATCHPOST_ADDRESS_RATE: "0",
  });
  const check = { type: "PORT", target: "127.0.0.1", port, enabled: true, interval: 1, sens: 0 };
  for (let each = 0; each < CHECKS; each += 1) await site.api("POST checks", check);
  await waitFor(`${CHECKS} checks up`, async () => (await upOf(site)) === CHECKS);

  {
    using _filling = fill(disk);
    await target.disposeAsync();
    await waitFor(`${RETRIES} retries`, async () => (await retriesOf(site)) >= RETRIES);
    const told = new Map<string, number>();
    for (const { event } of conditionsIn(site)) told.set(event, (told.get(event) ?? 0) + 1);
    for (const [event, lines] of told) assert.ok(lines <= 5, `${event}: ${lines} lines`);
  }
  await waitFor("readiness", async () => (await fetch(`${site.base}/readyz`)).ok);
  const retries = await retriesOf(site);
  await site.kill("SIGTERM");
  const counts = conditionsIn(site)
    .filter(({ event }) => event === RETRY)
    .map(({ repeated = 1 }) => repeated);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    retries,
    "every retry is counted in a line",
  );
}

/** Leaves not a byte free. */
function fill(disk: string): Disposable {
  const path = join(disk, "filling");
  const file = openSync(path, "w");
  try {
    for (const size of [2 ** 20, 1]) fillWith(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
  return { [Symbol.dispose]: () => rmSync(path) };
}

function fillWith(file: number, piece: Buffer): void {
  try {
    while (true) writeSync(file, piece);
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
  }
}

async function upOf(site: RunningInstallation): Promise<number> {
  const checks: Record<string, CheckRecord> = await site.api("GET checks");
  return Object.values(checks).filter(({ state }) => state === 1).length;
}

async function retriesOf({ base }: RunningInstallation): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(/^watchpost_confirm_commit_retry_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

interface Line {
  readonly level: string;
  readonly event: string;
  readonly repeated?: number;
}

function conditionsIn(site: RunningInstallation): readonly Line[] {
  return site
    .log()
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Line => JSON.parse(line))
    .filter(({ level }) => level !== "info");
}
