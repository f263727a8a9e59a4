import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";

import { listen, type Peer } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import {
  root,
  type CheckRecord,
  type ResultRecord,
  type RunningInstallation,
} from "../e2e/process.ts";

export const main = [process.execPath, join(root, "src/main.ts")];
export const INSTANCE_KEY = "0123456789abcdef".repeat(4);

/** Runs a command of the command line, and gives what it printed. */
export async function command(folder: string, ...args: readonly string[]): Promise<string> {
  const [file = "", ...rest] = main;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("WATCHPOST_"));
  const env = { ...Object.fromEntries(inherited), WATCHPOST_INSTANCE_KEY: INSTANCE_KEY };
  const { stdout } = await promisify(execFile)(file, [...rest, ...args], { cwd: folder, env });
  return stdout;
}

export interface Target extends Peer {
  readonly url: string;
  status: number;
  /** Requests wait for their answer as long as it is set. */
  isSlow: boolean;
  readonly waiting: () => number;
}

export async function target(host = "127.0.0.1"): Promise<Target> {
  let held: (() => void)[] = [];
  let isSlow = false;
  const server = createServer((request, response) => {
    const answer = (): void => void response.writeHead(state.status).end("hello");
    if (!isSlow) return answer();
    held.push(answer);
    request.on("close", () => (held = held.filter((each) => each !== answer)));
  });
  const peer = await listen(server, host);
  const state: Target = {
    ...peer,
    url: `http://${host}:${peer.port}/`,
    status: 200,
    waiting: () => held.length,
    get isSlow() {
      return isSlow;
    },
    set isSlow(value) {
      isSlow = value;
      if (!value) for (const answer of held.splice(0)) answer();
    },
  };
  return state;
}

export function newestResults(
  site: RunningInstallation,
  checks: readonly CheckRecord[],
): Promise<readonly (ResultRecord | undefined)[]> {
  return Promise.all(
    checks.map(async ({ _id }) => {
      const [newest]: readonly ResultRecord[] = await site.api(`GET results/${_id}?limit=1`);
      return newest;
    }),
  );
}

let round = 0;
/** Changes the interval of checks, which makes them run at once. */
export async function runAll(
  site: RunningInstallation,
  checks: readonly CheckRecord[],
): Promise<void> {
  round += 1;
  for (const { _id } of checks) await site.api(`PUT checks/${_id}`, { interval: 60 + round });
}

/** Runs each check at once, and waits until that brought a result; gives the locations of the results. */
export async function locationsOfRuns(
  site: RunningInstallation,
  checks: readonly CheckRecord[],
): Promise<readonly string[]> {
  const before = await newestResults(site, checks);
  await runAll(site, checks);
  return locationsAfter(before, site, checks);
}

/** Waits for a result of each check after these, and gives their locations. */
export function locationsAfter(
  before: readonly (ResultRecord | undefined)[],
  site: RunningInstallation,
  checks: readonly CheckRecord[],
): Promise<readonly string[]> {
  return waitFor("a new result of each check", async () => {
    const results = await newestResults(site, checks);
    const isNew = results.every((result, index) => (result?.s ?? 0) > (before[index]?.s ?? 0));
    return isNew && results.flatMap((result) => Object.values(result?.l ?? {}).at(-1) ?? []);
  });
}

export function locationsAre(site: RunningInstallation, wanted: readonly string[]): Promise<true> {
  return waitFor(`the locations are ${wanted.join()}`, async () => {
    const found = Object.keys(await site.api("GET info/probe"));
    return found.toSorted().join() === wanted.join();
  });
}
