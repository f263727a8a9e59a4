import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";

import { sleep, systemClock, type Clock } from "../kit/clock.ts";
import { networkTrouble } from "../kit/net/network-error.ts";

/** Output kept by the check, plus some for colors. */
const MAX_OUTPUT_BYTES = 16_384;
const ATTEMPT_MS = 5000;
/** With these a restart of Watchpost is waited out, and a network that is away delays a job by half a minute. */
const RETRY_AFTER_MS = [1000, 3000, 9000];
/** As shells have them (POSIX.1-2024, 2.8.2). */
const [NOT_FOUND, NOT_EXECUTABLE, OF_SIGNAL, USAGE] = [127, 126, 128, 2];
const FORWARDED = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

/** After the end of a command, what it has left in the background may hold its output open. */
const QUIET_MS = 1000;

/** The process that runs the command in its place. */
export interface Host extends Pick<NodeJS.Process, "env"> {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly on: (signal: NodeJS.Signals, receive: (signal: NodeJS.Signals) => void) => unknown;
  readonly off: Host["on"];
}

/** Runs the command of the arguments, reports to its check, and gives its exit code. */
export async function runJob(
  argv: readonly string[],
  host: Host,
  clock: Clock = systemClock,
): Promise<number> {
  let job: RunArguments | undefined;
  try {
    job = readRunArguments(argv, host.env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    host.stderr.write(`watchpost run: ${error.message}\n\n${runUsage}`);
    return USAGE;
  }
  if (job === undefined) {
    host.stdout.write(runUsage);
    return 0;
  }
  const rid = randomUUID();
  // The command does not wait for it, but its end is reported after its start.
  const reportOf = createReport(job, { errors: host.stderr, clock });
  const started = reportOf("/start", { rid }, { retries: 0 });
  const from = clock.monotonic();
  const { exitCode, output } = await runCommand(job, { host, clock });
  const ping = String(Math.round(clock.monotonic() - from));
  await started;
  await reportOf(`/${exitCode}`, { rid, ping }, { body: output, retries: RETRY_AFTER_MS.length });
  return exitCode;
}

interface Ended {
  readonly exitCode: number;
  readonly output: Buffer;
}

interface Surroundings {
  readonly host: Host;
  readonly clock: Clock;
}

function runCommand(
  { command, args }: RunArguments,
  { host, clock }: Surroundings,
): Promise<Ended> {
  const tail = createTail();
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["inherit", "pipe", "pipe"] });
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of FORWARDED) host.on(signal, forward);
    const end = (exitCode: number): void => {
      for (const signal of FORWARDED) host.off(signal, forward);
      resolve({ exitCode, output: tail.bytes() });
    };
    const outputs = [child.stdout, child.stderr];
    let lastAt = clock.monotonic();
    const see = (piece: Buffer): void => {
      lastAt = clock.monotonic();
      tail.add(piece);
    };
    pass(child.stdout, host.stdout, see);
    pass(child.stderr, host.stderr, see);
    const closeWhenQuiet = (): void => {
      if (outputs.every(({ destroyed }) => destroyed)) return;
      const isQuiet = clock.monotonic() - lastAt >= QUIET_MS;
      // Its reader may be slow.
      if (isQuiet && !outputs.some((output) => output.isPaused()))
        for (const output of outputs) output.destroy();
      else clock.setTimer(closeWhenQuiet, QUIET_MS);
    };
    child.once("exit", () => {
      lastAt = clock.monotonic();
      closeWhenQuiet();
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      const sentence = `watchpost run: ${command}: ${error.message}\n`;
      host.stderr.write(sentence);
      tail.add(Buffer.from(sentence));
      end(error.code === "ENOENT" ? NOT_FOUND : NOT_EXECUTABLE);
    });
    child.once("close", (code, signal) =>
      end(code ?? OF_SIGNAL + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}

/** Writes what is read as it comes, and no faster than it is taken; the command notices when nobody takes it any more. */
function pass(from: Readable, to: Writable, see: (piece: Buffer) => void): void {
  to.on("error", () => from.destroy());
  from.on("data", (piece: Buffer) => {
    see(piece);
    if (to.write(piece)) return;
    from.pause();
    to.once("drain", () => from.resume());
  });
}

interface Tail {
  readonly add: (piece: Buffer) => void;
  readonly bytes: () => Buffer;
}

/** The last bytes of what is added. */
function createTail(): Tail {
  let kept = Buffer.alloc(0);
  return {
    add: (piece) => void (kept = Buffer.concat([kept, piece]).subarray(-MAX_OUTPUT_BYTES)),
    bytes: () => kept,
  };
}

interface Sending {
  readonly body?: Buffer;
  readonly retries: number;
}

/** Never throws: a job does not fail because its heartbeat is lost. */
function createReport(
  { heartbeat, quiet }: RunArguments,
  { errors, clock }: { readonly errors: Writable; readonly clock: Clock },
) {
  return async (
    signal: string,
    query: Readonly<Record<string, string>>,
    { body, retries }: Sending,
  ): Promise<void> => {
    const url = new URL(heartbeat);
    url.pathname += signal;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    for (let attempt = 0; ; attempt += 1) {
      const problem = await send(url, body);
      if (problem === undefined) return;
      const waitMs = RETRY_AFTER_MS[attempt];
      if (attempt >= retries || !problem.mayPass || waitMs === undefined) {
        if (!quiet) errors.write(`watchpost run: not reported: ${problem.text}\n`);
        return;
      }
      await sleep(clock, waitMs);
    }
  };
}

interface Problem {
  readonly text: string;
  readonly mayPass: boolean;
}

async function send(url: URL, body: Buffer | undefined): Promise<Problem | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "text/plain" },
      ...(body !== undefined && { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = (await response.text()).slice(0, 200);
    // One that is throttled shows that the check is alive, and ends its run.
    if (response.ok || response.status === 409) return undefined;
    const mayPass = response.status === 429 || response.status >= 500;
    return { text: `${response.status} ${text}`, mayPass };
  } catch (error) {
    return { text: `${url.host}: ${networkTrouble(error)}`, mayPass: true };
  }
}

