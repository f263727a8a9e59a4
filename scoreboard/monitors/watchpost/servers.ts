import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { messageOf } from "../../../src/kit/errors.ts";
import { run, type Program } from "../../../test/e2e/process.ts";
import { shippedConfiguration } from "../../../test/harnesses/nats-configuration.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import { nats } from "../../../test/servers/nats.ts";
import { makeCluster, postgresProgram } from "../../../test/servers/postgres.ts";
import type { Server } from "../../../test/servers/server.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { enterAs } from "../foreground.ts";
import type { MonitorWorld } from "../monitor.ts";

/** A NATS server on the monitor's machine, with the shipped configuration. */
export interface Broker {
  readonly url: string;
  /** The authority of its certificate, in PEM. */
  readonly authority: string;
  readonly start: () => Promise<Server>;
}

export async function broker(
  { listen, enter }: MonitorWorld,
  users: readonly string[],
): Promise<Broker> {
  const port = listen.firstPort + 1;
  const authority = issue({ subject: "NATS authority", authority: true });
  const server = issue({ subject: "NATS", names: `IP:${listen.address}`, issuer: authority });
  const configuration = await shippedConfiguration(users, {
    certificate: "server.crt",
    key: "server.key",
  });
  const files = { "server.crt": server.cert, "server.key": server.key };
  return {
    url: `tls://${listen.address}:${port}`,
    authority: authority.cert,
    start: () => nats(configuration, { host: listen.address, port, command: enter, files }),
  };
}

/** PostgreSQL on the monitor's machine and disk, with its own default settings. */
export interface Database {
  readonly url: string;
  readonly start: () => Promise<Program>;
}

const NOBODY = 65_534;
const AGAIN_MS = 500;
const ATTEMPTS = 30;

export async function database({ listen, enter, folder }: MonitorWorld): Promise<Database> {
  const port = listen.firstPort + 2;
  const home = join(folder, "postgres");
  await mkdir(home, { mode: 0o755 });
  const data = await makeCluster(home);
  const rights = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    dynamic_shared_memory_type: "mmap",
    // The disk is small.
    max_wal_size: "96MB",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [...enterAs(enter, rights), postgresProgram("postgres"), "-D", data, ...args];
  const open = async (): Promise<Program> => {
    const program = run(home, {}, command);
    const ended = program.ended.then((how) => {
      throw new Error(`PostgreSQL ended with ${how}: ${program.log()}`);
    });
    const isReady = (): boolean => program.log().includes("ready to accept connections");
    await Promise.race([waitFor("PostgreSQL is ready", isReady), ended]);
    ended.catch(() => {});
    return program;
  };
  return {
    url: `postgres://watchpost@127.0.0.1:${port}/postgres`,
    async start() {
      for (let attempt = 1; ; attempt += 1)
        try {
          return await open();
        } catch (error) {
          // Sessions of one that was killed end a little later than it.
          if (attempt === ATTEMPTS) throw new Error(messageOf(error), { cause: error });
          await sleep(systemClock, AGAIN_MS);
        }
    },
  };
}
