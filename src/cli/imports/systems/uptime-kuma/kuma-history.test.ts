import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { importHarness } from "../../../../../test/harnesses/import-harness.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const interval = 5 * minute;
const UP = 1;

interface Row {
  readonly at: number;
  readonly status: number;
}

/** Beats every five minutes of some days, until an instant: two outages, a failure that was not confirmed, a maintenance, and hours in which nothing was watched. */
function beatsUntil(end: number, days: number): readonly Row[] {
  const start = end - days * day;
  return Array.from({ length: (days * day) / interval }, (_, index) => index * interval)
    .filter((since) => since < 4 * day || since >= 4 * day + 6 * hour)
    .map((since) => {
      const isDown =
        (since >= 2 * day && since < 2 * day + 40 * minute) ||
        (since >= 7 * day + hour && since < 7 * day + 3 * hour);
      const isPaused = since >= 5 * day && since < 5 * day + 2 * hour;
      const isPending = since === 6 * day;
      return { at: start + since, status: isDown ? 0 : isPaused ? 3 : isPending ? 2 : UP };
    });
}

function writeDatabase(path: string, rows: readonly Row[], isShortened: boolean): void {
  using database = new DatabaseSync(path);
  database.exec(
    `CREATE TABLE monitor (id, name, type, hostname, active, interval, retry_interval, timeout);
     INSERT INTO monitor VALUES (1, 'gw', 'ping', '192.0.2.1', 1, 300, 300, 48);
     CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, important, monitor_id, status, msg, time, ping);
     CREATE TABLE stat_hourly (monitor_id, timestamp, up, down, extras);
     CREATE TABLE stat_daily (monitor_id, timestamp, up, down, extras);`,
  );
  const last = rows.at(-1)?.at ?? 0;
  const beat = database.prepare(
    "INSERT INTO heartbeat (important, monitor_id, status, msg, time) VALUES (?, 1, ?, ?, ?)",
  );
  database.exec("BEGIN");
  for (const [index, { at, status }] of rows.entries()) {
    const before = rows[index - 1]?.status;
    const isImportant = before === undefined || (before !== status && status !== 2 && before !== 2);
    if (isShortened && !isImportant && at < last - day) continue;
    const time = new Date(at).toISOString().replace("T", " ").replace("Z", "");
    beat.run(Number(isImportant), status, status === 0 ? "timeout" : "OK", time);
  }
  if (isShortened)
    for (const [table, length] of [
      ["stat_hourly", hour],
      ["stat_daily", day],
    ] as const) {
      const add = database.prepare(`INSERT INTO ${table} VALUES (1, ?, ?, ?, ?)`);
      for (const [start, some] of Map.groupBy(rows, ({ at }) => Math.floor(at / length) * length)) {
        const of = (...wanted: readonly number[]): number =>
          some.filter(({ status }) => wanted.includes(status)).length;
        if (table === "stat_daily" || start > last - 4 * day)
          add.run(start / 1000, of(UP), of(0, 2), JSON.stringify({ maintenance: of(3) }));
      }
    }
  database.exec("COMMIT");
}

