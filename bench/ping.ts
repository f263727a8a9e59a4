import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** What a PING costs by a socket, by the ping program, and at fping, in a network of its own. */
export async function benchPing(rounds: number): Promise<string> {
  const inside = join(import.meta.dirname, "ping-rounds.ts");
  const command = ["--net", process.execPath, inside, String(rounds)];
  const { stdout } = await promisify(execFile)("unshare", command);
  return stdout;
}
