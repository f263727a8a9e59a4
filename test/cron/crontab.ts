import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";

import { Cron } from "croner";

import { root } from "../e2e/process.ts";
import { listen } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import type { Ran } from "./expected.ts";
import type { Job, Line } from "./lines.ts";
import type { ProgramTime } from "./time.ts";

export interface Entry {
  readonly line: Line;
  /** Environment variables of the line. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Hour {
  readonly time: ProgramTime;
  readonly from: number;
  readonly minutes: number;
  /** Called between two moves of time; the program has stored by then what it found before. */
  readonly settle: () => Promise<void>;
}

/** A job waits for the answer of the test, which is its exit code and its output. */
const STUB = `#!/bin/sh
answer=$(curl -sS "$JOB") || exit 99
code=\${answer%% *}
[ "$code" != kill ] || kill -KILL "$PPID"
printf '%s' "\${answer#* }"
exit "$code"
`;
/** Between two moves the program stores what it has found meanwhile. */
const MAX_MOVED_MS = 20_000;
const usual: Job = { exit: 0, seconds: 0, output: "" };

interface Waking {
  readonly at: number;
  readonly wake: () => void;
}

interface Run {
  readonly line: Line;
  readonly job: Job;
  readonly log: Ran[];
}

/** Runs the lines at their times with /bin/sh, as cron does; time advances when each has ended or waits for its job. */
export async function runCrontab(
  entries: readonly Entry[],
  folder: string,
  { time, from, minutes, settle }: Hour,
): Promise<ReadonlyMap<Line, readonly Ran[]>> {
  const until = from + minutes * 60_000;
  const waking = new Set<Waking>();
  const runs = new Map<string, Run>();
  let [busy, last] = [0, 0];
  await using jobs = await listen(
    createServer((request, response) => {
      const run = runs.get(request.url?.slice(1) ?? "");
      if (run === undefined) response.writeHead(404).end();
      else waitForEnd(run.job, response);
    }),
  );
  const waitForEnd = ({ exit, seconds, output, kills }: Job, response: ServerResponse): void => {
    busy -= 1;
    const at = time.now() + seconds * 1000;
    const wake = (): void => {
      busy += 1;
      response.end(`${kills === true ? "kill" : exit} ${output}`);
    };
    waking.add({ at, wake });
  };
  const path = pathWith(folder);

  const begin = ({ line, environment }: Entry, number: number, log: Ran[]): void => {
    last += 1;
    const [id, cwd] = [String(last), join(folder, `run-${last}`)];
    const job = { ...usual, ...line.job?.(number) };
    runs.set(id, { line, job, log });
    mkdirSync(cwd);
    busy += 1;
    const startedAt = time.now();
    spawn("/bin/sh", ["-c", line.command], {
      cwd,
      env: { PATH: path, JOB: `http://127.0.0.1:${jobs.port}/${id}`, ...environment },
      stdio: "ignore",
    }).once("close", () => {
      busy -= 1;
      const report = job.kills === true ? undefined : line.report(job);
      log.push({ startedAt, endedAt: time.now(), report });
    });
  };

  const logs = new Map<Line, Ran[]>();
  const due: { readonly at: number; readonly begin: () => void }[] = [];
  for (const entry of entries) {
    const log: Ran[] = [];
    logs.set(entry.line, log);
    for (const [number, at] of timesOf(entry.line.cron, from, until).entries())
      if (entry.line.off?.includes(number) !== true)
        due.push({ at, begin: () => begin(entry, number, log) });
  }
  due.sort((one, other) => one.at - other.at);

  while (time.now() < until) {
    const now = time.now();
    for (let [next] = due; next !== undefined && next.at <= now; [next] = due) {
      due.shift();
      next.begin();
    }
    for (const one of waking)
      if (one.at <= now) {
        waking.delete(one);
        one.wake();
      }
    await waitFor("every line ends, or waits for its job", () => busy === 0);
    await settle();
    const next = Math.min(until, due[0]?.at ?? until, ...[...waking].map(({ at }) => at));
    await time.advance(Math.min(next - time.now(), MAX_MOVED_MS));
  }
  // An unfinished job has no result, so it ends after the last minute by the program's own clock.
  for (let reached = 0; reached <= until;) reached = await time.advance(1);
  for (const { wake } of waking) wake();
  const ran = new Map([...logs].map(([line, log]) => [line, [...log]]));
  await waitFor("every line ends", () => busy === 0);
  return ran;
}

/** `backup` and `watchpost` among the commands. */
function pathWith(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "backup"), STUB, { mode: 0o755 });
  symlinkSync(join(root, "watchpost"), join(bin, "watchpost"));
  return `${bin}:${process.env.PATH}`;
}

function timesOf(cron: string, from: number, until: number): readonly number[] {
  const times = new Cron(cron, { timezone: "UTC", paused: true });
  const found: number[] = [];
  for (
    let at = times.nextRun(new Date(from - 1));
    at !== null && at.getTime() < until;
    at = times.nextRun(at)
  )
    found.push(at.getTime());
  return found;
}
