import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { sampleProbes, sampleTargets, sampleWorld } from "../sample-world.ts";
import { objectsOf } from "./objects.ts";
import { writeConfiguration, zabbix } from "./zabbix.ts";

const schedule = { intervalSeconds: 30, timeoutSeconds: 5, confirmations: 3 };

test("a webhook of Zabbix is read as an alarm or its end", () => {
  const read = (body: string): unknown => zabbix.read({ way: "webhook", body, headers: {} });
  const reason =
    'status: the page fails: response code "503" did not match any of the required status codes "200-299"';
  const fields = `target=status&reason=${encodeURIComponent(reason)}`;
  const target = "status";
  assert.deepEqual(read(`${fields}&state=PROBLEM`), [{ target, state: "down", reason }]);
  assert.deepEqual(read(`${fields}&state=RECOVERY`), [{ target, state: "up", reason }]);
});

test("a mail of Zabbix is read as an alarm or its end", () => {
  const read = (subject: string, body: string): unknown =>
    zabbix.read({ way: "mail", body, headers: { subject } });
  const data = "Operational data: net.tcp.service[tcp,127.0.0.1,8022]";
  assert.deepEqual(read("Problem: port: no answer", `${data}: 0\n`), [
    {
      target: "port",
      state: "down",
      reason: "port: no answer: net.tcp.service[tcp,127.0.0.1,8022]: 0",
    },
  ]);
  assert.deepEqual(read("Resolved: port: no answer", `${data}: 1\n`), [
    {
      target: "port",
      state: "up",
      reason: "port: no answer: net.tcp.service[tcp,127.0.0.1,8022]: 1",
    },
  ]);
  assert.deepEqual(read("Hello", ""), []);
});

test("the Zabbix server checks what needs no agent", () => {
  const unsupported = sampleTargets.filter(({ probe }) => !zabbix.supports(probe));
  assert.deepEqual(
    unsupported.map(({ id }) => id),
    ["lacking", "record", "certificate"],
  );
});

test("a page is a web scenario, and a problem after the failed checks required", () => {
  assert.deepEqual(objectsOf({ id: "page", probe: sampleProbes.page }, schedule), {
    webScenario: {
      name: "page",
      delay: "30s",
      verify_peer: 1,
      verify_host: 1,
      steps: [
        {
          name: "page",
          no: 1,
          url: "http://site.test:8080/a?b=c",
          timeout: "5s",
          status_codes: "200",
          follow_redirects: 1,
          required: String.raw`all is \(well\)`,
        },
      ],
    },
    trigger: {
      priority: 4,
      tags: [{ tag: "target", value: "page" }],
      description: "page: the page fails",
      expression:
        "min(/targets/web.test.fail[page],#3)>0 and length(last(/targets/web.test.error[page]))>=0",
      opdata: "{ITEM.LASTVALUE2}",
    },
  });
});

test("a page that must lack a text has a pattern that fails where the text is", () => {
  const probe = { kind: "http", url: "http://site.test/", lacks: "an error" } as const;
  const text = JSON.stringify(objectsOf({ id: "page", probe }, schedule).webScenario);
  assert.ok(text.includes(JSON.stringify(String.raw`\A(?![\s\S]*an error)`)), text);
});

test("a port is a simple check, and a problem after the failed checks required", () => {
  const { item, trigger } = objectsOf({ id: "port", probe: sampleProbes.port }, schedule);
  const key = "net.tcp.service[tcp,10.0.0.1,22]";
  assert.deepEqual(item, { name: "port", key_: key, type: 3, value_type: 3, delay: "30s" });
  assert.equal(
    Object.entries(trigger).find(([name]) => name === "expression")?.[1],
    `max(/targets/${key},#3)=0`,
  );
});

test("the server and the frontend of Zabbix find the same database", async () => {
  await using world = await sampleWorld(zabbix.supports);
  const authority = join(world.folder, "authority.pem");
  await writeFile(authority, "");
  await writeConfiguration({ ...world, authority });
  const server = await readFile(join(world.folder, "zabbix_server.conf"), "utf8");
  const frontend = await readFile(join(world.folder, "frontend/zabbix.conf.php"), "utf8");
  assert.match(server, /^DBPort=20001$/m);
  assert.match(server, /^Timeout=5$/m);
  assert.ok(server.includes(`DBHost=${world.folder}\n`));
  assert.ok(frontend.includes(`$DB['SERVER'] = '${world.folder}';\n$DB['PORT'] = '20001';`));
});
