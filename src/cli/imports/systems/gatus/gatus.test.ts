import assert from "node:assert/strict";
import { test } from "node:test";

import { importHarness, shownCheck } from "../../../../../test/harnesses/import-harness.ts";

const config = `
maintenance: {start: "23:30", duration: 90m, timezone: Europe/Riga, every: [Sunday, Monday]}
alerting:
  email: {to: "a@example.com,b@example.com", default-alert: {failure-threshold: 2, send-on-resolved: true}}
  slack: {webhook-url: "https://hooks.slack.com/services/T0/B0/x"}
  custom: {url: "https://example.com/"}
x-usual: &usual {interval: 5m}
endpoints:
  - name: site
    group: Web Shop
    url: "https://\${SHOP}"
    interval: 90s
    conditions: ["[STATUS] == 200", "[BODY] == pat(*Sign in*)", "[RESPONSE_TIME] < 1500", "[CERTIFICATE_EXPIRATION] > 240h"]
    alerts: [{type: email}, {type: slack, failure-threshold: 5}, {type: custom}, {type: pagerduty, enabled: false}]
    client: {timeout: 5s, ignore-redirect: true}
  - {<<: *usual, name: numbers, url: "https://a.example.com/$$x", conditions: ["[STATUS] < 300", "[BODY].jobs[0].failed < 5", "[BODY].state == ok", "len([BODY].jobs) > 3", "[BODY].load >= 0.5"]}
  - {name: missing, url: "https://a.example.com/", conditions: ["[BODY] != pat(*error*)"], client: {insecure: true}}
  - {name: codes, url: "https://a.example.com/", conditions: ["[STATUS] == any(200, 204)"]}
  - {name: failing, url: "https://a.example.com/", conditions: ["[STATUS] >= 400"]}
  - {name: gw, url: "icmp://192.0.2.1", conditions: ["[CONNECTED] == true"]}
  - {name: closed, url: "tcp://192.0.2.1:23", interval: 20s, conditions: ["[CONNECTED] == false"]}
  - {name: mx, url: "192.0.2.53", dns: {query-name: example.com, query-type: MX}, conditions: ["[DNS_RCODE] == NOERROR", "[BODY] == pat(*mx1*)"]}
  - {name: cert, url: "tls://a.example.com:443", conditions: ["[CERTIFICATE_EXPIRATION] > 36h"]}
  - {name: mail, url: "starttls://mail.example.com:587", conditions: ["[CONNECTED] == true"], enabled: false}
  - {name: socket, url: "wss://a.example.com/", body: ping, conditions: ["[BODY] == pong"]}
  - {name: datagram, url: "udp://192.0.2.1:53", conditions: ["[CONNECTED] == true"]}
  - {name: "variable", url: "https://\${NOT_SET}", conditions: []}
external-endpoints:
  - {name: backup, group: jobs.core, token: potato, heartbeat: {interval: 2h}, alerts: [{type: email, send-on-resolved: false}]}
  - {name: no alarm, token: tomato, heartbeat: {interval: 0}}
suites:
  - {name: login}
`;

const plain = { interval: 1, threshold: 10 };
const http = { ...plain, type: "HTTP", follow: true, verify: true };

