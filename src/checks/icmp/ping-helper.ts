import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { env, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";

import { readPingLine } from "./ping-output.ts";
import type { PingFinding } from "./ping-output.ts";
import { ECHO_REQUESTS } from "./send-echo.ts";

/** Begins a ping, or ends it where it names no address. */
export interface PingOrder {
  readonly id: number;
  readonly address?: string;
  readonly everySeconds?: number;
}

/** What a ping found out; without that, that it has begun. */
export interface PingReport {
  readonly id: number;
  readonly finding?: PingFinding;
}

/** Each takes a megabyte, and two milliseconds to begin. */
const PINGS_AT_ONCE = 100;
/** How the program ends where nobody replied. */
const NO_REPLY = 1;

const queue = new Map<number, readonly string[]>();
const pings = new Map<number, ChildProcess>();

function beginNext(): void {
  const [first] = queue;
  if (first === undefined || pings.size >= PINGS_AT_ONCE) return;
  const [id, args] = first;
  queue.delete(id);
  begin(id, args);
}

function begin(id: number, args: readonly string[]): void {
  // What it says is read, so it must say it in English.
  const ping = spawn("ping", args, { env: { PATH: env.PATH, LC_ALL: "C" } });
  pings.set(id, ping);
  const find = (finding: PingFinding | undefined): void => {
    if (finding !== undefined && end(id)) report({ id, finding });
  };
  const errors: string[] = [];
  createInterface({ input: ping.stdout }).on("line", (line) => find(readPingLine(line)));
  createInterface({ input: ping.stderr }).on("line", (line) => {
    errors.push(line);
    find(readPingLine(line));
  });
  ping.on("spawn", () => report({ id }));
  ping.on("error", ({ message }) => find({ trouble: message }));
  ping.on("close", (code, signal) => {
    if (code !== NO_REPLY) find({ trouble: errors.join("; ") || `ended by ${signal ?? code}` });
    end(id);
  });
}

/** False where it had ended already. */
function end(id: number): boolean {
  queue.delete(id);
  pings.get(id)?.kill();
  const ended = pings.delete(id);
  beginNext();
  return ended;
}

function report(found: PingReport): void {
  stdout.write(`${JSON.stringify(found)}\n`);
}

// Where nobody reads what is reported, nobody gives orders any more.
stdout.on("error", () => {});
for await (const line of createInterface({ input: stdin })) {
  const { id, address, everySeconds }: PingOrder = JSON.parse(line);
  if (address === undefined) end(id);
  else queue.set(id, ["-n", "-c", `${ECHO_REQUESTS}`, "-i", `${everySeconds}`, "--", address]);
  beginNext();
}
queue.clear();
for (const ping of pings.values()) ping.kill();
