import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { codeOf } from "../../src/kit/errors.ts";
import { createIds } from "../../src/kit/ids.ts";
import { waitFor } from "../time/wait-for.ts";

export const root = join(import.meta.dirname, "../..");

export interface Folder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "watchpost-e2e-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The real program, as `npm start` runs it, in a folder of its own. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  readonly output: () => string;
  readonly log: () => string;
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly kill: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

export function run(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  command = [join(root, "watchpost")],
): Program {
  const [file = "", ...rest] = command;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("WATCHPOST_"));
  const child = spawn(file, rest, {
    cwd: folder,
    env: {
      ...Object.fromEntries(inherited),
      WATCHPOST_LISTEN: "127.0.0.1:0",
      // Folders of tests may be in memory.
      WATCHPOST_DISK_RESERVE_MB: "1",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that it ends with all that it has started.
    detached: true,
  });
  let output = "";
  let log = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (log += chunk));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    // Its last output may be read only after its exit.
    child.once("close", (code, signal) => resolve(code ?? signal ?? 0));
  });
  const kill = (signal: NodeJS.Signals): Promise<number | NodeJS.Signals> => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid ?? 0,
    output: () => output,
    log: () => log,
    ended,
    kill,
    async [Symbol.asyncDispose]() {
      killGroup(child.pid);
      await ended;
    },
  };
}

/** A process that is gone needs no kill. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

export type RunningInstallation = Program & ApiOfAccount;

/** The API as the holder of a token has it. */
export interface ApiOfAccount {
  readonly base: string;
  readonly token: string;
  /** Calls the API with the token; gives the parsed body, and throws where it says `error`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look at what came
  readonly api: (call: string, parameters?: object) => Promise<any>;
  readonly push: (id: string, token: string, data?: object) => Promise<number>;
}

/** Returns the fields of the log line with that event; undefined if there is none yet. */
export function logged(
  { log }: Pick<Program, "log">,
  event: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look at what came
): any {
  const line = log()
    .split("\n")
    .find((each) => each.endsWith(`"event":"${event}"}`));
  return line === undefined ? undefined : JSON.parse(line);
}

/** The link by which the first owner signs in. */
export function signInLinkOf(program: Pick<Program, "log">): string {
  return logged(program, "main.started")?.signIn ?? "";
}

/** The token that the program is to have: the one that it was given, in its settings or its file, or a new one. */
function tokenFor(
  folder: string,
  settings: Readonly<Record<string, string>>,
): { readonly token: string; readonly isNew: boolean } {
  const file = join(folder, "watchpost.env");
  const written = existsSync(file) ? readFileSync(file, "utf8") : "";
  const given = settings.WATCHPOST_TOKEN ?? /^WATCHPOST_TOKEN=(\S+)$/m.exec(written)?.[1];
  return { token: given ?? createIds().token(), isNew: given === undefined };
}

/** Starts the program and waits until it says where it is. A token of an earlier start is given again. */
export async function start(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  known?: string,
): Promise<RunningInstallation> {
  const { token, isNew } =
    known === undefined ? tokenFor(folder, settings) : { token: known, isNew: false };
  const program = run(folder, isNew ? { ...settings, WATCHPOST_TOKEN: token } : settings);
  const died = program.ended.then((how) => {
    throw new Error(`the program ended with ${how}: ${program.log()}`);
  });
  const address = waitFor<string>("the address", () => logged(program, "main.started")?.address);
  const base = await Promise.race([address, died]).catch(async (error: unknown) => {
    await program.kill("SIGKILL");
    throw error;
  });
  died.catch(() => {});
  return { ...program, ...apiOfAccount(base, token) };
}

export function apiOfAccount(base: string, token: string): ApiOfAccount {
  return {
    base,
    token,
    async api(call, parameters) {
      const [method = "GET", path = ""] = call.split(" ");
      const response = await fetch(`${base}/api/1/${path}`, {
        method,
        headers: {
          authorization: `Basic ${btoa(`${token}:`)}`,
          "content-type": "application/json",
        },
        ...(parameters === undefined ? {} : { body: JSON.stringify(parameters) }),
      });
      const body = await response.json();
      if (!response.ok) throw new Error(`${call}: ${response.status} ${JSON.stringify(body)}`);
      return body;
    },
    async push(id, checktoken, data) {
      const response = await fetch(
        `${base}/v1?${new URLSearchParams({ id, checktoken }).toString()}`,
        {
          method: "POST",
          headers: { "content-type": "application/json" },
          ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
        },
      );
      await response.arrayBuffer();
      return response.status;
    },
  };
}

export interface CheckRecord {
  readonly _id: string;
  readonly state?: number;
  readonly firstdown: number | false;
  readonly parameters: Readonly<Record<string, unknown>> & { readonly checktoken?: string };
}

export interface ResultRecord {
  readonly s: number;
  readonly su: boolean;
  readonly sc: string;
  readonly m: string;
  readonly l: Readonly<Record<string, string>>;
}
