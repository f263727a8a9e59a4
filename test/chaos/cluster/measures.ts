import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { hash32 } from "../../../src/kit/hash.ts";
import type { StormCheck } from "../accounts.ts";
import type { Finding } from "../judges/judge-states.ts";
import type { ShardSample } from "./judge-shards.ts";
import { judgeTicks, type TickTally } from "./judge-ticks.ts";
import type { Database } from "./servers.ts";

const SAMPLE_INTERVAL_MS = 200;

/** Samples the shard owners until the signal aborts. */
export async function sampleShards(
  database: Database,
  samples: ShardSample[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(systemClock, SAMPLE_INTERVAL_MS, signal);
    const [controllers = [], shards = []] = await Promise.all([
      database.query("select id, beat from controllers"),
      database.query("select owner from shards order by shard"),
    ]).catch(() => []);
    if (shards.length === 0) continue;
    samples.push({
      at: systemClock.monotonic(),
      beats: new Map(controllers.map(({ id, beat }) => [String(id), Number(beat)])),
      owners: shards.map(({ owner }) => (typeof owner === "string" ? owner : null)),
    });
  }
}

/** More recent ticks may still be run again. */
const SETTLED_MS = 30_000;

/** Whether every tick of checks that nobody changed is accounted for. */
export async function judgeAllTicks(
  plain: readonly StormCheck[],
  since: number,
  database: Database,
): Promise<{ readonly tally: TickTally; readonly findings: readonly Finding[] }> {
  const [{ now } = {}] = await database.query("select now_ms() as now");
  const checks = plain.filter(({ target }) => target !== undefined);
  const judged: ReturnType<typeof judgeTicks>[] = [];
  for (const { id, intervalMinutes } of checks) {
    const intervalMs = 60_000 * intervalMinutes;
    const ofCheck = `check_no = (select no from checks where id = '${id}')`;
    const results = await database.query(`select tick from results where ${ofCheck} order by tick`);
    const gaps = await database.query(
      `select kind, first_tick, last_tick from gaps where ${ofCheck}`,
    );
    const ticks = results.map(({ tick }) => Number(tick));
    judged.push(
      judgeTicks({
        about: id,
        intervalMs,
        phaseMs: hash32(id) % intervalMs,
        results: ticks,
        gaps: gaps.map((gap) => ({
          kind: gap.kind === "missed" ? "missed" : "undecided",
          firstTick: Number(gap.first_tick),
          lastTick: Number(gap.last_tick),
        })),
        from: since,
        to: Number(now) - SETTLED_MS,
      }),
    );
  }
  const sum = (key: keyof TickTally): number =>
    judged.reduce((all, { tally }) => all + tally[key], 0);
  return {
    tally: { results: sum("results"), undecided: sum("undecided"), missed: sum("missed") },
    findings: judged.flatMap((one) => one.findings),
  };
}

/** From when the target went down until the API said so. */
export function detectionsOf({ target, observations }: StormCheck): readonly number[] {
  const truths = target?.truths ?? [];
  return truths.flatMap(({ at, isUp }, index) => {
    if (isUp) return [];
    const until = truths[index + 1]?.at ?? Infinity;
    const wasUp = observations.findLast(({ to }) => to <= at)?.isUp === true;
    const seen = observations.find(({ from, isUp: said }) => from > at && said === false);
    return wasUp && seen !== undefined && seen.from < until ? [seen.to - at] : [];
  });
}

/** From the flip until its alert was taken. */
export async function deliveryTimes(database: Database): Promise<readonly number[]> {
  const rows = await database.query(
    "select last_at - created_at as ms from alerts where status = 'delivered'",
  );
  return rows.map(({ ms }) => Number(ms));
}

const RESTARTS = new Set(["app.interruption_ended", "scheduler.ready"]);

/** Returns the times at which a process restarted its waits for heartbeats, by its log. */
export function restartsIn(log: string): readonly number[] {
  const offset = systemClock.now() - systemClock.monotonic();
  return log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): { readonly event?: string; readonly time: string } => JSON.parse(line))
    .filter(({ event = "" }) => RESTARTS.has(event))
    .map(({ time }) => Date.parse(time) - offset);
}
