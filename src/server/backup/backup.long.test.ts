import assert from "node:assert/strict";
import { createHash, randomInt } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { aResult, minute, noon } from "../../../test/record-builders.ts";
import { RESULTS, rowsIn, site, work } from "../../../test/harnesses/backup-site.ts";
import { emptyDatabase, testServer } from "../../../test/stores/postgres-store.ts";
import { systemClock } from "../../kit/clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { copiedTables } from "../../store/copy/copied-tables.ts";
import { openPostgresEnd } from "../../store/postgres/copy-end.ts";
import { copyInstallation } from "../copy-installation.ts";
import { createBackup, type BackupSettings, type Work } from "./make-backup.ts";
import { MANIFEST_FILE, parseManifest, writeManifest } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";

const server = testServer();
test("a backup beside a service that writes is that of one instant, is its owner's alone, and can be restored", async () => {
  await using one = await site();
  const writing = (async () => {
    for (let index = 0; index < 300; index += 1)
      await one.store.append(aResult(1, noon + (RESULTS + index) * minute));
  })();
  const steps = new Set<string>();
  const progress = (what: string): void => void steps.add(what);
  const manifest = await createBackup(one.settings, one.path("backup"), work({ progress }));
  await writing;
  assert.deepEqual([...steps], ["counting", "copying", "checking", "counting the copy", "hashing"]);
  assert.equal(manifest.rows["checks"], 1);
  assert.equal(statSync(one.path("backup")).mode & 0o777, 0o700);
  const files = ["instance.key", "manifest.json", "watchpost.db"];
  assert.deepEqual(readdirSync(one.path("backup")).toSorted(), files);
  for (const file of files)
    assert.equal(statSync(join(one.path("backup"), file)).mode & 0o777, 0o600);
  assert.deepEqual(
    manifest,
    parseManifest(readFileSync(join(one.path("backup"), MANIFEST_FILE), "utf8")),
  );

  const there = one.elsewhere("restored");
  const { settled, kept } = await restoreBackup(
    there,
    { folder: one.path("backup"), replace: false },
    work(),
  );
  assert.deepEqual(readdirSync(one.path("restored")).toSorted(), [
    "instance.key",
    "lock",
    "watchpost.db",
  ]);
  // It is fresh, and there is no control socket of a service.
  assert.deepEqual([settled, kept], [undefined, undefined]);
  assert.deepEqual(rowsIn(one.path("restored")), rowsIn(one.path("backup")));
  assert.deepEqual(
    readFileSync(one.path("restored/instance.key")),
    readFileSync(one.path("data/instance.key")),
  );
});

test("a backup of PostgreSQL is that of one instant beside writers, and both engines restore those of both", async () => {
  await using one = await site();
  await one.stop();
  const key = new Secret(readFileSync(one.path("data/instance.key"), "utf8").trim());
  const url = new Secret(await emptyDatabase(server()));
  const onServer = { ...one.settings, WATCHPOST_DATABASE_URL: url, WATCHPOST_INSTANCE_KEY: key };
  await copyInstallation(onServer, { from: "embedded", to: "postgresql" }, () => {});

  const end = await openPostgresEnd(url, createSealer(Buffer.from(key.reveal(), "hex")));
  let written = 0;
  const progress = (what: string): void => {
    if (what !== "copying results") return;
    written += 1;
    void end.append([aResult(1, noon - written * minute)]);
  };
  const backup = one.path("backup");
  const manifest = await createBackup(onServer, backup, work({ progress }));
  await end.close();
  assert.ok(written > 0);
  assert.equal(manifest.engine, "postgresql");
  assert.equal(manifest.key, "setting");
  assert.deepEqual(readdirSync(backup).toSorted(), ["manifest.json", "watchpost.db"]);
  const of = (rows: object, table: string): unknown => new Map(Object.entries(rows)).get(table);
  for (const { table } of copiedTables)
    assert.deepEqual(of(rowsIn(backup), table), of(rowsIn(one.path("data")), table), table);

  const other = new Secret(await emptyDatabase(server()));
  const there = { ...onServer, WATCHPOST_DATABASE_URL: other, WATCHPOST_DATA: one.path("other") };
  await restoreBackup(there, { folder: backup, replace: false }, work());
  await assert.rejects(
    restoreBackup(there, { folder: backup, replace: false }, work()),
    /the target has accounts of its own/,
  );
  await createBackup(there, one.path("again"), work());
  const [first, second] = [rowsIn(backup), rowsIn(one.path("again"))];
  for (const { table } of copiedTables)
    assert.deepEqual(of(second, table), of(first, table), table);
  const embedded = { ...one.elsewhere("embedded"), WATCHPOST_INSTANCE_KEY: key };
  await restoreBackup(embedded, { folder: one.path("again"), replace: false }, work());
  assert.deepEqual(readdirSync(one.path("embedded")).toSorted(), ["lock", "watchpost.db"]);
  assert.deepEqual(rowsIn(one.path("embedded")), second);
});

