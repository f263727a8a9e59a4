import assert from "node:assert/strict";
import { test } from "node:test";

import { readFiles, testFields } from "../../../../test/harnesses/import-fields.ts";
import type { JsonObject } from "../../api-client.ts";
import type { Fields } from "../fields.ts";
import * as stack from "./better-stack-fields.ts";
import { betterStack } from "./better-stack.ts";
import * as cake from "./statuscake.ts";
import * as robot from "./uptimerobot-fields.ts";
import { uptimeRobot } from "./uptimerobot.ts";

const page = "https://www.example.com/";

/** Each field with a text that is not the default, and what a record says otherwise. */
function every(fields: Fields, own: JsonObject): JsonObject {
  const names = Object.keys(fields).map((name) => [name, "x"] as const);
  return { ...Object.fromEntries(names), ...own };
}

const readRobot = (record: JsonObject) =>
  readFiles(uptimeRobot, { "monitors.json": { monitors: [record] } });

const robot2 = {
  url: page,
  type: 2,
  interval: 120,
  timeout: 20,
  status: 0,
  keyword_type: 1,
  keyword_case_type: "1",
  http_method: 3,
  http_auth_type: 2,
  post_type: 1,
  post_value: { a: "1" },
  post_content_type: 1,
  custom_http_headers: { "X-Key": "k" },
  custom_http_statuses: "301:0_401:1",
  alert_contacts: [{ id: 1, type: 2, value: "a@example.com", threshold: 3, recurrence: 5 }],
  mwindows: [{ id: 1, type: 3, start_time: "03:00", value: "1-7", duration: 30, status: 1 }],
  logs: [{ type: 1, datetime: 1_700_000_000, duration: 60 }],
};

testFields({
  title: "UptimeRobot, monitors of version 2",
  fields: robot.version2Fields,
  records: [
    every(robot.version2Fields, robot2),
    every(robot.version2Fields, { ...robot2, status: 0, custom_http_statuses: "" }),
    every(robot.version2Fields, { ...robot2, type: 4, port: 5432, sub_type: 99 }),
    every(robot.version2Fields, { ...robot2, type: 4, port: "", sub_type: 3 }),
  ],
  read: readRobot,
});

const robot3 = {
  url: page,
  type: "KEYWORD",
  interval: 120,
  timeout: 20,
  status: "UP",
  gracePeriod: 60,
  authType: "DIGEST",
  keywordType: "ALERT_EXISTS",
  keywordCaseType: 1,
  checkSSLErrors: true,
  followRedirections: true,
  customHttpHeaders: { "X-Key": "k" },
  httpMethodType: "POST",
  postValueType: "KEY_VALUE",
  postValueData: { a: "1" },
  successHttpResponseCodes: ["404"],
  config: { applicationErrorRetries: 2 },
  tags: [{ name: "web" }],
  assignedAlertContacts: [{ alertContactId: 1 }],
  maintenanceWindows: [{ id: 1, interval: "daily", time: "03:00:00", duration: 30 }],
};

testFields({
  title: "UptimeRobot, monitors of version 3",
  fields: robot.version3Fields,
  records: [
    every(robot.version3Fields, robot3),
    every(robot.version3Fields, { ...robot3, status: "PAUSED", authType: "NONE" }),
    every(robot.version3Fields, { ...robot3, type: "PORT", port: 5432 }),
    every(robot.version3Fields, { ...robot3, type: "HEARTBEAT" }),
  ],
  read: readRobot,
});

test("UptimeRobot: bodies, statuses and windows come", async () => {
  const { checks, maintenance } = await readRobot({
    ...robot2,
    id: 7,
    type: 1,
    status: 2,
    custom_http_statuses: "301:0",
    mwindows: [
      { id: 1, type: 3, friendly_name: "Nights", start_time: "03:00", value: "1-7", duration: 30 },
      { id: 2, type: 1, friendly_name: "Move", start_time: 1_893_456_000, duration: 60 },
      { id: 3, type: 4, friendly_name: "Months", start_time: "22:30", value: "1-15", duration: 5 },
    ],
  });
  const [{ parameters, notes } = assert.fail()] = checks;
  assert.equal(parameters.postdata, "a=1");
  assert.ok(notes.some(({ field }) => field === "custom_http_statuses"));
  assert.deepEqual(
    maintenance.map(({ name, parameters: times, checks: covered }) => [name, times, covered]),
    [
      ["Nights", { cron: "0 3 * * 0,1", duration: 30, enabled: true }, ["7"]],
      ["Move", { start: 1_893_456_000_000, duration: 60, enabled: true }, ["7"]],
      ["Months", { cron: "30 22 1,15 * *", duration: 5, enabled: true }, ["7"]],
    ],
  );
});

