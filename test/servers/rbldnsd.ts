import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Rbldnsd extends Server {
  readonly port: number;
}

interface Zone {
  readonly name: string;
  /** Type of its entries: IPv4 addresses, IPv6 addresses, or records of any kind. */
  readonly kind: "ip4set" | "ip6trie" | "generic";
  readonly entries: readonly string[];
}

/** A server of block lists on 127.0.0.1, for UDP. */
export async function rbldnsd({
  zones,
  port,
}: {
  readonly zones: readonly Zone[];
  readonly port?: number;
}): Promise<Rbldnsd> {
  const folder = await serverFolder();
  const at = port ?? (await closedPort());
  const soa = "$SOA 3600 bl.test. admin.bl.test. 0 600 300 86400 300";
  await Promise.all(
    zones.map(({ name, entries }) =>
      writeFile(join(folder, name), [soa, ...entries, ""].join("\n")),
    ),
  );
  const datasets = zones.map(({ name, kind }) => `${name}:${kind}:${name}`);
  const server = await startServer({
    program: "rbldnsd",
    args: ["-n", "-r", folder, "-b", `127.0.0.1/${at}`, "-u", "rbldns", "-f", ...datasets],
    ports: [at],
    folder,
  });
  return { port: at, ...server };
}
