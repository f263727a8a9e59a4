import { readFiles, testFields } from "../../../../../test/harnesses/import-fields.ts";
import type { JsonObject } from "../../../api-client.ts";
import type { Fields } from "../../fields.ts";
import { blackboxExporter } from "./blackbox-exporter.ts";
import {
  authorizationFields,
  basicAuthFields,
  dnsFields,
  httpFields,
  icmpFields,
  queryFields,
  tcpFields,
  tlsFields,
} from "./fields.ts";

const job = {
  job_name: "web",
  metrics_path: "/probe",
  params: { module: ["probe"], target: ["www.example.com:443"] },
  static_configs: [{ targets: ["exporter:9115"] }],
};

function read(module: JsonObject) {
  return readFiles(blackboxExporter, {
    "blackbox.json": { modules: { probe: module } },
    "prometheus.json": { scrape_configs: [job] },
  });
}

/** Each field with a text that is not the default, and what a record says otherwise. */
function every(fields: Fields, own: JsonObject): JsonObject {
  return { ...Object.fromEntries(Object.keys(fields).map((name) => [name, "x"])), ...own };
}

function testProber(prober: string, fields: Fields, records: readonly JsonObject[]): void {
  testFields({
    title: `blackbox exporter, modules of ${prober}`,
    fields,
    records: records.map((record) => every(fields, record)),
    read: (record) => read({ prober, [prober]: record }),
  });
}

const lists = {
  headers: { "X-Key": "k" },
  basic_auth: { username: "ann" },
  tls_config: { insecure_skip_verify: true, server_name: "a.example.com" },
  enable_http2: false,
  valid_status_codes: [404],
  method: "POST",
};

testProber("http", httpFields, [
  {
    ...lists,
    authorization: { credentials: "key" },
    fail_if_body_matches_regexp: ["Error"],
    fail_if_body_not_matches_regexp: ["Welcome"],
  },
  {
    ...lists,
    method: "GET",
    authorization: {},
    bearer_token: null,
    fail_if_body_matches_regexp: ["Error"],
    fail_if_body_not_matches_regexp: [],
    preferred_ip_protocol: "ip4",
    no_follow_redirects: false,
    follow_redirects: false,
    ip_protocol_fallback: false,
  },
  { ...lists, authorization: { credentials: "key" }, bearer_token: null },
  { ...lists, method: "GET", no_follow_redirects: true, follow_redirects: true },
  { ...lists, preferred_ip_protocol: "ip6", ip_protocol_fallback: false },
]);
testProber("tcp", tcpFields, [
  { tls: false, query_response: [{ expect: "hello" }], ip_protocol_fallback: false },
  { tls: true, tls_config: { server_name: "a" }, query_response: [] },
  { tls: false, query_response: [], preferred_ip_protocol: "ip6", ip_protocol_fallback: false },
]);
testProber("icmp", icmpFields, [
  { preferred_ip_protocol: "ip4" },
  { preferred_ip_protocol: "ip6", ip_protocol_fallback: false },
]);
const question = { query_type: "A", recursion_desired: false, transport_protocol: "tcp" };
testProber("dns", dnsFields, [
  { ...question, valid_rcodes: ["NXDOMAIN"] },
  { ...question, preferred_ip_protocol: "ip6", ip_protocol_fallback: false },
]);

for (const { name, fields, read: inside } of [
  {
    name: "basic_auth",
    fields: basicAuthFields,
    read: (record: JsonObject) => read({ prober: "http", http: { basic_auth: record } }),
  },
  {
    name: "authorization",
    fields: authorizationFields,
    read: (record: JsonObject) => read({ prober: "http", http: { authorization: record } }),
  },
  {
    name: "tls_config",
    fields: tlsFields,
    read: (record: JsonObject) =>
      readFiles(blackboxExporter, {
        "blackbox.json": { modules: { probe: { prober: "http", http: { tls_config: record } } } },
        "prometheus.json": {
          scrape_configs: [
            { ...job, params: { module: ["probe"], target: ["https://www.example.com/"] } },
          ],
        },
      }),
  },
  {
    name: "query_response",
    fields: queryFields,
    read: (record: JsonObject) => read({ prober: "tcp", tcp: { query_response: [record] } }),
  },
])
  testFields({
    title: `blackbox exporter, ${name}`,
    fields,
    records: [every(fields, { insecure_skip_verify: true, expect: "^220", starttls: true })].map(
      (record) =>
        Object.fromEntries(
          Object.entries(record).filter(([field]) => Object.hasOwn(fields, field)),
        ),
    ),
    read: inside,
    prefix: `${name}.`,
  });
