import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { createIds } from "../../../src/kit/ids.ts";
import { apiOfAccount, root, run, type Program } from "../../../test/e2e/process.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import type { Monitor, MonitorWorld, RunningMonitor } from "../monitor.ts";
import { readAlert } from "./alerts.ts";
import { configure } from "./account.ts";
import { createEndWatch } from "./end-watch.ts";

const execute = promisify(execFile);

const OWNER = "owner@alerts.test";
const SENDER = "Watchpost <watchpost@alerts.test>";

export const choices: readonly string[] = [
  "The defaults of the settings, with a mail server and the address of the owner (docs/first-hour.md#start).",
  "No addresses of WATCHPOST_CONNECTIVITY_PROBES, which docs/first-hour.md#before-you-go recommends for public targets: those here are private.",
  "Checks with `follow` and `verify`, and two rechecks after one and five seconds, which is the default (docs/api.md#checks).",
  "One contact with a mailbox and a webhook, at all hours (docs/webhooks.md).",
];

/** Settings common to all installations here. */
export function settingsFor(world: MonitorWorld, token: string): Readonly<Record<string, string>> {
  const { listen, smtp, authority } = world;
  return {
    WATCHPOST_LISTEN: `${listen.address}:${listen.firstPort}`,
    WATCHPOST_DATA: join(world.folder, "data"),
    WATCHPOST_DISK_RESERVE_MB: "64",
    WATCHPOST_TOKEN: token,
    WATCHPOST_OWNER_EMAIL: OWNER,
    WATCHPOST_SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
    WATCHPOST_MAIL_FROM: SENDER,
    NODE_EXTRA_CA_CERTS: authority,
  };
}

export function newToken(): string {
  return createIds().token();
}

/** Waits until the program that listens there is ready, or has ended. */
export async function ready(program: Program, base: string): Promise<void> {
  const ended = program.ended.then((how) => {
    throw new Error(`it ended with ${how}: ${program.log()}`);
  });
  const isReady = async (): Promise<boolean> =>
    fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await Promise.race([waitFor("it is ready", isReady), ended]);
  ended.catch(() => {});
}

/** One process, with the embedded database and one location or several. */
export function singleProcess(
  entry: Pick<Monitor, "name" | "locations" | "configuration">,
  more: Readonly<Record<string, string>>,
): Monitor {
  return {
    ...watchpost,
    ...entry,
    async start(world) {
      const token = newToken();
      const settings = { ...settingsFor(world, token), ...more };
      const base = `http://${settings.WATCHPOST_LISTEN}`;
      const open = async (): Promise<Program> => {
        const program = run(world.folder, settings, [...world.enter, join(root, "watchpost")]);
        await ready(program, base);
        return program;
      };
      const running = await restartable(open);
      await configure(apiOfAccount(base, token), world);
      return running;
    },
  };
}

/** A program that is killed or stopped, and started again on its data. */
export async function restartable(open: () => Promise<Program>): Promise<RunningMonitor> {
  const ends = createEndWatch();
  const start = async (): Promise<Program> => {
    const started = await open();
    ends.watch("watchpost", started);
    return started;
  };
  let program = await start();
  let earlier = "";
  const again = async (signal: NodeJS.Signals): Promise<void> => {
    ends.expectEnd(program);
    await program.kill(signal);
    earlier += program.log();
    program = await start();
  };
  return {
    pids: () => [program.pid],
    log: () => earlier + program.log(),
    stoppedAlerting: ends.ended,
    restart: () => again("SIGKILL"),
    partTroubles: {
      async upgrade() {
        await again("SIGTERM");
        return { [Symbol.asyncDispose]: async () => {} };
      },
    },
    async [Symbol.asyncDispose]() {
      ends.expectEnd(program);
      await program[Symbol.asyncDispose]();
    },
  };
}

/** Returns the version of the package, and the commit of a checkout. */
async function ownVersion(): Promise<string> {
  const text = await readFile(join(root, "package.json"), "utf8");
  const { version }: { readonly version: string } = JSON.parse(text);
  const commit = await execute("git", ["rev-parse", "--short", "HEAD"], { cwd: root }).then(
    ({ stdout }) => ` (${stdout.trim()})`,
    () => "",
  );
  return version + commit;
}

/** Common parts of all entries of Watchpost. */
export const watchpost: Omit<Monitor, "name" | "locations" | "configuration" | "start"> = {
  version: ownVersion,
  packages: [],
  ways: ["webhook", "mail"],
  readsClockThroughLibc: true,
  minIntervalSeconds: 15,
  supports: () => true,
  read: readAlert,
};

export const watchpostSingle: Monitor = singleProcess(
  { name: "watchpost", locations: 1, configuration: choices },
  {},
);
