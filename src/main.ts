import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";

import manifest from "../package.json" with { type: "json" };
import type { Config } from "./app/config.ts";
import type { CommandContext, Finding, OutsideServers } from "./cli/command-context.ts";
import { exitCodes } from "./cli/exit-codes.ts";
import { systemClock } from "./kit/clock.ts";
import { AppError, codeOf, messageOf } from "./kit/errors.ts";
import type { StreamLog } from "./kit/log.ts";

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args[0] === "run") {
    // What it runs has its own files and pipes, and waits for no module that it does not need.
    const { runJob } = await import("./cli/run-job.ts");
    process.exitCode = await runJob(args.slice(1), process);
    return;
  }
  // Only this user may read what the process writes.
  process.umask(0o077);
  if (args.length === 0) return serve();
  if (args.length === 1 && args[0] === "--empty") return serve({ isEmptyMeant: true });
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V"))
    return say(`${manifest.version}\n`);
  // A reader such as `head` may close the pipe early.
  process.stdout.on("error", () => process.exit(exitCodes.done));
  process.exitCode = await commandOf(args);
}

/** Loads what the command needs: the modules of a probe take a third of the memory of those of all commands. */
async function commandOf(args: readonly string[]): Promise<number> {
  if (args[0] === "probe") {
    const { runProbeCommand } = await import("./cli/probe-program.ts");
    return runProbeCommand(args, { ...output, runProbe });
  }
  const { runCommand } = await import("./cli/program.ts");
  const { processTerminal } = await import("./cli/output/process-terminal.ts");
  const context: CommandContext = {
    ...output,
    readInput: () => text(process.stdin),
    terminal: processTerminal(process),
    configFolder: join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "watchpost"),
    async settings() {
      const { defaultListen, givenSettings } = await import("./app/settings/given-settings.ts");
      const given = refusing(() => givenSettings(process.env));
      const { WATCHPOST_URL: url, WATCHPOST_LISTEN: listen, WATCHPOST_TOKEN: token } = given;
      // To parse all settings takes longer than most commands.
      if (url !== undefined) return { url, token };
      if (listen === undefined) return { url: `http://${defaultListen}`, token };
      const { configured, publicUrl } = await settingsReader();
      return { url: publicUrl(configured()), token };
    },
    async tokenAdmin() {
      const { localTokenAdmin } = await import("./app/local/administration.ts");
      return localTokenAdmin(await configuration());
    },
    async accountAdmin() {
      const { localAccountAdmin } = await import("./app/local/administration.ts");
      return localAccountAdmin(await configuration());
    },
    async locationKey(location, id) {
      const { localLocationKey } = await import("./app/local/location-key.ts");
      return localLocationKey(await configuration(), location, id);
    },
    runProbe,
    async copyStore(places, copied) {
      const { copyInstallation } = await import("./app/local/copy-installation.ts");
      return copyInstallation(await configuration(), places, copied);
    },
    async backup(folder) {
      const { makeBackup } = await import("./app/backup/make-backup.ts");
      const config = await configuration();
      return atWork((work) => makeBackup(config, folder, work));
    },
    async restore(wish) {
      const { restoreBackup } = await import("./app/backup/restore-backup.ts");
      const config = await configuration();
      return atWork((work) => restoreBackup(config, wish, work));
    },
    examine,
    environment: process.env,
    untilStopped() {
      const stop = new AbortController();
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
        process.once(signal, () => stop.abort());
      return stop.signal;
    },
    fetch,
    clock: systemClock,
  };
  return runCommand(args, context);
}

async function* examine(outside: OutsideServers): AsyncGenerator<Finding> {
  const [{ examine: findings }, { configured, publicUrl }] = await Promise.all([
    import("./app/local/doctor/doctor.ts"),
    settingsReader(),
  ]);
  yield* findings({
    version: manifest.version,
    configured,
    // That of the listener: the public URL may be that of a proxy.
    baseOf: (config) => publicUrl({ ...config, WATCHPOST_URL: undefined }),
    ...outside,
    clock: systemClock,
  });
}

/** Long work: a terminal shows how far it is, and a signal ends it in order. */
async function atWork<Value>(
  run: (work: {
    readonly version: string;
    readonly progress: (what: string, share: number) => void;
    readonly interrupted: AbortSignal;
  }) => Promise<Value>,
): Promise<Value> {
  const { progressLine } = await import("./cli/output/progress-line.ts");
  const { show, clear } = progressLine((line) => {
    if (process.stderr.isTTY) output.printError(line);
  });
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () => stop.abort());
  try {
    return await run({ version: manifest.version, progress: show, interrupted: stop.signal });
  } finally {
    clear();
  }
}

