import { Command } from "commander";

import type { CommandContext } from "./command-context.ts";
import type { Entry } from "./derived/entry.ts";
import { exitCodes } from "./exit-codes.ts";
import { resourceEntries } from "./derived/resource-entries.ts";
import { runProgram, withOutput } from "./run-program.ts";

/** Runs the command that the arguments name, and returns the exit code. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  if (args[0] === "__complete") {
    const words = args.slice(args[1] === "--" ? 2 : 1);
    const { complete } = await import("./complete.ts");
    await complete(words, await programOf(words, context), context);
    return exitCodes.done;
  }
  // `help check add` is `check add --help`: commander itself looks no further than the first of them.
  const [first, ...rest] = args;
  const given =
    first === "help" ? [...rest.filter((each) => !each.startsWith("-")), "--help"] : args;
  return runProgram(await programOf(given, context), given, context);
}

/** The program, with the commands that the arguments want; of other groups only the names. */
async function programOf(args: readonly string[], context: CommandContext): Promise<Command> {
  const program = withOutput(new Command("watchpost"), context)
    .description(
      "Runs and manages Watchpost. Without arguments it runs the service; with --empty alone it also accepts a data folder whose database is missing, and begins a new installation there.",
    )
    .helpCommand("help [command...]", "display help for command")
    .addHelpText("after", examples);
  const wanted = args.find((each) => !each.startsWith("-"));
  for (const { name, description, load } of [...entries, ...resourceEntries()]) {
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
    name: "nats-user",
    description: "Manages the user of the service on the NATS server.",
    load: async () => [(await import("./commands/nats-user-create.ts")).addNatsUserCreate],
  },
  {
    name: "login",
    description: "keep the URL and the token of an installation",
    load: async () => (await import("./commands/contexts/login.ts")).addLogin,
  },
  {
    name: "context",
    description: "Manages the installations that you have logged in to.",
    async load() {
      const context = await import("./commands/contexts/context.ts");
      return [context.addContextList, context.addContextUse, context.addContextRemove];
    },
  },
  {
    name: "whoami",
    description: "show the installation, the account and the access of the token in use",
    load: async () => (await import("./commands/contexts/whoami.ts")).addWhoami,
  },
  {
    name: "completion",
    description: "print what makes a shell complete commands, options and names",
    load: async () => (await import("./commands/completion.ts")).addCompletion,
  },
  {
    name: "tail",
    description: "show what happens to checks, as it happens",
    load: async () => (await import("./commands/tail.ts")).addTail,
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
    name: "doctor",
    description: "look at everything that an installation needs, and say what to do",
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
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
    description: "write an account's whole configuration as a file for apply",
    load: async () => (await import("./commands/export.ts")).addExport,
  },
  {
    name: "plan",
    description: "show what would be done to make an account match a configuration in files",
    load: async () => (await import("./commands/configuration/plan.ts")).addPlan,
  },
  {
    name: "apply",
    description: "make an account match a configuration in files",
    load: async () => (await import("./commands/configuration/apply.ts")).addApply,
  },
  {
    name: "import",
    description: "move here from another system",
    async load() {
      const { addImportSystems } = await import("./imports/import-command.ts");
      return [addImportSystems];
    },
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
