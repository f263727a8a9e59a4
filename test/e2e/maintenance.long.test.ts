import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { systemClock } from "../../src/kit/clock.ts";
import { waitFor } from "../time/wait-for.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { start, temporaryFolder } from "./process.ts";
import { steppedClock } from "./trouble.ts";

test("a check does not run in a maintenance, and again when that ended while the program was down", async () => {
  await using folder = await temporaryFolder();
  await using target = await receiverPeer();
  await using first = await start(folder.path);
  const check = await first.api("POST checks", {
    type: "HTTP",
    target: target.url,
    recheckwait: 0,
    interval: 60,
    enabled: true,
  });
  await waitFor("its first run", () => target.requests.length > 0);
  const {
    ok: _ok,
    message: _message,
    ...made
  } = await first.api("POST maintenance/ad-hoc", {
    duration: 1,
    checklist: [check._id],
  });
  const [id = ""] = Object.keys(made);
  assert.equal(made[id].processing, true);
  assert.equal((await first.api(`GET checks/${check._id}`)).enable, "inactive");
  assert.equal((await first.api("GET results/current"))[check._id].type, "disabled");
  assert.equal(await first.kill("SIGTERM"), 0);

  const database = new DatabaseSync(join(folder.path, "data/watchpost.db"));
  database.exec("UPDATE maintenances SET ends_at = 0");
  database.close();
  const before = target.requests.length;
  await using second = await start(folder.path, {}, first.token);
  await waitFor("it runs again", () => target.requests.length > before);
  assert.equal((await second.api(`GET checks/${check._id}`)).enable, "active");
  assert.deepEqual(await second.api("GET maintenance"), {});
});

test("a maintenance at a time that the change of the clocks skips begins at the change", async () => {
  await using folder = await temporaryFolder();
  await using clock = await steppedClock();
  const now = Temporal.Instant.fromEpochMilliseconds(systemClock.now());
  const change = springChangeAfter(now.toZonedDateTimeISO("Europe/Berlin"));
  const stepTo = (time: Temporal.ZonedDateTime): Promise<void> =>
    clock.step(time.epochMilliseconds - systemClock.now() - clock.offset());
  await stepTo(change.subtract({ hours: 1 }));
  const settings = { ...clock.environment, WATCHPOST_TIMEZONE: "Europe/Berlin" };
  await using early = await start(folder.path, settings);
  const {
    ok: _,
    message: __,
    ...made
  } = await early.api("POST maintenance", {
    name: "Backup",
    duration: 5,
    cron: "30 2 * * *",
    checklist: [],
  });
  const [id = ""] = Object.keys(made);
  assert.equal(made[id].nextrun, change.epochMilliseconds);
  assert.equal(made[id].processing, false);
  assert.equal(await early.kill("SIGTERM"), 0);
  await stepTo(change.subtract({ seconds: 1 }));
  await using site = await start(folder.path, settings, early.token);
  const begun = await waitFor("its start", async () => {
    const found: Record<string, MaintenanceRecord> = await site.api(`GET maintenance/${id}`);
    return found[id]?.processing === true && found[id];
  });
  const next = change.add({ days: 1 }).with({ hour: 2, minute: 30 });
  assert.equal(begun.nextrun, next.epochMilliseconds);
});

interface MaintenanceRecord {
  readonly nextrun: number;
  readonly processing: boolean;
}

/** The next at which an hour is skipped. */
function springChangeAfter(time: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const change = time.getTimeZoneTransition("next");
  assert.ok(change);
  const skips = change.offsetNanoseconds > change.subtract({ nanoseconds: 1 }).offsetNanoseconds;
  return skips ? change : springChangeAfter(change);
}
