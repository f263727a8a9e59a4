import assert from "node:assert/strict";
import { test } from "node:test";

import { readFiles, testFields } from "../../../../../test/harnesses/import-fields.ts";
import type { JsonObject } from "../../../api-client.ts";
import type { Fields } from "../../fields.ts";
import {
  alertFields,
  clientFields,
  configFields,
  dnsFields,
  endpointFields,
  externalFields,
  heartbeatFields,
  providerFields,
  sshFields,
  windowFields,
} from "./fields.ts";
import { gatus } from "./gatus.ts";

function readConfig(config: JsonObject) {
  return readFiles(gatus, { "config.json": config });
}

function every(fields: Fields, own: JsonObject): JsonObject {
  return { ...Object.fromEntries(Object.keys(fields).map((name) => [name, "x"])), ...own };
}

const endpoint: JsonObject = {
  name: "site",
  group: "web",
  interval: "2m",
  enabled: false,
  conditions: ["[CONNECTED] == true", "[RESPONSE_TIME] < 8000", "[DOMAIN_EXPIRATION] > 48h"],
  alerts: [{ type: "slack" }],
  "maintenance-windows": [{ start: "03:00", duration: "1h" }],
  "extra-labels": { team: "shop" },
  client: { timeout: "5s" },
  headers: { "X-Key": "k" },
  method: "POST",
  ssh: { username: "ann" },
};

for (const [scheme, url] of Object.entries({
  http: "https://www.example.com/",
  ws: "wss://www.example.com/",
  ssh: "ssh://www.example.com",
  dns: "192.0.2.53",
  tcp: "tcp://www.example.com:80",
  icmp: "icmp://www.example.com",
  tls: "tls://www.example.com:443",
})) {
  const fields = endpointFields(scheme);
  const query = { "query-name": "example.com", "query-type": "MX" };
  const own = { ...endpoint, url, dns: scheme === "dns" ? query : undefined, graphql: true };
  testFields({
    title: `gatus, endpoints of ${scheme}`,
    fields,
    records: [every(fields, own), every(fields, { ...own, enabled: true, graphql: false })],
    read: (record) => readConfig({ endpoints: [record] }),
  });
}

testFields({
  title: "gatus, external endpoints",
  fields: externalFields,
  records: [every(externalFields, { ...endpoint, token: "t", heartbeat: { interval: "1h" } })].map(
    (record) =>
      Object.fromEntries(
        Object.entries(record).filter(([name]) => Object.hasOwn(externalFields, name)),
      ),
  ),
  read: (record) => readConfig({ "external-endpoints": [record] }),
});

for (const { name, fields, records, read, prefix } of [
  {
    name: "client",
    fields: clientFields,
    records: [{ insecure: true, "ignore-redirect": true, timeout: "3s", network: "ip6" }],
    read: (client: JsonObject) =>
      readConfig({ endpoints: [{ name: "site", url: "https://www.example.com/", client }] }),
    prefix: "client.",
  },
  {
    name: "dns",
    fields: dnsFields,
    records: [{ "query-type": "MX" }],
    read: (dns: JsonObject) => readConfig({ endpoints: [{ name: "a", url: "192.0.2.53", dns }] }),
    prefix: "dns.",
  },
  {
    name: "ssh",
    fields: sshFields,
    records: [{}],
    read: (ssh: JsonObject) =>
      readConfig({ endpoints: [{ name: "a", url: "ssh://a.example.com", ssh }] }),
    prefix: "ssh.",
  },
  {
    name: "heartbeat",
    fields: heartbeatFields,
    records: [{ interval: "2h" }],
    read: (heartbeat: JsonObject) =>
      readConfig({ "external-endpoints": [{ name: "a", token: "t", heartbeat }] }),
    prefix: "heartbeat.",
  },
  {
    name: "maintenance",
    fields: windowFields,
    records: [
      {
        start: "03:00",
        duration: "2h",
        every: ["Monday"],
        timezone: "Europe/Berlin",
        enabled: true,
      },
      {
        start: "03:00",
        duration: "2h",
        every: ["Monday"],
        timezone: "Europe/Berlin",
        enabled: false,
      },
    ],
    read: (maintenance: JsonObject) => readConfig({ maintenance }),
    prefix: "",
  },
  {
    name: "alerts",
    fields: alertFields,
    records: [
      { type: "slack", enabled: true, "failure-threshold": 5, "send-on-resolved": true },
      { type: "slack", enabled: false, "failure-threshold": 5, "send-on-resolved": true },
    ],
    read: (alert: JsonObject) =>
      readConfig({
        alerting: { slack: { "webhook-url": "https://hooks.slack.com/services/a" } },
        endpoints: [{ name: "site", url: "https://www.example.com/", alerts: [alert] }],
      }),
    prefix: "alerts.",
  },
])
  testFields({
    title: `gatus, ${name}`,
    fields,
    records: records.map((record) => every(fields, record)),
    read,
    prefix,
  });

const settings: Readonly<Record<string, JsonObject>> = {
  email: { to: "a@example.com" },
  slack: {},
  discord: {},
  mattermost: {},
  teams: {},
  "teams-workflows": {},
  googlechat: {},
  pagerduty: {},
  pushover: {},
  twilio: { to: "+4915112345678" },
  ntfy: {},
  gotify: {},
  telegram: {},
  opsgenie: {},
  matrix: {},
  signal: { recipients: ["+4915112345678"] },
  line: { "user-ids": ["U1"] },
};

for (const [type, own] of Object.entries(settings)) {
  const fields = providerFields(type) ?? assert.fail(type);
  const overrides = [{ group: "a", "webhook-url": "x" }];
  const record = {
    ...every(fields, own),
    "default-alert": { "send-on-resolved": true },
    overrides,
  };
  testFields({
    title: `gatus, alerting by ${type}`,
    fields,
    records: [record],
    read: (sent) =>
      readConfig({
        alerting: { [type]: sent },
        endpoints: [{ name: "site", url: "https://www.example.com/", alerts: [{ type }] }],
      }),
  });
}

test("gatus: what of its configuration is about no check is named", async () => {
  const { absent } = await readConfig({ ...every(configFields, {}), alerting: {}, surprise: 1 });
  const lost = Object.keys(configFields).filter(
    (name) => configFields[name]?.outcome === "left out",
  );
  for (const name of [...lost, "surprise"])
    assert.ok(
      absent.some(({ kind, from }) => kind === "setting" && from === name),
      name,
    );
});
