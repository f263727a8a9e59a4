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
    [uuid(1)]: ["left out methods", "left out start_kw", "left out manual_resume", "left out slug"],
    [uuid(2)]: ["changed tz"],
    [uuid(3)]: ["changed schedule"],
    [uuid(4)]: ["changed interval"],
  });
  assert.match(absent["a".repeat(40)], /read-only key/);
  const found = await site.imported("healthchecks");
  const push = { type: "PUSH", threshold: 5, oldresultfail: true };
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
  const { interval: _interval, ...times } = Object.fromEntries(Object.entries(shownCheck(weekly)));
  assert.deepEqual(times, { ...push, enabled: "inactive", cron: "0 4 * * 0", grace: 120 });
  assert.deepEqual(shownCheck(calendar), { ...push, interval: 1440, sens: 1, grace: 10 });
  // 90 s and 45 s of grace: two minutes, and what is left of both.
  assert.deepEqual(shownCheck(odd), { ...push, interval: 2, sens: 1, grace: 0.25 });
  assert.equal(found.checks["Read-only"], undefined);
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
