import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import {
  importHarness,
  shownCheck,
  type Json,
} from "../../../../../test/harnesses/import-harness.ts";
import { fillTables } from "../../../../../test/harnesses/source-database.ts";

type Row = Readonly<Record<string, string | number | null>>;

const usual = {
  active: 1,
  interval: 60,
  maxretries: 0,
  retry_interval: 60,
  timeout: 48,
  method: "GET",
  maxredirects: 10,
  accepted_statuscodes_json: '["200-399"]',
  ignore_tls: 0,
  upside_down: 0,
  expiry_notification: 0,
  conditions: "[]",
};

interface Case {
  readonly name: string;
  readonly row: Row;
  /** Undefined where it cannot come. */
  readonly becomes?: object;
  readonly notes?: readonly string[];
  readonly reason?: RegExp;
}

const page = "https://www.example.com/";
const http = { type: "HTTP", interval: 1, threshold: 48, sens: 0, follow: true, target: page };
const advanced = { ...http, type: "HTTPADV", verify: true };
const json = { type: "json-query", url: page };
const plain = { interval: 1, threshold: 48, sens: 0 };
const off = { enabled: "inactive" };

const cases: readonly Case[] = [
  {
    name: "page",
    row: { type: "http", url: page, description: "The shop" },
    becomes: { ...http, verify: true, description: "The shop" },
  },
  {
    name: "page without TLS",
    row: { type: "http", url: page, ignore_tls: 1, maxredirects: 0, active: 0 },
    becomes: { ...plain, type: "HTTP", target: page, ...off },
  },
  {
    name: "page with retries",
    row: {
      type: "http",
      url: page,
      accepted_statuscodes_json: '["200-299"]',
      maxretries: 3,
      interval: 90,
      timeout: 100.5,
      resend_interval: 4,
      proxy_id: 1,
      expiry_notification: 1,
    },
    becomes: { ...http, verify: true, interval: 2, threshold: 90, sens: 3, ...off },
    notes: [
      "changed status",
      "changed retries",
      "left out resend_interval",
      "left out proxy_id",
      "left out expiry_notification",
      "changed interval",
      "changed timeout",
    ],
  },
  {
    name: "timeout of old versions",
    row: { type: "http", url: page, timeout: 0, interval: 30 },
    becomes: { ...http, verify: true, interval: 0.5, threshold: 24 },
  },
  {
    name: "one code",
    row: { type: "http", url: page, accepted_statuscodes_json: '["404"]' },
    becomes: { ...advanced, statuscode: 404 },
  },
  {
    name: "codes that nothing expects",
    row: { type: "http", url: page, accepted_statuscodes_json: '["200-299","404"]' },
    becomes: { ...http, verify: true, ...off },
    notes: ["left out status"],
  },
  {
    name: "upside down",
    row: { type: "http", url: page, upside_down: 1 },
    becomes: { ...http, verify: true, ...off },
    notes: ["left out upside_down"],
  },
  {
    name: "request",
    row: {
      type: "http",
      url: page,
      method: "POST",
      body: '{"a":1}',
      http_body_encoding: "json",
      headers: '{"X-Key":"k"}',
      auth_method: "basic",
      basic_auth_user: "ann",
      basic_auth_pass: "pass",
    },
    becomes: {
      ...advanced,
      method: "POST",
      postdata: '{"a":1}',
      sendheaders: {
        "Content-Type": "application/json",
        Authorization: "Basic YW5uOnBhc3M=",
        "X-Key": "k",
      },
    },
    notes: ["changed redirects"],
  },
  {
    name: "method that there is not",
    row: { type: "http", url: page, method: "PATCH" },
    becomes: { ...advanced, ...off },
    notes: ["left out method", "changed redirects"],
  },
  {
    name: "OAuth",
    row: { type: "http", url: page, auth_method: "oauth2-cc" },
    becomes: { ...http, verify: true, ...off },
    notes: ["left out auth_method"],
  },
  {
    name: "keyword",
    row: { type: "keyword", url: page, keyword: "Sign in", invert_keyword: 1 },
    becomes: { ...http, type: "HTTPCONTENT", verify: true, contentstring: "Sign in", invert: true },
  },
  {
    name: "number",
    row: { ...json, json_path: "jobs[0].failed", json_path_operator: "<", expected_value: "5" },
    becomes: { ...advanced, fields: { value: { name: "jobs.0.failed", max: 4 } } },
    notes: ["changed json_path_operator"],
  },
  {
    name: "number of version 1",
    row: { ...json, json_path: "$.failed", expected_value: "0" },
    becomes: { ...advanced, fields: { value: { name: "failed", min: 0, max: 0 } } },
  },
  {
    name: "expression",
    row: { ...json, json_path: "$count(jobs)", expected_value: "5" },
    becomes: { ...http, verify: true, ...off },
    notes: ["left out json_path"],
  },
  {
    name: "text of JSON",
    row: { ...json, json_path: "state", expected_value: "ok" },
    becomes: { ...http, verify: true, ...off },
    notes: ["left out json_path"],
  },
  {
    name: "ping",
    row: { type: "ping", hostname: "192.0.2.1", interval: 20, ip_family: "ipv6" },
    becomes: { ...plain, type: "PING", target: "192.0.2.1", interval: 0.5, ipv6: true },
    notes: ["changed interval"],
  },
  {
    name: "closed port",
    row: { type: "port", hostname: "db.example.com", port: 5432, upside_down: 1 },
    becomes: { ...plain, type: "PORT", target: "db.example.com", port: 5432, invert: true },
  },
  {
    name: "certificate of a mail server",
    row: {
      type: "port",
      hostname: "mail.example.com",
      port: 465,
      smtp_security: "secure",
      expiry_notification: 1,
    },
    becomes: { ...plain, type: "SSL", target: "mail.example.com", port: 465 },
    notes: ["changed type", "left out expiry_notification"],
  },
  {
    name: "name",
    row: {
      type: "dns",
      hostname: "example.com",
      port: 53,
      dns_resolve_type: "MX",
      dns_resolve_server: "192.0.2.53, 192.0.2.54",
      conditions: '[{"type":"expression","variable":"record","operator":"equals","value":"mx"}]',
    },
    becomes: {
      ...plain,
      type: "DNS",
      target: "192.0.2.53",
      port: 53,
      dnstype: "MX",
      dnstoresolve: "example.com",
      contentstring: "mx",
    },
    notes: ["changed dns_resolve_server", "changed conditions"],
  },
  {
    name: "CAA",
    row: { type: "dns", hostname: "example.com", dns_resolve_type: "CAA" },
    reason: /CAA cannot be looked up/,
  },
  {
    name: "mail",
    row: { type: "smtp", hostname: "mail.example.com", port: 587, smtp_security: "starttls" },
    becomes: { ...plain, type: "SMTP", target: "mail.example.com", port: 587, secure: "starttls" },
  },
  {
    name: "database",
    row: {
      type: "mysql",
      database_connection_string: "mysql://ann:p%40ss@db.example.com:3307/shop",
      database_query: "select 1",
    },
    becomes: {
      ...plain,
      type: "MYSQL",
      target: "db.example.com",
      port: 3307,
      username: "ann",
      password: "p@ss",
      database: "shop",
      query: "select 1",
    },
  },
  {
    name: "database with a password of its own",
    row: {
      type: "mysql",
      database_connection_string: "mysql://ann:old@db.example.com/shop",
      radius_password: "new",
    },
    becomes: {
      ...plain,
      type: "MYSQL",
      target: "db.example.com",
      username: "ann",
      password: "new",
      database: "shop",
    },
  },
  {
    name: "socket",
    row: { type: "websocket-upgrade", url: "wss://example.com/chat", ws_subprotocol: "mqtt" },
    becomes: { ...plain, type: "WEBSOCKET", target: "wss://example.com/chat", ...off },
    notes: ["left out accepted_statuscodes", "left out ws_subprotocol"],
  },
  {
    name: "backup",
    row: { type: "push", push_token: "tIgDC7WDq2", interval: 3600, maxretries: 2 },
    becomes: { type: "PUSH", interval: 60, grace: 2, sens: 1, oldresultfail: true, threshold: 5 },
    notes: ["changed first heartbeat"],
  },
  {
    name: "cache",
    row: { type: "redis", database_connection_string: "redis://r.example.com:6379" },
    becomes: { ...plain, type: "PORT", target: "r.example.com", port: 6379 },
    notes: ["changed type"],
  },
  { name: "container", row: { type: "docker" }, reason: /docker do not exist/ },
];

