import { parseArgs } from "node:util";

import { messageOf } from "../src/kit/errors.ts";
import { installPackages } from "./monitors/install.ts";
import type { Monitor } from "./monitors/monitor.ts";
import { optionsFrom, options, usage } from "./options.ts";
import { scenarios } from "./scenarios/registry.ts";
import { troubles } from "./scenarios/troubles.ts";
import { endOfSandbox, isInSandbox, restartInSandbox } from "./world/sandbox.ts";
import { runScoreboard } from "./scoreboard.ts";

/** Packages needed to create the environment of a run. */
const ownPackages = ["iproute2", "libfaketime", "nftables", "openssl"];

const code = await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  return 2;
});
// Neither open handles of a monitor nor the open input delay the exit.
process.exit(code);

async function main(): Promise<number> {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (values.list) {
    for (const { name, breaks } of [...scenarios, ...troubles])
      process.stdout.write(`${name.padEnd(24)} ${breaks}\n`);
    return 0;
  }
  const chosen = optionsFrom(values);
  if (process.getuid?.() !== 0)
    throw new Error("the scoreboard needs root, for networks and disks of its own");
  if (!isInSandbox) {
    await installPackages(ownPackages);
    const ready = await prepared(chosen.monitors);
    // The last of an option that is given twice counts.
    const args = [...process.argv.slice(2), "--monitors", ready.join()];
    return restartInSandbox([import.meta.filename, ...args]);
  }
  return runScoreboard(chosen, endOfSandbox());
}

/** Installs what the monitors need, while there is a network, and gives the names of those that have it. */
async function prepared(monitors: readonly Monitor[]): Promise<readonly string[]> {
  const ready: string[] = [];
  for (const { name, packages, prepare } of monitors)
    try {
      await installPackages(packages);
      await prepare?.();
      ready.push(name);
    } catch (error) {
      process.stderr.write(`${name} is left out: ${messageOf(error)}\n`);
    }
  if (ready.length === 0) throw new Error("no monitor could be installed");
  return ready;
}
