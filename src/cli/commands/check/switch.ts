import { InvalidArgumentError, type Command } from "commander";

import {
  createApiClient,
  withApiOptions,
  type ApiClient,
  type ApiOptions,
  type JsonObject,
} from "../../api-client.ts";
import type { CommandContext } from "../../command-context.ts";
import { confirm } from "../../derived/confirmation.ts";
import { createRecordNames } from "../../derived/record-names.ts";
import { formatTime } from "../../table.ts";

interface Switch {
  readonly verb: string;
  readonly summary: string;
  /** Change to each check. */
  readonly change: JsonObject;
  readonly done: string;
}

const switches: readonly Switch[] = [
  {
    verb: "enable",
    summary: "run checks from now on",
    change: { enabled: true },
    done: "enabled",
  },
  {
    verb: "disable",
    summary: "run checks no more, and keep them",
    change: { enabled: false },
    done: "disabled",
  },
  {
    verb: "unmute",
    summary: "send alerts of checks again",
    change: { mute: false },
    done: "unmuted",
  },
];

/** The commands that change one thing of checks. */
export const addCheckSwitches = switches.map(
  ({ verb, summary, change, done }) =>
    (parent: Command, context: CommandContext): void => {
      const command = parent
        .command(verb)
        .summary(summary)
        .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
        .argument("<id...>", "the ids of the checks, or labels that only one has");
      withApiOptions(command)
        .addHelpText("after", exampleOf(verb))
        .action(async (given: readonly string[], options: ApiOptions) =>
          changeEach(given, { change, done, options, context }),
        );
    },
);

export function addCheckMute(parent: Command, context: CommandContext): void {
  const command = parent
    .command("mute")
    .summary("send no alerts of checks, for good or for a while")
    .description("Sends no alerts of checks that go on running, for good or for a while.")
    .argument("<id...>", "the ids of the checks, or labels that only one has")
    .option("--for <time>", "for how long, such as 30min, 2h or 7d (default: for good)", parseSpan);
  withApiOptions(command)
    .addHelpText("after", exampleOf("mute"))
    .action(async (given: readonly string[], options: ApiOptions & { readonly for?: number }) => {
      const until = options.for === undefined ? undefined : context.clock.now() + options.for;
      const done = until === undefined ? "muted" : `muted until ${formatTime(until)}`;
      await changeEach(given, { change: { mute: until ?? true }, done, options, context });
    });
}

interface AllOptions extends ApiOptions {
  readonly yes?: boolean;
}

/** Commands for all checks of an account; enabling restores the previously enabled checks. */
export const addAllSwitches = [true, false].map(
  (disableall) =>
    (parent: Command, context: CommandContext): void => {
      const verb = disableall ? "disable-all" : "enable-all";
      const summary = disableall
        ? "disable every check that is enabled"
        : "enable again what disable-all has disabled";
      const command = parent
        .command(verb)
        .summary(summary)
        .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
      if (disableall) command.option("--yes", "do it without asking");
      withApiOptions(command)
        .addHelpText("after", `\nExample:\n  $ ./watchpost check ${verb}`)
        .action(async (options: AllOptions) => {
          if (disableall) await confirm("check disable-all: are you sure?", options, context);
          await createApiClient(context, options)("PUT", "checks", { disableall });
          context.print(disableall ? "All checks are disabled.\n" : "Enabled again.\n");
        });
    },
);

interface Changing {
  readonly change: JsonObject;
  readonly done: string;
  readonly options: ApiOptions;
  readonly context: CommandContext;
}

async function changeEach(
  given: readonly string[],
  { change, done, options, context }: Changing,
): Promise<void> {
  const api: ApiClient = createApiClient(context, options);
  const names = createRecordNames(context, options);
  // All of them are found before one is changed.
  await Promise.all(given.map((each) => names.idOf("checks", each)));
  for (const each of given)
    await names.withId("checks", each, async (id) => {
      const { warning } = await api("PUT", "checks", { id, ...change });
      if (typeof warning === "string") context.printError(`Warning: ${warning}\n`);
      context.print(`${id} ${done}\n`);
    });
}

function exampleOf(verb: string): string {
  return `\nExample:\n  $ ./watchpost check ${verb} 202601051200ABCDE-0J2HSIRF "Home page"`;
}

const MINUTE_MS = 60_000;
const units: Readonly<Record<string, number>> = {
  min: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};

function parseSpan(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})(min|h|d)$/.exec(text) ?? [];
  const ms = units[unit];
  if (ms === undefined || Number(count) === 0)
    throw new InvalidArgumentError("Give a time such as 30min, 2h or 7d.");
  return Number(count) * ms;
}
