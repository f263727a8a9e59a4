import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { waitFor } from "../time/wait-for.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Bind extends Server {
  readonly port: number;
}

interface Site {
  /** The records of each zone, as a zone file has them; without any the zone is broken. */
  readonly zones: Readonly<Record<string, readonly string[]>>;
  readonly port?: number;
}

/** A name server on 127.0.0.1 and ::1 for its own zones, which asks nobody else, and is called `own`. */
export async function bind({ zones, port }: Site): Promise<Bind> {
  const folder = await serverFolder();
  const at = port ?? (await closedPort());
  const config = join(folder, "named.conf");
  const names = Object.keys(zones);
  await Promise.all([
    writeFile(config, configOf({ folder, port: at, names })),
    ...Object.entries(zones)
      .filter(([, records]) => records.length > 0)
      .map(([name, records]) => writeFile(join(folder, name), zoneOf(records))),
  ]);
  const server = await startServer({
    program: "named",
    args: ["-g", "-n", "1", "-c", config],
    ports: [at],
    folder,
  });
  // Until then it says of every name that it failed.
  await waitFor("every zone is read", () => server.log().includes(" running\n"));
  return { port: at, ...server };
}

interface Configured {
  readonly folder: string;
  readonly port: number;
  readonly names: readonly string[];
}

function configOf({ folder, port, names }: Configured): string {
  const zones = names.map((name) => `zone "${name}" { type primary; file "${name}"; };`);
  return `
options {
  directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 port ${port} { ::1; };
  pid-file "${folder}/pid";
  session-keyfile "${folder}/key";
  server-id "own";
  recursion no;
  notify no;
  dnssec-validation no;
  empty-zones-enable no;
  minimal-responses no;
  max-records-per-type 0;
};
controls {};
${zones.join("\n")}
`;
}

function zoneOf(records: readonly string[]): string {
  const own = ["@ SOA ns admin 1 3600 600 86400 300", "@ NS ns", "ns A 127.0.0.1"];
  return ["$TTL 300", ...own, ...records, ""].join("\n");
}
