import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";

import manifest from "../package.json" with { type: "json" };
import type { Config } from "./settings/config.ts";
import type { ServiceCondition, ServiceManager } from "./server/service-manager.ts";
import type { CommandContext, ReportedFinding, OutsideServers } from "./cli/command-context.ts";
import { exitCodes } from "./cli/exit-codes.ts";
import { systemClock } from "./kit/clock.ts";
import { AppError, codeOf, InUse, messageOf } from "./kit/errors.ts";
import type { StreamLog } from "./kit/log.ts";

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args[0] === "run") {
    // The program runs with its own files and pipes, without waiting for modules that it does not need.
    const { runJob } = await import("./cli/run-job.ts");
    process.exitCode = await runJob(args.slice(1), process);
    return;
  }
  // Only this user may read what the process writes.
  process.umask(/* guard: files that are made = 0 */ 0o077);
  if (args.length === 0) return asService(serve);
  if (args.length === 1 && args[0] === "--empty")
    return asService(() => serve({ isEmptyMeant: true }));
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
    return runProbeCommand(args, { ...output, runProbe: runProbeService });
  }
  const { runCommand } = await import("./cli/program.ts");
  const { processTerminal } = await import("./cli/output/process-terminal.ts");
  const context: CommandContext = {
    ...output,
    readInput: () => text(process.stdin),
    terminal: processTerminal(process),
    configFolder: join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "watchpost"),
    async settings() {
      const { defaultListen, givenSettings } = await import("./settings/given-settings.ts");
      const given = refusing(() => givenSettings(process.env));
      const { WATCHPOST_URL: url, WATCHPOST_LISTEN: listen, WATCHPOST_TOKEN: token } = given;
      // To parse all settings takes longer than most commands.
      if (url !== undefined) return { url, token };
      if (listen === undefined) return { url: `http://${defaultListen}`, token };
      const { configured, publicUrl } = await settingsReader();
      return { url: publicUrl(configured()), token };
    },
    async tokenAdmin() {
      const { localTokenAdmin } = await import("./server/local-administration.ts");
      return localTokenAdmin(await configuration());
    },
    async accountAdmin() {
      const { localAccountAdmin } = await import("./server/local-administration.ts");
      return localAccountAdmin(await configuration());
    },
    async locationKey(location, id) {
      const { localLocationKey } = await import("./server/location-key.ts");
      return localLocationKey(await configuration(), location, id);
    },
    runProbe: runProbeService,
    async copyStore(places, copied) {
      const { copyInstallation } = await import("./server/copy-installation.ts");
      return copyInstallation(await configuration(), places, copied);
    },
    async backup(folder) {
      const { createBackup } = await import("./server/backup/make-backup.ts");
      const config = await configuration();
      return atWork((work) => createBackup(config, folder, work));
    },
    async storeBackup(to) {
      const { storeBackup } = await import("./server/backup/store-backup.ts");
      const config = await configuration();
      return atWork((work) => storeBackup(config, to, work));
    },
    async listBackups(from) {
      const { listDestination } = await import("./server/backup/list-backups.ts");
      const config = await configuration();
      return atWork((work) => listDestination(config, from, work.interrupted));
    },
    async verifyBackup(wish) {
      const { verifyStored } = await import("./server/backup/restore-stored.ts");
      const config = await configuration();
      return atWork((work) => verifyStored(config, wish, work));
    },
    async makeBackupKey() {
      const { createKeyPair } = await import("./server/backup/age.ts");
      return createKeyPair();
    },
    async restore(wish) {
      const { restoreStored } = await import("./server/backup/restore-stored.ts");
      const config = await configuration();
      return atWork((work) => restoreStored(config, wish, work));
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

async function* examine(outside: OutsideServers): AsyncGenerator<ReportedFinding> {
  const [{ examine: findings }, { configured, publicUrl }] = await Promise.all([
    import("./server/doctor/doctor.ts"),
    settingsReader(),
  ]);
  yield* findings({
    version: manifest.version,
    configured,
    // Address of the listener, because the public URL may be that of a proxy.
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
  const service = await openProcess(config);
  const { log, stopped } = service;
  const reachDatabase = databaseOf(config, service);
  await reachDatabase(false);
  const [{ greeting, startedFields }, { startWatchpost }, { createStartStep, onlyOnce }] =
    await Promise.all([
      import("./server/greeting.ts"),
      import("./server/watchpost.ts"),
      import("./server/start-step.ts"),
    ]);
  const isEmbedded = config.WATCHPOST_DATABASE_URL === undefined;
  const step = isEmbedded ? onlyOnce : createStartStep({ clock: systemClock, log, reachDatabase });
  const running = await startWatchpost(config, log, step);
  await service.started(
    startedFields(manifest.version, running, config),
    greeting(manifest.version, running, config),
  );
  const gone = await service.until(running.filesGone, running.condition);
  if (gone === undefined) log.info("main.stopping", { signal: await stopped });
  else log.error("main.files_gone", { error: gone });
  await running.stop().catch((error: unknown) => {
    log.error("main.not_all_stored", { error: messageOf(error) });
    log.flush();
    // An exit would wait for the thread that waits for the disk.
    process.kill(process.pid, "SIGKILL");
  });
  endLogged(log, gone);
}

async function refuseMissingDatabase(config: Config): Promise<void> {
  const { missingDatabase } = await import("./server/instance-key.ts");
  const refused = missingDatabase(config);
  if (refused !== undefined) throw new Refusal(refused);
}

/** Waits for a database on a server, and ends the process where it is stopped before; throws where it is refused. */
function databaseOf(
  config: Config,
  { log, stopped, manager }: Pick<ServiceProcess, "log" | "stopped" | "manager">,
): (isListening: boolean) => Promise<void> {
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  return async (isListening) => {
    const { awaitDatabase } = await import("./server/await-database.ts");
    const refused = await awaitDatabase(config, {
      clock: systemClock,
      log,
      signal: stop.signal,
      waiting: (reason) => manager.status(`Waiting for the database: ${reason}`),
      isListening,
    });
    if (refused !== undefined) throw new Refusal(refused);
    if (stop.signal.aborted) endLogged(log, undefined);
  };
}

function runProbeService(given: Readonly<Record<string, string>>): Promise<void> {
  return asService(() => runProbe(given));
}

async function runProbe(given: Readonly<Record<string, string>>): Promise<void> {
  const { configured } = await settingsReader();
  const config = configured(given);
  const service = await openProcess(config);
  const { log, stopped, manager } = service;
  const { startProbe } = await import("./server/probe-process.ts");
  const running = await startProbe(config, log, manifest.version);
  const location = config.locations.map(({ code }) => code).join();
  const { healthPort } = running;
  const health = healthPort === undefined ? "" : `Health on port ${healthPort}.\n`;
  await service.started(
    { version: manifest.version, location, healthPort },
    `The probe of the location ${location} is running.\n${health}`,
  );
  manager.status("Connecting to the NATS server");
  const refused = await service.until(running.refused, running.condition, running.connected);
  if (refused === undefined) log.info("main.stopping", { signal: await stopped });
  else log.error("main.probe_refused", { error: refused });
  await running.stop();
  endLogged(log, refused);
}

/** A process that runs until it is asked to stop. */
interface ServiceProcess {
  readonly log: StreamLog;
  /** Resolves with the signal by which it is asked to stop. */
  readonly stopped: Promise<string>;
  readonly manager: ServiceManager;
  /** Says that it has started: a line of JSON in the log of programs, and text on a terminal. */
  readonly started: (fields: object, text: string) => Promise<void>;
  /** Lets the service manager know its condition, once it serves, and resolves when it is to end: with the reason, or with undefined where it is asked to. */
  readonly until: (
    reason: Promise<string>,
    condition: ServiceCondition,
    serves?: Promise<void>,
  ) => Promise<string | undefined>;
}

async function openProcess({ WATCHPOST_LOG_LEVEL: level }: Config): Promise<ServiceProcess> {
  const [{ createLog }, { openServiceManager }] = await Promise.all([
    import("./kit/log.ts"),
    import("./server/service-manager.ts"),
  ]);
  const readable = process.stderr.isTTY;
  const log = createLog(process.stderr, { readable, level, clock: systemClock });
  process.on("exit", log.flush);
  const stop = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => stop.resolve(signal));
  const stopped = stop.promise;
  const { pid } = process;
  const manager = await openServiceManager(process.env, { clock: systemClock, log, pid });
  return {
    log,
    stopped,
    manager,
    async started(fields, text) {
      if (readable || process.stdout.isTTY) say(text);
      if (!readable) await announce(fields);
    },
    async until(reason, condition, serves = Promise.resolve()) {
      const ending = new AbortController();
      void serves.then(() => manager.serve(condition, ending.signal));
      const ended = await Promise.race([reason, stopped.then(() => undefined)]);
      ending.abort();
      manager.stopping();
      return ended;
    },
  };
}

/** Logs where the process is at every level, because the line may have the link of the first sign-in. */
async function announce(fields: object): Promise<void> {
  const { createLog } = await import("./kit/log.ts");
  const log = createLog(process.stderr, { readable: false, level: "info", clock: systemClock });
  log.info("main.started", fields);
  log.flush();
}

/** Runs a process that a service manager watches: its exit code says whether a restart can help. */
async function asService(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const exitCode = isMisconfigured(error) ? exitCodes.misconfigured : exitCodes.failed;
    if (process.stderr.isTTY) output.printError(`${reportOf(error)}\n`);
    else {
      const { createLog } = await import("./kit/log.ts");
      const log = createLog(process.stderr, { readable: false, clock: systemClock });
      log.error("main.not_started", { error: reportOf(error), exitCode });
      log.flush();
    }
    process.exit(exitCode);
  }
}

/** Ends the process, whose log has the reason if there is one; a terminal shows it once more, without the rest of the line. */
function endLogged(log: StreamLog, refused: string | undefined): never {
  log.flush();
  if (refused !== undefined && process.stderr.isTTY) output.printError(`${refused}\n`);
  process.exit(refused === undefined ? exitCodes.done : exitCodes.misconfigured);
}

/** Returns whether the process would end the same way until somebody changes its settings or its data folder. */
function isMisconfigured(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  const code = error instanceof InUse ? undefined : codeOf(error);
  return ["invalid_input", "not_found", "conflict"].includes(code ?? "");
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
  const { publicUrl, readConfig } = await import("./settings/config.ts");
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

/** A sentence for what was expected, and a stack for what was not. */
function reportOf(error: unknown): string {
  const isExpected = error instanceof AppError || error instanceof Refusal;
  return isExpected || !(error instanceof Error) ? messageOf(error) : String(error.stack);
}

function say(text: string): void {
  process.stdout.write(text);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${reportOf(error)}\n`);
  process.exit(exitCodes.failed);
}
