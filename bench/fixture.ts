import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { aCheck, aFlip, alice } from "../test/record-builders.ts";
import type { Check } from "../src/domain/check.ts";
import { systemClock } from "../src/kit/clock.ts";
import type { Clock } from "../src/kit/clock.ts";
import { silentLog } from "../src/kit/log.ts";
import { createSealer } from "../src/kit/crypto/seal.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import type { Measured } from "./load.ts";

const root = join(import.meta.dirname, "..");

export interface Folder extends AsyncDisposable {
  readonly path: string;
  readonly key: Uint8Array;
}

/** A data folder beside the code, for a temporary folder may be memory. */
export async function dataFolder(): Promise<Folder> {
  const path = await mkdtemp(join(root, "data-bench-"));
  const key = randomBytes(32);
  await writeFile(join(path, "instance.key"), key.toString("hex"));
  return { path, key, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

export function openStore(folder: Folder, clock: Clock = systemClock): Promise<Store> {
  return openSqliteStore({
    directory: folder.path,
    clock,
    sealer: createSealer(folder.key),
    log: silentLog,
  });
}

/** Fills a store with enabled checks that are passing already, as they would be on any other day. */
export async function fill(
  store: Store,
  count: number,
  checkOf: (index: number) => Partial<Check>,
): Promise<readonly string[]> {
  const at = systemClock.now();
  await store.write((tx) => tx.accounts.insert({ ...alice, createdAt: at }));
  const ids: string[] = [];
  for (let from = 0; from < count; from += 1000) {
    await store.write(async (tx) => {
      for (let index = from; index < Math.min(from + 1000, count); index += 1) {
        const id = `${alice.id}-${String(index).padStart(8, "0")}`;
        const { no } = await tx.checks.insert({
          ...aCheck(id, { uuid: id, createdAt: at, modifiedAt: at }),
          ...checkOf(index),
        });
        await tx.states.flip(aFlip(no, { id, to: "passing", at, since: at }));
        ids.push(id);
      }
    });
  }
  return ids;
}

export interface Server extends AsyncDisposable {
  readonly port: number;
}

/** Starts a program of ours and waits until it says on which port it is. */
export async function startServer(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  parameters: readonly string[] = [],
): Promise<Server> {
  const child = spawn(
    process.execPath,
    [join(root, file), ...(file.startsWith("bench/") ? ["0"] : []), ...parameters],
    {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = /(?:port |127\.0\.0\.1:)(\d+)/.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    child.once("exit", () => reject(new Error(`${file} ended`)));
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** A row of medians: the rate, the latencies, and the statuses. */
export function rowOf(name: string, measured: readonly Measured[]): string {
  const [perSecond, p50, p99] = (["perSecond", "p50", "p99"] as const).map((key) =>
    median(measured.map((one) => one[key])),
  );
  return `| ${name} | ${Math.round(perSecond ?? 0)} | ${p50?.toFixed(1)} | ${p99?.toFixed(1)} | ${JSON.stringify(measured[0]?.statuses)} |`;
}
