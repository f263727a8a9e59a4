import assert from "node:assert/strict";
import { test } from "node:test";

import { readFiles, testFields } from "../../../../test/harnesses/import-fields.ts";
import { checkTypes } from "../../../checks/registry.ts";
import type { JsonObject } from "../../api-client.ts";
import type { Fields } from "../fields.ts";
import * as hc from "./healthchecks.ts";
import * as node from "./nodeping/records.ts";
import { nodePing } from "./nodeping/nodeping.ts";
import * as ping from "./pingdom-fields.ts";
import { pingdom } from "./pingdom.ts";

/** Each field with a text that is not the default, and what a record says otherwise. */
function every(fields: Fields, own: JsonObject): JsonObject {
  const names = Object.keys(fields).map((name) => [name, "x"] as const);
  return { ...Object.fromEntries(names), ...own };
}

const readPingdom = (check: JsonObject) => readFiles(pingdom, { "1.json": { check } });
const pingdomCheck = {
  hostname: "www.example.com",
  type: { http: {} },
  resolution: 10,
  sendnotificationwhendown: 3,
  status: "paused",
  tags: [{ name: "web" }],
  ipv6: false,
  ip6: false,
  userids: [7],
  probe_filters: ["region: EU"],
  notifywhenbackup: false,
  responsetime_threshold: 2000,
};

testFields({
  title: "Pingdom, checks",
  fields: ping.checkFields,
  records: [
    every(ping.checkFields, { ...pingdomCheck, ipv6: true }),
    every(ping.checkFields, { ...pingdomCheck, ip6: true, status: "up", paused: true }),
  ],
  read: readPingdom,
});

const settings = { encryption: true, port: 8443 };
const http = {
  ...settings,
  url: "/shop",
  requestheaders: { "X-Key": "k" },
  ssl_down_days_before: 7,
  verify_certificate: true,
};
const ofType = (type: string) => (record: JsonObject) =>
  readPingdom({ hostname: "www.example.com", type: { [type]: record } });

for (const [type, fields, records] of [
  [
    "http",
    ping.httpFields,
    [every(ping.httpFields, http), every(ping.httpFields, { ...http, shouldcontain: "" })],
  ],
  [
    "httpcustom",
    ping.httpFields,
    [every(ping.httpFields, http), every(ping.httpFields, { ...http, shouldcontain: "" })],
  ],
  ["tcp", ping.tcpFields, [every(ping.tcpFields, settings)]],
  ["dns", ping.dnsFields, [every(ping.dnsFields, {})]],
  ["smtp", ping.mailFields, [every(ping.mailFields, settings)]],
  ["pop3", ping.mailFields, [every(ping.mailFields, settings)]],
  ["imap", ping.mailFields, [every(ping.mailFields, settings)]],
] as const)
  testFields({
    title: `Pingdom, settings of ${type}`,
    fields,
    records: records.map((record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => Object.hasOwn(fields, name))),
    ),
    read: ofType(type),
  });

const uuid = "0a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c51";
const flips = {
  flips: [
    { timestamp: "2026-10-01T00:00:00Z", up: 1 },
    { timestamp: "2026-10-02T00:00:00Z", up: 0 },
  ],
};
const job = {
  uuid,
  channels: "channel",
  grace: 600,
  timeout: 7200,
  status: "paused",
  last_ping: "2026-10-30T10:00:00Z",
  ping_url: `https://hc.example.net/ping/${uuid}`,
  schedule: "",
};