const notifications: readonly Row[] = [
  {
    id: 1,
    name: "Mail",
    active: 1,
    config: JSON.stringify({ type: "smtp", smtpTo: "Ann <a@example.com>, b@example.com" }),
  },
  {
    id: 2,
    name: "Topic",
    active: 1,
    config: JSON.stringify({ type: "ntfy", ntfyserverurl: "https://ntfy.sh/", ntfytopic: "t1" }),
  },
  { id: 3, name: "Lamp", active: 1, config: '{"type":"homeassistant-lamp"}' },
];

const tables: Readonly<Record<string, readonly Row[]>> = {
  monitor: [
    { id: 100, name: "Web", type: "group", active: 0, parent: null },
    ...cases.map(({ name, row }, index) => ({ id: index + 1, name, ...usual, ...row })),
    { id: 101, name: "in a group", ...usual, type: "ping", hostname: "192.0.2.9", parent: 100 },
  ],
  notification: notifications,
  monitor_notification: [
    { id: 1, monitor_id: 3, notification_id: 1 },
    { id: 2, monitor_id: 3, notification_id: 3 },
  ],
  tag: [{ id: 1, name: "team", color: "red" }],
  monitor_tag: [{ id: 1, monitor_id: 101, tag_id: 1, value: "web" }],
  maintenance: [
    {
      id: 1,
      title: "Sunday",
      active: 1,
      strategy: "recurring-weekday",
      cron: "0 3 * * 0",
      duration: 3600,
      timezone: "SAME_AS_SERVER",
      interval_day: null,
      days_of_month: "[]",
    },
    {
      id: 2,
      title: "Every other day",
      active: 1,
      strategy: "recurring-interval",
      cron: "0 3 * * *",
      duration: 60,
      timezone: "UTC",
      interval_day: 2,
      days_of_month: "[]",
    },
  ],
  monitor_maintenance: [{ id: 1, monitor_id: 100, maintenance_id: 1 }],
  setting: [
    { id: 1, key: "tlsExpiryNotifyDays", value: "[7,30]" },
    { id: 2, key: "serverTimezone", value: '"Europe/Berlin"' },
  ],
};

