import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "../src/kit/clock.ts";
import { median, startServer } from "./fixture.ts";

const root = join(import.meta.dirname, "..");
const CALLS = 10;
const node = [join(root, "node_modules/.bin/node")];
const watchpost = [join(root, "watchpost")];

/** The time of commands, against a Node that does nothing; the first call of each, which compiles, is not counted. */
export async function benchCommands(rounds: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-bench-"));
  const token = "BENCHBEN-CHBE-4NCH-8BEN-CHBENCHBENCH";
  const settings = { WATCHPOST_DATA: folder, WATCHPOST_TOKEN: token };
  try {
    await using program = await startServer("watchpost", {
      ...settings,
      WATCHPOST_LISTEN: "127.0.0.1:0",
    });
    const env = { ...settings, WATCHPOST_URL: `http://127.0.0.1:${program.port}` };
    const commands: readonly (readonly string[])[] = [
      [...node, "-e", "0"],
      [...watchpost, "--version"],
      [...watchpost, "--help"],
      [...watchpost, "check", "add", "--help"],
      [...watchpost, "check", "list"],
      [...watchpost, "token", "list"],
      [...watchpost, "__complete", "--", "check", "show", ""],
    ];
    const lines: string[] = [];
    let bare = 0;
    for (const command of commands) {
      const times: number[] = [];
      await timeOf(command, env);
      for (let call = 0; call < CALLS * rounds; call += 1) times.push(await timeOf(command, env));
      const ms = median(times);
      bare ||= ms;
      const name = command.slice(1).join(" ");
      lines.push(`${name.padEnd(30)} ${ms.toFixed(0).padStart(5)} ms  ${(ms / bare).toFixed(1)}`);
    }
    return `commands: the median, and its ratio to a bare node\n${lines.join("\n")}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function timeOf(
  [file = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const before = systemClock.monotonic();
  const child = spawn(file, args, { stdio: "ignore", env: { PATH: process.env.PATH, ...env } });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return systemClock.monotonic() - before;
}