/** Arguments of `watchpost run`: where to report, and the program to run. */
interface RunArguments {
  /** The address of the check's heartbeats, without a signal. */
  readonly heartbeat: URL;
  readonly quiet: boolean;
  readonly command: string;
  readonly args: readonly string[];
}

const runUsage = `Usage: watchpost run [options] [check] -- <command> [arguments...]

Runs a command and reports its start, its exit code, its run time and the end of its output to a PUSH check.
Its output, signals and exit code pass through unchanged, also where Watchpost cannot be reached.

[check] is the address of its heartbeats, https://<host>/v1/<id>/<checktoken>, or <id>/<checktoken> with --url.
Others on the machine see what stands in a command line: keep the address in the environment rather.

Options:
  --url <url>  the address of the installation (default: $WATCHPOST_URL)
  --quiet      says nothing where Watchpost cannot be reached
  --help       shows this

Environment:
  WATCHPOST_HEARTBEAT_URL  the address of the heartbeats, where [check] is not given
`;

/** A sentence for who wrote the command line. */
class UsageError extends Error {}

/** Undefined if only help was requested. */
export function readRunArguments(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RunArguments | undefined {
  const separator = argv.indexOf("--");
  const own = separator === -1 ? argv : argv.slice(0, separator);
  const { values, positionals } = parsed(own);
  if (values.help === true) return undefined;
  const [command, ...args] = separator === -1 ? [] : argv.slice(separator + 1);
  if (command === undefined) throw new UsageError("a command is missing after --");
  if (positionals.length > 1)
    throw new UsageError(
      `unexpected ${JSON.stringify(positionals[1])}: the command comes after --`,
    );
  const check = positionals[0] ?? environment.WATCHPOST_HEARTBEAT_URL ?? "";
  if (check === "")
    throw new UsageError(
      "which check? Give the address of its heartbeats, or set WATCHPOST_HEARTBEAT_URL",
    );
  const heartbeat = heartbeatUrl(check, values.url ?? environment.WATCHPOST_URL);
  return { heartbeat, quiet: values.quiet === true, command, args };
}

function parsed(own: readonly string[]) {
  try {
    return parseArgs({
      args: [...own],
      allowPositionals: true,
      options: {
        url: { type: "string" },
        quiet: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function heartbeatUrl(check: string, base: string | undefined): URL {
  const isWhole = /^https?:\/\//i.test(check);
  if (!isWhole && (base === undefined || !/^[^/\s]+\/[^/\s]+$/.test(check)))
    throw new UsageError(
      "the check must be https://<host>/v1/<id>/<checktoken>, or <id>/<checktoken> with --url",
    );
  const url = URL.parse(isWhole ? check : `${base?.replace(/\/+$/, "") ?? ""}/v1/${check}`);
  if (url === null || !/\/v1\/[^/]+\/[^/]+\/?$/.test(url.pathname))
    throw new UsageError("the address of heartbeats must be https://<host>/v1/<id>/<checktoken>");
  url.pathname = url.pathname.replace(/\/$/, "");
  return url;
}
