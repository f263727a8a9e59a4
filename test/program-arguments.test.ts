import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { createPingProgram } from "../src/checks/icmp/ping-program.ts";
import { traceRoute } from "../src/checks/diagnostics/route.ts";
import { contextOf } from "./contracts/check-type.ts";

const trace = (address: string): Promise<unknown> =>
  traceRoute({ address, family: 4 }, contextOf());
const ping = (address: string): Promise<unknown> =>
  createPingProgram()(address, contextOf({ timeoutMs: 5000 }));

/** The programs that an address is given to, and what calls each. */
const programs = [
  { name: "mtr", call: trace },
  { name: "traceroute", call: trace },
  { name: "ping", call: ping },
];

for (const { name, call } of programs) {
  // guard: arguments of traceroute
  // guard: arguments of mtr
  // guard: arguments of ping
  test(`${name} takes no address for an option`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "watchpost-arguments-"));
    const usual = process.env.PATH;
    try {
      const said = join(folder, "said");
      const program = join(folder, name);
      await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${said}'\nexit 2\n`);
      await chmod(program, 0o755);
      process.env.PATH = folder;
      await call("-f/etc/passwd").catch(() => {});
      const given = (await readFile(said, "utf8")).trim().split("\n");
      assert.deepEqual(given.slice(-2), ["--", "-f/etc/passwd"]);
      assert.equal(given.indexOf("--"), given.length - 2);
    } finally {
      process.env.PATH = usual;
      await rm(folder, { recursive: true });
    }
  });
}
