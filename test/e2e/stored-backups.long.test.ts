import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { systemClock } from "../../src/kit/clock.ts";
import { s3Peer } from "../peers/s3.ts";
import { postgres } from "../servers/postgres.ts";
import { closeConnections, emptyDatabase } from "../stores/postgres-store.ts";
import { waitFor } from "../time/wait-for.ts";
import {
  root,
  run,
  start,
  temporaryFolder,
  type Program,
  type RunningInstallation,
} from "./process.ts";
import { ownDisk } from "./trouble.ts";

const TOKEN = "stored-backups-0123456789abcdef";

function begin(
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Program {
  return run(folder, settings, [join(root, "watchpost"), ...args]);
}

async function metric(site: RunningInstallation, name: string): Promise<number> {
  const text = await (await fetch(`${site.base}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}

test("a backup that finds its disk full, or whose upload is killed, is none, and the next one is whole", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path, {});
  await site.api("POST checks", { type: "PUSH", label: "Job", enabled: true });
  await using disk = await ownDisk(16);
  const onDisk = { WATCHPOST_BACKUP_TO: disk.path };
  {
    using _ = disk.fill();
    await using full = begin(folder.path, ["backup"], onDisk);
    assert.equal(await full.ended, 1);
    assert.match(full.log(), /^the folder for backups .* cannot be written: the disk is full$/m);
  }
  assert.deepEqual(
    readdirSync(disk.path).filter((name) => name.startsWith("watchpost-")),
    [],
  );

  const key = { accessKey: "AKIAEXAMPLE", secretKey: "wJalrXUtnFEMI" };
  const place = { bucket: "offsite", region: "us-east-1", now: systemClock.now };
  await using peer = await s3Peer({ ...place, ...key });
  const inBucket = {
    WATCHPOST_BACKUP_TO: "s3://offsite",
    WATCHPOST_BACKUP_RECIPIENT: "none",
    WATCHPOST_BACKUP_S3_ENDPOINT: peer.endpoint,
    WATCHPOST_BACKUP_S3_ACCESS_KEY: key.accessKey,
    WATCHPOST_BACKUP_S3_SECRET_KEY: key.secretKey,
  };
  let isReached = false;
  peer.fault = ({ method }) => {
    if (method !== "PUT") return undefined;
    isReached = true;
    return "never answer";
  };
  await using killed = begin(folder.path, ["backup"], inBucket);
  await waitFor("the upload", () => isReached);
  await using second = begin(folder.path, ["backup"], inBucket);
  assert.equal(await second.ended, 1);
  assert.match(second.log(), /^another backup of this installation is being made or read/m);
  await killed.kill("SIGKILL");
  assert.equal(peer.objects.size, 0);
  peer.fault = () => undefined;
  for (const settings of [inBucket, onDisk]) {
    await using stored = begin(folder.path, ["backup"], settings);
    assert.equal(await stored.ended, 0, stored.log());
    await using verified = begin(folder.path, ["backup", "verify"], settings);
    assert.equal(await verified.ended, 0, verified.log());
  }
  assert.ok(!readdirSync(join(folder.path, "data")).includes("backup-staging"));
});

test("of two processes on one database one makes the backup, and the other makes no second one when it takes over", async () => {
  const server = await postgres();
  await using ending = new AsyncDisposableStack();
  ending.defer(() => server[Symbol.asyncDispose]());
  ending.defer(() => closeConnections(server));
  const folder = ending.use(await temporaryFolder());
  const place = join(folder.path, "place");
  await mkdir(place);
  const settings = {
    WATCHPOST_DATABASE_URL: await emptyDatabase(server),
    WATCHPOST_INSTANCE_KEY: randomBytes(32).toString("hex"),
    WATCHPOST_TOKEN: TOKEN,
    WATCHPOST_BACKUP_TO: place,
  };
  const sites = await Promise.all(
    [1, 2].map(() => start(folder.path, settings, TOKEN).then((started) => ending.use(started))),
  );
  const stored = (): readonly string[] => readdirSync(place);
  await waitFor("a backup", () => stored().some((name) => name.endsWith(".tar.gz")));
  const counts = await waitFor("it is counted", async () => {
    const found = await Promise.all(
      sites.map((site) => metric(site, "watchpost_app_backup_stored_total")),
    );
    return found.includes(1) && found;
  });
  const [maker, other] = counts[0] === 1 ? sites : sites.toReversed();
  assert.ok(maker !== undefined && other !== undefined);
  const due = "watchpost_backup_due_timestamp_seconds";
  const dueAt = await metric(maker, due);
  assert.deepEqual(
    counts.filter((count) => count !== 0),
    [1],
  );
  assert.ok(Number.isNaN(await metric(other, due)));
  await maker.kill("SIGKILL");
  await waitFor("the other takes over", async () => (await metric(other, due)) === dueAt);
  assert.equal(stored().length, 1);
  assert.equal(await metric(other, "watchpost_app_backup_stored_total"), 0);
});
