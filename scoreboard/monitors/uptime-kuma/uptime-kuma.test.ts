import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { scheduleFor } from "../monitor.ts";
import { sampleTargets, sampleWorld } from "../sample-world.ts";
import { uptimeKuma, writeConfiguration } from "./uptime-kuma.ts";

test("a webhook of Uptime Kuma is read as an alarm or its end", () => {
  const read = (body: unknown): unknown =>
    uptimeKuma.read({ way: "webhook", body: JSON.stringify(body), headers: {} });
  const heartbeat = {
    monitorID: 1,
    status: 0,
    time: "2026-11-24 04:36:25.652",
    msg: "Request failed with status code 503",
    important: true,
    duration: 20,
  };
  const monitor = { id: 1, name: "well", type: "keyword" };
  const reason = "Request failed with status code 503";
  assert.deepEqual(read({ heartbeat, monitor, msg: `[well] [🔴 Down] ${reason}` }), [
    { target: "well", state: "down", reason },
  ]);
  assert.deepEqual(read({ heartbeat: { ...heartbeat, status: 1, msg: "200 - OK" }, monitor }), [
    { target: "well", state: "up", reason: "200 - OK" },
  ]);
  const certificate = "[secure][https://site.test] Server certificate will be expired in 14 days";
  assert.deepEqual(read({ heartbeat: null, monitor: null, msg: certificate }), []);
});

test("a mail of Uptime Kuma is read as an alarm or its end", () => {
  const read = (text: string): unknown =>
    uptimeKuma.read({
      way: "mail",
      body: Buffer.from(text).toString("base64"),
      headers: { "content-transfer-encoding": "base64" },
    });
  const time = "\nTime (UTC): 2026-11-24 04:36:25";
  assert.deepEqual(read(`[well] [🔴 Down] Request failed with status code 503${time}`), [
    { target: "well", state: "down", reason: "Request failed with status code 503" },
  ]);
  assert.deepEqual(read(`[well] [✅ Up] 200 - OK, keyword is found${time}`), [
    { target: "well", state: "up", reason: "200 - OK, keyword is found" },
  ]);
  assert.deepEqual(read("hello"), []);
});

test("Uptime Kuma checks what it has monitors for", () => {
  const supported = sampleTargets.filter(({ probe }) => uptimeKuma.supports(probe));
  assert.deepEqual(
    supported.map(({ id }) => id),
    ["page", "moved", "stays-put", "secure", "trusting", "port", "host"],
  );
  const dns = { kind: "dns", server: "10.0.0.3", port: 53, name: "a.test", record: "A" } as const;
  assert.equal(uptimeKuma.supports(dns), true);
});

test("the records of Uptime Kuma have the schedule, and one monitor for each target", async () => {
  await using world = await sampleWorld(uptimeKuma.supports);
  const { records } = await writeConfiguration(world);
  const { monitors, notifications } = JSON.parse(await readFile(records, "utf8"));
  assert.deepEqual(
    notifications.map(({ type }: { readonly type: string }) => type),
    ["webhook", "smtp"],
  );
  for (const { interval, retryInterval, maxretries, timeout } of monitors)
    assert.deepEqual([interval, retryInterval, maxretries, timeout], [30, 30, 2, 5]);
  const fields = monitors.map(
    (one: Readonly<Record<string, unknown>>) =>
      `${String(one["name"])} ${String(one["type"])} ${String(one["accepted_statuscodes"])} ${String(one["maxredirects"])}`,
  );
  assert.deepEqual(fields, [
    "page keyword 200 10",
    "moved http 200-299 10",
    "stays-put http 301 0",
    "secure http 200-299 10",
    "trusting http 200-299 10",
    "port port 200-299 10",
    "host ping 200-299 10",
  ]);
});

test("an interval under the minimum of Uptime Kuma becomes the minimum", () => {
  const schedule = { intervalSeconds: 15, timeoutSeconds: 5, confirmations: 3 };
  assert.deepEqual(scheduleFor(uptimeKuma, schedule), { ...schedule, intervalSeconds: 20 });
  const slower = { ...schedule, intervalSeconds: 30 };
  assert.deepEqual(scheduleFor(uptimeKuma, slower), slower);
});
