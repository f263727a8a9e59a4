import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

/** The environment variable of a program that runs in a network and with mounts of its own. */
const MARK = "WATCHPOST_TEST_SANDBOX";
export const isInSandbox = process.env[MARK] !== undefined;

/** Every port is free there, no packet leaves, and nobody else sees what is mounted. */
const ENTER = ["--net", "--mount", "sh", "-c", 'ip link set lo up && exec "$0" "$@"'];

function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return { ...env, [MARK]: "own" };
}

/** Runs a test file again in a world of its own; rejects with what it says where it fails. */
export async function runInSandbox(file: string): Promise<void> {
  await promisify(execFile)("unshare", [...ENTER, process.execPath, file], {
    env: environment(),
    maxBuffer: 2 ** 24,
  }).catch(({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${stdout}${stderr}`);
  });
}

/** Goes on in a world of its own with the same arguments, and gives how that ended. */
export async function restartInSandbox(args: readonly string[]): Promise<number> {
  const child = spawn("unshare", [...ENTER, process.execPath, ...args], {
    env: environment(),
    stdio: "inherit",
  });
  const [code]: (number | null)[] = await once(child, "exit");
  return code ?? 1;
}
