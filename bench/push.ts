import { load, type Measured } from "./load.ts";
import { dataFolder, fill, median, rowOf, startServer } from "./fixture.ts";

const CHECKS = 20_000;
const CONNECTIONS = 64;
const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";
export const heartbeatParameters = {
  checktoken: token,
  fields: { load: { name: "load.1min", min: 0, max: 4 } },
};
const body = JSON.stringify({ data: { load: { "1min": 0.42 }, disk: { free: 123_456 } } });

export function heartbeatOf(id: string): string {
  return (
    `POST /v1?id=${id}&checktoken=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

/**
 * Heartbeats a second with metrics, each stored for good before it is answered, by the real program; against a bare node:http
 * server that answers the same bytes to the same requests. In turns, in one run. Each check gets five a round, as many as it may.
 */
export async function benchPush(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  const ids = await fill(folder, CHECKS, () => ({
    type: "PUSH",
    parameters: heartbeatParameters,
  }));
  const requests = ids.map(heartbeatOf);
  const fourEach = [requests, requests, requests, requests].flat();

  const durable: Measured[] = [];
  const bare: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using program = await startServer("watchpost", {
      WATCHPOST_LISTEN: "127.0.0.1:0",
      WATCHPOST_DATA: folder.path,
      // Counted all the same, for a limit costs what it costs.
      WATCHPOST_HEARTBEAT_RATE: "100000000",
    });
    await using baseline = await startServer("bench/baselines/http-server.ts");
    for (const { port } of [baseline, program])
      await load({ port, connections: CONNECTIONS, requests });
    bare.push(await load({ port: baseline.port, connections: CONNECTIONS, requests: fourEach }));
    durable.push(await load({ port: program.port, connections: CONNECTIONS, requests: fourEach }));
  }
  const ratios = durable.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? 1));
  return [
    `PUSH heartbeats: ${CONNECTIONS} connections, ${CHECKS} checks, ${fourEach.length} heartbeats a round, ${rounds} rounds, medians`,
    "",
    "| server | a second | p50 ms | p99 ms | statuses |",
    "|---|---|---|---|---|",
    rowOf("bare node:http", bare),
    rowOf("Watchpost, durable", durable),
    "",
    `ratio ${median(ratios).toFixed(2)} (rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`,
  ].join("\n");
}
