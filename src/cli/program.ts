import { Command } from "commander";

import type { CommandContext } from "./command-context.ts";
import { runProgram, withOutput } from "./run-program.ts";

/** Runs the command that the arguments name, and returns the exit code. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  // `help check add` is `check add --help`: commander itself looks no further than the first of them.
  const [first, ...rest] = args;
  const given =
    first === "help" ? [...rest.filter((each) => !each.startsWith("-")), "--help"] : args;
  return runProgram(await programOf(given, context), given, context);
}

type AddCommand = (parent: Command, context: CommandContext) => void;

interface Entry {
  readonly name: string;
  readonly description: string;
  /** The command itself, or those of a group: what each needs is only loaded where it is asked for. */
  readonly load: () => Promise<AddCommand | readonly AddCommand[]>;
}

async function programOf(args: readonly string[], context: CommandContext): Promise<Command> {
  const program = withOutput(new Command("watchpost"), context)
    .description("Runs and manages Watchpost. Without arguments it runs the service.")
    .helpCommand("help [command...]", "display help for command")
    .addHelpText("after", examples);
  const wanted = args.find((each) => !each.startsWith("-"));
  for (const { name, description, load } of entries) {
    const loaded = name === wanted ? await load() : undefined;
    if (typeof loaded === "function") {
      loaded(program, context);
      continue;
    }
    const group = program.command(name).description(description);
    for (const add of loaded ?? []) add(group, context);
  }
  return program;
}

const entries: readonly Entry[] = [
  {
    name: "token",
    description:
      "Manages API tokens in the data folder of the settings, whether or not the service is running.",
    load: async () => [
      (await import("./commands/token-create.ts")).addTokenCreate,
      (await import("./commands/token-list.ts")).addTokenList,
      (await import("./commands/token-revoke.ts")).addTokenRevoke,
    ],
  },
  {
    name: "account",
    description:
      "Manages the primary accounts in the data folder of the settings, whether or not the service is running.",
    async load() {
      const account = await import("./commands/account.ts");
      return [account.addAccountCreate, account.addAccountList, account.addAccountSignIn];
    },
  },
  {
    name: "check",
    description: "Creates and shows checks through the API of an installation.",
    load: async () => [
      (await import("./commands/check/acknowledge.ts")).addCheckAcknowledge,
      (await import("./commands/check/add.ts")).addCheckAdd,
      (await import("./commands/check/alerts.ts")).addCheckAlerts,
      (await import("./commands/check/list.ts")).addCheckList,
      (await import("./commands/check/show.ts")).addCheckShow,
    ],
  },
  {
    name: "contact",
    description: "Shows and tests contacts through the API of an installation.",
    load: async () => [
      (await import("./commands/contact-list.ts")).addContactList,
      (await import("./commands/contact-test.ts")).addContactTest,
    ],
  },
  {
    name: "location",
    description: "Manages the locations of probes on other machines.",
    load: async () => [(await import("./commands/location-create.ts")).addLocationCreate],
  },
  {
    name: "nats-user",
    description: "Manages the user of the service on the NATS server.",
    load: async () => [(await import("./commands/nats-user-create.ts")).addNatsUserCreate],
  },
  {
    name: "probe",
    description: "run the checks of one location, on another machine than the service",
    load: async () => (await import("./commands/probe.ts")).addProbe,
  },
  {
    name: "store",
    description: "Manages the databases of an installation.",
    load: async () => [(await import("./commands/store-copy.ts")).addStoreCopy],
  },
  {
    name: "backup",
    description: "back up the whole installation, while it runs",
    load: async () => (await import("./commands/backup.ts")).addBackup,
  },
  {
    name: "restore",
    description: "restore a backup",
    load: async () => (await import("./commands/restore.ts")).addRestore,
  },
  {
    name: "export",
    description: "write an account's whole configuration as one JSON document",
    load: async () => (await import("./commands/export.ts")).addExport,
  },
  {
    name: "import",
    description: "change an account to match a document of export",
    load: async () => (await import("./commands/import.ts")).addImport,
  },
];

const examples = `
Start with a token; the other commands read it from the environment:
  $ export WATCHPOST_TOKEN=$(./watchpost token create)
  $ ./watchpost check add --type HTTP --target https://example.com/ --enabled
  $ ./watchpost check list

Run a job and report it to a PUSH check; see ./watchpost run --help and docs/heartbeats.md:
  $ ./watchpost run https://watchpost.example/v1/<id>/<checktoken> -- ./backup.sh

Settings come from the environment and from the file watchpost.env in this folder, as for the service; see docs/operating.md.
Exit codes: 0 success, 1 failure, 2 invalid command or arguments.`;