testFields({
  title: "healthchecks, checks",
  fields: hc.checkFields,
  records: [
    every(hc.checkFields, job),
    every(hc.checkFields, { ...job, ping_url: "https://hc.example.net/ping/key/slug" }),
    every(hc.checkFields, { ...job, schedule: "0 4 * * 0", tz: "Europe/Riga" }),
    every(hc.checkFields, { ...job, uuid: "" }),
  ],
  read: (check) =>
    readFiles(hc.healthchecks, {
      "checks.json": { checks: [check] },
      "channels.json": { channels: [{ id: "channel", name: "Admin", kind: "email" }] },
      [`flips-${uuid}.json`]: flips,
    }),
});
testFields({
  title: "healthchecks, channels",
  fields: hc.channelFields,
  records: [every(hc.channelFields, {}), every(hc.channelFields, { name: "Admin" })],
  read: (channel) => readFiles(hc.healthchecks, { "channels.json": { channels: [channel] } }),
});

const readNode = (record: JsonObject) => readFiles(nodePing, { "1.json": [record] });
const nodeCheck = {
  type: "PING",
  parameters: { target: "192.0.2.1" },
  enable: "inactive",
  enabled: "inactive",
  target: "",
  notifications: [{ C: { schedule: "All", delay: 0 } }],
  runlocations: ["nam"],
  tags: ["web"],
};

testFields({
  title: "NodePing, checks",
  fields: node.checkFields,
  records: [
    every(node.checkFields, { ...nodeCheck, enable: "active" }),
    every(node.checkFields, { ...nodeCheck, enabled: true }),
    every(node.checkFields, { ...nodeCheck, parameters: {}, target: "192.0.2.1" }),
  ],
  read: readNode,
});
testFields({
  title: "NodePing, contacts",
  fields: node.contactFields,
  records: [
    every(node.contactFields, {
      custrole: "notify",
      addresses: { A: { type: "email", address: "a@example.com" } },
    }),
  ],
  read: readNode,
});
testFields({
  title: "NodePing, addresses",
  fields: node.addressFields,
  records: [every(node.addressFields, {})],
  read: (address) => readNode({ _id: "C", custrole: "notify", addresses: { A: address } }),
  prefix: "addresses.",
});
testFields({
  title: "NodePing, maintenance",
  fields: node.maintenanceFields,
  records: [
    every(node.maintenanceFields, {
      cron: "0 3 * * *",
      duration: 30,
      enabled: true,
      checklist: ["1"],
    }),
    every(node.maintenanceFields, {
      cron: "",
      start: 1_893_456_000_000,
      duration: 30,
      checklist: [],
    }),
  ],
  read: readNode,
});

test("NodePing: every parameter of every type comes, and one that is not known is named", async () => {
  for (const { type, schema } of checkTypes) {
    const names = Object.keys(schema.shape);
    const sent = Object.fromEntries(names.map((name) => [name, "x"]));
    const { checks } = await readNode({
      _id: "1",
      type,
      enable: "active",
      parameters: { ...sent, threshold: 7, sens: 2, surprise: "x" },
    });
    const [{ parameters, target, notes } = assert.fail()] = checks;
    const come = new Set([
      ...Object.keys(parameters),
      ...(target === undefined ? [] : ["target"]),
      "checktoken",
    ]);
    assert.deepEqual(
      [...names, "threshold", "sens"].filter((name) => !come.has(name)),
      [],
      type,
    );
    assert.ok(
      notes.some(({ field }) => field === "parameters.surprise"),
      type,
    );
  }
});

test("NodePing: groups, profiles and maintenance come from files, too", async () => {
  const { checks, maintenance } = await readFiles(nodePing, {
    "checks.json": {
      "1": { type: "PING", parameters: { target: "192.0.2.1" }, notifications: [{ P: {} }] },
    },
    "contacts.json": { C: { addresses: { A: { type: "email", address: "a@example.com" } } } },
    "profiles.json": { P: { name: "Shift", notifications: [{ C: { delay: 5 } }] } },
    "maintenance.json": {
      schedules: { M: { name: "Nights", cron: "0 3 * * *", duration: 30, checklist: ["1"] } },
    },
  });
  assert.deepEqual(checks[0]?.recipients, [{ contact: "C" }]);
  assert.deepEqual(
    maintenance.map(({ from, checks: covered }) => [from, covered]),
    [["M", ["1"]]],
  );
});
