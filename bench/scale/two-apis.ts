import { Secret } from "../../src/kit/crypto/secret.ts";
import { createSealer, hashToken } from "../../src/kit/crypto/seal.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import { kyselyOver } from "../../src/store/postgres/dialect.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare-database.ts";
import { postgres } from "../../test/servers/postgres.ts";
import { aCheck } from "../../test/record-builders.ts";
import { dataFolder, median, rowOf, startServer, type Folder, type Server } from "../fixture.ts";
import { load, type Measured } from "../load.ts";
import { fillChecks, ordinaryCheck } from "./many-checks.ts";
import { heartbeatOf, heartbeatParameters } from "../push.ts";

const CHECKS = 1000;
/** A check takes five heartbeats a minute. */
const PUSH_CHECKS = 1500;
const CONNECTIONS = 32;
const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";
/** Changes of one account wait for each other, for what it has is counted. */
const ACCOUNTS = 50;
const { id: checkId, accountId } = ordinaryCheck(0);
const newCheck = JSON.stringify({
  type: "HTTP",
  target: "http://127.0.0.1/",
  label: "made by the bench",
});

function tokenOf(account: number): string {
  return `${token}-${account}`;
}

function requestOf(call: string, body = "", account = 0): string {
  const authorization = `Basic ${btoa(`${tokenOf(account)}:`)}`;
  const content =
    body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${call} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n${content}\r\n${body}`;
}

function pushId(index: number): string {
  return `${accountId}-PUSH${String(index).padStart(4, "0")}`;
}

const cases: Readonly<Record<string, readonly string[]>> = {
  "GET one check": Array.from({ length: 4000 }, () => requestOf(`GET /api/1/checks/${checkId}`)),
  "POST a check": Array.from({ length: 150 }, (_, index) =>
    requestOf("POST /api/1/checks", newCheck, index % ACCOUNTS),
  ),
  "a heartbeat": Array.from({ length: PUSH_CHECKS }, (_, index) => heartbeatOf(pushId(index))),
};

/** The rate over one process and over both of an installation on one PostgreSQL, alternately; each process with its share of the connections and requests. */
export async function benchTwoApis(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  await using server = await postgres({
    settings: { fsync: "on", full_page_writes: "on" },
  });
  const { host, port, user } = server;
  const url = `postgres://${user}@${host}:${port}/postgres`;
  await prepare(url, folder.key);
  await using stack = new AsyncDisposableStack();
  const ports: number[] = [];
  for (let count = 0; count < 2; count += 1)
    ports.push(stack.use(await startApi(folder, url)).port);
  const found = Object.entries(cases).map(([name, requests]) => ({
    name,
    requests,
    one: new Array<Measured>(),
    two: new Array<Measured>(),
  }));
  for (const { requests } of found) await loadAll(ports, requests.slice(0, requests.length / 5));
  for (let round = 0; round < rounds; round += 1)
    for (const { requests, one, two } of found) {
      one.push(await loadAll(ports.slice(0, 1), requests));
      two.push(await loadAll(ports, requests));
    }
  const lines = found.flatMap(({ name, one, two }) => {
    const ratios = two.map(({ perSecond }, round) => perSecond / (one[round]?.perSecond ?? 1));
    return [
      rowOf(`${name}, 1 process`, one),
      `${rowOf(`${name}, 2 processes`, two)} ${median(ratios).toFixed(2)} |`,
    ];
  });
  return [
    `API over one PostgreSQL, ${rounds} rounds, medians; the database and the load share the cores with it`,
    "",
    "| | a second | p50 ms | p99 ms | statuses | ratio |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

function startApi({ path }: Folder, url: string): Promise<Server> {
  return startServer("watchpost", {
    WATCHPOST_LISTEN: "127.0.0.1:0",
    WATCHPOST_DATA: path,
    WATCHPOST_DATABASE_URL: url,
    // Counted all the same, for a limit costs what it costs.
    WATCHPOST_TOKEN_RATE: "100000000",
    WATCHPOST_ADDRESS_RATE: "100000000",
    WATCHPOST_HEARTBEAT_RATE: "100000000",
  });
}

async function prepare(text: string, key: Uint8Array): Promise<void> {
  const sealer = createSealer(key);
  await prepareDatabase({ url: new Secret(text), sealer });
  const pool = createPool({ url: new Secret(text), most: 4, answerWithinMs: 0 });
  await fillChecks(kyselyOver(pool), sealer, { count: CHECKS, enabled: false });
  const store = await openPostgresStore({ pool, clock: systemClock, sealer, log: silentLog });
  await store.write(async ({ accounts, checks, tokens }) => {
    for (let index = 0; index < PUSH_CHECKS; index += 1) {
      const id = pushId(index);
      const type = { type: "PUSH", parameters: heartbeatParameters };
      await checks.insert(aCheck(id, { ...type, accountId, uuid: id }));
    }
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const account = await accounts.find(ordinaryCheck(index).accountId);
      if (account === undefined) throw new Error("no such account");
      await tokens.insert({
        digest: hashToken(tokenOf(index)),
        accountId: account.id,
        label: "bench",
        compatibility: "standard",
        createdAt: account.createdAt,
      });
    }
  });
  await store.close();
}

/** Each process gets its share of the requests and connections at the same time. */
async function loadAll(ports: readonly number[], requests: readonly string[]): Promise<Measured> {
  const connections = CONNECTIONS / ports.length;
  const each = await Promise.all(
    ports.map((port, at) => {
      const share = requests.filter((_, index) => index % ports.length === at);
      return load({ port, connections, requests: share });
    }),
  );
  const statuses: Record<string, number> = {};
  for (const [status, count] of each.flatMap((one) => Object.entries(one.statuses)))
    statuses[status] = (statuses[status] ?? 0) + count;
  return {
    perSecond: each.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50: Math.max(...each.map(({ p50 }) => p50)),
    p99: Math.max(...each.map(({ p99 }) => p99)),
    statuses,
  };
}
