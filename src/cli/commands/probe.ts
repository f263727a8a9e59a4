import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

interface Options {
  readonly url?: string;
  readonly location?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly certKey?: string;
}

/** The setting that each option gives. */
const settings = [
  ["url", "WATCHPOST_NATS_URL"],
  ["location", "WATCHPOST_LOCATION"],
  ["ca", "WATCHPOST_NATS_CA"],
  ["cert", "WATCHPOST_NATS_CERT"],
  ["certKey", "WATCHPOST_NATS_CERT_KEY"],
] as const satisfies readonly (readonly [keyof Options, string])[];

export type ProbeContext = Pick<CommandContext, "version" | "print" | "printError" | "runProbe">;

export function addProbe(parent: Command, { runProbe }: Pick<CommandContext, "runProbe">): void {
  parent
    .command("probe")
    .description(
      "Runs checks for a service on another machine: takes the jobs of its location from the NATS server, and answers them. It listens nowhere unless WATCHPOST_HEALTH_LISTEN says so, keeps nothing, and runs until it is stopped. Any number of probes may share a location.",
    )
    .option("--url <url>", "the NATS server (default: WATCHPOST_NATS_URL)")
    .option("--location <code>", "the location (default: WATCHPOST_LOCATION)")
    .option("--ca <file>", "the authority of the server's certificate (default: WATCHPOST_NATS_CA)")
    .option("--cert <file>", "the certificate of this probe (default: WATCHPOST_NATS_CERT)")
    .option("--cert-key <file>", "its private key (default: WATCHPOST_NATS_CERT_KEY)")
    .addHelpText(
      "after",
      `
The credentials come from the settings, in the environment or the file watchpost.env in this folder: WATCHPOST_NATS_NKEY and
WATCHPOST_LOCATION_KEY, as \`watchpost location create\` writes them.

Example:
  $ WATCHPOST_FILE=ny.env ./watchpost probe --url tls://nats.example.com:4222`,
    )
    .action((options: Options) =>
      runProbe(
        Object.fromEntries(
          settings.flatMap(([option, setting]) => {
            const value = options[option];
            return value === undefined ? [] : [[setting, value]];
          }),
        ),
      ),
    );
}