const readStack = (type: string) => (attributes: JsonObject) =>
  readFiles(betterStack, { "monitors.json": { data: [{ id: "1", type, attributes }] } });

const window = {
  maintenance_from: "23:00:00",
  maintenance_to: "01:30:00",
  maintenance_days: ["mon", "sun"],
};
const stackMonitor = {
  ...window,
  url: page,
  monitor_type: "expected_status_code",
  expected_status_codes: [204],
  check_frequency: 180,
  request_timeout: 20,
  confirmation_period: 120,
  verify_ssl: true,
  follow_redirects: true,
  http_method: "post",
  request_headers: [{ name: "X-Key", value: "k" }],
  ip_version: "ipv6",
  paused: true,
  proxy_port: 8080,
  remember_cookies: false,
  regions: ["us"],
};

testFields({
  title: "Better Stack, monitors",
  fields: stack.monitorFields,
  records: [
    every(stack.monitorFields, stackMonitor),
    every(stack.monitorFields, { ...stackMonitor, monitor_type: "tcp", port: "25,465" }),
  ],
  read: readStack("monitor"),
});
testFields({
  title: "Better Stack, heartbeats",
  fields: stack.heartbeatFields,
  records: [
    every(stack.heartbeatFields, {
      ...window,
      url: "https://uptime.betterstack.com/api/v1/heartbeat/kJ3mZq8pXw2VtB5nR7sY1cDf",
      pronounceable_name: "",
      period: 600,
      grace: 60,
      paused: true,
    }),
  ],
  read: readStack("heartbeat"),
});

test("Better Stack: the window of a monitor becomes a maintenance, over midnight too", async () => {
  const { maintenance } = await readStack("monitor")({
    ...window,
    url: page,
    monitor_type: "status",
  });
  assert.deepEqual(
    maintenance.map(({ parameters, checks }) => [parameters, checks]),
    [[{ cron: "0 23 * * 0,1", duration: 150, enabled: true }, ["monitor-1"]]],
  );
});

const cakeTest = {
  website_url: page,
  test_type: "HTTP",
  check_rate: 120,
  confirmation: 2,
  timeout: 20,
  trigger_rate: 5,
  paused: true,
  follow_redirects: true,
  do_not_find: true,
  status_codes: ["204"],
  tags: ["prod"],
  regions: ["london"],
  servers: [{ region_code: "london" }],
  contact_groups: ["12"],
  custom_header: '{"X-Key":"k"}',
  post_raw: "raw",
  dns_ips: ["192.0.2.1"],
  port: 5432,
};
const readCake = (record: JsonObject) =>
  readFiles(cake.statusCake, {
    "1.json": { data: record },
    "groups.json": { data: [{ id: "12", name: "Ops", email_addresses: ["a@example.com"] }] },
  });

testFields({
  title: "StatusCake, uptime tests",
  fields: cake.testFields,
  records: [
    every(cake.testFields, cakeTest),
    every(cake.testFields, { ...cakeTest, post_raw: "" }),
    every(cake.testFields, { ...cakeTest, test_type: "TCP" }),
    every(cake.testFields, { ...cakeTest, test_type: "DNS" }),
  ],
  read: readCake,
});
testFields({
  title: "StatusCake, heartbeats",
  fields: cake.heartbeatFields,
  records: [
    every(cake.heartbeatFields, {
      period: 600,
      trigger_rate: 5,
      paused: true,
      tags: ["prod"],
      contact_groups: ["12"],
    }),
  ],
  read: readCake,
});
testFields({
  title: "StatusCake, contact groups",
  fields: cake.groupFields,
  records: [
    every(cake.groupFields, {
      email_addresses: ["a@example.com"],
      mobile_numbers: ["+4915112345678"],
      integrations: ["7"],
    }),
  ],
  read: (group) => readFiles(cake.statusCake, { "groups.json": { data: [group] } }),
});

test("StatusCake: the alert of a certificate makes no check fail, and the user agent comes", async () => {
  const { checks } = await readCake({
    id: "1",
    name: "site",
    website_url: page,
    test_type: "HTTP",
    enable_ssl_alert: true,
    user_agent: "Robot",
  });
  const [{ parameters, notes } = assert.fail()] = checks;
  assert.deepEqual(parameters.sendheaders, { "User-Agent": "Robot" });
  assert.equal(parameters.verify, undefined);
  assert.ok(notes.some(({ field }) => field === "enable_ssl_alert"));
});
