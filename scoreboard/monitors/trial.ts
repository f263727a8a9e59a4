// A trial of one adapter: every probe that it supports, each healthy, then broken, then healthy again.
// node scoreboard/monitors/trial.ts NAME [--log] [--mail]     It takes root, and runs in a network and with mounts of its own.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { isInSandbox, restartInSandbox } from "../../test/e2e/sandbox.ts";
import { installPackages } from "./install.ts";
import { scheduleFor, type Monitor, type Reading, type Target } from "./monitor.ts";
import { costOf } from "./process-tree.ts";
import { monitors } from "./registry.ts";
import { breakableTargets, sinks } from "./trial-targets.ts";

const schedule = { intervalSeconds: 5, timeoutSeconds: 3, confirmations: 2 };
/** How long an alarm may take here; monitors that run all tests in turn need several intervals. */
const DEADLINE_MS = 90_000;

const [name, ...flags] = process.argv.slice(2);
const monitor = monitors.find((some) => some.name === name);
if (monitor === undefined) {
  print(`which one? ${monitors.map((some) => some.name).join(", ")}`);
  process.exitCode = 1;
} else if (isInSandbox) await tryMonitor(monitor);
else {
  await installPackages(monitor.packages);
  await monitor.prepare?.();
  process.exitCode = await restartInSandbox(process.argv.slice(1));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

type Heard = Reading & { readonly at: number; readonly way: string };

async function tryMonitor(monitor: Monitor): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trial-"));
  await chmod(folder, 0o755);
  const world = await breakableTargets(folder);
  const targets = world.targets.filter(({ probe }) => monitor.supports(probe));
  const heard: Heard[] = [];
  const sink = await sinks((received) => {
    if (flags.includes("--mail")) print(JSON.stringify(received));
    const now = systemClock.monotonic();
    for (const reading of monitor.read(received))
      heard.push({ ...reading, at: now, way: received.way });
  });
  print(`${monitor.name} ${await monitor.version()}, ${targets.length} targets`);
  const running = await monitor.start({
    folder: world.folder,
    enter: ["env"],
    otherLocations: [],
    targets,
    schedule: scheduleFor(monitor, schedule),
    webhook: sink.webhook,
    smtp: sink.smtp,
    mailTo: "oncall@receiver.test",
    resolver: "127.0.0.1",
    authority: world.authority,
    listen: { address: "127.0.0.1", firstPort: 20_000 },
  });
  await sleep(systemClock, 25_000);
  print(`alarms while all is well: ${JSON.stringify(heard)}`);
  const broken = targets.filter(({ id }) => id !== "well");
  for (const state of ["down", "up"] as const) {
    const start = systemClock.monotonic();
    await (state === "down" ? world.break() : world.mend());
    const missing = (): readonly Target[] =>
      broken.filter(({ id }) => !heard.some((some) => some.target === id && some.state === state));
    while (missing().length > 0 && systemClock.monotonic() - start < DEADLINE_MS)
      await sleep(systemClock, 200);
    await sleep(systemClock, 2_000);
    for (const { target, way, at, reason } of heard.filter((some) => some.state === state))
      print(`${state} ${target} by ${way} after ${((at - start) / 1000).toFixed(1)} s: ${reason}`);
    for (const { id } of missing()) print(`MISSING: ${id} ${state}`);
  }
  const pids = running.pids();
  print(`${pids.length} processes, ${JSON.stringify(costOf(pids))}`);
  print(`stopped alerting: ${running.stoppedAlerting() ?? "no"}`);
  if (flags.includes("--log")) print(running.log());
  await running[Symbol.asyncDispose]();
  print(`left running: ${JSON.stringify(running.pids())}`);
  await rm(folder, { recursive: true });
  process.exit();
}