async function serve({ isEmptyMeant = false } = {}): Promise<void> {
  const { configured } = await settingsReader();
  const config = configured();
  if (!isEmptyMeant) await refuseMissingDatabase(config);
  const { log, stopped } = await openProcess(config);
  await databaseOf(config, log, stopped);
  const { greeting } = await import("./app/greeting.ts");
  const { startWatchpost } = await import("./app/watchpost.ts");
  const running = await startWatchpost(config, log);
  say(greeting(manifest.version, running, config));
  const gone = await Promise.race([running.filesGone, stopped.then(() => undefined)]);
  if (gone === undefined) log.info("main.stopping", { signal: await stopped });
  else log.error("main.files_gone", { error: gone });
  await running.stop().catch((error: unknown) => {
    log.error("main.not_all_stored", { error: messageOf(error) });
    log.flush();
    // An exit would wait for the thread that waits for the disk.
    process.kill(process.pid, "SIGKILL");
  });
  if (gone !== undefined) process.stderr.write(`${gone}\n`);
  process.exit(gone === undefined ? exitCodes.done : exitCodes.misconfigured);
}

async function refuseMissingDatabase(config: Config): Promise<void> {
  const { missingDatabase } = await import("./app/instance-key.ts");
  const refused = missingDatabase(config);
  if (refused === undefined) return;
  process.stderr.write(`${refused}\n`);
  process.exit(exitCodes.misconfigured);
}

/** Waits for a database on a server, and ends the process where it is stopped before, or refused. */
async function databaseOf(config: Config, log: StreamLog, stopped: Promise<string>): Promise<void> {
  const { awaitDatabase } = await import("./app/await-database.ts");
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  const refused = await awaitDatabase(config, { clock: systemClock, log, signal: stop.signal });
  if (refused === undefined && !stop.signal.aborted) return;
  log.flush();
  if (refused !== undefined) process.stderr.write(`${refused}\n`);
  process.exit(refused === undefined ? exitCodes.done : exitCodes.misconfigured);
}

async function runProbe(given: Readonly<Record<string, string>>): Promise<void> {
  const { config, log, stopped, running } = await startedProbe(given).catch((error: unknown) => {
    if (!(error instanceof Refusal || codeOf(error) === "invalid_input")) throw error;
    output.printError(`${messageOf(error)}\n`);
    process.exit(exitCodes.misconfigured);
  });
  say(`The probe of the location ${config.locations.map(({ code }) => code).join()} is running.\n`);
  if (running.healthPort !== undefined) say(`Health on port ${running.healthPort}.\n`);
  const refused = await Promise.race([running.refused, stopped.then(() => undefined)]);
  if (refused === undefined) log.info("main.stopping", { signal: await stopped });
  else log.error("main.probe_refused", { error: refused });
  await running.stop();
  log.flush();
  if (refused !== undefined) process.stderr.write(`${refused}\n`);
  process.exit(refused === undefined ? exitCodes.done : exitCodes.misconfigured);
}

async function startedProbe(given: Readonly<Record<string, string>>) {
  const { configured } = await settingsReader();
  const config = configured(given);
  const opened = await openProcess(config);
  const { startProbe } = await import("./app/probe-process.ts");
  return { config, ...opened, running: await startProbe(config, opened.log) };
}

/** The log of a process that runs until it is asked to stop, and the signal with which it is. */
async function openProcess({ WATCHPOST_LOG_LEVEL: level }: Config): Promise<{
  readonly log: StreamLog;
  readonly stopped: Promise<string>;
}> {
  const { createLog } = await import("./kit/log.ts");
  const readable = process.stderr.isTTY;
  const log = createLog(process.stderr, { readable, level, clock: systemClock });
  process.on("exit", log.flush);
  const stop = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => stop.resolve(signal));
  return { log, stopped: stop.promise };
}

const output = {
  version: manifest.version,
  print: say,
  printError: (message: string): void => void process.stderr.write(message),
};

/** An error that the user can correct; its message is printed without a stack. */
class Refusal extends Error {}

async function configuration(): Promise<Config> {
  return (await settingsReader()).configured();
}

async function settingsReader() {
  const { publicUrl, readConfig } = await import("./app/config.ts");
  const configured = (given: Readonly<Record<string, string>> = {}): Config =>
    refusing(() => readConfig({ ...process.env, ...given }));
  return { configured, publicUrl };
}

function refusing<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new Refusal(
      `The settings are invalid:\n\n${messageOf(error)}\n\nSee docs/operating.md.`,
      { cause: error },
    );
  }
}

function say(text: string): void {
  process.stdout.write(text);
}

try {
  await main();
} catch (error) {
  const known = error instanceof AppError || error instanceof Refusal;
  process.stderr.write(
    `${known ? messageOf(error) : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(exitCodes.failed);
}
