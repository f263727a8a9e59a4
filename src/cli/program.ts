import { Command } from "commander";

import { addAccountCreate, addAccountList, addAccountSignIn } from "./commands/account.ts";
import { addCheckAcknowledge } from "./commands/check/acknowledge.ts";
import { addCheckAdd } from "./commands/check/add.ts";
import { addCheckAlerts } from "./commands/check/alerts.ts";
import { addCheckList } from "./commands/check/list.ts";
import { addCheckShow } from "./commands/check/show.ts";
import { addContactList } from "./commands/contact-list.ts";
import { addContactTest } from "./commands/contact-test.ts";
import { addExport } from "./commands/export.ts";
import { addImport } from "./commands/import.ts";
import { addLocationCreate } from "./commands/location-create.ts";
import { addNatsUserCreate } from "./commands/nats-user-create.ts";
import { addProbe } from "./commands/probe.ts";
import { addStoreCopy } from "./commands/store-copy.ts";
import type { CommandContext } from "./command-context.ts";
import { addTokenCreate } from "./commands/token-create.ts";
import { addTokenList } from "./commands/token-list.ts";
import { addTokenRevoke } from "./commands/token-revoke.ts";
import { runProgram, withOutput } from "./run-program.ts";

/** Runs the command that the arguments name, and returns the exit code. */
export function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  return runProgram(programOf(context), args, context);
}

function programOf(context: CommandContext): Command {
  const program = withOutput(new Command("watchpost"), context)
    .description("Runs and manages Watchpost. Without arguments it runs the service.")
    .addHelpText("after", examples);
  const token = program
    .command("token")
    .description(
      "Manages API tokens in the data folder of the settings, whether or not the service is running.",
    );
  addTokenCreate(token, context);
  addTokenList(token, context);
  addTokenRevoke(token, context);
  const account = program
    .command("account")
    .description(
      "Manages the primary accounts in the data folder of the settings, whether or not the service is running.",
    );
  addAccountCreate(account, context);
  addAccountList(account, context);
  addAccountSignIn(account, context);
  const check = program
    .command("check")
    .description("Creates and shows checks through the API of an installation.");
  addCheckAcknowledge(check, context);
  addCheckAdd(check, context);
  addCheckAlerts(check, context);
  addCheckList(check, context);
  addCheckShow(check, context);
  const contact = program
    .command("contact")
    .description("Shows and tests contacts through the API of an installation.");
  addContactList(contact, context);
  addContactTest(contact, context);
  const location = program
    .command("location")
    .description("Manages the locations of probes on other machines.");
  addLocationCreate(location, context);
  const natsUser = program
    .command("nats-user")
    .description("Manages the user of the service on the NATS server.");
  addNatsUserCreate(natsUser, context);
  addProbe(program, context);
  const store = program.command("store").description("Manages the databases of an installation.");
  addStoreCopy(store, context);
  addExport(program, context);
  addImport(program, context);
  return program;
}

const examples = `
Start with a token; the other commands read it from the environment:
  $ export WATCHPOST_TOKEN=$(./watchpost token create)
  $ ./watchpost check add --type HTTP --target https://example.com/ --enabled
  $ ./watchpost check list

Run a job and report it to a PUSH check; see ./watchpost run --help and docs/heartbeats.md:
  $ ./watchpost run https://watchpost.example/v1/<id>/<checktoken> -- ./backup.sh

Settings come from the environment and from the file watchpost.env in this folder, as for the service; see docs/operating.md.
Exit codes: 0 success, 1 failure, 2 invalid command or arguments.`;
