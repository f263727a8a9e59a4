import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "../../src/kit/clock.ts";
import { cpuTimeOf } from "../cpu-time.ts";
import type { PingCost } from "./ping-checks.ts";
import { median } from "../fixture.ts";

/** Results of each ping method in one round. */
interface Round {
  readonly socket: PingCost;
  readonly program: PingCost;
  readonly fping: PingCost;
}

function ours(groups: string, checks: number): PingCost {
  writeFileSync("/proc/sys/net/ipv4/ping_group_range", groups);
  const command = [join(import.meta.dirname, "ping-checks.ts"), String(checks)];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" }));
}

/** One request to each of 20,480 addresses. */
function fping(): PingCost {
  const before = cpuTimeOf(process.pid).children;
  const start = systemClock.monotonic();
  const addresses = ["-g", "127.1.0.0", "127.1.79.255"];
  execFileSync("fping", ["-q", "-c1", "-i0", ...addresses], { stdio: "ignore" });
  const seconds = (systemClock.monotonic() - start) / 1000;
  const childrenMicros = cpuTimeOf(process.pid).children - before;
  return { checks: 20_480, seconds, ownMicros: 0, childrenMicros };
}

const microsOf = ({ checks, ownMicros, childrenMicros }: PingCost): number =>
  (ownMicros + childrenMicros) / checks;

execFileSync("ip", ["link", "set", "lo", "up"]);
const rounds = Array.from({ length: Number(process.argv[2]) }, (): Round => ({
  socket: ours("0 2147483647", 20_000),
  program: ours("1 0", 1000),
  fping: fping(),
}));

function rowOf(name: string, way: keyof Round): string {
  const middle = (figure: (cost: PingCost) => number): number =>
    Math.round(median(rounds.map((round) => figure(round[way]))));
  const rate = middle(({ checks, seconds }) => checks / seconds);
  const own = middle(({ checks, ownMicros }) => ownMicros / checks);
  const ratio = median(rounds.map((round) => microsOf(round[way]) / microsOf(round.fping)));
  return `| ${name} | ${rate} | ${own} | ${middle(microsOf)} | ${ratio.toFixed(1)} |`;
}

process.stdout.write(
  `${[
    `PING: 50 checks at once, ${rounds.length} rounds, medians; CPU is user and system`,
    "",
    "| way | checks a second | CPU µs of our process | CPU µs with those it started | ratio to fping |",
    "|---|---|---|---|---|",
    rowOf("by a socket", "socket"),
    rowOf("by the ping program", "program"),
    rowOf("fping, all in one run", "fping"),
  ].join("\n")}\n`,
);
