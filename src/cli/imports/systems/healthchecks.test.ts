import assert from "node:assert/strict";
import { test } from "node:test";

import { importHarness, shownCheck } from "../../../../test/harnesses/import-harness.ts";

const channel = "99999999-0000-4000-8000-000000000001";
const uuid = (last: number): string => `0a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5${last}`;

const usual = {
  desc: "",
  tags: "",
  grace: 600,
  status: "up",
  channels: "",
  methods: "",
  manual_resume: false,
};

const checks = [
  {
    ...usual,
    name: "Sync",
    slug: "sync",
    tags: "nas  prod",
    desc: "Every hour",
    timeout: 3600,
    uuid: uuid(1),
    ping_url: `https://hc.example.net/ping/${uuid(1)}`,
    channels: `${channel},unknown`,
    methods: "POST",
    manual_resume: true,
    start_kw: "START",
  },
  {
    ...usual,
    name: "",
    slug: "weekly",
    schedule: "0 4 * * 0",
    tz: "Europe/Riga",
    grace: 7200,
    status: "paused",
    uuid: uuid(2),
    ping_url: "https://hc.example.net/ping/fqOOd6-F4MMNuCEnzTU01w/weekly",
  },
  { ...usual, name: "Calendar", schedule: "Mon *-*-* 02:00", tz: "UTC", uuid: uuid(3) },
  { ...usual, name: "Here", schedule: "0 4 * * 0", tz: "America/New_York", uuid: uuid(5) },
  { ...usual, name: "Lines", schedule: "quarterly\n*-*~1 04:00 Asia/Tokyo", uuid: uuid(6) },
  { ...usual, name: "Abbreviated", schedule: "Mon 02:00 CEST", tz: "UTC", uuid: uuid(7) },
  { ...usual, name: "Either day", schedule: "0 0 */2 * 1", tz: "UTC", uuid: uuid(8) },
  { ...usual, name: "Nowhere", schedule: "0 4 * * 0", tz: "Mars/Olympus", uuid: uuid(9) },
  { ...usual, name: "Odd times", timeout: 90, grace: 45, uuid: uuid(4) },
  { ...usual, name: "Read-only", timeout: 3600, unique_key: "a".repeat(40) },
];
const files = {
  "checks.json": { checks },
  "channels.json": { channels: [{ id: channel, name: "Admin", kind: "email" }] },
};

test("checks come as PUSH checks, with their times, tags, channels and addresses", async () => {
  await using site = await importHarness(files);
  const { notes, absent } = await site.plan("healthchecks");
  assert.deepEqual(notes, {
    [channel]: ["left out target"],
    [uuid(1)]: ["left out methods", "left out manual_resume", "left out start_kw", "left out slug"],
    [uuid(2)]: [],
    [uuid(3)]: [],
    [uuid(5)]: [],
    [uuid(6)]: [],
    [uuid(7)]: ["left out schedule"],
    [uuid(8)]: ["left out schedule"],
    [uuid(9)]: ["left out tz"],
    [uuid(4)]: ["changed interval"],
  });
  assert.match(absent["a".repeat(40)], /read-only key/);
  const found = await site.imported("healthchecks");
  const push = { type: "PUSH", threshold: 5, oldresultfail: true };
  const byClock = { ...push, interval: 15, grace: 10 };
  const {
    Sync: sync = {},
    weekly = {},
    Calendar: calendar = {},
    "Odd times": odd = {},
  } = found.checks;
  assert.deepEqual(shownCheck(sync), {
    ...push,
    interval: 60,
    sens: 1,
    grace: 10,
    tags: ["nas", "prod"],
    description: "Every hour",
  });
  assert.deepEqual(sync.notifications, [
    { [found.contacts.Admin._id]: { schedule: "All", delay: 0 } },
  ]);
  assert.deepEqual(shownCheck(weekly), {
    ...byClock,
    grace: 120,
    enabled: "inactive",
    cron: "0 4 * * 0",
    timezone: "Europe/Riga",
  });
  assert.deepEqual(shownCheck(calendar), {
    ...byClock,
    oncalendar: "Mon *-*-* 02:00",
    timezone: "UTC",
  });
  // 90 s and 45 s of grace: two minutes, and what is left of both.
  assert.deepEqual(shownCheck(odd), { ...push, interval: 2, sens: 1, grace: 0.25 });
  assert.equal(found.checks["Read-only"], undefined);
});

test("a schedule is expected at the same times as there, and is off where it cannot be", async () => {
  await using site = await importHarness(files);
  const { alice } = site.cast;
  await site.cast.ask(alice, "PUT /accounts", { timezone: "Europe/Berlin" });
  const { checks: found, out } = await site.imported("healthchecks");
  const shown = (name: string): object => {
    const { enabled, parameters } = found[name];
    const { cron, oncalendar, timezone } = parameters;
    return JSON.parse(JSON.stringify({ enabled, cron, oncalendar, timezone }));
  };
  const isOn = { enabled: "active" };
  assert.deepEqual(shown("Here"), { ...isOn, cron: "0 4 * * 0", timezone: "America/New_York" });
  assert.deepEqual(shown("Lines"), {
    ...isOn,
    oncalendar: "quarterly\n*-*~1 04:00 Asia/Tokyo",
    timezone: "UTC",
  });
  for (const name of ["Abbreviated", "Either day", "Nowhere"])
    assert.deepEqual(shown(name), { enabled: "inactive" }, name);
  assert.match(out, /left out: schedule: time zone "CEST" must be UTC .*; it is off/);
  assert.match(out, /left out: tz: "Mars\/Olympus" is no time zone here; it is off/);
});

test("the addresses of a check go on working, by its UUID and by its slug", async () => {
  await using site = await importHarness(files);
  const { checks: found } = await site.imported("healthchecks");
  const aliasesOf = async ({ _id: id }: { readonly _id: string }) =>
    (await site.cast.ask(site.cast.alice, `GET /checks/${id}`)).body.aliases;
  assert.deepEqual(await aliasesOf(found.Sync), [{ system: "healthchecks", hint: "0a1b…" }]);
  const hints = (await aliasesOf(found.weekly)).map(({ hint }: { hint: string }) => hint);
  assert.deepEqual(hints.toSorted(), ["0a1b…", "…/weekly"]);
});
