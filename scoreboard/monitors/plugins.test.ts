import assert from "node:assert/strict";
import { test } from "node:test";

import { pluginCommand, pluginSupports } from "./plugins.ts";
import { sampleProbes } from "./sample-world.ts";

const world = {
  schedule: { intervalSeconds: 30, timeoutSeconds: 5, confirmations: 3 },
  authority: "/etc/authority.pem",
};

test("each probe is checked by the plugin for it", () => {
  const commands = Object.entries(sampleProbes).map(([id, probe]) => {
    const [path = "", ...options] = pluginCommand(probe, world);
    return [id, path.replace("/usr/lib/nagios/plugins/", ""), options.join(" ")];
  });
  assert.deepEqual(commands, [
    ["page", "check_http", "-H site.test -p 8080 -u /a?b=c -f follow -s all is (well) -t 5"],
    ["lacking", "check_http", "-H site.test -p 80 -u / -f follow -r error --invert-regex -6 -t 5"],
    ["moved", "check_http", "-H site.test -p 80 -u /old -f follow -t 5"],
    ["stays-put", "check_http", "-H site.test -p 80 -u /old -e  301 -t 5"],
    [
      "secure",
      "check_curl",
      "-H site.test -p 443 -u / -S --sni -D --ca-cert /etc/authority.pem -f follow -t 5",
    ],
    ["trusting", "check_http", "-H site.test -p 443 -u / -S --sni -f follow -t 5"],
    ["port", "check_tcp", "-H 10.0.0.1 -p 22 -t 5"],
    ["host", "check_ping", "-H 10.0.0.2 -w 3000,80% -c 5000,100% -p 5 -t 5"],
    ["record", "check_dig", "-H 10.0.0.3 -p 5353 -l record.test -T A -a 192.0.2.1 -t 5"],
    ["mail", "check_smtp", "-H 10.0.0.4 -p 25 -t 5"],
    ["certificate", "check_tcp", "-H site.test -p 993 -S --sni=site.test -D 14 -t 5"],
  ]);
});

test("a failure at the end of redirects cannot be expected", () => {
  const probe = { kind: "http", url: "http://site.test/", followRedirects: true } as const;
  assert.equal(pluginSupports({ ...probe, status: 404 }), false);
  assert.equal(pluginSupports({ ...probe, status: 200 }), true);
  assert.equal(pluginSupports({ ...probe, status: 404, followRedirects: false }), true);
});
