import { spawn } from "node:child_process";
import { env } from "node:process";

import { z } from "zod";

import { codeOf } from "../../kit/errors.ts";
import type { RunContext } from "../check-type.ts";

const MAX_OUTPUT = 64 * 2 ** 10;

/** Each takes one second. */
const ROUNDS = 5;
const LAST_WAIT_SECONDS = 2;

/** A router on the route, or the target itself. */
interface Hop {
  readonly number: number;
  /** Undefined if it does not respond. */
  readonly address: string | undefined;
  readonly lossPercent: number | undefined;
  readonly bestMs: number | undefined;
  readonly averageMs: number | undefined;
  readonly worstMs: number | undefined;
}

interface Destination {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The route to an address, by mtr or else by traceroute. */
export async function traceRoute(
  destination: Destination,
  { egress, signal }: RunContext,
): Promise<string> {
  const hops = (await byMtr(destination, signal)) ?? (await byTraceroute(destination, signal));
  if (hops === undefined) return "neither mtr nor traceroute is installed at this location";
  if (hops.length === 0) return "nobody on the way answered in time";
  const lines = await Promise.all(
    hops.map(async (hop) => {
      if (hop.address === undefined) return lineOf(hop, "no answer");
      // Addresses in networks that the egress policy blocks are not disclosed.
      const dialled = await egress
        .resolve(hop.address, { signal })
        .catch(() => ({ address: "(not public)" }));
      return lineOf(hop, dialled.address);
    }),
  );
  return [HEAD, ...lines].join("\n");
}

const HEAD = "hop  address                                   loss   best    avg  worst ms";

function lineOf({ number, lossPercent, bestMs, averageMs, worstMs }: Hop, name: string): string {
  const loss = lossPercent === undefined ? "-" : `${Math.round(lossPercent)}%`;
  const times = [bestMs, averageMs, worstMs].map((ms) => (ms?.toFixed(1) ?? "-").padStart(7));
  return `${String(number).padStart(3)}  ${name.padEnd(40)} ${loss.padStart(5)}${times.join("")}`;
}

const mtrReport = z.object({
  report: z.object({
    hubs: z.array(
      z.object({
        count: z.coerce.number(),
        host: z.string(),
        "Loss%": z.number(),
        Best: z.number(),
        Avg: z.number(),
        Wrst: z.number(),
      }),
    ),
  }),
});

/** Undefined if mtr is not installed, or its output is not a report. */
async function byMtr(
  { address, family }: Destination,
  signal: AbortSignal,
): Promise<readonly Hop[] | undefined> {
  const output = await runProgram(
    "mtr",
    [
      "--json",
      "--no-dns",
      `--report-cycles=${ROUNDS}`,
      `--gracetime=${LAST_WAIT_SECONDS}`,
      `-${family}`,
      // guard: arguments of mtr
      "--",
      address,
    ],
    signal,
  );
  const report = mtrReport.safeParse(parseJson(output ?? ""));
  return report.data?.report.hubs.map((hub) => {
    const isSilent = hub.host === "???";
    return {
      number: hub.count,
      address: isSilent ? undefined : hub.host,
      lossPercent: hub["Loss%"],
      bestMs: isSilent ? undefined : hub.Best,
      averageMs: isSilent ? undefined : hub.Avg,
      worstMs: isSilent ? undefined : hub.Wrst,
    };
  });
}

/** Undefined if traceroute is not installed. */
async function byTraceroute(
  { address, family }: Destination,
  signal: AbortSignal,
): Promise<readonly Hop[] | undefined> {
  const output = await runProgram(
    "traceroute",
    ["-n", "-q", "1", "-w", "2", `-${family}`, /* guard: arguments of traceroute */ "--", address],
    signal,
  );
  return output?.split("\n").flatMap((line) => {
    const [, number, answer, ms] = /^\s*(\d+)\s+(\S+)(?:\s+([\d.]+) ms)?/.exec(line) ?? [];
    if (number === undefined) return [];
    const time = ms === undefined ? undefined : Number(ms);
    return [
      {
        number: Number(number),
        address: answer === "*" ? undefined : answer,
        lossPercent: undefined,
        bestMs: time,
        averageMs: time,
        worstMs: time,
      },
    ];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The output of a local program until it exits, is killed by the signal, or exceeds the limit; undefined if it is not installed. It is started without a shell. */
function runProgram(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve("");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      // Without the settings of this process, among which are secrets.
      env: { PATH: env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const kill = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.length > MAX_OUTPUT) kill();
    });
    child.on("error", (error) => {
      signal.removeEventListener("abort", kill);
      if (codeOf(error) === "ENOENT") resolve(undefined);
      else reject(error);
    });
    child.on("close", () => {
      signal.removeEventListener("abort", kill);
      resolve(output.slice(0, MAX_OUTPUT));
    });
  });
}
