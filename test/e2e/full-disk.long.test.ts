import assert from "node:assert/strict";
import { test } from "node:test";

import { closing, tcpPeer } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import { start, type CheckRecord, type RunningInstallation } from "./process.ts";
import { ownDisk } from "./trouble.ts";

const DISK_MB = 64;
const CHECKS = 300;
const RETRIES = 1000;
const RETRY = "confirm.commit_retry";

test("hundreds of checks on a full disk without a reserve do not flood the log", async () => {
  await using disk = await ownDisk(DISK_MB);
  await using target = new AsyncDisposableStack();
  const { port } = target.use(await tcpPeer(closing));
  await using site = await start(disk.path, {
    WATCHPOST_DISK_RESERVE_MB: "0",
    WATCHPOST_TOKEN_RATE: "0",
    WATCHPOST_ADDRESS_RATE: "0",
  });
  const check = { type: "PORT", target: "127.0.0.1", port, enabled: true, interval: 1, sens: 0 };
  for (let each = 0; each < CHECKS; each += 1) await site.api("POST checks", check);
  await waitFor(`${CHECKS} checks up`, async () => (await upOf(site)) === CHECKS);

  {
    using _filling = disk.fill();
    await target.disposeAsync();
    await waitFor(`${RETRIES} retries`, async () => (await retriesOf(site)) >= RETRIES);
    const logged = new Map<string, number>();
    for (const { event } of conditionsIn(site)) logged.set(event, (logged.get(event) ?? 0) + 1);
    for (const [event, lines] of logged) assert.ok(lines <= 5, `${event}: ${lines} lines`);
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
});

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
