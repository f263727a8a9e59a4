import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { systemClock } from "../../src/kit/clock.ts";
import { resultColumns } from "../../src/store/sqlite/result-row.ts";
import { waitFor } from "../time/wait-for.ts";
import { start, temporaryFolder, type RunningInstallation } from "./process.ts";
import { steppedClock } from "./trouble.ts";

const DAY_MS = 86_400_000;
const AHEAD_MS = 40 * DAY_MS;
/** Old enough to go by any clock. */
const OLD_DAYS = 45;

const today = Math.floor(systemClock.now() / DAY_MS) * DAY_MS;

function tableOf(daysAgo: number): string {
  const name = new Date(today - daysAgo * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
  return `results_${name}`;
}

function databaseOf(folder: string, readOnly: boolean): DatabaseSync {
  return new DatabaseSync(join(folder, "data", "watchpost.db"), { readOnly });
}

/** As if the service had run for two months: a result and an ended alert a day, and one result that is too old. */
function fillHistory(folder: string): void {
  using database = databaseOf(folder, false);
  for (let daysAgo = 0; daysAgo < 60; daysAgo += 1)
    database
      .prepare("INSERT OR IGNORE INTO service_days VALUES (?, 0, 0)")
      .run(today - daysAgo * DAY_MS);
  for (const daysAgo of [...keptDays, OLD_DAYS]) {
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${tableOf(daysAgo)} (${resultColumns.join(", ")}) STRICT, WITHOUT ROWID`,
    );
    database
      .prepare(
        `INSERT INTO ${tableOf(daysAgo)} VALUES (1, ?, 1, 0, 1, 1, 0, '', '', 1, 'local', NULL, NULL)`,
      )
      .run(today - daysAgo * DAY_MS);
  }
  const flip = database.prepare(
    "INSERT INTO flips VALUES (?, 1, 'passing', 'failing', ?, 0, 1, '', '')",
  );
  for (const daysAgo of keptDays) flip.run(`flip-${daysAgo}`, today - (400 - 31) * DAY_MS);
}

const keptDays = Array.from({ length: 30 }, (_, index) => index + 1);

/** As rows, or packed. */
function hasResults(folder: string, daysAgo: number): boolean {
  using database = databaseOf(folder, true);
  const found = database
    .prepare(
      "SELECT 1 FROM sqlite_schema WHERE name = ? UNION ALL SELECT 1 FROM packed_days WHERE day = ?",
    )
    .get(tableOf(daysAgo), today - daysAgo * DAY_MS);
  return found !== undefined;
}

async function installationWithHistory(folder: string): Promise<string> {
  await using first = await start(folder);
  await first.api("POST checks", { type: "PUSH", label: "one" });
  await first.kill("SIGTERM");
  fillHistory(folder);
  return first.token;
}

/** The round that purges what is old has ended with the process. */
async function purged(program: RunningInstallation, folder: string): Promise<void> {
  await waitFor("the oldest day is purged", () => !hasResults(folder, OLD_DAYS));
  assert.equal(await program.kill("SIGTERM"), 0);
  assert.doesNotMatch(program.log(), /housekeeping_failed|purge_failed/);
}

for (const { name, before } of [
  { name: "that is 40 days ahead at the start", before: true },
  { name: "that is set 40 days ahead while it runs", before: false },
])
  test(`a clock ${name} deletes nothing that a right one keeps`, async () => {
    await using folder = await temporaryFolder();
    await using clock = await steppedClock();
    const token = await installationWithHistory(folder.path);
    if (before) await clock.step(AHEAD_MS);
    await using program = await start(folder.path, clock.environment, token);
    if (!before) await clock.step(AHEAD_MS);
    await purged(program, folder.path);
    assert.deepEqual(
      keptDays.filter((daysAgo) => !hasResults(folder.path, daysAgo)),
      [],
    );
    using database = databaseOf(folder.path, true);
    assert.equal(
      database.prepare("SELECT count(*) AS count FROM flips").get()?.["count"],
      keptDays.length,
    );
  });
