import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a test file is told where it runs in a network and with mounts of its own. */
const MARK = "WATCHPOST_TEST_WORLD";
export const isOwnWorld = process.env[MARK] !== undefined;

/** Runs a test file again where every port is free, no packet leaves, and nobody else sees what is mounted. */
export async function runInOwnWorld(file: string): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  await promisify(execFile)("unshare", ["--net", "--mount", process.execPath, file], {
    env: { ...env, [MARK]: "own" },
    maxBuffer: 2 ** 24,
  }).catch((error: { readonly stdout: string }) => {
    throw new Error(error.stdout);
  });
}
