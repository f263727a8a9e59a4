import { parentPort } from "node:worker_threads";

import { lowerThreadPriority } from "../thread-priority.ts";
import { hashPassword, verifyPassword } from "./password.ts";

/** A password to hash, or to verify against its stored form. */
export interface PasswordJob {
  readonly plain: string;
  readonly stored?: string | undefined;
}

/** Heartbeats, the API and verdicts go first where the processors are taken. */
const STEPS_BELOW_MAIN_THREAD = 5;

lowerThreadPriority(STEPS_BELOW_MAIN_THREAD);
parentPort?.on("message", ({ plain, stored }: PasswordJob) =>
  parentPort?.postMessage(
    stored === undefined ? hashPassword(plain) : verifyPassword(plain, stored),
  ),
);
