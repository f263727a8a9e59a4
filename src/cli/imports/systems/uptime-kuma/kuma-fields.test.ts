import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { testFields } from "../../../../../test/harnesses/import-fields.ts";
import { fillTables, type Rows } from "../../../../../test/harnesses/source-database.ts";
import type { JsonObject } from "../../../api-client.ts";
import type { Imported } from "../../imported.ts";
import { recurring, single } from "./maintenance.ts";
import { monitorFields } from "./monitor-fields.ts";
import { notificationFields } from "./notification-fields.ts";
import { statusPageFields } from "./status-page.ts";
import { uptimeKuma } from "./uptime-kuma.ts";

/** The columns of its version 2.5.3. */
const columns =
  `id name active user_id interval url type weight hostname port created_date keyword maxretries ignore_tls
  upside_down maxredirects accepted_statuscodes_json dns_resolve_type dns_resolve_server dns_last_result
  retry_interval push_token method body headers basic_auth_user basic_auth_pass docker_host docker_container
  proxy_id expiry_notification mqtt_topic mqtt_success_message mqtt_username mqtt_password
  database_connection_string database_query auth_method auth_domain auth_workstation grpc_url grpc_protobuf
  grpc_body grpc_metadata grpc_method grpc_service_name grpc_enable_tls radius_username radius_password
  radius_calling_station_id radius_called_station_id radius_secret resend_interval packet_size game
  http_body_encoding description tls_ca tls_cert tls_key parent invert_keyword json_path expected_value
  kafka_producer_topic kafka_producer_brokers kafka_producer_sasl_options kafka_producer_message
  oauth_client_id oauth_client_secret oauth_token_url oauth_scopes oauth_auth_method timeout
  gamedig_given_port_only kafka_producer_ssl kafka_producer_allow_auto_topic_creation mqtt_check_type
  remote_browser snmp_oid snmp_version json_path_operator cache_bust conditions rabbitmq_nodes
  rabbitmq_username rabbitmq_password smtp_security ws_ignore_sec_websocket_accept_header ws_subprotocol
  ping_count ping_numeric ping_per_request_timeout ip_family manual_status oauth_audience
  mqtt_websocket_path domain_expiry_notification save_response save_error_response response_max_length
  system_service_name subtype location protocol snmp_v3_username expected_tls_alert
  retry_only_on_status_code_failure screenshot_delay ntp_stratum_threshold ntp_time_offset_threshold
  ntp_root_dispersion_threshold bearer_token gamedig_token`.split(/\s+/);

/** Fields of a version 1 backup that replace or extend the columns. */
const ofBackup = {
  accepted_statuscodes: ["204"],
  children_ids: [2],
  force_inactive: true,
  include_sensitive_data: true,
  maintenance: true,
  path_name: "Web / site",
  screenshot: "a.png",
};

const full: JsonObject = {
  ...Object.fromEntries(columns.map((name) => [name, "left behind"])),
  ...ofBackup,
  id: 7,
  active: 1,
  interval: 120,
  maxretries: 2,
  retry_interval: 20,
  timeout: 30,
  upside_down: 1,
  parent: 900,
  description: "The shop",
  resend_interval: 3,
  domain_expiry_notification: 1,
  url: "https://www.example.com/",
  hostname: "host.example.com",
  port: 465,
  maxredirects: 0,
  method: "POST",
  headers: '{"X-Key":"k"}',
  http_body_encoding: "xml",
  accepted_statuscodes_json: '["404"]',
  ip_family: "ipv6",
  proxy_id: 1,
  ignore_tls: 1,
  save_error_response: 0,
  response_max_length: 4096,
  tls_cert: "certificate",
  ping_numeric: 0,
  auth_method: "basic",
};

/** A type of monitor with all columns, and the values that matter for it. */
const monitors: Readonly<Record<string, readonly JsonObject[]>> = {
  http: [
    {},
    { auth_method: "bearer", upside_down: 0 },
    { auth_method: "mtls", upside_down: 0 },
    { accepted_statuscodes_json: null, upside_down: 0, method: "GET" },
  ],
  keyword: [
    { upside_down: 0, invert_keyword: 1 },
    {},
    { auth_method: "bearer" },
    { auth_method: "mtls" },
    { accepted_statuscodes_json: null },
  ],
  "json-query": [
    { upside_down: 0, json_path: "jobs.failed", json_path_operator: "<", expected_value: "5" },
    { auth_method: "bearer" },
    { auth_method: "mtls" },
    { accepted_statuscodes_json: null },
  ],
  ping: [{}, { upside_down: 0 }],
  port: [
    { upside_down: 0, smtp_security: "secure", expiry_notification: 1, ignore_tls: 0 },
    { upside_down: 1, smtp_security: "secure", expiry_notification: 1 },
  ],
  dns: [
    {
      upside_down: 0,
      hostname: "example.com",
      dns_resolve_type: "MX",
      dns_resolve_server: "192.0.2.53",
      conditions: '[{"variable":"record","operator":"contains","value":"mx"}]',
    },
    { dns_resolve_type: "MX" },
  ],
  smtp: [{ upside_down: 0, smtp_security: "secure" }, {}],
  mysql: [
    { upside_down: 0, database_connection_string: "mysql://ann@db.example.com/shop" },
    { database_connection_string: "mysql://ann@db.example.com/shop" },
  ],
  "sip-options": [{ upside_down: 0 }, {}],
  "websocket-upgrade": [
    { upside_down: 0, url: "wss://www.example.com/" },
    { url: "wss://a.example.com/" },
  ],
  push: [{ upside_down: 0 }, {}],
  redis: [
    { upside_down: 0 },
    { hostname: null, database_connection_string: "redis://r.example.com:1" },
    { hostname: null },
    {},
  ],
};

