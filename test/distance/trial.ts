import { randomBytes } from "node:crypto";

import { sql } from "kysely";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { kyselyOver } from "../../src/store/postgres/dialect.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import {
  start,
  temporaryFolder,
  type CheckRecord,
  type RunningInstallation,
} from "../e2e/process.ts";
import { distantPeer } from "../peers/distant.ts";
import { webServer } from "../peers/web-server.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { postgres } from "../servers/postgres.ts";
import { closeConnections, emptyDatabase } from "../stores/postgres-store.ts";
import { waitFor } from "../time/wait-for.ts";

/** Results of two processes with a distant database. */
export interface TrialFigures {
  /** Longest time between two results of one check, in ms. */
  readonly maxIntervalMs: number;
  /** Results that should be stored, and were not. */
  readonly missedRuns: number;
  readonly lostLeases: number;
  /** Looks at `/readyz` once a second, and how many of them were answered by 503. */
  readonly looks: number;
  readonly unready: number;
  /** Time from the failure of all targets, or from their recovery, to the alert of the last check, in ms; Infinity where some never came. */
  readonly lastDownMs: number;
  readonly lastUpMs: number;
  /** Round trips to the database as the processes measured them, in ms. */
  readonly measuredMs: readonly number[];
  /** Medians and maxima, in ms. */
  readonly heartbeatMs: readonly [median: number, most: number];
  readonly requestMs: readonly [median: number, most: number];
  /** Requests of the API and heartbeats that were not answered by 200. */
  readonly refused: number;
}

interface Trial {
  readonly roundTripMs: number;
  readonly checks?: number;
  readonly heartbeats?: number;
  /** How long the targets stay failing, and stay well, at least. */
  readonly eachStateMs?: number;
}

export const INTERVAL_MS = 15_000;
/** In which the processes find out how far away the database is. */
const SETTLED_MS = 20_000;
/** Alerts of a state that come no sooner than this count as lost. */
export const ALERTED_WITHIN_MS = 60_000;
const TOKEN = "far-from-the-database-0123456789";

/** Runs two processes with all roles over one PostgreSQL, whose targets all fail at once and recover at once. */
export async function runTrial({
  roundTripMs,
  checks = 40,
  heartbeats = 10,
  eachStateMs = 2 * INTERVAL_MS,
}: Trial): Promise<TrialFigures> {
  await using ending = new AsyncDisposableStack();
  const server = await postgres();
  ending.defer(() => server[Symbol.asyncDispose]());
  ending.defer(() => closeConnections(server));
  const near = await emptyDatabase(server);
  const far = ending.use(await distantPeer({ port: server.port }));
  const url = new URL(near);
  url.port = String(far.port);
  const settings = {
    WATCHPOST_DATABASE_URL: url.href,
    WATCHPOST_INSTANCE_KEY: randomBytes(32).toString("hex"),
    WATCHPOST_GROUP_WAIT_SECONDS: "0",
    WATCHPOST_TOKEN: TOKEN,
  };
  const web = ending.use(await webServer());
  const hook = ending.use(await receiverPeer());
  const sites: RunningInstallation[] = [];
  for (let made = 0; made < 2; made += 1) {
    const folder = ending.use(await temporaryFolder());
    sites.push(ending.use(await start(folder.path, settings, TOKEN)));
  }
  const [site] = sites;
  if (site === undefined) throw new Error("two processes were started");
  const watched = await makeChecks(site, { url: web.url, hook: hook.url, checks });
  const beating = await makeHeartbeats(site, heartbeats);

  const alertedOf = (type: string): number =>
    hook.requests.filter(({ body }) => JSON.parse(body).type === type).length;
  await waitFor("each has its first result", () => alertedOf("check.first") === watched.length);
  await waitFor("both have half of the checks", async () =>
    (await gaugesOf(sites, "watchpost_store_shards")).every((shards) => shards === 128),
  );

  far.roundTripMs = roundTripMs;
  await sleep(systemClock, SETTLED_MS);
  const logsBefore = sites.map(({ log }) => log().length);
  const from = Date.now();
  const watching = new AbortController();
  const observed = observe(sites, beating, watching.signal);
  const turned = async (status: number, type: string): Promise<number> => {
    web.status = status;
    const at = systemClock.monotonic();
    const passed = () => systemClock.monotonic() - at;
    let last = Infinity;
    while (passed() < (last < Infinity ? eachStateMs : ALERTED_WITHIN_MS)) {
      if (last === Infinity && alertedOf(type) >= watched.length) last = passed();
      await sleep(systemClock, 50);
    }
    return last;
  };
  const lastDownMs = await turned(500, "check.down");
  const lastUpMs = await turned(200, "check.up");
  watching.abort();
  const { looks, unready, beats, requests, refused } = await observed;
  const logs = sites.map(({ log }, index) => log().slice(logsBefore[index])).join("");
  return {
    ...(await runsSince(near, from)),
    lostLeases: logs.split(/store\.lease_(?:lost|not_renewed|taken_over)/).length - 1,
    looks,
    unready,
    lastDownMs,
    lastUpMs,
    measuredMs: (await gaugesOf(sites, "watchpost_store_round_trip_seconds")).map(
      (each) => each * 1000,
    ),
    heartbeatMs: spread(beats),
    requestMs: spread(requests),
    refused,
  };
}

