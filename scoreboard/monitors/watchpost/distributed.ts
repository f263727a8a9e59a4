import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { apiOfAccount, logged, root, run, type Program } from "../../../test/e2e/process.ts";
import { pause } from "../../../test/e2e/trouble.ts";
import type { Server } from "../../../test/servers/server.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import type { Monitor, MonitorWorld, RunningMonitor } from "../monitor.ts";
import { withDescendants } from "../process-tree.ts";
import { configure } from "./account.ts";
import { createEndWatch, type EndWatch } from "./end-watch.ts";
import { broker, database, type Broker, type Database } from "./servers.ts";
import { choices, newToken, ready, settingsFor, watchpost } from "./watchpost.ts";

const watchpostCommand = join(root, "watchpost");
/** The locations of the probes, and their regions; the process of the service is a third one. */
const remote = [
  ["ny", "nam"],
  ["sg", "eao"],
] as const;
const own = { WATCHPOST_LOCATION: "fra", WATCHPOST_REGION: "eur" };

const natsChoices: readonly string[] = [
  "Three locations: that of the service, and probes on two other machines, connected by a NATS server with the shipped configuration and TLS (docs/operating.md#locations-on-other-machines).",
];

/** Checks from three machines, with the embedded database. */
export const watchpostThreeLocations: Monitor = distributed({
  name: "watchpost-3",
  configuration: [...choices, ...natsChoices],
  hasPostgres: false,
});

/** Checks from three machines, with PostgreSQL. */
export const watchpostOnPostgres: Monitor = distributed({
  name: "watchpost-pg",
  configuration: [
    ...choices,
    ...natsChoices,
    "PostgreSQL 15 with its own defaults on the machine of the service (docs/operating.md#postgresql).",
  ],
  hasPostgres: true,
});

function distributed({
  name,
  configuration,
  hasPostgres,
}: Pick<Monitor, "name" | "configuration"> & { readonly hasPostgres: boolean }): Monitor {
  return {
    ...watchpost,
    name,
    configuration,
    locations: 1 + remote.length,
    async start(world) {
      const token = newToken();
      const shared = { WATCHPOST_INSTANCE_KEY: randomBytes(32).toString("hex") };
      const nats = await broker(world, await usersOf(world, shared));
      const db = hasPostgres ? await database(world) : undefined;
      const authority = join(world.folder, "nats-ca.pem");
      await writeFile(authority, nats.authority);
      const bus = { WATCHPOST_NATS_URL: nats.url, WATCHPOST_NATS_CA: authority };
      const settings: Readonly<Record<string, string>> = {
        ...settingsFor(world, token),
        ...shared,
        ...bus,
        ...own,
        WATCHPOST_FILE: join(world.folder, "nats.env"),
        ...(db && { WATCHPOST_DATABASE_URL: db.url }),
      };
      const running = await startAll({ world, settings, bus, nats, db, ends: createEndWatch() });
      await configure(apiOfAccount(`http://${settings.WATCHPOST_LISTEN}`, token), world);
      return running;
    },
  };
}

/** Makes the credentials of the service and of each location, and gives the lines for the NATS server. */
async function usersOf(
  { folder, enter }: MonitorWorld,
  settings: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const make = async (...args: readonly string[]): Promise<string> => {
    const { ended, output, log } = run(folder, settings, [...enter, watchpostCommand, ...args]);
    const code = await ended;
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${log()}`);
    return output();
  };
  const lines = [await make("nats-user", "create")];
  for (const [code, region] of remote)
    lines.push(await make("location", "create", code, "--region", region));
  return lines;
}

interface Parts {
  readonly world: MonitorWorld;
  readonly settings: Readonly<Record<string, string>>;
  readonly bus: Readonly<Record<string, string>>;
  readonly nats: Broker;
  readonly db: Database | undefined;
  readonly ends: EndWatch;
}

/** Processes on the service's machine. */
interface Service {
  readonly nats: Server;
  readonly database: Program | undefined;
  readonly main: Program;
}

async function startService(parts: Parts): Promise<Service> {
  const { nats, db, ends } = parts;
  const started = { database: await db?.start(), nats: await nats.start() };
  if (started.database !== undefined) ends.watch("PostgreSQL", started.database);
  return { ...started, main: await startMain(parts) };
}

async function end({ main, nats, database }: Service, { expectEnd }: EndWatch): Promise<void> {
  for (const one of [main, database]) if (one !== undefined) expectEnd(one);
  for (const one of [main, nats, database]) await one?.[Symbol.asyncDispose]();
}

async function startMain({ world, settings, ends }: Parts): Promise<Program> {
  const main = run(world.folder, settings, [...world.enter, watchpostCommand]);
  await ready(main, `http://${settings.WATCHPOST_LISTEN}`);
  ends.watch("watchpost", main);
  return main;
}

async function startAll(parts: Parts): Promise<RunningMonitor> {
  const { world, bus, db, ends } = parts;
  await using stack = new AsyncDisposableStack();
  let service = await startService(parts);
  stack.defer(() => end(service, ends));
  let earlier = "";
  const probes = remote.map(([code], index) => {
    const enter = world.otherLocations[index]?.enter ?? [];
    const file = { WATCHPOST_FILE: `${code}.env`, NODE_EXTRA_CA_CERTS: world.authority };
    return stack.use(run(world.folder, { ...bus, ...file }, [...enter, watchpostCommand, "probe"]));
  });
  for (const probe of probes) {
    await waitFor("a probe runs", () => logged(probe, "main.started"));
    ends.watch("a probe", probe);
  }
  const kept = stack.move();
  const noEnd: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };
  return {
    pids: () =>
      withDescendants([
        service.main.pid,
        service.nats.pid,
        ...(service.database === undefined ? [] : [service.database.pid]),
        ...probes.map(({ pid }) => pid),
      ]),
    log: () => [earlier, service.main.log(), ...probes.map(({ log }) => log())].join("\n"),
    stoppedAlerting: ends.ended,
    async restart() {
      earlier += service.main.log();
      await end(service, ends);
      service = await startService(parts);
    },
    partTroubles: {
      async upgrade() {
        ends.expectEnd(service.main);
        await service.main.kill("SIGTERM");
        earlier += service.main.log();
        service = { ...service, main: await startMain(parts) };
        return noEnd;
      },
      ...(db && {
        async database() {
          const stopped = new AsyncDisposableStack();
          for (const pid of withDescendants([service.database?.pid ?? 0])) stopped.use(pause(pid));
          return stopped;
        },
      }),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
