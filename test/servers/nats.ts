import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Nats extends Server {
  /** Where clients connect. */
  readonly url: string;
  readonly port: number;
  /** Another configuration from now on: those whom it lets in as before stay connected. */
  readonly reload: (configuration: string) => Promise<void>;
}

interface Given {
  /** The port of a server before it; it must be free. */
  readonly port?: number;
  /** Where it listens, instead of 127.0.0.1. */
  readonly host?: string;
  /** Other ports that the configuration listens on. */
  readonly ports?: readonly number[];
  /** Command prefix, such as `ip netns exec`. */
  readonly command?: readonly string[];
  /** Files that the configuration names, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A NATS server of its own, by default on 127.0.0.1. `configuration` says who may do what; without it, everybody may everything. */
export async function nats(configuration = "", given: Given = {}): Promise<Nats> {
  const folder = await serverFolder();
  const { host = "127.0.0.1", command = [] } = given;
  const port = given.port ?? (await closedPort());
  for (const [name, text] of Object.entries(given.files ?? {}))
    await writeFile(join(folder, name), text);
  const file = join(folder, "nats.conf");
  const write = (text: string): Promise<void> =>
    writeFile(file, `listen: "${host}:${port}"\n${text}\n`);
  await write(configuration);
  const [program, ...args] = [...command, "nats-server", "--config", file];
  const ports = [port, ...(given.ports ?? [])];
  const server = await startServer({ program, args, ports, folder });
  const reloads = (): number => server.log().split("Reloaded server configuration").length;
  return {
    ...server,
    port,
    url: `nats://${host}:${port}`,
    async reload(text) {
      const before = reloads();
      await write(text);
      server.signal("SIGHUP");
      await waitFor("it is reloaded", () => reloads() > before);
    },
  };
}
