import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { systemClock } from "../../kit/clock.ts";
import { backupNameOf, installationOf } from "../backup/stored/backup-name.ts";
import { readConfig } from "../../settings/config.ts";
import { recordBackup } from "../self-monitoring/last-backup.ts";
import { backupFinding } from "./last-backup.ts";

const day = 86_400_000;
const key = Buffer.alloc(32, 7);

function emptyFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "watchpost-doctor-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test("the age of the last backup is green for a week, and amber later or where there was none", async () => {
  using folder = emptyFolder();
  const config = readConfig({ WATCHPOST_DATA: folder.path });
  const now = systemClock.now();
  const foundAt = (at: number) => backupFinding(config, { now: () => at });
  const { state, found } = await foundAt(now);
  assert.deepEqual([state, found], ["amber", "none is known of"]);
  recordBackup(folder.path);
  const states = await Promise.all([0, 7 * day, 9 * day].map((ms) => foundAt(now + ms)));
  assert.deepEqual(
    states.map((finding) => finding.state),
    ["green", "green", "amber"],
  );
  assert.equal(states.at(-1)?.found, "9 days ago");
});

test("with a place the schedule says whether the last backup is late, on PostgreSQL too", async () => {
  using folder = emptyFolder();
  const place = join(folder.path, "backups");
  mkdirSync(place);
  const clock = fakeClock(Date.UTC(2026, 0, 5, 12));
  const settings = {
    WATCHPOST_DATABASE_URL: "postgres://x:y@127.0.0.1:1/z",
    WATCHPOST_INSTANCE_KEY: key.toString("base64"),
    WATCHPOST_DATA: join(folder.path, "nowhere"),
    WATCHPOST_BACKUP_TO: place,
    WATCHPOST_BACKUP_SCHEDULE: "0 3 * * *",
    WATCHPOST_TIMEZONE: "UTC",
  };
  const found = () => backupFinding(readConfig(settings), clock);
  assert.match((await found()).found, /^none of this installation is in .*backups$/);
  const store = (installation: string, at: number): void =>
    writeFileSync(join(place, backupNameOf({ installation, at, isEncrypted: true }).name), "");
  store("00000000", clock.now());
  assert.equal((await found()).state, "amber", "that of another installation is none of ours");
  store(installationOf(key), Date.UTC(2026, 0, 5, 3));
  assert.deepEqual(await found(), {
    name: "last backup",
    state: "green",
    found: "9 hours ago, as scheduled",
  });
  clock.step(18 * 3_600_000);
  const late = await found();
  assert.deepEqual(
    [late.state, late.found],
    ["amber", "27 hours ago, and the next was due 3 hours ago by WATCHPOST_BACKUP_SCHEDULE"],
  );
  assert.match(late.advice ?? "", /app\.backup_failed/);
  rmSync(place, { recursive: true });
  const gone = await found();
  assert.equal(gone.state, "red");
  assert.match(gone.found, /^the backups in .* cannot be listed: /);
});