/** Writes a database as a running program leaves it: its newest rows are in the log next to it. */
function writeDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  fillTables(database, tables);
  return database;
}

test("monitors, notifications, tags and maintenances of a database come field by field, twice once", async () => {
  await using site = await importHarness({});
  using database = writeDatabase(join(site.folder, "kuma.db"));
  const before = await readdir(site.folder);
  const files = before.map((name) => readFileSync(join(site.folder, name)).toString("hex"));
  const path = join(site.folder, "kuma.db");
  const { code, out, err } = await site.cli(`import uptime-kuma ${path} --plan --json`);
  assert.equal(code, 0, err);
  const { records, absent } = JSON.parse(out);
  const first = await site.cli(`import uptime-kuma ${path}`);
  assert.equal(first.code, 0, first.out + first.err);
  const { cast } = site;
  const checks = Object.values<Json>((await cast.ask(cast.alice, "GET /checks")).body);
  for (const [index, { name, becomes, notes = [], reason }] of cases.entries()) {
    const from = String(index + 1);
    const check = checks.find(({ label }: { label: string }) => label === name);
    if (becomes === undefined) {
      assert.equal(check, undefined, name);
      const left = absent.find((each: { from: string }) => each.from === from);
      assert.match(left.reason, reason ?? /./);
      continue;
    }
    assert.deepEqual(shownCheck(check), becomes, name);
    const record = records.find(
      (each: { kind: string; from: string }) => each.kind === "check" && each.from === from,
    );
    const found = record.notes.map(
      ({ outcome, field }: { outcome: string; field: string }) => `${outcome} ${field}`,
    );
    assert.deepEqual(found.toSorted(), notes.toSorted(), name);
  }
  const second = await site.cli(`import uptime-kuma ${path}`);
  assert.match(second.out, /^0 created, 0 already there, /m);
  assert.ok(database.isOpen);
  assert.deepEqual(await readdir(site.folder), before);
  assert.deepEqual(
    before.map((name) => readFileSync(join(site.folder, name)).toString("hex")),
    files,
  );
  await assertRest(cast, checks);
});