test("a restore into PostgreSQL that was interrupted begins anew", async () => {
  await using one = await site();
  await createBackup(one.settings, one.path("backup"), work());
  const url = new Secret(await emptyDatabase(server()));
  const there = { ...one.elsewhere("other"), WATCHPOST_DATABASE_URL: url };
  const stop = new AbortController();
  const progress = (what: string): void => {
    if (what === "copying checks") stop.abort();
  };
  const wish = { folder: one.path("backup"), replace: false };
  await assert.rejects(
    restoreBackup(there, wish, work({ progress, interrupted: stop.signal })),
    /^Unavailable: interrupted/,
  );
  assert.deepEqual(readdirSync(one.path("other")), ["lock"]);
  await restoreBackup(there, wish, work());
  assert.deepEqual(readdirSync(one.path("other")).toSorted(), ["instance.key", "lock"]);
});

test("what waits in an old backup, or in one of a service that ran, is ended in what is restored", async () => {
  await using one = await site();
  await one.stop();
  const backup = one.path("backup");
  const made = await createBackup(one.settings, backup, work());
  const { watchpost_backup: _, ...body } = made;
  const hourAgo = new Date(systemClock.now() - 61 * minute).toISOString();
  for (const [index, changes] of [{ in_use: true }, { taken_at: hourAgo }].entries()) {
    writeFileSync(join(backup, MANIFEST_FILE), writeManifest({ ...body, ...changes }));
    const there = one.elsewhere(`restored ${index}`);
    const { settled } = await restoreBackup(there, { folder: backup, replace: false }, work());
    assert.deepEqual(settled, { alerts: 1, mails: 0 });
  }
});

test("an installation is replaced only where that is said, and is kept", async () => {
  await using one = await site();
  const backup = one.path("backup");
  await createBackup(one.settings, backup, work());
  const wish = { folder: backup, replace: false };
  await assert.rejects(restoreBackup(one.settings, wish, work()), {
    message: /^another watchpost is running on the data folder /,
  });
  await one.store.append(aResult(1, noon - minute));
  await one.stop();
  const before = rowsIn(one.path("data"));
  await assert.rejects(restoreBackup(one.settings, wish, work()), {
    message: /has an installation already \(watchpost\.db.*\): .* add --replace/,
  });
  assert.deepEqual(rowsIn(one.path("data")), before);
  const { kept } = await restoreBackup(one.settings, { ...wish, replace: true }, work());
  assert.ok(kept);
  assert.deepEqual(rowsIn(kept), before);
  assert.deepEqual(rowsIn(one.path("data")), rowsIn(backup));
});

