import { execFile } from "node:child_process";
import { rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { pause } from "../e2e/trouble.ts";
import type { OneProcess } from "./installation.ts";
import { judgeLoss } from "./judges/judge-loss.ts";
import type { Beat, Finding } from "./judges/judge-states.ts";
import type { Random } from "./random.ts";

interface Loss {
  readonly what: string;
  readonly lose: (data: string) => Promise<void>;
}

const DATABASE = "watchpost.db";

/** Possible damage to the files of a database in use. */
const losses: readonly [Loss, ...Loss[]] = [
  { what: "the data folder is deleted", lose: (data) => rm(data, { recursive: true }) },
  { what: "the database is deleted", lose: (data) => rm(join(data, DATABASE)) },
  { what: "the write-ahead log is deleted", lose: (data) => rm(join(data, `${DATABASE}-wal`)) },
  { what: "the database is truncated", lose: (data) => truncate(join(data, DATABASE)) },
  {
    what: "the write-ahead log is truncated",
    lose: (data) => truncate(join(data, `${DATABASE}-wal`)),
  },
];

/** A process that does not end by then is killed. */
const ENDS_WITHIN_MS = 30_000;
const BEAT_INTERVAL_MS = 200;

interface World {
  readonly site: OneProcess;
  /** The folder of the database. */
  readonly data: string;
  readonly random: Random;
  readonly findings: Finding[];
}

/**
 * Takes a file from the process, to which heartbeats are sent until it ends, and puts a copy of the moment of the loss in its place. Whether the
 * process noticed that it was gone.
 */
export async function loseFiles({ site, data, random, findings }: World): Promise<boolean> {
  const { body } = await site.insist("POST checks", {
    type: "PUSH",
    label: "beats into lost files",
    enabled: true,
    interval: 60,
  });
  const check = { id: String(body._id), token: String(body.parameters.checktoken) };
  const { what, lose } = random.pick(losses);
  const copy = `${data}-copy`;
  const run = promisify(execFile);
  const { pid, ended, log } = site.process();
  const unsaved = { from: systemClock.monotonic(), to: Infinity };
  site.unsaved.push(unsaved);
  {
    // Data acknowledged earlier is in the copy.
    using _pause = pause(pid);
    await run("cp", ["-a", data, copy]);
    await lose(data);
  }
  const lost = { at: systemClock.now(), monotonic: systemClock.monotonic() };
  const beats: Beat[] = [];
  let end: Awaited<typeof ended> | undefined;
  void ended.then((how) => (end = how));
  while (end === undefined && systemClock.monotonic() < lost.monotonic + ENDS_WITHIN_MS) {
    beats.push(await site.beat(check, true));
    await sleep(systemClock, BEAT_INTERVAL_MS);
  }
  const stalls = site.blurred.filter(({ to }) => to > lost.monotonic);
  const judged = judgeLoss({
    end,
    log: log(),
    lostAt: lost.at,
    beats,
    hasStalled: stalls.length > 0,
  });
  findings.push(
    ...judged.wrong.map(({ kind, what: wrong }) => ({
      kind,
      about: "the process",
      at: systemClock.monotonic(),
      what: `${what}: ${wrong}`,
    })),
  );
  site.kills.push(systemClock.monotonic());
  await site.process().kill("SIGKILL");
  unsaved.to = systemClock.monotonic();
  await rm(data, { recursive: true, force: true });
  await run("mv", [copy, data]);
  return judged.hasNoticed;
}
