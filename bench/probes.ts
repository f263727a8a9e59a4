import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** What one check costs in CPU and memory, against an exporter and against bare sockets, in a network of its own. */
export async function benchProbes(rounds: number): Promise<string> {
  const inside = join(import.meta.dirname, "probe-rounds.ts");
  const { stdout } = await promisify(execFile)("unshare", [
    "--net",
    process.execPath,
    inside,
    String(rounds),
  ]);
  return stdout;
}
