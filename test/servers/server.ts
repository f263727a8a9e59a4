import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemEnvironment } from "../system-tools.ts";
import { waitFor } from "../time/wait-for.ts";

export interface Server extends AsyncDisposable {
  readonly pid: number;
  /** Output so far. */
  readonly log: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Suspends it; resolves when none of its threads runs any more. SIGCONT resumes it. */
  readonly freeze: () => Promise<void>;
}

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it will listen; they must have been free. */
  readonly ports: readonly number[];
  /** Goes with it. */
  readonly folder: string;
}

/** For what a server needs; one that gives up its rights may still enter. */
export async function serverFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-server-"));
  await chmod(folder, 0o755);
  return folder;
}

/** To the account of Debian that has no rights. */
export function giveToNobody(path: string): Promise<void> {
  return chown(path, 65_534, 65_534);
}

/** Runs a server of this machine in the foreground, from when it listens on every port until the end of the scope. */
export async function startServer({ program, args, ports, folder }: Start): Promise<Server> {
  // A group of its own, so that it ends with all that it has started.
  const child = spawn(program, args, {
    cwd: folder,
    env: systemEnvironment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  await once(child, "spawn");
  // Its input ends where we are killed, too.
  const guard = spawn("sh", ["-c", `read -r _; kill -s KILL -- -${child.pid}`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  let log = "";
  child.stdout.on("data", (chunk: Buffer) => (log += chunk));
  child.stderr.on("data", (chunk: Buffer) => (log += chunk));
  const ended = once(child, "exit");
  const died = ended.then(([how]) => {
    throw new Error(`${program} ended with ${how}: ${log}`);
  });
  const stop = async (): Promise<void> => {
    guard.stdin.end();
    await ended;
    await rm(folder, { recursive: true });
  };
  const listening = waitFor(`${program} listens`, () => listensAt(child.pid ?? 0, ports));
  await Promise.race([listening, died]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  died.catch(() => {});
  return {
    pid: child.pid ?? 0,
    log: () => log,
    signal: (signal) => void child.kill(signal),
    async freeze() {
      child.kill("SIGSTOP");
      await waitFor("it stands still", () => isStopped(child.pid ?? 0));
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** A signal is delivered to one thread after the other. */
async function isStopped(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`);
  const states = threads.map((thread) =>
    // One may end meanwhile.
    readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => ""),
  );
  return (await Promise.all(states)).every((stat) => /\) T /.test(stat));
}

/** Returns whether it is this process, and no other one on the machine, that holds these ports. */
async function listensAt(pid: number, ports: readonly number[]): Promise<boolean> {
  const held = new Set(await socketsOf(pid));
  const tables = ["tcp", "tcp6", "udp", "udp6"].map((name) =>
    // Statistics of its own network, if it has one.
    readFile(`/proc/${pid}/net/${name}`, "utf8").catch(() => ""),
  );
  const rows = (await Promise.all(tables)).flatMap((table) => table.split("\n"));
  const listeners = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state]) => state === LISTENING || state === UNCONNECTED);
  return ports.every((port) =>
    listeners.some(([, local = "", , , , , , , , inode = ""]) => {
      const [, hexPort = ""] = local.split(":");
      return Number.parseInt(hexPort, 16) === port && held.has(`socket:[${inode}]`);
    }),
  );
}

/** States of the kernel's tables: of a TCP socket that waits for calls, and of a UDP socket that waits for packets. */
const LISTENING = "0A";
const UNCONNECTED = "07";

/** None once the process has ended. */
async function socketsOf(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => "")));
}
