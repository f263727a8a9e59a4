import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { headerOf, smtpPeer } from "../peers/smtp.ts";
import { webServer } from "../peers/web-server.ts";
import { waitFor } from "../time/wait-for.ts";
import { start, type RunningInstallation } from "./process.ts";
import { ownDisk, quotaLibrary } from "./trouble.ts";

const DISK_MEGABYTES = 64;
const RESERVE_MEGABYTES = 8;
const settings = {
  WATCHPOST_DISK_RESERVE_MB: String(RESERVE_MEGABYTES),
  WATCHPOST_OWNER_EMAIL: "owner@example.net",
  WATCHPOST_MAIL_FROM: "Watchpost <watch@example.net>",
};

function reserveIn(folder: string): number {
  return statSync(join(folder, "data/reserve"), { throwIfNoEntry: false })?.size ?? 0;
}

async function metricOf({ base }: RunningInstallation, name: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}

/** Returns the limitations shown by /readyz; the service is ready meanwhile. */
async function lacksOf(site: RunningInstallation): Promise<string> {
  const response = await fetch(`${site.base}/readyz`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the assertions look at what came
  const body = (await response.json()) as { readonly degraded?: readonly string[] };
  assert.equal(response.status, 200, JSON.stringify(body));
  return (body.degraded ?? []).join();
}

async function addChecks(site: RunningInstallation, target: string) {
  const contacts: Record<string, { addresses: object }> = await site.api("GET contacts");
  const [mailbox = ""] = Object.values(contacts).flatMap(({ addresses }) => Object.keys(addresses));
  const common = { enabled: true, sens: 0, notifications: [{ [mailbox]: "All" }] };
  const web = await site.api("POST checks", {
    ...common,
    type: "HTTP",
    label: "shop",
    target,
    interval: 0.25,
  });
  const heartbeat = await site.api("POST checks", { ...common, type: "PUSH", label: "job" });
  return { web, heartbeat };
}

test("on a full disk an outage is alerted at its usual time from the reserve, which is made again once there is room", async () => {
  await using disk = await ownDisk(DISK_MEGABYTES);
  await using web = await webServer();
  await using smtp = await smtpPeer();
  await using site = await start(disk.path, { ...settings, WATCHPOST_SMTP_URL: smtp.url });
  const checks = await addChecks(site, web.url);
  const { checktoken } = checks.heartbeat.parameters;
  const beat = (): Promise<number> => site.push(checks.heartbeat._id, String(checktoken));
  const heartbeats = async (): Promise<number> =>
    (await site.api(`GET results/${checks.heartbeat._id}`)).length;
  const isMailed = (subject: RegExp) => (): boolean =>
    smtp.mails.some(({ raw }) => subject.test(String(headerOf(raw, "subject"))));
  assert.equal(await beat(), 200);
  const isUp = async (): Promise<boolean> =>
    (await site.api(`GET checks/${checks.web._id}`)).state === 1;
  await waitFor("the target is up", isUp);
  assert.equal(reserveIn(disk.path), RESERVE_MEGABYTES * 2 ** 20);
  const { blocks } = statSync(join(disk.path, "data/reserve"));
  assert.ok(blocks * 512 >= RESERVE_MEGABYTES * 2 ** 20, "the reserve is no hole");
  {
    using _filling = disk.fill();
    await waitFor("the reserve is given up", async () => {
      await site.api(`PUT checks/${checks.web._id}`, { label: "shop" });
      return reserveIn(disk.path) < RESERVE_MEGABYTES * 2 ** 20;
    });
    web.status = 500;
    await waitFor("the mail", isMailed(/^\[DOWN\] shop/));
    assert.match(await lacksOf(site), /the disk is full/);
    assert.equal(await metricOf(site, "watchpost_store_disk_full"), 1);
    assert.match(site.log(), /"level":"error".*"event":"store.disk_full"/);
    const before = await heartbeats();
    assert.equal(await beat(), 200);
    assert.equal(await heartbeats(), before + 1, "what is acknowledged is stored");
    await waitFor(
      "results are dropped",
      async () => (await metricOf(site, "watchpost_store_result_dropped_total")) > 0,
    );
    web.status = 200;
    await waitFor("the end is mailed", isMailed(/^\[UP .*\] shop/));
    assert.match(await lacksOf(site), /the disk is full/);
  }
  await waitFor("the reserve is back", () => reserveIn(disk.path) === RESERVE_MEGABYTES * 2 ** 20);
  await waitFor("nothing is lacking", async () => (await lacksOf(site)) === "");
  assert.equal(await metricOf(site, "watchpost_store_disk_full"), 0);
  assert.equal(await site.kill("SIGTERM"), 0);
});

test("a process that starts on a full disk uses the reserve, and keeps what it acknowledged through a kill", async () => {
  await using disk = await ownDisk(DISK_MEGABYTES);
  await using web = await webServer();
  let site = await start(disk.path, settings);
  const { token } = site;
  const { heartbeat } = await addChecks(site, web.url);
  const { checktoken } = heartbeat.parameters;
  assert.equal(await site.kill("SIGTERM"), 0);
  using _filling = disk.fill();
  site = await start(disk.path, settings, token);
  assert.match(await lacksOf(site), /the disk is full/);
  assert.equal(await site.push(heartbeat._id, String(checktoken)), 200);
  await site.kill("SIGKILL");
  site = await start(disk.path, settings, token);
  await using _site = site;
  assert.equal((await site.api(`GET results/${heartbeat._id}`)).length, 1);
});

test("a used-up disk quota is a full disk: the reserve is as large as the quota allows, and carries alerts", async () => {
  await using quota = await quotaLibrary();
  await using disk = await ownDisk(DISK_MEGABYTES);
  await using web = await webServer();
  await using smtp = await smtpPeer();
  const { bavail, bsize } = statfsSync(disk.path);
  const others = bavail * bsize - 7 * 2 ** 20;
  execFileSync("fallocate", [`--length=${others}`, join(disk.path, "others")]);
  await using site = await start(disk.path, {
    ...settings,
    ...quota.environment,
    WATCHPOST_SMTP_URL: smtp.url,
  });
  const reserve = reserveIn(disk.path);
  assert.ok(reserve > 0 && reserve <= 2 * 2 ** 20, `${reserve} of what it could not have`);
  const checks = await addChecks(site, web.url);
  await waitFor(
    "the target is up",
    async () => (await site.api(`GET checks/${checks.web._id}`)).state === 1,
  );
  using _filling = disk.fill();
  await waitFor("a part of the reserve is given up", async () => {
    await site.api(`PUT checks/${checks.web._id}`, { label: "shop" });
    return reserveIn(disk.path) < reserve;
  });
  web.status = 500;
  await waitFor("the mail", () =>
    smtp.mails.some(({ raw }) => String(headerOf(raw, "subject")).startsWith("[DOWN] shop")),
  );
  assert.match(await lacksOf(site), /the disk is full/);
  const { checktoken } = checks.heartbeat.parameters;
  assert.equal(await site.push(checks.heartbeat._id, String(checktoken)), 200);
});