async function makeChecks(
  site: RunningInstallation,
  { url, hook, checks }: { readonly url: string; readonly hook: string; readonly checks: number },
): Promise<readonly CheckRecord[]> {
  const contact = await site.api("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: hook, type: "webhook" }],
  });
  return Promise.all(
    Array.from({ length: checks }, (_, index) =>
      site.api("POST checks", {
        type: "HTTP",
        target: `${url}${index}`,
        sens: 0,
        interval: INTERVAL_MS / 60_000,
        enabled: true,
        notifications: [{ [contact._id]: "All" }],
      }),
    ),
  );
}

function makeHeartbeats(site: RunningInstallation, count: number): Promise<readonly CheckRecord[]> {
  return Promise.all(
    Array.from({ length: count }, () =>
      site.api("POST checks", { type: "PUSH", interval: 1, enabled: true }),
    ),
  );
}

interface Observed {
  looks: number;
  unready: number;
  refused: number;
  readonly beats: number[];
  readonly requests: number[];
}

/** Sends heartbeats and requests of the API, and looks at readiness, until it is asked to end. */
async function observe(
  sites: readonly RunningInstallation[],
  beating: readonly CheckRecord[],
  signal: AbortSignal,
): Promise<Observed> {
  const observed: Observed = { looks: 0, unready: 0, refused: 0, beats: [], requests: [] };
  const repeat = async (everyMs: number, act: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      await act(turn);
      await sleep(systemClock, everyMs, signal);
    }
  };
  const timed = async (into: number[], act: () => Promise<boolean>): Promise<void> => {
    const at = systemClock.monotonic();
    if (!(await act())) observed.refused += 1;
    into.push(systemClock.monotonic() - at);
  };
  await Promise.all([
    ...sites.map(({ base }) =>
      repeat(1000, async () => {
        const { status } = await fetch(`${base}/readyz`);
        observed.looks += 1;
        if (status !== 200) observed.unready += 1;
      }),
    ),
    ...sites.map((site) =>
      repeat(2000, () =>
        timed(observed.requests, () =>
          site.api("GET checks?limit=10").then(
            () => true,
            () => false,
          ),
        ),
      ),
    ),
    ...beating.map(({ _id, parameters }, index) =>
      repeat(INTERVAL_MS, (turn) =>
        timed(observed.beats, async () => {
          const site = sites[(index + turn) % sites.length];
          return (await site?.push(_id, parameters.checktoken ?? "")) === 200;
        }),
      ),
    ),
  ]);
  return observed;
}

/** Counts results stored since then, read directly from the database. */
async function runsSince(
  url: string,
  from: number,
): Promise<Pick<TrialFigures, "maxIntervalMs" | "missedRuns">> {
  const db = kyselyOver(createPool({ url: new Secret(url), most: 1 }));
  try {
    const { rows } = await sql<{ longest: number; missed: number }>`
      with apart as (
        select results.started_at - lag(results.started_at) over ran as ms, results.tick - lag(results.tick) over ran as ticks
        from results join checks on checks.no = results.check_no
        where checks.type = 'HTTP' and results.started_at >= ${from}
        window ran as (partition by results.check_no order by results.started_at))
      select max(ms)::float8 as longest, coalesce(sum(ticks / ${INTERVAL_MS} - 1) filter (where ticks > ${INTERVAL_MS}), 0)::float8 as missed
      from apart`.execute(db);
    return {
      maxIntervalMs: rows[0]?.longest ?? Infinity,
      missedRuns: rows[0]?.missed ?? Infinity,
    };
  } finally {
    await db.destroy();
  }
}

function gaugesOf(sites: readonly RunningInstallation[], name: string): Promise<readonly number[]> {
  return Promise.all(
    sites.map(async ({ base }) => {
      const metrics = await (await fetch(`${base}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    }),
  );
}

function spread(times: readonly number[]): readonly [median: number, most: number] {
  const sorted = times.toSorted((one, other) => one - other);
  return [sorted[Math.floor(sorted.length / 2)] ?? Infinity, sorted.at(-1) ?? Infinity];
}
