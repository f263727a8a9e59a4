import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import manifest from "../../package.json" with { type: "json" };
import { logged, run } from "../e2e/process.ts";
import { waitFor } from "../time/wait-for.ts";

const root = join(import.meta.dirname, "../..");

type Step = readonly [string, () => void | Promise<void>];

/** The package of npm, from its build to a start, in order. */
export function npmSteps(folder: string): readonly Step[] {
  const place = join(folder, "npm");
  const program = join(place, "node_modules/.bin/watchpost");
  const npm = (cwd: string, ...args: readonly string[]): string =>
    execFileSync("npm", args, { cwd, encoding: "utf8" });
  let packed = "";
  return [
    [
      "the npm package is built",
      () => {
        packed = npm(root, "run", "--silent", "package:npm").trim().split("\n").at(-1) ?? "";
        assert.match(packed, /\/dist\/watchpost-[\w.-]+\.tgz$/);
      },
    ],
    [
      "npm installs it into an empty folder, and little else",
      () => {
        mkdirSync(place);
        writeFileSync(join(place, "package.json"), '{ "private": true }\n');
        const options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
        npm(place, "install", ...options, packed);
        const there = readdirSync(join(place, "node_modules"));
        assert.ok(there.length < 10, there.join());
      },
    ],
    [
      "it says its version, and serves the dashboard",
      async () => {
        const said = execFileSync(program, ["--version"], { encoding: "utf8" });
        assert.equal(said.trim(), manifest.version);
        await using site = run(place, {}, [program]);
        const base = await waitFor<string>(
          "the address",
          () => logged(site, "main.started")?.address,
        );
        const page = await (await fetch(`${base}/signin`)).text();
        assert.match(page, /<html/);
        await waitFor("readiness", async () => (await fetch(`${base}/readyz`)).ok);
        assert.equal(await site.kill("SIGTERM"), 0);
      },
    ],
  ];
}
