import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { root, run } from "../../e2e/process.ts";
import type { Program } from "../../e2e/process.ts";
import { pause } from "../../e2e/trouble.ts";
import { waitFor } from "../../time/wait-for.ts";
import { join } from "node:path";
import type { Machine } from "./network.ts";

export type RoleName = "api" | "controller" | "notifier";

/** A process on a machine of its own, which ends and is started again. */
export interface ClusterProcess extends AsyncDisposable {
  readonly name: string;
  readonly machine: Machine;
  readonly roles: readonly RoleName[];
  /** What every one of its processes logged. */
  readonly log: () => string;
  readonly kill: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
  readonly start: () => Promise<void>;
  readonly pause: () => Disposable;
  /** How it ended by itself; undefined where it runs. */
  readonly end: () => Promise<number | NodeJS.Signals | undefined>;
  /** Whether it says that it is ready. */
  readonly isReady: () => Promise<boolean>;
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

export async function clusterProcess(given: Given): Promise<ClusterProcess> {
  const { name, machine, folder, roles, args = [] } = given;
  const listen = `${machine.addresses.web}:${API_PORT}`;
  const settings = { ...given.settings, WATCHPOST_LISTEN: listen };
  const command = [...machine.enter, join(root, "watchpost"), ...args];
  const open = (): Program => run(folder, settings, command);
  let program = open();
  let earlierLogs = "";
  const isReady = async (): Promise<boolean> => {
    // A probe listens nowhere.
    if (roles.length === 0) return /is running/.test(program.output());
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    return fetch(`http://${listen}/readyz`, { signal }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
  };
  const started = async (): Promise<void> => {
    const { ended, log } = program;
    const died = ended.then((how) => {
      throw new Error(`${name} ended with ${how}: ${log()}`);
    });
    await Promise.race([waitFor(`${name} is ready`, isReady), died]);
    died.catch(() => {});
  };
  await started();
  return {
    name,
    machine,
    roles,
    log: () => earlierLogs + program.log(),
    kill: (signal = "SIGKILL") => program.kill(signal),
    async start() {
      earlierLogs += program.log();
      program = open();
      await started();
    },
    pause: () => pause(program.pid),
    end: () => Promise.race([program.ended, sleep(systemClock, 0).then(() => undefined)]),
    isReady,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