const group = { id: 900, name: "Web", type: "group", active: 1 };

async function readBackup(backup: JsonObject): Promise<Imported> {
  return readWith(async (folder) => {
    const path = join(folder, "backup.json");
    await writeFile(path, JSON.stringify(backup));
    return path;
  });
}

function readTables(tables: Readonly<Record<string, Rows>>): Promise<Imported> {
  return readWith((folder) => {
    const path = join(folder, "kuma.db");
    using database = new DatabaseSync(path);
    fillTables(database, { monitor: [{ id: 1, name: "gw" }], ...tables });
    return path;
  });
}

function rowOf(record: JsonObject): Rows[number] {
  const isCell = (cell: [string, unknown]): cell is [string, string | number] =>
    typeof cell[1] === "string" || typeof cell[1] === "number";
  return Object.fromEntries(Object.entries(record).filter(isCell));
}

async function readWith(write: (folder: string) => string | Promise<string>): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-import-test-"));
  try {
    return await uptimeKuma.read(await write(folder), {});
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [type, records] of Object.entries(monitors))
  testFields({
    title: `uptime-kuma, monitors of type ${type}`,
    fields: monitorFields(type),
    records: records.map((record) => ({ ...full, type, ...record })),
    read: (record) => readBackup({ monitorList: [group, record] }),
  });

const settings: Readonly<Record<string, readonly JsonObject[]>> = {
  smtp: [{ smtpTo: "a@example.com", smtpCC: "b@example.com", smtpBCC: "c@example.com" }],
  webhook: [{ webhookAdditionalHeaders: '{"X-Key":"k"}', httpMethod: "put" }],
  slack: [{ slackrichmessage: false, slackIncludeGroupName: false }],
  PagerDuty: [{ pagerdutyIntegrationUrl: "https://events.eu.pagerduty.com/v2/enqueue" }],
  pushover: [{}],
  twilio: [{ twilioToNumber: "+4915112345678" }],
  discord: [{ discordWebhookUrl: "https://discord.com/api/webhooks/1/a" }],
  teams: [{}],
  mattermost: [{}],
  "rocket.chat": [{}],
  ntfy: [
    { ntfyserverurl: "https://ntfy.sh", ntfyAuthenticationMethod: "accessToken" },
    { ntfyserverurl: "https://ntfy.sh", ntfyAuthenticationMethod: "usernamePassword" },
  ],
  gotify: [{}],
  telegram: [{ telegramProtectContent: true, telegramSendSilently: true }],
  Opsgenie: [{ opsgenieRegion: "eu" }],
  GoogleChat: [{}],
  matrix: [{}],
  HomeAssistant: [{}],
  signal: [{}],
  line: [{}],
};

for (const [type, records] of Object.entries(settings)) {
  const fields = notificationFields(type) ?? assert.fail(type);
  const every = Object.fromEntries(Object.keys(fields).map((name) => [name, `its ${name}`]));
  testFields({
    title: `uptime-kuma, notifications of type ${type}`,
    fields,
    records: records.map((record) => ({ ...every, ...record, type })),
    read: (config) =>
      readBackup({ monitorList: [], notificationList: [{ id: 1, name: "Contact", config }] }),
  });
}

const window: JsonObject = {
  id: 1,
  title: "Move",
  description: "To the other rack",
  user_id: 1,
  active: 1,
  start_date: "2030-01-05 03:00:00",
  end_date: "2030-01-05 04:00:30",
  start_time: "03:00",
  end_time: "04:00",
  weekdays: "[6]",
  days_of_month: "[]",
  interval_day: 2,
  cron: "0 3 * * 6",
  timezone: "Europe/Berlin",
  duration: 3630,
  last_start_date: "2026-01-03 03:00:00",
};

testFields({
  title: "uptime-kuma, maintenances that recur",
  fields: recurring,
  records: [
    { ...window, strategy: "recurring-weekday" },
    { ...window, strategy: "recurring-interval" },
    { ...window, strategy: "recurring-day-of-month", days_of_month: '["lastDay1"]' },
  ],
  read: (row) => readTables({ maintenance: [rowOf(row)] }),
});
testFields({
  title: "uptime-kuma, single maintenances",
  fields: single,
  records: [{ ...window, strategy: "single" }],
  read: (row) => readTables({ maintenance: [rowOf(row)] }),
});
testFields({
  title: "uptime-kuma, status pages",
  fields: statusPageFields,
  records: [
    {
      ...Object.fromEntries(Object.keys(statusPageFields).map((name) => [name, "x"])),
      id: 1,
      title: "The shop",
      published: 1,
      show_powered_by: 0,
      search_engine_index: 0,
    },
  ],
  read: (row) =>
    readTables({
      status_page: [rowOf(row)],
      group: [{ id: 1, name: "All", status_page_id: 1 }],
    }),
});
