import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { messageOf } from "../../../src/kit/errors.ts";
import { logged, root, run, type Program } from "../../e2e/process.ts";
import { pause } from "../../e2e/trouble.ts";
import { waitFor } from "../../time/wait-for.ts";
import { join } from "node:path";
import type { Machine } from "./network.ts";

export type RoleName = "api" | "controller" | "notifier" | "probe";

/** A process on a machine of its own, which ends and is started again. */
export interface ClusterProcess extends AsyncDisposable {
  readonly name: string;
  readonly machine: Machine;
  readonly roles: readonly RoleName[];
  /** Combined log of its processes. */
  readonly log: () => string;
  readonly kill: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
  readonly start: () => Promise<void>;
  readonly pause: () => Disposable;
  /** How it ended by itself; undefined where it runs. */
  readonly end: () => Promise<number | NodeJS.Signals | undefined>;
  /** Why it is not ready; undefined once it says that it is. */
  readonly unready: () => Promise<string | undefined>;
  /** Waits until it is. */
  readonly ready: () => Promise<void>;
}

interface Given {
  readonly name: string;
  readonly machine: Machine;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly roles: readonly RoleName[];
  readonly args?: readonly string[];
}

export const API_PORT = 4848;
const ANSWERS_WITHIN_MS = 2000;

/** Starts it, and does not wait for it: a controller is ready only once a location is. */
export function clusterProcess(given: Given): ClusterProcess {
  const { name, machine, folder, roles, args = [] } = given;
  const listen = `${machine.addresses.web}:${API_PORT}`;
  const settings = { ...given.settings, WATCHPOST_LISTEN: listen };
  const command = [...machine.enter, join(root, "watchpost"), ...args];
  const open = (): Program => run(folder, settings, command);
  let program = open();
  let earlierLogs = "";
  const unready = (): Promise<string | undefined> =>
    // A probe listens nowhere.
    roles.length > 0 ? reasonsAt(listen) : Promise.resolve(reasonOf(program));
  const end = (): ReturnType<ClusterProcess["end"]> =>
    Promise.race([program.ended, sleep(systemClock, 0).then(() => undefined)]);
  const ready = async (): Promise<void> => {
    let reason: string | undefined;
    const isReady = async (): Promise<boolean> => {
      const how = await end();
      if (how !== undefined) throw new Error(`${name} ended with ${how}: ${program.log()}`);
      reason = await unready();
      return reason === undefined;
    };
    await waitFor(`${name} is ready`, isReady).catch((cause: unknown) => {
      throw new Error(`${messageOf(cause)}; it said last: ${reason}`, { cause });
    });
  };
  return {
    name,
    machine,
    roles,
    log: () => earlierLogs + program.log(),
    kill: (signal = "SIGKILL") => program.kill(signal),
    async start() {
      earlierLogs += program.log();
      program = open();
      await ready();
    },
    pause: () => pause(program.pid),
    end,
    unready,
    ready,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

function reasonOf(program: Program): string | undefined {
  return logged(program, "main.started") === undefined ? "nothing" : undefined;
}

async function reasonsAt(listen: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  try {
    const response = await fetch(`http://${listen}/readyz`, { signal });
    const text = await response.text();
    return response.ok ? undefined : text;
  } catch (error) {
    return messageOf(error);
  }
}
