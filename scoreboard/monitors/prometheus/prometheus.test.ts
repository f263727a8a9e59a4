import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { parse } from "yaml";

import { sampleWorld } from "../sample-world.ts";
import { prometheus, writeConfiguration } from "./prometheus.ts";

const description =
  "The probe of http://site.test:8080/status failed. HTTP status 503.     It took 2.011ms.";
const reason =
  "The probe of http://site.test:8080/status failed. HTTP status 503. It took 2.011ms.";

function webhookBody(status: string): string {
  return JSON.stringify({
    receiver: "oncall",
    status,
    alerts: [
      {
        status,
        labels: { alertname: "TargetDown", job: "blackbox", target: "page-status" },
        annotations: { description },
        startsAt: "2026-11-24T03:50:39.132Z",
        fingerprint: "211d519a50285c20",
      },
    ],
    groupLabels: { target: "page-status" },
    externalURL: "http://vm:20002",
    version: "4",
  });
}

test("a webhook of Alertmanager is read as an alarm or its end", () => {
  const read = (body: string): unknown => prometheus.read({ way: "webhook", body, headers: {} });
  const target = "page-status";
  assert.deepEqual(read(webhookBody("firing")), [{ target, state: "down", reason }]);
  assert.deepEqual(read(webhookBody("resolved")), [{ target, state: "up", reason }]);
  assert.deepEqual(read("{}"), []);
  assert.deepEqual(read("no JSON"), []);
});

test("a mail of Alertmanager is read as an alarm or its end", () => {
  const body = `--7b13ee10
Content-Transfer-Encoding: quoted-printable
Content-Type: text/html; charset=UTF-8

<strong style=3D"margin: 0;">Annotations</strong><br>
description =3D The probe of http://site.test:8080/status failed. HTTP stat=
us 503.     It took 2.011ms.<br style=3D"margin: 0;">
--7b13ee10--
`;
  const read = (subject: string): unknown =>
    prometheus.read({ way: "mail", body, headers: { subject } });
  const target = "page-status";
  const labels = "page-status (TargetDown http://site.test:8080/status blackbox)";
  assert.deepEqual(read(`[FIRING:1] ${labels}`), [{ target, state: "down", reason }]);
  assert.deepEqual(read(`[RESOLVED] ${labels}`), [{ target, state: "up", reason }]);
  assert.deepEqual(read("hello"), []);
});

test("the configuration of Prometheus has the schedule, and one target for each", async () => {
  await using world = await sampleWorld(prometheus.supports);
  await writeConfiguration(world);
  const load = async (file: string): Promise<ReturnType<typeof parse>> =>
    parse(await readFile(join(world.folder, file), "utf8"));
  const { global, scrape_configs } = await load("prometheus.yml");
  assert.deepEqual(global, {
    scrape_interval: "30s",
    scrape_timeout: "6s",
    evaluation_interval: "30s",
  });
  const targets = Object.fromEntries(
    scrape_configs[0].static_configs.map(
      (some: {
        readonly targets: readonly string[];
        readonly labels: { readonly target: string };
      }) => [some.labels.target, some.targets[0]],
    ),
  );
  assert.deepEqual(
    Object.keys(targets),
    world.targets.map(({ id }) => id),
  );
  assert.equal(targets["record"], "10.0.0.3:5353");
  const [{ rules }] = (await load("rules.yml")).groups;
  assert.equal(rules[0].for, "60s");
  assert.equal(
    rules[1].expr,
    'probe_ssl_earliest_cert_expiry{target="certificate"} - time() < 1209600',
  );
  const { route, receivers } = await load("alertmanager.yml");
  assert.deepEqual([route.group_by, route.group_interval], [["target"], "30s"]);
  assert.equal(receivers[0].webhook_configs[0].url, world.webhook);
});

test("the exporter has a module for each target", async () => {
  await using world = await sampleWorld(prometheus.supports);
  await writeConfiguration(world);
  const { modules } = JSON.parse(await readFile(join(world.folder, "blackbox.yml"), "utf8"));
  const tls_config = { ca_file: "/etc/authority.pem", insecure_skip_verify: false };
  assert.deepEqual(modules.page, {
    timeout: "5s",
    prober: "http",
    http: {
      preferred_ip_protocol: "ip4",
      valid_status_codes: [200],
      fail_if_body_not_matches_regexp: [String.raw`all is \(well\)`],
      follow_redirects: true,
      tls_config,
    },
  });
  assert.deepEqual(modules.lacking.http, {
    preferred_ip_protocol: "ip6",
    ip_protocol_fallback: false,
    fail_if_body_matches_regexp: ["error"],
    follow_redirects: true,
    tls_config,
  });
  assert.equal(modules["stays-put"].http.follow_redirects, false);
  assert.equal(modules.trusting.http.tls_config.insecure_skip_verify, true);
  assert.deepEqual(modules.record.dns, {
    preferred_ip_protocol: "ip4",
    query_name: "record.test",
    query_type: "A",
    validate_answer_rrs: { fail_if_none_matches_regexp: ["\tA\t192\\.0\\.2\\.1$"] },
  });
  assert.deepEqual(
    ["port", "host", "mail", "certificate"].map((id) => [modules[id].prober, modules[id].tcp?.tls]),
    [
      ["tcp", undefined],
      ["icmp", undefined],
      ["tcp", undefined],
      ["tcp", true],
    ],
  );
});
