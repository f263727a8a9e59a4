import { InvalidArgumentError, type Command } from "commander";

import { isLocationCode, regions } from "../../domain/location.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { createNatsUser, locationUserLine } from "../nats-user.ts";
import { createForOwner } from "../write-for-owner.ts";

interface Options {
  readonly region?: string;
  readonly generation: number;
  readonly output?: string;
}

export function addLocationCreate(parent: Command, context: CommandContext): void {
  parent
    .command("create")
    .summary("make the credentials of a location")
    .description(
      "Makes what the probes of a location need: the seed with which they sign in to the NATS server, and the key that their jobs are sealed with, in a file of settings that only you can read. The key holds the region: a probe with it runs checks of that region, and of no other. Prints the line for the configuration of the NATS server.",
    )
    .argument("<code>", "1 to 20 lower-case letters and digits, such as ny")
    .option("--region <region>", `its region: ${regions.join(", ")} (default: every region)`)
    .option(
      "--generation <number>",
      "a number above that of a key that is to be replaced",
      parseGeneration,
      1,
    )
    .option("--output <file>", "the file to create (default: <code>.env)")
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost location create ny --region nam
  $ ./watchpost location create ny --region nam --generation 2 --output ny2.env`,
    )
    .action(async (code: string, { region, generation, output = `${code}.env` }: Options) => {
      if (!isLocationCode(code))
        throw new CommandError(
          `the code must be 1 to 20 lower-case letters and digits, and no region, not ${JSON.stringify(code)}`,
        );
      const known = regions.find((each) => each === region);
      if (region !== undefined && known === undefined)
        throw new CommandError(
          `--region must be one of ${regions.join(", ")}, not ${JSON.stringify(region)}`,
        );
      const key = await context.locationKey(code, { generation, region: known });
      const { seed, publicKey } = createNatsUser();
      await createForOwner(
        output,
        [
          `WATCHPOST_LOCATION=${code}`,
          `WATCHPOST_NATS_NKEY=${seed}`,
          `WATCHPOST_LOCATION_KEY=${key}`,
          "",
        ].join("\n"),
      );
      context.print(`${locationUserLine(code, publicKey)}\n`);
      context.printError(
        `Add that line to the users of the NATS server, and reload it. The settings of the probe are in ${output}, with its secrets; add WATCHPOST_NATS_URL, and on the machine of the probe run: WATCHPOST_FILE=${output} ./watchpost probe\n`,
      );
    });
}

function parseGeneration(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}
