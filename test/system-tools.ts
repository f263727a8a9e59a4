import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The environment of programs that start servers and administration tools, which are in folders that the PATH of an ordinary shell lacks. */
export const systemEnvironment = {
  ...process.env,
  PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin`,
};

/** Runs these lines in a shell, and throws if one of them fails. */
export async function shell(...lines: readonly string[]): Promise<void> {
  await promisify(execFile)("sh", ["-ec", lines.join("\n")], { env: systemEnvironment });
}
