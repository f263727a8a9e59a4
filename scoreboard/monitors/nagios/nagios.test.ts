import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { sampleWorld } from "../sample-world.ts";
import { nagios, writeConfiguration } from "./nagios.ts";

test("what the command of Nagios posts is read as an alarm or its end", () => {
  const read = (body: string): unknown => nagios.read({ way: "webhook", body, headers: {} });
  assert.deepEqual(
    read(
      "target=port&state=PROBLEM&reason=CRITICAL%3A+connect+to+address+127.0.0.1+and+port+8022%3A+Connection+refused",
    ),
    [
      {
        target: "port",
        state: "down",
        reason: "CRITICAL: connect to address 127.0.0.1 and port 8022: Connection refused",
      },
    ],
  );
  assert.deepEqual(read("target=host&state=RECOVERY&reason=OK%3A+PING+OK+-+Packet+loss+%3D+0%25"), [
    { target: "host", state: "up", reason: "OK: PING OK - Packet loss = 0%" },
  ]);
  assert.deepEqual(read("target=host&state=FLAPPINGSTART&reason=OK"), []);
});

test("the configuration of Nagios has the schedule, and one service for each target", async () => {
  await using world = await sampleWorld(nagios.supports);
  await writeConfiguration(world);
  const main = await readFile(join(world.folder, "nagios.cfg"), "utf8");
  assert.ok(main.includes(`log_file=${world.folder}/nagios.log\n`));
  assert.match(main, /^interval_length=1$/m);
  const objects = await readFile(join(world.folder, "objects.cfg"), "utf8");
  assert.match(objects, /^ {4}max_check_attempts {5}3\n {4}check_interval {9}30$/m);
  const services = objects.matchAll(/service_description {2}(.*)/g).map(([, id]) => id);
  assert.deepEqual(
    [...services],
    world.targets.map(({ id }) => id),
  );
  assert.ok(
    objects.includes(
      "/usr/lib/nagios/plugins/check_http -H site.test -p 8080 -u '/a?b=c' -f follow -s 'all is (well)' -t 5\n",
    ),
  );
});

test("an argument with a macro, a comment, or a quote reaches the plugin as it is", async () => {
  await using world = await sampleWorld(() => false);
  const contains = "it's $5; or less";
  const probe = { kind: "http", url: "http://site.test/", contains } as const;
  await writeConfiguration({ ...world, targets: [{ id: "price", probe }] });
  const objects = await readFile(join(world.folder, "objects.cfg"), "utf8");
  assert.ok(objects.includes(String.raw`-s 'it'\''s $$5\; or less' -t 5`), objects);
});
