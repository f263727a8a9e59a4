import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer } from "./server.ts";
import type { Server } from "./server.ts";

export interface Nats extends Server {
  /** Where clients connect. */
  readonly url: string;
  readonly port: number;
}

interface Given {
  /** The port of a server before it; it must be free. */
  readonly port?: number;
  /** Files that the configuration names, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A NATS server of its own on 127.0.0.1. `configuration` says who may do what; without it, everybody may everything. */
export async function nats(configuration = "", given: Given = {}): Promise<Nats> {
  const folder = await serverFolder();
  const port = given.port ?? (await closedPort());
  for (const [name, text] of Object.entries(given.files ?? {}))
    await writeFile(join(folder, name), text);
  const file = join(folder, "nats.conf");
  await writeFile(file, `listen: "127.0.0.1:${port}"\n${configuration}\n`);
  const args = ["--config", file];
  const server = await startServer({ program: "nats-server", args, ports: [port], folder });
  return { ...server, port, url: `nats://127.0.0.1:${port}` };
}
