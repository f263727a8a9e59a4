import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Asked by the maintainer scripts of packages before they start a service; 101 forbids it. */
const POLICY = "/usr/sbin/policy-rc.d";

/** Installs Debian packages that are missing, without what they recommend, and without starting their services. It takes root. */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of packages) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  await using _policy = await forbidServices();
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env });
  await run("apt-get", ["install", "--yes", "--no-install-recommends", ...missing], {
    env,
    maxBuffer: 2 ** 26,
  });
}

async function isInstalled(name: string): Promise<boolean> {
  const { stdout } = await run("dpkg-query", [
    "--show",
    "--showformat=${db:Status-Status}",
    name,
  ]).catch(() => ({ stdout: "" }));
  return stdout === "installed";
}

/** The version of an installed Debian package. */
export async function versionOf(name: string): Promise<string> {
  const { stdout } = await run("dpkg-query", ["--show", "--showformat=${Version}", name]);
  return stdout;
}

/** Keeps a policy that an administrator wrote. */
async function forbidServices(): Promise<AsyncDisposable> {
  if (existsSync(POLICY)) return { [Symbol.asyncDispose]: async () => {} };
  await writeFile(POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  return { [Symbol.asyncDispose]: () => rm(POLICY) };
}
