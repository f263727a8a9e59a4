import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import type { Postgres } from "./postgres.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Pgbouncer extends Server {
  readonly port: number;
}

/** A pooler on 127.0.0.1 for every database of a server. Each transaction gets whichever of its few sessions is free. */
export async function pgbouncer({ host, port, user }: Postgres): Promise<Pgbouncer> {
  const folder = await serverFolder();
  const at = await closedPort();
  const config = join(folder, "pgbouncer.ini");
  const settings = {
    listen_addr: host,
    listen_port: at,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 4,
    // Its databases are dropped with it, and new ones come.
    server_idle_timeout: 5,
  };
  await writeFile(
    config,
    `[databases]
* = host=${host} port=${port} user=${user}
[pgbouncer]
${Object.entries(settings)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join("")}`,
  );
  const rights = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  const server = await startServer({
    program: "pgbouncer",
    args: [...rights, config],
    ports: [at],
    folder,
  });
  return { ...server, port: at };
}
