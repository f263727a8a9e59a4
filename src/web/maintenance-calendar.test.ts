import assert from "node:assert/strict";
import { after, test } from "node:test";

import { createApiFixture, plainCheck, type Person } from "../../test/api-fixture.ts";
import { httpServer } from "../../test/harnesses/http-server.ts";
import { aMaintenance, minute, noon } from "../../test/record-builders.ts";
import { calendarPath, createCalendarLinks } from "../channels/calendar-links.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { createMaintenanceCalendar } from "./maintenance-calendar.ts";

const cast = await createApiFixture();
after(() => cast[Symbol.asyncDispose]());
const { alice, bob, carol, clock } = cast;
const calendarLinks = createCalendarLinks({
  sealer: createSealer(new Uint8Array(32)),
  url: "http://watchpost.example",
});
const server = httpServer({
  deps: cast.deps,
  linkPages: { [calendarPath]: createMaintenanceCalendar({ ...cast.deps, calendarLinks }) },
});

/** The path of the account's link. */
async function subscribe(who: Person): Promise<string> {
  const { body } = await cast.ask(who, "POST /calendar");
  return pathOf(body.url);
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

function read(url: string, headers: Readonly<Record<string, string>> = {}) {
  return server.inject({ method: "GET", url, headers });
}

function valuesOf(calendar: string, name: string): readonly string[] {
  return calendar
    .replaceAll("\r\n ", "")
    .split("\r\n")
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1));
}

test("a calendar has what was, is and will be of the account's maintenances, and nothing of another's", async () => {
  const { body: check } = await cast.ask(alice, "POST /checks", { ...plainCheck, label: "Shop" });
  await cast.store.write(async ({ maintenances }) => {
    await maintenances.insert(
      aMaintenance("weekly", {
        accountId: alice.account.id,
        name: "Backup, weekly",
        cron: "0 6 * * 1",
        checkIds: [check._id],
        nextAt: noon + 60 * minute,
        history: [{ at: noon - 10 * minute, held: [], skipped: [] }],
      }),
    );
    await maintenances.insert(
      aMaintenance("off", { accountId: alice.account.id, enabled: false, nextAt: undefined }),
    );
    await maintenances.insert(aMaintenance("hers", { accountId: carol.account.id, name: "hers" }));
  });
  const { statusCode, body, headers } = await read(await subscribe(alice));
  assert.deepEqual([statusCode, headers["content-type"]], [200, "text/calendar; charset=utf-8"]);
  assert.deepEqual(new Set(valuesOf(body, "SUMMARY")), new Set([String.raw`Backup\, weekly`]));
  assert.deepEqual(new Set(valuesOf(body, "DESCRIPTION")), new Set(["Shop"]));
  const starts = valuesOf(body, "DTSTART");
  // The history, the next start, and those of its cron on the following Mondays, at six by Alice's clock.
  assert.deepEqual(starts.slice(0, 2), ["20260105T115000Z", "20260105T130000Z"]);
  assert.ok(starts.length >= 13 && starts.length <= 16, String(starts));
  assert.equal(new Set(valuesOf(body, "UID")).size, starts.length);
});

test("a calendar is made anew after a minute, and until then who has it gets 304", async () => {
  const path = await subscribe(bob);
  const first = await read(path);
  assert.deepEqual(valuesOf(first.body, "SUMMARY"), []);
  await cast.ask(bob, "POST /maintenance", {
    duration: 5,
    checklist: [],
    name: "new",
    start: clock.now() + 60 * minute,
  });
  const { etag } = first.headers;
  assert.equal((await read(path, { "if-none-match": String(etag) })).statusCode, 304);
  await clock.advance(minute);
  const later = await read(path, { "if-none-match": String(etag) });
  assert.deepEqual([later.statusCode, valuesOf(later.body, "SUMMARY")], [200, ["new"]]);
});

// guard: proof of a calendar
test("a link that was changed, renewed, removed or never made leads nowhere", async () => {
  const path = await subscribe(carol);
  assert.equal((await read(path)).statusCode, 200);
  const others = [
    path.replace(carol.account.id, alice.account.id),
    path.replace(/proof=./, "proof=!"),
    path.replace(/&proof=.*/, ""),
    calendarPath,
  ];
  for (const url of others) assert.equal((await read(url)).statusCode, 404, url);
  const renewed = await subscribe(carol);
  assert.deepEqual([(await read(path)).statusCode, (await read(renewed)).statusCode], [404, 200]);
  assert.equal(pathOf((await cast.ask(carol, "GET /calendar")).body.url), renewed);
  await cast.ask(carol, "DELETE /calendar");
  assert.equal((await read(renewed)).statusCode, 404);
  assert.deepEqual((await cast.ask(carol, "GET /calendar")).body, {
    type: "calendar",
    customer_id: carol.account.id,
  });
});
