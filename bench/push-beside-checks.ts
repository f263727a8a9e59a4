import { load, type Measured } from "./load.ts";
import { dataFolder, fill, median, rowOf, startServer } from "./fixture.ts";
import { heartbeatOf, heartbeatParameters } from "./push.ts";
import { pause } from "./worker.ts";

const TLS_CHECKS_A_SECOND = 500;
const INTERVAL_MINUTES = 0.25;
const TLS_CHECKS = INTERVAL_MINUTES * 60 * TLS_CHECKS_A_SECOND;
const HEARTBEATS = 3000;
const CONNECTIONS = 8;
/** Interval per connection: 200 heartbeats a second in total, far below the capacity. */
const EVERY_MS = 40;
/** Time after which initially due checks have run, and the certificate of each target is known. */
const SETTLING_SECONDS = 40;

/**
 * Measures heartbeat latency with and without 500 TLS checks a second. The target has lower priority, because its CPU share equals that of the checks and would
 * be on another machine.
 */
export async function benchPushBesideChecks(rounds: number): Promise<string> {
  const rows: string[] = [];
  for (const threads of [0, 1]) {
    const alone: Measured[] = [];
    const beside: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await heartbeatsBeside(0, threads));
      beside.push(await heartbeatsBeside(TLS_CHECKS, threads));
    }
    const ratios = beside.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? 1));
    rows.push(
      rowOf(`${threads} threads, alone`, alone),
      rowOf(`${threads} threads, beside the checks`, beside),
      `| p99 beside by p99 alone, ${threads} threads | | | ${median(ratios).toFixed(2)} | |`,
    );
  }
  return [
    `Heartbeats beside ${TLS_CHECKS_A_SECOND} HTTP checks over TLS a second, ${rounds} rounds, medians`,
    "",
    "| | a second | p50 ms | p99 ms | statuses |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

async function heartbeatsBeside(checks: number, threads: number): Promise<Measured> {
  await using folder = await dataFolder();
  await using target = await startServer("bench/baselines/https-server.ts");
  const ids = await fill(folder, HEARTBEATS + checks, (index) =>
    index < HEARTBEATS
      ? { type: "PUSH", parameters: heartbeatParameters }
      : {
          type: "HTTP",
          intervalMinutes: INTERVAL_MINUTES,
          parameters: { target: `https://127.0.0.1:${target.port}/${index}` },
        },
  );
  await using program = await startServer("watchpost", {
    WATCHPOST_LISTEN: "127.0.0.1:0",
    WATCHPOST_DATA: folder.path,
    WATCHPOST_PROBE_THREADS: String(threads),
    WATCHPOST_HEARTBEAT_RATE: "100000000",
    WATCHPOST_HOST_RUNS: "0",
  });
  const requests = ids.slice(0, HEARTBEATS).map(heartbeatOf);
  const measured = { port: program.port, connections: CONNECTIONS, everyMs: EVERY_MS };
  await load({ ...measured, requests: requests.slice(0, HEARTBEATS / 10) });
  await pause(checks === 0 ? 1 : SETTLING_SECONDS);
  return await load({ ...measured, requests });
}
