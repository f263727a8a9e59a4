import { parseArgs } from "node:util";

/** What `watchpost run` is given: where to report, and what to run. */
export interface RunArguments {
  /** The address of the check's heartbeats, without a signal. */
  readonly heartbeat: URL;
  readonly quiet: boolean;
  readonly command: string;
  readonly args: readonly string[];
}

export const runUsage = `Usage: watchpost run [options] [check] -- <command> [arguments...]

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
export class UsageError extends Error {}

/** Undefined where only help is wanted. */
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
