import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { waitFor } from "../time/wait-for.ts";

/** A fresh Debian whose systemd runs, without a way to any network. */
export interface Container extends AsyncDisposable {
  /** Runs a line of shell in it, and gives what it printed. Throws where it fails. */
  readonly sh: (line: string) => string;
  /** Resolves once the line succeeds. */
  readonly until: (line: string) => Promise<string>;
}

const PACKAGES = ["systemd", "systemd-sysv", "libatomic1", "libstdc++6", "passwd", "procps"];
/** It halts by itself after SIGRTMIN+4; what hangs then is killed. */
const HALT_SIGNAL = "38";

/** Downloads a small Debian into a folder. */
export function makeRoot(folder: string): void {
  const options = ["--variant=minbase", `--include=${PACKAGES.join(",")}`];
  const { status, stderr, error } = spawnSync("mmdebstrap", [...options, "bookworm", folder], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`mmdebstrap failed: ${error?.message ?? stderr}`);
}

export async function boot(folder: string): Promise<Container> {
  const options = ["--register=no", "--keep-unit", "--private-network", "--boot"];
  const child = spawn("systemd-nspawn", [...options, `--directory=${folder}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said += chunk));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const enter = (line: string) => {
    const init = initOf(child.pid ?? 0);
    if (init === undefined) return { status: 1, stdout: "", stderr: said };
    const namespaces = ["--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"];
    return spawnSync(
      "nsenter",
      ["--target", String(init), ...namespaces, "--root", "sh", "-c", `cd / && ${line}`],
      { encoding: "utf8", env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" } },
    );
  };
  const container: Container = {
    sh(line) {
      const { status, stdout, stderr } = enter(line);
      if (status !== 0) throw new Error(`${line}: ${status}\n${stdout}${stderr}`);
      return stdout;
    },
    until: (line) =>
      waitFor(line, () => {
        const { status, stdout } = enter(line);
        return status === 0 ? stdout : undefined;
      }),
    async [Symbol.asyncDispose]() {
      const init = initOf(child.pid ?? 0);
      if (init === undefined) child.kill("SIGKILL");
      else spawnSync("kill", [`-${HALT_SIGNAL}`, String(init)]);
      await ended;
    },
  };
  // "degraded" where a unit of Debian's cannot do its work in a container.
  await container.until("systemctl is-system-running | grep -E 'running|degraded'");
  return container;
}

/** The first process of the container: the last descendant that began without a sibling. */
function initOf(pid: number): number | undefined {
  for (let parent = pid; ;) {
    const [child] = childrenOf(parent);
    if (child === undefined) return undefined;
    if (readFileSync(`/proc/${child}/status`, "utf8").match(/^NSpid:.*\t1$/m) !== null)
      return child;
    parent = child;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}
