import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { serverFolder, startServer, type Server } from "./server.ts";

interface Caddy {
  /** In the language of Caddy's own files. */
  readonly configuration: string;
  /** Where that listens. */
  readonly ports: readonly number[];
}

/** A Caddy that does what this configuration says, and keeps nothing outside of a folder of its own. */
export async function caddy({ configuration, ports }: Caddy): Promise<Server> {
  const folder = await serverFolder();
  const file = join(folder, "Caddyfile");
  await writeFile(file, configuration);
  return startServer({
    // Its folders come from the environment.
    program: "env",
    args: [
      `HOME=${folder}`,
      `XDG_CONFIG_HOME=${folder}`,
      `XDG_DATA_HOME=${folder}`,
      "caddy",
      "run",
      "--config",
      file,
      "--adapter",
      "caddyfile",
    ],
    ports,
    folder,
  });
}