for (const isShortened of [false, true]) {
  const version = isShortened ? "only changes and statistics" : "all beats";
  test(`uptime here is that of uptime-kuma, whose database has ${version}`, async () => {
    await using site = await importHarness({});
    const { cast } = site;
    const now = cast.clock.now();
    const rows = beatsUntil(Math.floor(now / interval) * interval - hour, 40);
    const path = join(site.folder, "kuma.db");
    writeDatabase(path, rows, isShortened);
    const plan = await site.cli(`import uptime-kuma ${path} --plan`);
    assert.match(
      plan.out,
      /^ {4}history: [\d,]+ heartbeats.*: 3 outages, uptime 99\.\d{3}% \(99\.\d{3}% there, difference -?0\.0[01]\d\), \d\.\d days unknown$/m,
      plan.out + plan.err,
    );
    const done = await site.cli(`import uptime-kuma ${path}`);
    assert.equal(done.code, 0, done.out + done.err);
    const [id = ""] = Object.keys((await cast.ask(cast.alice, "GET /checks")).body);
    const { body: events } = await cast.ask(cast.alice, `GET /results/events/${id}`);
    const first = rows[0]?.at ?? 0;
    const confirmed = events.filter(({ message }: { message: string }) => message === "timeout");
    assert.equal(events.length, 3, "a failure counts, confirmed or not");
    assert.deepEqual(
      confirmed.map(({ start, end, message, origin }: Record<string, string | number>) => [
        Number(start) - first,
        Number(end) - first,
        message,
        origin,
      ]),
      [
        [7 * day + hour, 7 * day + 3 * hour, "timeout", "uptime-kuma"],
        [2 * day, 2 * day + 40 * minute, "timeout", "uptime-kuma"],
      ],
    );
    const { body: months } = await cast.ask(cast.alice, `GET /results/uptime/${id}`);
    const monthOf = ({ at }: Row): string => new Date(at).toISOString().slice(0, 7);
    const counted = rows.filter(({ status }) => status !== 3);
    for (const [month, some] of Map.groupBy(counted, monthOf)) {
      const down = some.filter(({ status }) => status !== UP).length;
      const there = ((some.length - down) / some.length) * 100;
      // A day with unwatched hours is unknown if it has only statistics.
      assert.ok(
        Math.abs(months[month].uptime - there) < (isShortened ? 0.3 : 0.001),
        `${month}: ${months[month].uptime} here, ${there} there`,
      );
      assert.equal(months[month].down, down * interval, month);
    }
    const unwatched = { start: first + 4 * day, end: first + 4 * day + 6 * hour };
    const { body: hole } = await cast.ask(cast.alice, `GET /results/uptime/${id}`, unwatched);
    assert.equal(hole.total.enabled, 0, "what was not watched is neither up nor down");
    assert.equal((await cast.ask(cast.alice, `GET /checks/${id}`)).body.state, undefined);
    const known = (await cast.ask(cast.alice, "GET /importedhistories")).body;
    const again = await site.cli(`import uptime-kuma ${path}`);
    assert.match(again.out, /^0 created, .*1 imported before/m);
    assert.deepEqual((await cast.ask(cast.alice, "GET /importedhistories")).body, known);
  });
}

test("a day of which only its statistics are left counts every beat that failed, beside the source's own figure", async () => {
  await using site = await importHarness({});
  const { cast } = site;
  const today = Math.floor(cast.clock.now() / day) * day;
  const path = join(site.folder, "kuma.db");
  const database = new DatabaseSync(path);
  database.exec(
    `CREATE TABLE monitor (id, name, type, hostname, active, interval, retry_interval, timeout);
     INSERT INTO monitor VALUES (1, 'gw', 'ping', '192.0.2.1', 1, 45, 45, 36);
     CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, important, monitor_id, status, msg, time, ping);
     CREATE TABLE stat_daily (monitor_id, timestamp, up, down, extras);`,
  );
  const month = new Date(today - 40 * day).toISOString().slice(0, 7);
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const add = database.prepare("INSERT INTO stat_daily VALUES (1, ?, ?, ?, NULL)");
  for (let index = 0; index < 28; index += 1) {
    const down = index === 9 ? 200 : 0;
    add.run((start + index * day) / 1000, 1920 - down, down);
  }
  database.close();
  const there = ((28 * 1920 - 200) / (28 * 1920)) * 100;
  const figure = String.raw`uptime ${there.toFixed(3)}% \(${there.toFixed(3)}% there, difference -?0\.000\)`;
  const plan = await site.cli(`import uptime-kuma ${path} --plan --months`);
  assert.match(plan.out, new RegExp(`^ {4}history: .*: 1 outage, ${figure}$`, "m"), plan.err);
  assert.match(plan.out, new RegExp(`^ {6}${month}: ${figure}$`, "m"));
  const { out } = await site.cli(`import uptime-kuma ${path} --plan --json`);
  const [{ history }] = JSON.parse(out).records;
  assert.equal(history.months[0].theirs.toFixed(3), there.toFixed(3));
  await site.cli(`import uptime-kuma ${path}`);
  const again = await site.cli(`import uptime-kuma ${path} --plan --months`);
  assert.match(again.out, new RegExp(`^ {6}${month}: ${figure}$`, "m"));
  const [id = ""] = Object.keys((await cast.ask(cast.alice, "GET /checks")).body);
  const { body: months } = await cast.ask(cast.alice, `GET /results/uptime/${id}`);
  assert.ok(Math.abs(months[month].uptime - there) < 0.001, `${months[month].uptime}, ${there}`);
});
