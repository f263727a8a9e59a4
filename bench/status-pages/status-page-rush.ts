import { get } from "node:http";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import { alice, aStatusPage } from "../../test/record-builders.ts";
import { load, type Measured } from "../load.ts";
import {
  dataFolder,
  fill,
  median,
  openStore,
  rowOf,
  startServer,
  type Folder,
  type Server,
} from "../fixture.ts";
import { heartbeatOf, heartbeatParameters } from "../push.ts";
import { pause } from "../worker.ts";

const CHECKS = 1000;
const SHOWN = 50;
const HEARTBEATS = 1000;
const VISITS = 10_000;
const VISITORS = 32;
const SENDERS = 8;
/** Interval per connection: 200 heartbeats a second in total. */
const EVERY_MS = 40;
/** Time after which initially due checks have run. */
const SETTLING_SECONDS = 15;
const visit = "GET /status/shop HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, br\r\n\r\n";

/** A rush of visitors of a page of fifty checks while 1,000 HTTP checks run, against a bare server that sends the same bytes, and what heartbeats feel of it. */
export async function benchStatusPageRush(rounds: number): Promise<string> {
  const measured = { bare: [], ours: [], alone: [], beside: [] } as Record<
    "bare" | "ours" | "alone" | "beside",
    Measured[]
  >;
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    await using folder = await dataFolder();
    await using target = await startServer("bench/baselines/http-server.ts");
    const heartbeats = await fillFolder(folder, target);
    await using program = await startServer("watchpost", {
      WATCHPOST_LISTEN: "127.0.0.1:0",
      WATCHPOST_DATA: folder.path,
      WATCHPOST_HEARTBEAT_RATE: "100000000",
      WATCHPOST_PUBLIC_RATE: "100000000",
      WATCHPOST_HOST_RUNS: "0",
    });
    const body = await bodyOf(program.port);
    bytes = body.length;
    const file = join(folder.path, "page.br");
    await writeFile(file, body);
    await using baseline = await startServer("bench/baselines/one-body.ts", {}, [file]);
    const beats = { port: program.port, connections: SENDERS, everyMs: EVERY_MS };
    const requests = heartbeats.map(heartbeatOf);
    await load({ ...beats, requests });
    await pause(SETTLING_SECONDS);
    measured.alone.push(await load({ ...beats, requests }));
    measured.bare.push(await rush(baseline.port));
    const [ours, beside] = await Promise.all([rush(program.port), load({ ...beats, requests })]);
    measured.ours.push(ours);
    measured.beside.push(beside);
  }
  const ratio = (of: keyof typeof measured, by: keyof typeof measured, what: "perSecond" | "p99") =>
    median(measured[of].map((one, round) => one[what] / (measured[by][round]?.[what] ?? 1)));
  return [
    `A rush on a status page of ${SHOWN} checks, ${bytes} bytes compressed, while ${CHECKS} HTTP checks run, ${rounds} rounds, medians`,
    "",
    "| | a second | p50 ms | p99 ms | statuses | ratio |",
    "|---|---|---|---|---|---|",
    rowOf("page, bare node:http", measured.bare),
    `${rowOf("page, Watchpost", measured.ours)} ${ratio("ours", "bare", "perSecond").toFixed(2)} |`,
    rowOf("heartbeats, alone", measured.alone),
    `${rowOf("heartbeats, beside the rush", measured.beside)} p99 ${ratio("beside", "alone", "p99").toFixed(1)} |`,
  ].join("\n");
}

/** Gives the ids of the checks that get heartbeats. */
async function fillFolder(folder: Folder, target: Pick<Server, "port">) {
  const ids = await fill(folder, HEARTBEATS + CHECKS, (index) =>
    index < HEARTBEATS
      ? { type: "PUSH", parameters: heartbeatParameters }
      : { type: "HTTP", parameters: { target: `http://127.0.0.1:${target.port}/${index}` } },
  );
  const shown = ids.slice(HEARTBEATS, HEARTBEATS + SHOWN);
  const checks = shown.map((id, index) => ({ id, name: `Service number ${index}` }));
  const store = await openStore(folder);
  const sections = [{ name: "All", checks }];
  const page = { accountId: alice.id, slug: "shop", sections };
  await store.write((tx) => tx.statusPages.insert(aStatusPage("PAGEPAGE10", page)));
  await store.close();
  return ids.slice(0, HEARTBEATS);
}

function rush(port: number): Promise<Measured> {
  const requests = Array.from({ length: VISITS }, () => visit);
  return load({ port, connections: VISITORS, requests });
}

/** The page as browsers get it. */
export async function bodyOf(port: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const headers = { "accept-encoding": "br" };
  get({ port, host: "127.0.0.1", path: "/status/shop", headers }, (response) => {
    buffer(response).then(resolve, reject);
  }).on("error", reject);
  return promise;
}
