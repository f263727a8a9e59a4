import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { root, run, temporaryFolder, type Program } from "../../e2e/process.ts";
import { waitFor } from "../../time/wait-for.ts";
import { places, type Machine, type Network } from "./network.ts";
import { clusterProcess, type ClusterProcess, type RoleName } from "./processes.ts";
import {
  broker,
  brokerTls,
  database,
  leaf,
  type Database,
  type RestartableServer,
} from "./servers.ts";

/** An installation of many processes, each on a machine of its own. */
export interface Fleet extends AsyncDisposable {
  readonly token: string;
  readonly database: Database;
  readonly broker: RestartableServer;
  /** Where the leaf node is, and the probe behind it. */
  readonly behindLeaf: Machine;
  readonly services: readonly ClusterProcess[];
  readonly probes: readonly ClusterProcess[];
  /** Hostile probes, which print what they receive and send. */
  readonly foreign: readonly Pick<Program, "output">[];
  readonly withRole: (role: RoleName) => readonly ClusterProcess[];
}

/** Processes by their names, with their roles. */
export type Layout = Readonly<Record<string, readonly RoleName[]>>;

const INSTANCE_KEY = "0123456789abcdef".repeat(4);
const TOKEN = "cluster-token-0123456789abcdef";
/** Its region reaches the broker over a leaf node, as the shipped example of a region does, which permits it. */
const LEAF_LOCATION = "sg";
/** Locations of hostile probes: the first is behind the leaf node, which does not carry its messages, the second at the broker itself. */
const FOREIGN_BEHIND_LEAF = "xx";
const FOREIGN_AT_BROKER = "zz";
const FOREIGN_REGION = "lam";
export const locations = { ny: "nam", ld: "eur", [LEAF_LOCATION]: "eao" } as const;
/** Every location that may be live, the own one of the controllers included, with its region. */
export const permittedLocations = {
  ...locations,
  local: "wlw",
  [FOREIGN_AT_BROKER]: FOREIGN_REGION,
} as const;

export async function startFleet(
  network: Network,
  layout: Layout,
  settings: Readonly<Record<string, string>>,
): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const db = stack.use(await database());
  const make = (...args: readonly string[]): Promise<string> => command(folder.path, args);
  const [user, foreignUser, hostileUser, ...made] = await Promise.all([
    make("nats-user", "create"),
    make("location", "create", FOREIGN_BEHIND_LEAF),
    make("location", "create", FOREIGN_AT_BROKER, "--region", FOREIGN_REGION),
    ...Object.entries(locations).map(([code, region]) =>
      make("location", "create", code, "--region", region),
    ),
  ]);
  const lines = new Map(Object.keys(locations).map((code, index) => [code, made[index] ?? ""]));
  const direct = [...lines].filter(([code]) => code !== LEAF_LOCATION).map(([, line]) => line);
  const tls = brokerTls();
  const authority = join(folder.path, "ca.crt");
  await writeFile(authority, tls.authority);
  const nats = stack.use(await broker([user, hostileUser, ...direct], tls));
  const behindLeaf = await network.machine(LEAF_LOCATION);
  stack.use(await leaf(behindLeaf, [lines.get(LEAF_LOCATION) ?? "", foreignUser], tls));

  const shared = {
    ...settings,
    WATCHPOST_FILE: join(folder.path, "nats.env"),
    WATCHPOST_NATS_URL: `tls://${places.broker}:4222`,
    WATCHPOST_NATS_CA: authority,
    WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
    WATCHPOST_TOKEN: TOKEN,
    // For links, which nobody follows there.
    WATCHPOST_URL: "http://watchpost.example",
  };
  const services: ClusterProcess[] = [];
  for (const [name, roles] of Object.entries(layout))
    services.push(
      stack.use(
        await service({
          network,
          name,
          roles,
          settings: { ...shared, WATCHPOST_DATABASE_URL: db.urlOf(name) },
        }),
      ),
    );
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
  const hostile = await network.machine(FOREIGN_AT_BROKER);
  const foreign: Program[] = [];
  for (const [location, machine, server] of [
    [FOREIGN_BEHIND_LEAF, behindLeaf, "127.0.0.1"],
    [FOREIGN_AT_BROKER, hostile, places.broker],
  ] as const) {
    const given = { folder: folder.path, location, machine, server: `${server}:4222`, authority };
    foreign.push(stack.use(await foreignProbe(given)));
  }
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

interface ForeignProbe {
  readonly folder: string;
  readonly location: string;
  readonly machine: Machine;
  readonly server: string;
  /** The file of the authority that the server's certificate is of. */
  readonly authority: string;
}

/** Starts a hostile probe with the credentials of its location, and waits until it is connected. */
async function foreignProbe(given: ForeignProbe): Promise<Program> {
  const { folder, location, machine, server, authority } = given;
  const credentials = await readFile(join(folder, `${location}.env`), "utf8");
  const valueOf = (name: string): string =>
    new RegExp(`^${name}=(\\S+)$`, "m").exec(credentials)?.[1] ?? "";
  const program = run(folder, {}, [
    ...machine.enter,
    process.execPath,
    join(import.meta.dirname, "foreign-probe.ts"),
    server,
    authority,
    valueOf("WATCHPOST_NATS_NKEY"),
    valueOf("WATCHPOST_LOCATION_KEY"),
    location,
  ]);
  const ended = program.ended.then((how) => {
    throw new Error(`the foreign probe ended with ${how}: ${program.log()}`);
  });
  ended.catch(() => {});
  const connected = (): boolean => /connected/.test(program.output());
  await Promise.race([waitFor("the foreign probe is connected", connected), ended]);
  return program;
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
