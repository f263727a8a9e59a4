import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";

import { waitFor } from "../time/wait-for.ts";
import { start, temporaryFolder, type CheckRecord, type RunningInstallation } from "./process.ts";
import { limitDescriptors, ownDisk } from "./trouble.ts";

const DISK_MEGABYTES = 64;
/** Long enough for everything that waits for the disk to give up. */
const FROZEN_SECONDS = 20;
/** A process that waited for the disk was blocked for longer. */
const HELD_UP_MS = 12_000;

function addPush(site: RunningInstallation, parameters: object = {}): Promise<CheckRecord> {
  const check = { type: "PUSH", label: "pushed", interval: 1, enabled: true, ...parameters };
  return site.api("POST checks", check);
}

function beat(site: RunningInstallation, check: CheckRecord): Promise<number> {
  return site.push(check._id, String(check.parameters.checktoken));
}

async function readiness(site: RunningInstallation): Promise<readonly string[]> {
  const response = await fetch(`${site.base}/readyz`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the assertions look at what came
  const { reasons } = (await response.json()) as { readonly reasons: readonly string[] };
  assert.equal(response.status, reasons.length === 0 ? 200 : 503);
  return reasons;
}

async function pageState(site: RunningInstallation): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests look at what came
  const page = (await (await fetch(`${site.base}/status/shop/status.json`)).json()) as {
    readonly state: string;
  };
  return page.state;
}

/** For how long the oldest commit has waited. */
async function oldestCommitSeconds(site: RunningInstallation): Promise<number> {
  const metrics = await (await fetch(`${site.base}/metrics`)).text();
  return Number(/^watchpost_store_oldest_commit_seconds (.*)$/m.exec(metrics)?.[1]);
}

/** Returns the durations of the process's suspensions. */
function stalls(site: RunningInstallation): readonly number[] {
  return [...site.log().matchAll(/"cause":"stalled","lastedMs":(\d+)/g)].map(([, ms]) =>
    Number(ms),
  );
}

suite("a disk that hangs", { concurrency: true }, () => {
  test("holds up nothing but what is to be stored, which is refused, and all goes on with it", async () => {
    await using disk = await ownDisk(DISK_MEGABYTES);
    await using site = await start(disk.path);
    const check = await addPush(site, { sens: 1, oldresultfail: true });
    assert.equal(await beat(site, check), 200);
    const sections = [{ name: "Web", checks: [{ id: check._id, name: "Home page" }] }];
    await site.api("POST statuspages", { name: "Shop", slug: "shop", sections });
    await waitFor("the page is up", async () => (await pageState(site)) === "operational");
    const frozen = await disk.freeze();
    try {
      // Only the service itself has tried to write so far.
      await waitFor("readiness fails", async () =>
        /the disk does not answer: a commit has waited for \d s/.test(
          (await readiness(site)).join(),
        ),
      );
      assert.equal(await beat(site, check), 503);
      await assert.rejects(addPush(site), /503 .*cannot store anything now/);
      assert.equal((await site.api(`GET checks/${check._id}`)).state, 1);
      await waitFor("everything gives up", async () => {
        assert.equal((await fetch(`${site.base}/healthz`)).status, 200);
        return (await oldestCommitSeconds(site)) > FROZEN_SECONDS;
      });
      await waitFor("the page is old", async () => (await pageState(site)) === "unknown");
      const page = await (await fetch(`${site.base}/status/shop`)).text();
      assert.match(page, /As of .*, \d min ago: nothing newer is known/);
      assert.match(page, /○<\/span> Operational/);
    } finally {
      await frozen[Symbol.asyncDispose]();
    }
    await waitFor("heartbeats are taken again", async () => (await beat(site, check)) === 200);
    await waitFor("it is ready", async () => (await readiness(site)).length === 0);
    await waitFor("the page is new", async () => (await pageState(site)) === "operational");
    await addPush(site);
    assert.equal((await site.api(`GET checks/${check._id}`)).state, 1);
    // Some commit of its own may be under way.
    await waitFor("no commit waits", async () => (await oldestCommitSeconds(site)) === 0);
    assert.ok(Math.max(0, ...stalls(site)) < HELD_UP_MS, site.log());
    assert.equal(await site.kill("SIGTERM"), 0);
  });

  test("does not keep the service from ending, which says that not all may be stored", async () => {
    await using disk = await ownDisk(DISK_MEGABYTES);
    await using site = await start(disk.path);
    const check = await addPush(site);
    const frozen = await disk.freeze();
    try {
      assert.equal(await beat(site, check), 503);
      const ended = site.kill("SIGTERM");
      await waitFor("it gives up", () => /main\.not_all_stored/.test(site.log()));
      // The kernel keeps the thread that writes, and with it the process, until the disk answers.
      await frozen[Symbol.asyncDispose]();
      assert.equal(await ended, "SIGKILL");
    } finally {
      await frozen[Symbol.asyncDispose]();
    }
    assert.match(
      site.log(),
      /the disk does not answer: a commit has waited for \d+ s","event":"main\.not_all_stored"/,
    );
    await using again = await start(disk.path, {}, site.token);
    assert.equal(await beat(again, check), 200);
  });
});

test("a full disk without a reserve refuses what is to be stored, and nothing that was acknowledged is lost, also to a kill", async () => {
  await using disk = await ownDisk(DISK_MEGABYTES);
  await using site = await start(disk.path, { WATCHPOST_DISK_RESERVE_MB: "0" });
  const check = await addPush(site);
  assert.equal(await beat(site, check), 200);
  {
    using _ = disk.fill();
    await waitFor("a heartbeat is refused", async () => (await beat(site, check)) === 503);
    assert.match((await readiness(site)).join(), /full/);
  }
  await waitFor("heartbeats are taken again", async () => (await beat(site, check)) === 200);
  await site.kill("SIGKILL");
  await using again = await start(disk.path, {}, site.token);
  assert.ok((await again.api(`GET results/${check._id}`)).length >= 2);
});

const LARGE = "x".repeat(50_000);
const LOG_BYTES = 17 * 1024 * 1024;

test("a housekeeping thread that cannot be started is started later, and holds up nothing", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  const check = await addPush(site);
  const large = await site.api("POST checks", { type: "HTTPADV", target: "http://127.0.0.1/" });
  const logBytes = (): number => statSync(join(folder.path, "data", "watchpost.db-wal")).size;
  {
    await using _ = await limitDescriptors(site.pid, 1);
    while (logBytes() < LOG_BYTES) await site.api(`PUT checks/${large._id}`, { postdata: LARGE });
    await waitFor("housekeeping fails", () => /store\.housekeeping_failed/.test(site.log()));
    await site.api(`PUT checks/${large._id}`, { label: "still here" });
  }
  await waitFor("the log is begun anew", () => logBytes() < LOG_BYTES / 10);
  assert.equal(await beat(site, check), 200);
  await waitFor("it is ready", async () => (await readiness(site)).length === 0);
  assert.equal(await site.kill("SIGTERM"), 0);
});