type Cast = Awaited<ReturnType<typeof importHarness>>["cast"];

async function assertRest(cast: Cast, checks: readonly Json[]): Promise<void> {
  const contacts = Object.values<Json>((await cast.ask(cast.alice, "GET /contacts")).body);
  const addressesOf = (wanted: string): readonly string[] =>
    Object.values<Json>(contacts.find(({ name }) => name === wanted)?.addresses ?? {}).map(
      ({ address }) => address,
    );
  assert.deepEqual(addressesOf("Mail"), ["a@example.com", "b@example.com"]);
  assert.deepEqual(addressesOf("Topic"), ["https://ntfy.sh/t1"]);
  assert.deepEqual(addressesOf("Lamp"), []);
  const named = (wanted: string) => checks.find(({ label }) => label === wanted);
  const [mail, lamp] = ["Mail", "Lamp"].map(
    (wanted) => contacts.find(({ name }) => name === wanted)?._id,
  );
  // Three retries of a minute each: the waits of the rechecks take half a minute of that.
  const rule = { schedule: "All", delay: 2 };
  assert.equal(named("page with retries").recheckwait, 60);
  assert.deepEqual(named("page with retries").notifications, [{ [mail]: rule }, { [lamp]: rule }]);
  const inGroup = named("in a group");
  assert.deepEqual(inGroup.tags, ["team:web", "group:Web"]);
  assert.equal(inGroup.enabled, "inactive");
  const [maintenance, ...others] = Object.values<Json>(
    (await cast.ask(cast.alice, "GET /maintenance")).body,
  );
  assert.equal(others.length, 0);
  const { name, cron, duration, checklist } = maintenance;
  assert.deepEqual([name, cron, duration], ["Sunday", "0 3 * * 0", 60]);
  assert.deepEqual(checklist, [inGroup._id]);
  const backup = named("backup")._id;
  const aliases = (await cast.ask(cast.alice, `GET /checks/${backup}`)).body.aliases;
  assert.deepEqual(aliases, [{ system: "uptime-kuma", hint: "tIgD…" }]);
}

test("a backup of version 1 comes as the database does", async () => {
  const monitor = {
    id: 4,
    name: "Job",
    type: "push",
    active: 1,
    interval: 120,
    maxretries: 1,
    retryInterval: 60,
    pushToken: "sampleTok1",
    upsideDown: false,
    notificationIDList: { 1: true },
    tags: [{ tag_id: 1, name: "nas", value: "" }],
  };
  const [mail] = notifications;
  const backup = { version: "1.23.0", notificationList: [mail], monitorList: [monitor] };
  await using site = await importHarness({ "backup.json": backup });
  const { checks, contacts } = await site.imported("uptime-kuma");
  const { Job: job } = checks;
  assert.deepEqual(shownCheck(job), {
    type: "PUSH",
    interval: 2,
    threshold: 5,
    sens: 1,
    grace: 1,
    oldresultfail: true,
    tags: ["nas"],
  });
  assert.deepEqual(Object.keys(job.notifications[0]), [contacts.Mail._id]);
});

test("what is no database and no backup is refused with a sentence", async () => {
  await using site = await importHarness({ "a.json": {}, "b.db": "SQLite format 3\0broken" });
  for (const [name, message] of [
    ["a.json", /neither a database nor a backup/],
    ["b.db", /cannot read .*b\.db/],
    ["missing", /cannot read .*missing": there is no such file or folder$/m],
  ] as const) {
    const { code, err } = await site.cli(`import uptime-kuma ${join(site.folder, name)}`);
    assert.equal(code, 1);
    assert.match(err, message);
  }
});
