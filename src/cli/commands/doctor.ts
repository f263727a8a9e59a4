import { InvalidArgumentError, type Command } from "commander";

import {
  CommandError,
  type CommandContext,
  type ReportedFinding,
  type OutsideServers,
} from "../command-context.ts";
import { painted } from "../output/colors.ts";
import { stripControlCharacters } from "../table.ts";

/** Operators who have a server of their own name it. */
const DEFAULT_NTP = "pool.ntp.org";

type NtpServer = NonNullable<OutsideServers["ntp"]>;

interface Options {
  readonly reach?: string;
  readonly ntp?: NtpServer | true;
  readonly json?: boolean;
}

export function addDoctor(parent: Command, context: CommandContext): void {
  parent
    .command("doctor")
    .summary("look at everything that an installation needs, and say what to do")
    .description(
      "Looks at the machine, the settings, the data folder or the database, the service, DNS, the mail server and the NATS server, without changing anything. Fails where something is red.",
    )
    .option(
      "--reach <url>",
      "a server of the web, for the way out and the clock; none is asked without",
      urlOf,
    )
    .option(
      "--ntp [server]",
      `a server of NTP, for the clock (${DEFAULT_NTP} if none is named); none is asked without`,
      ntpServerOf,
    )
    .option("--json", "a line of JSON for each finding")
    .addHelpText("after", "\nExample:\n  $ ./watchpost doctor --reach https://example.com --ntp")
    .action(async ({ reach, ntp, json = false }: Options) => {
      const all: ReportedFinding[] = [];
      const server = ntp === true ? { host: DEFAULT_NTP } : ntp;
      for await (const finding of context.examine({ reach, ntp: server })) {
        all.push(finding);
        context.print(json ? `${JSON.stringify(finding)}\n` : lineOf(finding, context));
      }
      const count = all.filter(({ state }) => state === "red").length;
      if (count > 0)
        throw new CommandError(`${count} ${count === 1 ? "thing does" : "things do"} not work`);
    });
}

function lineOf(
  { name, state, found, advice }: ReportedFinding,
  { terminal }: CommandContext,
): string {
  const shown = terminal.hasColors ? painted(state) : state;
  const line = `${shown}${" ".repeat(7 - state.length)}${name.padEnd(19)}${stripControlCharacters(found)}\n`;
  return advice === undefined ? line : `${line}${" ".repeat(26)}→ ${advice}\n`;
}

function urlOf(given: string): string {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw new InvalidArgumentError("It is a URL.");
  return given;
}

/** A host, or a host and a port. */
function ntpServerOf(given: string): NtpServer {
  const url = URL.parse(`ntp://${given}`);
  if (url === null || url.hostname === "" || url.host !== given)
    throw new InvalidArgumentError("It is a host, or host:port.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return url.port === "" ? { host } : { host, port: Number(url.port) };
}