test("endpoints come with their conditions as far as checks have them", async () => {
  await using site = await importHarness({ "config.yaml": config }, { SHOP: "shop.example.com/" });
  const { notes, absent } = await site.plan("gatus");
  const { checks } = await site.imported("gatus");
  const cases: Readonly<
    Record<string, readonly [key: string, becomes: object, ...notes: string[]]>
  > = {
    site: [
      "web-shop_site",
      {
        type: "HTTPADV",
        target: "https://shop.example.com/",
        interval: 2,
        threshold: 2,
        sens: 1,
        verify: true,
        warningdays: 10,
        statuscode: 200,
        contentstring: "Sign in",
        tags: ["group:Web Shop"],
      },
      "changed interval",
      "changed timeout",
    ],
    numbers: [
      "_numbers",
      {
        ...http,
        type: "HTTPADV",
        target: "https://a.example.com/$x",
        interval: 5,
        fields: { f1: { name: "jobs.0.failed", max: 4 }, f2: { name: "load", min: 0.5 } },
      },
      "changed [STATUS]",
      "changed [BODY].jobs[0].failed",
      "left out condition [BODY].state == ok",
      "left out condition len([BODY].jobs) > 3",
    ],
    missing: [
      "_missing",
      {
        ...plain,
        type: "HTTPCONTENT",
        target: "https://a.example.com/",
        follow: true,
        contentstring: "error",
        invert: true,
      },
      "changed [STATUS]",
    ],
    codes: ["_codes", { ...http, target: "https://a.example.com/" }, "changed status"],
    failing: [
      "_failing",
      { ...http, target: "https://a.example.com/", enabled: "inactive" },
      "left out condition [STATUS] >= 400",
    ],
    gw: ["_gw", { ...plain, type: "PING", target: "192.0.2.1" }],
    closed: [
      "_closed",
      { ...plain, type: "PORT", target: "192.0.2.1", port: 23, invert: true, interval: 0.5 },
      "changed interval",
    ],
    mx: [
      "_mx",
      {
        ...plain,
        type: "DNS",
        target: "192.0.2.53",
        dnstype: "MX",
        dnstoresolve: "example.com",
        contentstring: "mx1",
      },
    ],
    cert: [
      "_cert",
      { ...plain, type: "SSL", target: "a.example.com", port: 443, warningdays: 2 },
      "changed [CERTIFICATE_EXPIRATION]",
    ],
    mail: [
      "_mail",
      {
        ...plain,
        type: "SMTP",
        target: "mail.example.com",
        port: 587,
        secure: "starttls",
        verify: true,
        enabled: "inactive",
      },
    ],
    socket: [
      "_socket",
      {
        ...plain,
        type: "WEBSOCKET",
        target: "wss://a.example.com/",
        data: "ping",
        contentstring: "pong",
      },
      "changed [BODY]",
    ],
    backup: [
      "jobs-core_backup",
      {
        type: "PUSH",
        interval: 120,
        threshold: 5,
        sens: 1,
        grace: 0.25,
        oldresultfail: true,
        tags: ["group:jobs.core"],
      },
      "changed first heartbeat",
    ],
    "no alarm": ["_no-alarm", { type: "PUSH", interval: 15, threshold: 5, oldresultfail: false }],
  };
  for (const [label, [key, becomes, ...noted]] of Object.entries(cases)) {
    assert.deepEqual(shownCheck(checks[label]), becomes, label);
    assert.deepEqual(notes[key].toSorted(), noted.toSorted(), label);
  }
  assert.match(absent._datagram, /udp do not exist/);
  assert.match(absent.login, /steps/);
  assert.match(absent.NOT_SET, /not set/);
});

for (const [timezone, isOn] of [
  ["Europe/Berlin", false],
  ["Europe/Riga", true],
  ["EET", true],
] as const)
  test(`a maintenance in Europe/Riga is ${isOn ? "on" : "off"} in an account in ${timezone}`, async () => {
    await using site = await importHarness({ "config.yaml": config }, { SHOP: "shop.example.com" });
    await site.cast.ask(site.cast.alice, "PUT /accounts", { timezone });
    const { maintenance, out } = await site.imported("gatus");
    assert.equal(maintenance["gatus maintenance"].enabled, isOn);
    const reason =
      /timezone: its times are those of Europe\/Riga, and here .* time zone, Europe\/Berlin; it is off/;
    assert.equal(reason.test(out), !isOn, out);
  });

test("alerts become contacts and delays, and the maintenance a maintenance", async () => {
  await using site = await importHarness({ "config.yaml": config }, { SHOP: "shop.example.com/" });
  const { checks, contacts, maintenance } = await site.imported("gatus");
  const shown = (name: string): readonly (readonly [string, boolean])[] =>
    Object.values<{ address: string; suppressup?: boolean }>(contacts[name].addresses ?? {}).map(
      ({ address, suppressup = false }) => [address, suppressup],
    );
  assert.deepEqual(shown("gatus email"), [
    ["a@example.com", false],
    ["b@example.com", false],
  ]);
  assert.deepEqual(shown("gatus email, no recoveries"), [
    ["a@example.com", true],
    ["b@example.com", true],
  ]);
  assert.deepEqual(shown("gatus custom, no recoveries"), []);
  const rule = (delay: number) => ({ schedule: "All", delay });
  const id = (name: string): string => contacts[name]._id;
  // Two failures of 90 s, five, and the three that are usual.
  assert.deepEqual(checks.site.notifications, [
    { [id("gatus email")]: rule(0) },
    { [id("gatus slack, no recoveries")]: rule(4) },
    { [id("gatus custom, no recoveries")]: rule(1) },
  ]);
  const { cron, duration, checklist } = maintenance["gatus maintenance"];
  assert.deepEqual([cron, duration], ["30 23 * * 0,1", 90]);
  assert.equal(checklist.length, Object.keys(checks).length);
});
