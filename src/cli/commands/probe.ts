import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

interface Options {
  readonly url?: string;
  readonly location?: string;
  readonly region?: string;
}

export type ProbeContext = Pick<CommandContext, "version" | "print" | "printError" | "runProbe">;

export function addProbe(parent: Command, { runProbe }: Pick<CommandContext, "runProbe">): void {
  parent
    .command("probe")
    .summary("run the checks of one location, on another machine than the service")
    .description(
      "Runs checks for a service on another machine: takes the jobs of its location from the NATS server, and answers them. It listens nowhere, keeps nothing, and runs until it is stopped. Any number of probes may share a location.",
    )
    .option("--url <url>", "the NATS server (default: WATCHPOST_NATS_URL)")
    .option("--location <code>", "the location (default: WATCHPOST_LOCATION)")
    .option("--region <region>", "the region of the location (default: WATCHPOST_REGION)")
    .addHelpText(
      "after",
      `
The credentials come from the settings, in the environment or the file watchpost.env in this folder: WATCHPOST_NATS_NKEY and
WATCHPOST_LOCATION_KEY, as \`watchpost location create\` writes them.

Example:
  $ WATCHPOST_FILE=ny.env ./watchpost probe --url tls://nats.example.com:4222`,
    )
    .action(({ url, location, region }: Options) =>
      runProbe({
        ...(url !== undefined && { WATCHPOST_NATS_URL: url }),
        ...(location !== undefined && { WATCHPOST_LOCATION: location }),
        ...(region !== undefined && { WATCHPOST_REGION: region }),
      }),
    );
}