test("a damaged installation is replaced as well, and kept as it is", async () => {
  await using one = await site();
  await createBackup(one.settings, one.path("backup"), work());
  await one.stop();
  writeFileSync(one.path("data/watchpost.db"), "no database at all");
  writeFileSync(one.path("data/instance.key"), `${"ab".repeat(32)}\n`);
  const wish = { folder: one.path("backup"), replace: true };
  const { kept } = await restoreBackup(one.settings, wish, work());
  assert.equal(readFileSync(join(kept ?? "", "watchpost.db"), "utf8"), "no database at all");
  assert.match(readFileSync(join(kept ?? "", "instance.key"), "utf8"), /^abab/);
  assert.deepEqual(rowsIn(one.path("data")), rowsIn(one.path("backup")));
});

test("a backup with a byte changed anywhere is refused before anything is touched", async () => {
  await using one = await site();
  await createBackup(one.settings, one.path("backup"), work());
  for (const name of readdirSync(one.path("backup"))) {
    const file = join(one.path("backup"), name);
    const whole = readFileSync(file);
    for (let each = 0; each < 25; each += 1) {
      const at = randomInt(whole.length);
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << randomInt(8));
      // The manifest may be formatted in any way.
      if (/^\s*$/.test(String.fromCharCode(whole[at] ?? 0, damaged[at] ?? 0))) continue;
      writeFileSync(file, damaged);
      const wish = { folder: one.path("backup"), replace: false };
      await assert.rejects(
        restoreBackup(one.elsewhere("restored"), wish, work()),
        { code: "invalid_input", message: /is damaged or was changed|newer version/ },
        `${name}, byte ${at}`,
      );
      assert.ok(!existsSync(one.path("restored")), `${name}, byte ${at}`);
    }
    writeFileSync(file, whole);
  }
});

interface Tampering {
  readonly name: string;
  readonly tamper: (backup: string) => void;
  readonly settings?: Partial<BackupSettings>;
  readonly said: RegExp;
}

const tamperings: readonly Tampering[] = [
  {
    name: "without its database",
    tamper: (backup) => rmSync(join(backup, "watchpost.db")),
    said: /^the backup lacks its file watchpost\.db/,
  },
  {
    name: "without its key",
    tamper: (backup) => rmSync(join(backup, "instance.key")),
    said: /^the backup lacks its file instance\.key/,
  },
  {
    name: "without its manifest",
    tamper: (backup) => rmSync(join(backup, MANIFEST_FILE)),
    said: /^there is no ".*manifest\.json": name a folder that "watchpost backup" made/,
  },
  {
    name: "that is cut short",
    tamper: (backup) => writeFileSync(join(backup, "watchpost.db"), "SQLite format 3"),
    said: /^watchpost\.db is damaged or was changed: it has 15 bytes/,
  },
  {
    name: "of a newer format",
    tamper: (backup) => newer(backup),
    said: /^the backup was made by a newer version of Watchpost/,
  },
  {
    name: "with another key in the settings",
    tamper: () => {},
    settings: { WATCHPOST_INSTANCE_KEY: new Secret("cd".repeat(32)) },
    said: /^WATCHPOST_INSTANCE_KEY is not the key of this backup/,
  },
  {
    name: "of a newer schema",
    tamper: (backup) => rewrite(backup, "INSERT INTO migrations VALUES (9999, 'later', 1, 0)"),
    said: /^this program is older than its database, start a version that has the migration "9999-later"/,
  },
  {
    name: "whose key is that of another installation",
    tamper: (backup) => {
      writeFileSync(join(backup, "instance.key"), `${"ef".repeat(32)}\n`);
      resign(backup);
    },
    said: /^instance\.key of the backup is not the key of its database/,
  },
];

for (const { name, tamper, settings = {}, said } of tamperings) {
  test(`a backup ${name} is refused with a sentence, and nothing is touched`, async () => {
    await using one = await site();
    await createBackup(one.settings, one.path("backup"), work());
    tamper(one.path("backup"));
    const there = { ...one.elsewhere("restored"), ...settings };
    await assert.rejects(
      restoreBackup(there, { folder: one.path("backup"), replace: false }, work()),
      { message: said },
    );
    assert.ok(!existsSync(one.path("restored")));
  });
}

