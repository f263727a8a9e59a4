import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { sampleWorld } from "../sample-world.ts";
import { icinga2, writeConfiguration } from "./icinga2.ts";

test("what the command of Icinga posts is read as an alarm or its end", () => {
  const read = (body: string): unknown => icinga2.read({ way: "webhook", body, headers: {} });
  assert.deepEqual(
    read(
      "target=record&state=PROBLEM&reason=WARNING%3A+DNS+WARNING+-+0.114+seconds+response+time+%28Server+not+found+in+ANSWER+SECTION%29",
    ),
    [
      {
        target: "record",
        state: "down",
        reason:
          "WARNING: DNS WARNING - 0.114 seconds response time (Server not found in ANSWER SECTION)",
      },
    ],
  );
  assert.deepEqual(read("target=mail&state=RECOVERY&reason=OK%3A+SMTP+OK+-+0.101+sec."), [
    { target: "mail", state: "up", reason: "OK: SMTP OK - 0.101 sec." },
  ]);
  assert.deepEqual(read("target=mail&state=ACKNOWLEDGEMENT&reason="), []);
});

test("the configuration of Icinga has the schedule, and one service for each target", async () => {
  await using world = await sampleWorld(icinga2.supports);
  await writeConfiguration(world);
  const text = await readFile(join(world.folder, "icinga2.conf"), "utf8");
  assert.match(text, / {2}max_check_attempts = 3\n {2}check_interval = 30s\n/);
  const services = text.matchAll(/^object Service "(.*)"/gm).map(([, id]) => id);
  assert.deepEqual(
    [...services],
    world.targets.map(({ id }) => id),
  );
  assert.ok(
    text.includes('"-u", "/a?b=c", "-f", "follow", "-s", "all is (well)", "-t", "5" ]'),
    text,
  );
});

test("an argument with a macro or a quote reaches the plugin as it is", async () => {
  await using world = await sampleWorld(() => false);
  const probe = { kind: "http", url: "http://site.test/", contains: 'costs "$5"' } as const;
  await writeConfiguration({ ...world, targets: [{ id: "price", probe }] });
  const text = await readFile(join(world.folder, "icinga2.conf"), "utf8");
  assert.ok(text.includes(String.raw`"-s", "costs \"$$5\"",`), text);
});
