import process from "node:process";

import manifest from "../package.json" with { type: "json" };
import { readConfig } from "./app/config.ts";
import type { Config } from "./app/config.ts";
import { startWatchpost } from "./app/watchpost.ts";
import { AppError, messageOf } from "./kit/errors.ts";
import { createLog } from "./kit/log.ts";

const USAGE = `Usage: npm start

Runs the whole service in one process, with its database in ./data.
Settings come from the environment and from the file watchpost.env; docs/operating.md lists them.

  --help      prints this
  --version   prints the version
`;

async function main(): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument === "--help") return say(USAGE);
  if (argument === "--version") return say(`${manifest.version}\n`);
  if (argument !== undefined)
    throw new Refusal(`unknown argument ${JSON.stringify(argument)}\n\n${USAGE}`);

  // What we write is for nobody else to read, whoever made the data folder.
  process.umask(0o077);
  const config = configured();
  const log = createLog(process.stderr, process.stderr.isTTY);
  const stop = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => stop.resolve(signal));
  const running = await startWatchpost(config, log);
  say(greeting(running.address, running.firstToken, config));
  const signal = await stop.promise;
  log.info("main.stopping", { signal });
  await running.stop();
}

/** Something the person at the terminal can put right. */
class Refusal extends Error {}

function configured(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    throw new Refusal(
      `The settings cannot be used:\n\n${messageOf(error)}\n\ndocs/operating.md explains each.`,
      { cause: error },
    );
  }
}

function greeting(address: string, firstToken: string | undefined, config: Config): string {
  const lines = [
    `Watchpost ${manifest.version} is running.`,
    "",
    `  API          ${address}/api/1`,
    `  PUSH intake  ${address}/v1`,
    `  Dashboard    ${address}/`,
    `  Data         ${config.WATCHPOST_DATA}`,
  ];
  if (firstToken !== undefined)
    lines.push(`  API token    ${firstToken}   (keep it: it is shown this once)`);
  if (config.WATCHPOST_EGRESS === "private") {
    lines.push(
      "",
      "  Targets in private networks are allowed. On a server that strangers may use, set WATCHPOST_EGRESS=public.",
    );
  }
  return `${lines.join("\n")}\n\n`;
}

function say(text: string): void {
  process.stdout.write(text);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const known = error instanceof AppError || error instanceof Refusal;
  process.stderr.write(
    `${known ? messageOf(error) : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}