test("a backup goes to no place that is taken or missing, and leaves nothing where it fails", async () => {
  await using one = await site();
  mkdirSync(one.path("taken"));
  const backup = (folder: string, changes?: Partial<Work>) =>
    createBackup(one.settings, one.path(folder), work(changes));
  await assert.rejects(backup("taken"), { message: /^there is a ".*taken" already: / });
  await assert.rejects(backup("no/such"), { message: /^there is no folder ".*no": make it first/ });
  writeFileSync(one.path("file"), "");
  await assert.rejects(backup("file/in"), { message: /a part of the path is no folder|make it/ });
  const stop = new AbortController();
  const progress = (what: string): void => {
    if (what === "checking") stop.abort();
  };
  await assert.rejects(backup("half", { progress, interrupted: stop.signal }), {
    message: "interrupted",
  });
  assert.deepEqual(readdirSync(one.path(".")).toSorted(), ["data", "file", "taken"]);
});

test("what a killed backup left behind is not restored, and gives way to the next", async () => {
  await using one = await site();
  const left = one.path("backup.unfinished");
  mkdirSync(left, { mode: 0o700 });
  writeFileSync(join(left, "watchpost.db"), "half of it");
  chmodSync(left, 0o700);
  await assert.rejects(
    restoreBackup(one.elsewhere("restored"), { folder: left, replace: false }, work()),
    { message: /is what an interrupted backup left behind/ },
  );
  const first = createBackup(one.settings, one.path("backup"), work());
  await assert.rejects(createBackup(one.settings, one.path("backup"), work()), {
    message: /^a backup to ".*backup" is being made already/,
  });
  await first;
  assert.ok(!existsSync(left));
});

test("a damaged database is no backup, and says where to read on", async () => {
  await using one = await site();
  await one.stop();
  const path = one.path("data/watchpost.db");
  const whole = readFileSync(path);
  const pageBytes = whole.readUInt16BE(16);
  for (const page of [1, 5, 9]) {
    const damaged = Buffer.from(whole);
    damaged.fill(0xa5, page * pageBytes, (page + 1) * pageBytes);
    writeFileSync(path, damaged);
    await assert.rejects(createBackup(one.settings, one.path("backup"), work()), {
      code: "unavailable",
      message: /^the database is damaged.*: see|^the database is damaged.*; see/,
    });
    assert.deepEqual(readdirSync(one.path(".")), ["data"]);
  }
});

test("nothing is made where there is no installation, or no key", async () => {
  await using one = await site();
  await assert.rejects(createBackup(one.elsewhere("nowhere"), one.path("backup"), work()), {
    message: /^there is no .*watchpost\.db: set WATCHPOST_DATA to /,
  });
  rmSync(one.path("data/instance.key"));
  await assert.rejects(createBackup(one.settings, one.path("backup"), work()), {
    message: /^there is no .*instance\.key, without which/,
  });
  assert.deepEqual(readdirSync(one.path(".")), ["data"]);
});

/** Changes the database of a backup, whose manifest agrees with it again. */
function rewrite(backup: string, sql: string): void {
  {
    using database = new DatabaseSync(join(backup, "watchpost.db"));
    database.exec("PRAGMA journal_mode = DELETE");
    database.exec(sql);
  }
  resign(backup);
}

function resign(backup: string): void {
  const { watchpost_backup: _, ...body } = parseManifest(
    readFileSync(join(backup, MANIFEST_FILE), "utf8"),
  );
  const files = body.files.map((file) => {
    const content = readFileSync(join(backup, file.name));
    return { ...file, bytes: content.length, sha256: sha256(content) };
  });
  writeFileSync(join(backup, MANIFEST_FILE), writeManifest({ ...body, files }));
}

/** As a later version would write it. */
function newer(backup: string): void {
  const body = { watchpost_backup: 2, version: "9.0.0", pieces: [] };
  const digest = sha256(Buffer.from(JSON.stringify(body)));
  writeFileSync(join(backup, MANIFEST_FILE), JSON.stringify({ ...body, sha256: digest }));
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
