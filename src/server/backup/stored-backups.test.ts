import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { rowsIn, site, work, type Site } from "../../../test/harnesses/backup-site.ts";
import { s3Peer } from "../../../test/peers/s3.ts";
import { systemClock } from "../../kit/clock.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { lockFolder } from "../../store/sqlite/open-database.ts";
import { createKeyPair } from "./age.ts";
import { parseBackupName } from "./stored/backup-name.ts";
import type { BackupLocation } from "../../settings/backup-destination.ts";
import { restoreStored, verifyStored } from "./restore-stored.ts";
import { listDestination } from "./list-backups.ts";
import { storeBackup, type StoreBackupSettings } from "./store-backup.ts";

const access = { accessKey: "AKIAEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG" };

function stored(
  one: Site,
  to: BackupLocation,
  changes: Partial<StoreBackupSettings> = {},
): StoreBackupSettings {
  return {
    ...one.settings,
    WATCHPOST_BACKUP_TO: to,
    WATCHPOST_BACKUP_KEEP: new Map([["last", 2]] as const),
    WATCHPOST_BACKUP_S3_REGION: "us-east-1",
    WATCHPOST_BACKUP_S3_ACCESS_KEY: access.accessKey,
    WATCHPOST_BACKUP_S3_SECRET_KEY: new Secret(access.secretKey),
    ...changes,
  };
}

function folderOf(one: Site, name = "mounted"): BackupLocation & { readonly kind: "folder" } {
  mkdirSync(one.path(name), { recursive: true });
  return { kind: "folder", path: one.path(name) };
}

