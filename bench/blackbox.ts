import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../test/peers/tcp.ts";
import { serverFolder, startServer } from "../test/servers/server.ts";

export interface Blackbox extends AsyncDisposable {
  /** Rejects unless the check passes. */
  readonly probe: (module: string, target: string) => Promise<void>;
  /** User and system, since it started. */
  readonly cpuMicros: () => Promise<number>;
}

/** Debian's prometheus-blackbox-exporter on one core, which looks for the address of that name by DNS. */
export async function blackbox(name: string): Promise<Blackbox> {
  const folder = await serverFolder();
  const port = await closedPort();
  const modules = {
    http: { prober: "http" },
    // As for our type, whose certificate it is does not matter.
    https: { prober: "http", http: { tls_config: { insecure_skip_verify: true } } },
    tcp: { prober: "tcp" },
    dns: { prober: "dns", dns: { query_name: name, query_type: "A" } },
    icmp: { prober: "icmp" },
  };
  // JSON is YAML, too.
  await writeFile(join(folder, "modules.yml"), JSON.stringify({ modules }));
  const server = await startServer({
    program: "env",
    args: [
      "GOMAXPROCS=1",
      "prometheus-blackbox-exporter",
      "--config.file=modules.yml",
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    ports: [port],
    folder,
  });
  const get = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  return {
    ...server,
    async probe(module, target) {
      const said = await get(`/probe?module=${module}&target=${encodeURIComponent(target)}`);
      if (!said.includes("\nprobe_success 1\n")) throw new Error(`${module} failed: ${said}`);
    },
    async cpuMicros() {
      const [, seconds] = /^process_cpu_seconds_total (\S+)$/m.exec(await get("/metrics")) ?? [];
      return Number(seconds) * 1_000_000;
    },
  };
}
