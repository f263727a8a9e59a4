import { systemClock } from "../src/kit/clock.ts";
import { hashToken } from "../src/kit/crypto/seal.ts";
import { aCheck, aResult, alice, minute } from "../test/record-builders.ts";
import { load, type Measured } from "./load.ts";
import { dataFolder, fill, openStore, rowOf, startServer, type Server } from "./fixture.ts";

const CHECKS = 10_000;
/** A month of minutes and one: the most that may be asked for. */
const RESULTS = 43_201;
const BATCH = 2000;
const CONNECTIONS = 16;
const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";
const authorization = `Basic ${btoa(`${token}:`)}`;

/**
 * Measures the effect of long responses on concurrent heartbeats and on memory: PUSH latency alone, while 10,000 checks are read repeatedly, and while 43,201
 * results are.
 */
export async function benchStreams(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  const { ids, long } = await prepare(folder);
  const requests = Array.from({ length: rounds }, () => ids.map(heartbeat)).flat();

  const lines: string[] = [];
  for (const [name, path] of [
    ["PUSH alone", undefined],
    [`PUSH beside the list of ${CHECKS} checks`, "checks"],
    [`PUSH beside ${RESULTS} results`, `results/${long}?limit=${RESULTS}&clean=true`],
  ] as const) {
    await using program = await startServer("watchpost", {
      WATCHPOST_LISTEN: "127.0.0.1:0",
      WATCHPOST_DATA: folder.path,
    });
    await load({ port: program.port, connections: CONNECTIONS, requests: ids.map(heartbeat) });
    const before = await residentBytes(program);
    const { measured, reads, most } = await beside(program, path, requests);
    lines.push(
      `${rowOf(name, [measured])} ${reads.count} | ${megabytes(reads.bytes / Math.max(1, reads.count))} | ${megabytes(before)} | ${megabytes(most)} |`,
    );
  }
  return [
    `Long responses beside ${requests.length} heartbeats over ${CONNECTIONS} connections`,
    "",
    "| | a second | p50 ms | p99 ms | statuses | long responses | MB each | MB resident before | MB at most |",
    "|---|---|---|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

async function prepare(
  folder: Parameters<typeof openStore>[0],
): Promise<{ readonly ids: readonly string[]; readonly long: string }> {
  const ids = await fill(folder, CHECKS, () => ({
    type: "PUSH",
    parameters: { checktoken: token },
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
  const now = systemClock.now();
  const long = `${alice.id}-MONTHLNG`;
  const { no } = await store.write((tx) =>
    tx.checks.insert(aCheck(long, { uuid: long, enabled: false, createdAt: now })),
  );
  for (let from = 0; from < RESULTS; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, RESULTS - from) }, (_, index) =>
      aResult(no, now - (RESULTS - from - index) * minute),
    );
    await Promise.all(batch.map((result) => store.append(result)));
  }
  await store.close();
  return { ids, long };
}

function heartbeat(id: string): string {
  return `POST /v1?id=${id}&checktoken=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n`;
}

interface Reads {
  readonly count: number;
  readonly bytes: number;
}

/** Sends the heartbeats while the path is read over and over, one response after the other. */
async function beside(
  program: Server,
  path: string | undefined,
  requests: readonly string[],
): Promise<{ measured: Measured; reads: Reads; most: number }> {
  let [count, bytes, most] = [0, 0, 0];
  let goesOn = true;
  const read = async (): Promise<void> => {
    while (goesOn && path !== undefined) {
      const response = await fetch(`http://127.0.0.1:${program.port}/api/1/${path}`, {
        headers: { authorization },
      });
      bytes += (await response.arrayBuffer()).byteLength;
      count += 1;
      most = Math.max(most, await residentBytes(program));
    }
  };
  const reading = read();
  const measured = await load({ port: program.port, connections: CONNECTIONS, requests });
  goesOn = false;
  await reading;
  return { measured, reads: { count, bytes }, most: Math.max(most, await residentBytes(program)) };
}

async function residentBytes({ port }: Server): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const [, bytes = "0"] =
    /^\w*process_resident_memory_bytes (\d\S*)$/m.exec(await response.text()) ?? [];
  return Number(bytes);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
