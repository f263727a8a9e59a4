import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Client, Pool } from "pg";

import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { pause } from "../../e2e/trouble.ts";
import { shippedHub, shippedLeaf } from "../../harnesses/nats-configuration.ts";
import { issue } from "../../peers/certificate-authority.ts";
import { waitFor } from "../../time/wait-for.ts";
import { within } from "../../time/within.ts";
import { distantPeer } from "../../peers/distant.ts";
import { nats } from "../../servers/nats.ts";
import { makeCluster, startPostgres } from "../../servers/postgres.ts";
import { giveToNobody, serverFolder, type Server } from "../../servers/server.ts";
import type { Query } from "../alert-rows.ts";
import { NETWORK, places, type Machine } from "./network.ts";

/** A server that is killed, started again with what it had, and stopped and continued. */
export interface RestartableServer extends AsyncDisposable {
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it with all its processes, until this is disposed of. */
  readonly pause: () => Disposable;
}

export interface Database extends RestartableServer {
  /** For a service: over a peer that delays where a storm asks for it, so its sessions are known by their application name, not by their address. */
  readonly urlOf: (service: string) => string;
  /** Delays round trips to the services until disposed. */
  readonly far: (roundTripMs: number) => Disposable;
  /** Starts the server in recovery: it is read-only until the returned promise resolves, `ms` after it responds. */
  readonly recover: (ms: number) => Promise<void>;
  readonly query: Query;
  /** A session of its own. */
  readonly session: () => Promise<Client>;
}

const PORT = 5432;
const FAR_PORT = 6432;
const BROKER_PORT = 4222;
const CONNECTIONS = 4;
const ANSWERS_WITHIN_MS = 5000;
/** Maximum wait of a session for locks. */
const SESSION_ANSWERS_WITHIN_MS = 30_000;
const LEAF_PORT = 7422;

async function restartable(open: () => Promise<Server>): Promise<RestartableServer> {
  let server: Server | undefined = await open();
  const kill = async (): Promise<void> => {
    await server?.[Symbol.asyncDispose]();
    server = undefined;
  };
  return {
    kill,
    async start() {
      server ??= await open();
    },
    pause() {
      const stack = new DisposableStack();
      for (const pid of treeOf(server?.pid ?? 0)) stack.use(pause(pid));
      return stack;
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** A process before its children, so that none is added unseen. */
function treeOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return [
    pid,
    ...children.filter((child) => child !== "").flatMap((child) => treeOf(Number(child))),
  ];
}

export async function database(): Promise<Database> {
  const folder = await serverFolder();
  const data = await makeCluster(folder, [NETWORK]);
  const host = places.database;
  const server = await restartable(() => startedPostgres(data));
  const way = await distantPeer({ host, port: PORT, ownPort: FAR_PORT });
  const urlOver = (port: number): string => `postgres://watchpost@${host}:${port}/postgres`;
  const url = urlOver(PORT);
  const session = async (): Promise<Client> => {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWERS_WITHIN_MS,
      query_timeout: SESSION_ANSWERS_WITHIN_MS,
      application_name: "chaos",
    });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
    application_name: "chaos",
  });
  pool.on("error", () => {});
  return {
    ...server,
    urlOf: (service) => `${urlOver(FAR_PORT)}?application_name=${service}`,
    far(roundTripMs) {
      way.roundTripMs = roundTripMs;
      return { [Symbol.dispose]: () => void (way.roundTripMs = 0) };
    },
    session,
    async recover(ms) {
      const mark = join(data, "standby.signal");
      await writeFile(mark, "");
      await giveToNobody(mark);
      const answers = async (): Promise<boolean> =>
        pool.query("select").then(
          () => true,
          () => false,
        );
      const promote = async (): Promise<void> => {
        await waitFor("PostgreSQL answers while it recovers", answers);
        await sleep(systemClock, ms);
        await pool.query("select pg_promote(wait => false)");
      };
      await Promise.all([server.start(), promote()]);
    },
    query: async (text) => (await pool.query<Record<string, unknown>>(text)).rows,
    async [Symbol.asyncDispose]() {
      // A suspended server ends no session.
      await within(ANSWERS_WITHIN_MS, "the sessions of the storm end", pool.end()).catch(() => {});
      await way[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const AGAIN_MS = 300;
const ATTEMPTS = 30;

/** Sessions of one that was killed end a little later than it, and keep the next from starting. */
async function startedPostgres(data: string): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const folder = await serverFolder();
    try {
      return await startPostgres({ data, folder, host: places.database, port: PORT });
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(systemClock, AGAIN_MS);
    }
  }
}

/** TLS files of the NATS servers, for every address at which they are dialled. */
export interface BrokerTls {
  readonly authority: string;
  readonly files: Readonly<Record<string, string>>;
}

export function brokerTls(): BrokerTls {
  const { cert: authority, key } = issue({ subject: "an authority", authority: true });
  const server = issue({
    subject: "a NATS server",
    // The client takes the last for the name of any address.
    names: `IP:${places.broker},IP:127.0.0.1,DNS:localhost`,
    issuer: { cert: authority, key },
  });
  return {
    authority,
    files: { "server.crt": server.cert, "server.key": server.key, "ca.crt": authority },
  };
}

const shipped = {
  tls: { certificate: "server.crt", key: "server.key" },
  leafPort: LEAF_PORT,
  host: places.broker,
};

/** With the configuration that is shipped. */
export async function broker(
  users: readonly string[],
  { files }: BrokerTls,
): Promise<RestartableServer> {
  const configuration = await shippedHub(users, shipped);
  const given = { host: places.broker, port: BROKER_PORT, files };
  return restartable(() => nats(configuration, given));
}

/** Carries a region's locations to the broker, with the configuration that is shipped. */
export async function leaf(
  machine: Machine,
  users: readonly string[],
  { files }: BrokerTls,
): Promise<RestartableServer> {
  const configuration = await shippedLeaf(users, { ...shipped, ca: "ca.crt" });
  const given = { command: machine.enter, port: BROKER_PORT, files };
  return restartable(() => nats(configuration, given));
}
