import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { hashToken } from "../../src/kit/crypto/seal.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { alice } from "../../test/record-builders.ts";
import { compileCache, dataFolder, fill, median, openStore, startServer } from "../fixture.ts";

const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";
const CHECKS = 10_000;

interface Ran {
  readonly ms: number;
  readonly mebibytes: number;
}

/** What it takes to compare files of 10,000 checks with an account that has them, from the call of the command to its end. */
export async function benchConfiguration(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  await fill(folder, CHECKS, (at) => ({
    type: "HTTP",
    label: `Service number ${at}`,
    parameters: { target: `https://service-${at}.example.com/health` },
  }));
  const store = await openStore(folder);
  await store.write((tx) =>
    tx.tokens.insert({
      digest: hashToken(token),
      accountId: alice.id,
      label: "bench",
      createdAt: alice.createdAt,
      compatibility: "standard",
    }),
  );
  await store.close();
  await using program = await startServer("watchpost", {
    WATCHPOST_LISTEN: "127.0.0.1:0",
    WATCHPOST_DATA: folder.path,
  });
  const environment = {
    WATCHPOST_URL: `http://127.0.0.1:${program.port}`,
    WATCHPOST_TOKEN: token,
  };
  const rows = [];
  for (const format of ["yaml", "json"]) {
    const file = join(folder.path, `all.${format}`);
    const exports: Ran[] = [];
    const plans: Ran[] = [];
    for (let round = 0; round < rounds; round += 1) {
      exports.push(await run(["export", "--output", file], environment));
      plans.push(await run(["plan", "-f", file], environment));
    }
    const { size } = await stat(file);
    const seconds = (all: readonly Ran[]): string =>
      (median(all.map(({ ms }) => ms)) / 1000).toFixed(1);
    const memory = Math.round(median(plans.map(({ mebibytes }) => mebibytes)));
    rows.push(
      `| ${format} | ${(size / 1e6).toFixed(1)} | ${seconds(exports)} | ${seconds(plans)} | ${memory} |`,
    );
  }
  return [
    `A configuration of ${CHECKS} checks in one file, ${rounds} rounds, medians`,
    "",
    "| file | MB | export s | plan s | plan MiB |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Runs a command to its end, and measures its largest memory on the way. */
async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const start = systemClock.monotonic();
  const child = spawn(join(import.meta.dirname, "../../watchpost"), args, {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let mebibytes = 0;
  const look = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, "utf8")
      .then((text) => {
        mebibytes = Math.max(mebibytes, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
      })
      .catch(() => undefined);
  }, 50);
  await once(child, "exit");
  clearInterval(look);
  return { ms: systemClock.monotonic() - start, mebibytes };
}
