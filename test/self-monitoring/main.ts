import { parseArgs } from "node:util";

import { systemClock } from "../../src/kit/clock.ts";
import { messageOf } from "../../src/kit/errors.ts";
import { causes, type Cause } from "./causes.ts";
import { install } from "./installation.ts";
import { observe } from "./observe.ts";
import { MAX_SECONDS, tableOf, unnoticed, type Observed } from "./verdict.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const usage = `npm run self-monitoring -- [options]: breaks one part of each of several real installations, and prints who notices it, and after how many seconds.
  --only "disk full,NATS dead"   these causes alone
Causes: ${Object.keys(causes).join(", ")}.
It needs root, and ends with 1 where the operator's channel, Alertmanager and the dead man's switch all miss a cause for ${MAX_SECONDS} s.
`;

process.exitCode = values.help ? help() : await run(values.only?.split(","));

function help(): number {
  process.stdout.write(usage);
  return 0;
}

async function run(only: readonly string[] = Object.keys(causes)): Promise<number> {
  const unknown = only.filter((name) => !Object.hasOwn(causes, name));
  if (unknown.length > 0) {
    process.stderr.write(`--only: ${unknown.join(", ")} is none of the causes; see --help\n`);
    return 2;
  }
  const began = systemClock.monotonic();
  const wanted = Object.entries(causes).filter(([name]) => only.includes(name));
  const tried = await Promise.all(wanted.map(([name, cause]) => attempt(name, cause)));
  const observed = tried.filter((each) => each !== undefined);
  const seconds = Math.round((systemClock.monotonic() - began) / 1000);
  process.stdout.write(`${tableOf(observed)}${observed.length} causes in ${seconds} s\n`);
  const missed = unnoticed(observed);
  if (missed.length > 0)
    process.stdout.write(`Nobody was alerted within ${MAX_SECONDS} s: ${missed.join(", ")}\n`);
  return missed.length > 0 || observed.length < tried.length ? 1 : 0;
}

/** Undefined where the cause could not be tried. */
async function attempt(name: string, cause: Cause): Promise<Observed | undefined> {
  try {
    await using stack = new AsyncDisposableStack();
    const prepared = await cause(stack);
    const installation = stack.use(await install(prepared));
    await prepared.begin?.(installation);
    return {
      cause: name,
      notices: await observe(installation, () => prepared.break(installation)),
    };
  } catch (error) {
    process.stderr.write(`${name}: ${messageOf(error)}\n`);
    return undefined;
  }
}
