import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { root, run, temporaryFolder } from "../../e2e/process.ts";
import type { Program } from "../../e2e/process.ts";
import { waitFor } from "../../time/wait-for.ts";
import { places } from "./network.ts";
import type { Machine, Network } from "./network.ts";
import { clusterProcess } from "./processes.ts";
import type { ClusterProcess, RoleName } from "./processes.ts";
import { broker, brokerTls, database, leaf } from "./servers.ts";
import type { Database, RestartableServer } from "./servers.ts";

/** An installation of many processes, each on a machine of its own. */
export interface Fleet extends AsyncDisposable {
  readonly token: string;
  readonly database: Database;
  readonly broker: RestartableServer;
  /** Where the leaf node is, and the probe behind it. */
  readonly behindLeaf: Machine;
  readonly services: readonly ClusterProcess[];
  readonly probes: readonly ClusterProcess[];
  /** What it said it got. */
  readonly foreign: Pick<Program, "output">;
  readonly withRole: (role: RoleName) => readonly ClusterProcess[];
}

/** Processes by their names, with their roles. */
export type Layout = Readonly<Record<string, readonly RoleName[]>>;

const INSTANCE_KEY = "0123456789abcdef".repeat(4);
const TOKEN = "cluster-token-0123456789abcdef";
/** Its region reaches the broker over a leaf node, as the shipped example of a region does, which permits it. */
const LEAF_LOCATION = "sg";
const FOREIGN_LOCATION = "xx";
export const locations = { ny: "nam", ld: "eur", [LEAF_LOCATION]: "eao" } as const;

export async function startFleet(
  network: Network,
  layout: Layout,
  settings: Readonly<Record<string, string>>,
): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const db = stack.use(await database());
  const make = (...args: readonly string[]): Promise<string> => command(folder.path, args);
  const [user, foreignUser, ...made] = await Promise.all([
    make("nats-user", "create"),
    make("location", "create", FOREIGN_LOCATION),
    ...Object.entries(locations).map(([code, region]) =>
      make("location", "create", code, "--region", region),
    ),
  ]);
  const lines = new Map(Object.keys(locations).map((code, index) => [code, made[index] ?? ""]));
  const direct = [...lines].filter(([code]) => code !== LEAF_LOCATION).map(([, line]) => line);
  const tls = brokerTls();
  const authority = join(folder.path, "ca.crt");
  await writeFile(authority, tls.authority);
  const nats = stack.use(await broker([user, ...direct], tls));
  const behindLeaf = await network.machine(LEAF_LOCATION);
  stack.use(await leaf(behindLeaf, [lines.get(LEAF_LOCATION) ?? "", foreignUser], tls));

  const shared = {
    ...settings,
    WATCHPOST_FILE: join(folder.path, "nats.env"),
    WATCHPOST_NATS_URL: `tls://${places.broker}:4222`,
    WATCHPOST_NATS_CA: authority,
    WATCHPOST_DATABASE_URL: db.url,
    WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
    WATCHPOST_TOKEN: TOKEN,
    // For links, which nobody follows there.
    WATCHPOST_URL: "http://watchpost.example",
  };
  const services: ClusterProcess[] = [];
  for (const [name, roles] of Object.entries(layout))
    services.push(stack.use(await service({ network, name, roles, settings: shared })));
  const probes: ClusterProcess[] = [];
  for (const code of Object.keys(locations)) {
    const isBehindLeaf = code === LEAF_LOCATION;
    const machine = isBehindLeaf ? behindLeaf : await network.machine(code);
    const server = isBehindLeaf ? "127.0.0.1" : places.broker;
    probes.push(
      stack.use(
        clusterProcess({
          name: code,
          machine,
          folder: folder.path,
          roles: [],
          args: ["probe"],
          settings: {
            WATCHPOST_FILE: `${code}.env`,
            WATCHPOST_NATS_URL: `tls://${server}:4222`,
            WATCHPOST_NATS_CA: authority,
            WATCHPOST_PROBE_THREADS: "0",
          },
        }),
      ),
    );
  }
  await Promise.all([...services, ...probes].map((process) => process.ready()));
  const seed = /WATCHPOST_NATS_NKEY=(\S+)/.exec(
    await readFile(join(folder.path, `${FOREIGN_LOCATION}.env`), "utf8"),
  )?.[1];
  const foreign = stack.use(
    run(folder.path, {}, [
      ...behindLeaf.enter,
      process.execPath,
      join(import.meta.dirname, "foreign-probe.ts"),
      "127.0.0.1:4222",
      authority,
      seed ?? "",
      FOREIGN_LOCATION,
    ]),
  );
  const ended = foreign.ended.then((how) => {
    throw new Error(`the foreign probe ended with ${how}: ${foreign.log()}`);
  });
  ended.catch(() => {});
  const connected = (): boolean => /connected/.test(foreign.output());
  await Promise.race([waitFor("the foreign probe is connected", connected), ended]);
  const kept = stack.move();
  return {
    token: TOKEN,
    database: db,
    broker: nats,
    behindLeaf,
    services,
    probes,
    foreign,
    withRole: (role) => services.filter(({ roles }) => roles.includes(role)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Service {
  readonly network: Network;
  readonly name: string;
  readonly roles: readonly RoleName[];
  readonly settings: Readonly<Record<string, string>>;
}

async function service({ network, name, roles, settings }: Service): Promise<ClusterProcess> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const machine = await network.machine(name);
  const own = {
    ...settings,
    WATCHPOST_ROLES: roles.join(),
    WATCHPOST_DATA: join(folder.path, "data"),
  };
  const process = clusterProcess({
    name,
    machine,
    folder: folder.path,
    settings: own,
    roles,
  });
  const kept = stack.move();
  return {
    ...process,
    async [Symbol.asyncDispose]() {
      await process[Symbol.asyncDispose]();
      await kept.disposeAsync();
    },
  };
}

/** Runs a command of the command line, and gives what it printed. */
async function command(folder: string, args: readonly string[]): Promise<string> {
  const settings = { WATCHPOST_INSTANCE_KEY: INSTANCE_KEY };
  const { ended, output, log } = run(folder, settings, [join(root, "watchpost"), ...args]);
  const code = await ended;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${log()}`);
  return output();
}
