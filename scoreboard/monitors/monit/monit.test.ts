import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { sampleTargets, sampleWorld } from "../sample-world.ts";
import { checkOf, monit, writeConfiguration } from "./monit.ts";

const headers = { subject: "monit alert --  Connection failed page-status" };
const body = `Connection failed Service page-status \n
\tDate:        Tue, 24 Nov 2026 03:45:12
\tAction:      exec
\tHost:        vm
\tDescription: failed protocol test [HTTP] at [site.test]:8080/status [TCP/IP] -- HTTP error: Server returned status 503

Your faithful employee,
Monit
`;
const reason =
  "Connection failed: failed protocol test [HTTP] at [site.test]:8080/status [TCP/IP] -- HTTP error: Server returned status 503";

test("a mail of monit is read as an alarm or its end", () => {
  const down = { target: "page-status", state: "down", reason };
  assert.deepEqual(monit.read({ way: "mail", body, headers }), [down]);
  const recovery = {
    way: "mail",
    headers: { subject: "monit alert --  Timestamp succeeded certificate" },
    body: "Timestamp succeeded Service certificate \n\n\tDescription: certificate valid days test succeeded [valid for 89 days]\n",
  } as const;
  assert.deepEqual(monit.read(recovery), [
    {
      target: "certificate",
      state: "up",
      reason: "Timestamp succeeded: certificate valid days test succeeded [valid for 89 days]",
    },
  ]);
  const started = { subject: "monit alert --  Monit instance changed vm" };
  assert.deepEqual(monit.read({ way: "mail", body: "", headers: started }), []);
});

test("what the script of monit posts is read as an alarm or its end", () => {
  const posted =
    "target=page-lacks&state=down&reason=Connection+failed%3A+failed+protocol+test+%5BHTTP%5D+at+%5Bsite.test%5D%3A8080%2Flacks+%5BTCP%2FIP%5D+--+HTTP+error%3A+Regular+expression+matches";
  assert.deepEqual(monit.read({ way: "webhook", body: posted, headers: {} }), [
    {
      target: "page-lacks",
      state: "down",
      reason:
        "Connection failed: failed protocol test [HTTP] at [site.test]:8080/lacks [TCP/IP] -- HTTP error: Regular expression matches",
    },
  ]);
  assert.deepEqual(monit.read({ way: "webhook", body: "hello", headers: {} }), []);
});

test("monit checks what its tests can, and follows no redirects", () => {
  const unsupported = sampleTargets.filter(({ probe }) => !monit.supports(probe));
  assert.deepEqual(
    unsupported.map(({ id }) => id),
    ["moved", "record"],
  );
});

test("the configuration of monit has the schedule, and one check for each target", async () => {
  await using world = await sampleWorld(monit.supports);
  await writeConfiguration(world);
  const file = join(world.folder, "monitrc");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const text = await readFile(file, "utf8");
  assert.match(text, /^set daemon 30$/m);
  assert.match(text, /^set mailserver 192\.0\.2\.8 port 2525 /m);
  const then = `with timeout 5 seconds for 3 cycles
    then exec "${world.folder}/alert.sh down" else if succeeded then exec "${world.folder}/alert.sh up"`;
  const tests = world.targets.map((target) => checkOf(target, world).replaceAll(` ${then}`, ""));
  for (const target of world.targets) assert.ok(text.includes(checkOf(target, world)));
  assert.deepEqual(tests, [
    String.raw`check host page with address site.test
  if failed port 8080 protocol http request "/a?b=c" status = 200 content = "all is \(well\)"`,
    `check host lacking with address site.test
  if failed port 80 ipv6 protocol http request "/" status < 300 content != "error"`,
    `check host stays-put with address site.test
  if failed port 80 protocol http request "/old" status = 301`,
    `check host secure with address site.test
  if failed port 443 protocol https request "/" status < 300`,
    `check host trusting with address site.test
  if failed port 443 with ssl options {verify: disable} protocol https request "/" status < 300`,
    `check host port with address 10.0.0.1
  if failed port 22 type tcp`,
    `check host host with address 10.0.0.2
  if failed ping count 3`,
    `check host mail with address 10.0.0.4
  if failed port 25 protocol smtp`,
    `check host certificate with address site.test
  if failed port 993 type tcp ssl and certificate valid > 14 days`,
  ]);
});