function flip(content: Buffer, at: number): Buffer {
  const changed = Buffer.from(content);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test("an encrypted backup in an S3-compatible store is restored into another data folder, and refused after one flipped byte", async () => {
  await using one = await site();
  await using peer = await s3Peer({
    bucket: "offsite",
    region: "us-east-1",
    now: systemClock.now,
    ...access,
  });
  const { identity, recipient } = await createKeyPair();
  const settings = stored(
    one,
    { kind: "s3", bucket: "offsite", prefix: "watchpost/" },
    {
      WATCHPOST_BACKUP_S3_ENDPOINT: peer.endpoint,
      WATCHPOST_BACKUP_RECIPIENT: [recipient],
    },
  );
  const { backup, manifest } = await storeBackup(settings, undefined, work());
  const key = `watchpost/${backup.name}`;
  const content = peer.objects.get(key) ?? Buffer.alloc(0);
  assert.equal(content.length, backup.bytes);
  for (const secret of [
    readFileSync(one.path("data/instance.key"), "utf8").trim(),
    "SQLite format",
  ])
    assert.ok(!content.includes(secret));

  const there = { ...settings, WATCHPOST_DATA: one.path("restored") };
  const wish = { backup: "latest", replace: false };
  await assert.rejects(restoreStored(there, wish, work()), /is encrypted: name the file/);
  const opened = { ...there, WATCHPOST_BACKUP_KEY: identity };
  // The header, the first chunk, and the end.
  for (const at of [25, 200, Math.floor(content.length / 2), content.length - 1]) {
    peer.objects.set(key, flip(content, at));
    await assert.rejects(restoreStored(opened, wish, work()), { code: "invalid_input" });
    await assert.rejects(verifyStored(opened, { backup: "latest" }, work()), {
      code: "invalid_input",
    });
  }
  for (const length of [0, 10, content.length - 1]) {
    peer.objects.set(key, content.subarray(0, length));
    await assert.rejects(restoreStored(opened, wish, work()), /damaged, not whole, or was changed/);
  }
  assert.deepEqual(
    readdirSync(one.path("restored")).filter((name) => name !== "lock"),
    [],
  );

  peer.objects.set(key, content);
  const verified = await verifyStored(opened, { backup: backup.name }, work());
  assert.deepEqual(verified, { name: backup.name, manifest });
  const restored = await restoreStored(opened, wish, work());
  assert.equal(restored.name, backup.name);
  assert.deepEqual(readdirSync(one.path("restored")).toSorted(), [
    "instance.key",
    "lock",
    "watchpost.db",
  ]);
  assert.deepEqual(rowsIn(one.path("restored")), rowsIn(one.path("data")));
});

test("a backup is opened by the age and tar of the system, for each recipient, and by no other key", async () => {
  await using one = await site();
  const pairs = await Promise.all([createKeyPair(), createKeyPair(), createKeyPair()]);
  const place = folderOf(one);
  const settings = stored(one, place, {
    WATCHPOST_BACKUP_RECIPIENT: pairs.slice(0, 2).map(({ recipient }) => recipient),
  });
  const { backup } = await storeBackup(settings, undefined, work());
  const keyFiles = pairs.map(({ identity }, index) => {
    const path = one.path(`${index}.key`);
    writeFileSync(path, `# a comment\n${identity.reveal()}\n`);
    return path;
  });
  const path = join(place.path, backup.name);
  for (const keyFile of keyFiles.slice(0, 2)) {
    const command = 'age --decrypt --identity "$1" "$2" | tar --extract --gzip --directory "$3"';
    mkdirSync(one.path("unpacked"));
    const ended = spawnSync("sh", ["-ec", command, "sh", keyFile, path, one.path("unpacked")]);
    assert.equal(ended.status, 0, String(ended.stderr));
    assert.deepEqual(rowsIn(one.path("unpacked")), rowsIn(one.path("data")));
    rmSync(one.path("unpacked"), { recursive: true });
    await verifyStored(settings, { backup: path, keyFile }, work());
  }
  await assert.rejects(
    verifyStored(settings, { backup: path, keyFile: keyFiles[2] }, work()),
    /is encrypted for another key/,
  );
  await assert.rejects(
    verifyStored(settings, { backup: path, keyFile: path }, work()),
    /must have secret keys of age/,
  );
});

test("the secret key alone encrypts for itself; without a key a backup is not encrypted, and says so by its name", async () => {
  await using one = await site();
  const { identity } = await createKeyPair();
  const place = folderOf(one);
  const encrypted = stored(one, place, { WATCHPOST_BACKUP_KEY: identity });
  const first = await storeBackup(encrypted, undefined, work());
  assert.equal(first.backup.isEncrypted, true);
  await verifyStored(encrypted, { backup: first.backup.name }, work());
  const plain = stored(one, folderOf(one, "plain"));
  const second = await storeBackup(plain, undefined, work());
  assert.match(second.backup.name, /\.tar\.gz$/);
  await verifyStored(plain, { backup: "latest" }, work());
  const path = join(one.path("plain"), second.backup.name);
  const content = readFileSync(path);
  writeFileSync(path, flip(content, Math.floor(content.length / 2)));
  await assert.rejects(verifyStored(plain, { backup: "latest" }, work()), {
    code: "invalid_input",
  });
});

test("old backups of the installation are deleted, and nothing else", async () => {
  await using one = await site();
  const place = folderOf(one);
  const settings = stored(one, place);
  const own = (await storeBackup(settings, undefined, work())).backup.installation;
  const names = {
    expired: `watchpost-${own}-20200101T030000Z.tar.gz`,
    kept: `watchpost-${own}-20200102T030000Z.tar.gz.age`,
    foreign: "watchpost-00000000-20200101T030000Z.tar.gz",
    other: `watchpost-${own}-notes.tar.gz`,
  };
  for (const name of readdirSync(place.path)) rmSync(join(place.path, name));
  for (const name of Object.values(names)) writeFileSync(join(place.path, name), "old");
  const { backup, removed } = await storeBackup(settings, undefined, work());
  assert.deepEqual(
    removed.map(({ name }) => name),
    [names.expired],
  );
  assert.deepEqual(
    readdirSync(place.path).toSorted(),
    [backup.name, names.kept, names.foreign, names.other].toSorted(),
  );
  const { backups } = await listDestination(settings, undefined, new AbortController().signal);
  assert.deepEqual(
    backups.map(({ name }) => name).toSorted(),
    [names.foreign, names.kept, backup.name].toSorted(),
  );
  await assert.rejects(
    verifyStored(settings, { backup: "latest" }, work()),
    /has backups of 2 installations/,
  );
});

test("a folder that is missing, or where nothing can be written, is reported, and leaves nothing", async () => {
  await using one = await site();
  const missing = stored(one, { kind: "folder", path: one.path("unmounted") });
  await assert.rejects(storeBackup(missing, undefined, work()), /there is no folder .*unmounted/);
  const file = stored(one, { kind: "folder", path: one.path("data/instance.key") });
  await assert.rejects(storeBackup(file, undefined, work()), /there is no folder/);
  const readOnly = stored(one, { kind: "folder", path: "/proc" });
  await assert.rejects(storeBackup(readOnly, undefined, work()), {
    code: "unavailable",
    message: /^the folder for backups "\/proc" cannot be written: /,
  });
  assert.ok(!readdirSync(one.path("data")).includes("backup-staging"));
  assert.ok(!readdirSync(one.path("data")).includes("last-backup"));
});

test("a backup that is interrupted has no name, and what a killed one left is removed a day later", async () => {
  await using one = await site();
  const place = folderOf(one);
  const settings = stored(one, place);
  const interruption = new AbortController();
  const progress = (what: string): void => {
    if (what.startsWith("storing")) interruption.abort();
  };
  await assert.rejects(
    storeBackup(settings, undefined, work({ progress, interrupted: interruption.signal })),
    /interrupted/,
  );
  assert.deepEqual(readdirSync(place.path), []);
  const left = join(place.path, "watchpost-00000000-20200101T030000Z.tar.gz.unfinished");
  writeFileSync(left, "half");
  mkdirSync(one.path("data/backup-staging/backup.unfinished"), { recursive: true });
  const first = await storeBackup(settings, undefined, work());
  assert.deepEqual(
    readdirSync(place.path).filter((name) => parseBackupName(name) === undefined),
    ["watchpost-00000000-20200101T030000Z.tar.gz.unfinished"],
  );
  const listed = await listDestination(settings, undefined, new AbortController().signal);
  assert.deepEqual(
    listed.backups.map(({ name }) => name),
    [first.backup.name],
  );
});

test("nothing is stored unencrypted in a bucket that an option names, unless the settings say so", async () => {
  await using one = await site();
  await using peer = await s3Peer({
    bucket: "offsite",
    region: "us-east-1",
    now: systemClock.now,
    ...access,
  });
  const settings = stored(one, folderOf(one), { WATCHPOST_BACKUP_S3_ENDPOINT: peer.endpoint });
  await assert.rejects(storeBackup(settings, "s3://offsite", work()), {
    code: "invalid_input",
    message: /set WATCHPOST_BACKUP_RECIPIENT to a public key .* in s3:\/\/offsite\//,
  });
  assert.equal(peer.requests.length, 0);
  const plain = { ...settings, WATCHPOST_BACKUP_RECIPIENT: [] };
  const { backup } = await storeBackup(plain, "s3://offsite", work());
  assert.deepEqual([...peer.objects.keys()], [backup.name]);
  await assert.rejects(
    storeBackup(plain, "gs://offsite", work()),
    /must be the path of a folder, or s3:/,
  );
});

test("two backups of one installation are not made at the same time", async () => {
  await using one = await site();
  const settings = stored(one, folderOf(one));
  {
    using _other = lockFolder(one.path("data/backup-staging"));
    await assert.rejects(storeBackup(settings, undefined, work()), {
      code: "conflict",
      message: /another backup of this installation is being made or read/,
    });
  }
  await storeBackup(settings, undefined, work());
  assert.equal(statSync(one.path("data/last-backup")).isFile(), true);
});
