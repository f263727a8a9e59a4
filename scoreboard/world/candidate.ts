import { execFile } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { steppedClock, type SteppedClock } from "../../test/e2e/trouble.ts";
import {
  scheduleFor,
  type Monitor,
  type RunningMonitor,
  type Schedule,
  type Target,
} from "../monitors/monitor.ts";
import { places, type Machine } from "./network.ts";
import { MAIL_PORT, mailboxOf, webhookOf } from "./receivers.ts";
import type { World } from "./world.ts";

/** A monitor that runs, with the machines that it runs on. */
export interface Candidate extends AsyncDisposable {
  readonly monitor: Monitor;
  readonly version: string;
  readonly running: RunningMonitor;
  readonly targets: readonly Target[];
  readonly schedule: Schedule;
  readonly machine: Machine;
  readonly otherLocations: readonly Machine[];
  readonly folder: string;
  readonly clock: SteppedClock | undefined;
}

interface Start {
  readonly monitor: Monitor;
  readonly world: World;
  readonly session: { readonly schedule: Schedule; readonly hasClocks: boolean };
}

const DISK_MEGABYTES = 512;
const FIRST_PORT = 9000;

/** Starts a monitor on a machine of its own. */
export async function startCandidate({ monitor, world, session }: Start): Promise<Candidate> {
  await using stack = new AsyncDisposableStack();
  const { name } = monitor;
  const folder = await smallDisk(name);
  const machine = await world.network.machine(name);
  const otherLocations: Machine[] = [];
  if (monitor.locations > 1)
    for (const number of [2, 3])
      otherLocations.push(await world.network.machine(`${name}-${number}`, number === 2));
  const clock =
    session.hasClocks && monitor.readsClockThroughLibc
      ? stack.use(await readableClock())
      : undefined;
  const enter = ({ enter }: Machine): readonly string[] => [
    ...enter,
    ...(clock === undefined ? [] : ["env", ...assignments(clock.environment)]),
  ];
  const targets = world.sites
    .map(({ target }) => target)
    .filter(({ probe }) => monitor.supports(probe));
  const schedule = scheduleFor(monitor, session.schedule);
  const running = stack.use(
    await monitor.start({
      folder,
      enter: enter(machine),
      otherLocations: otherLocations.map((one, index) => ({
        name: `location-${index + 2}`,
        enter: enter(one),
      })),
      targets,
      schedule,
      webhook: webhookOf(name),
      smtp: { host: places.receiver, port: MAIL_PORT },
      mailTo: mailboxOf(name),
      resolver: places.resolver,
      authority: world.authority,
      listen: { address: machine.address, firstPort: FIRST_PORT },
    }),
  );
  const version = await monitor.version();
  const kept = stack.move();
  return {
    monitor,
    version,
    running,
    targets,
    schedule,
    machine,
    otherLocations,
    folder,
    clock,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Any user may enter its parents. */
async function smallDisk(name: string): Promise<string> {
  const folder = join(tmpdir(), "disks", name);
  await mkdir(folder, { recursive: true });
  const options = `size=${DISK_MEGABYTES}m,mode=755`;
  await promisify(execFile)("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  return folder;
}

/** Processes of any user read it. */
async function readableClock(): Promise<SteppedClock> {
  const clock = await steppedClock();
  await chmod(dirname(clock.environment.FAKETIME_TIMESTAMP_FILE ?? ""), 0o755);
  return clock;
}

function assignments(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}
