import { join } from "node:path";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { run, temporaryFolder } from "../e2e/process.ts";
import { shell } from "../system-tools.ts";
import { waitFor } from "../time/wait-for.ts";
import type { HookServer } from "./hooks.ts";
import type { OneProcess } from "./installation.ts";
import { judgeUnplugged, type LinkSample } from "./judges/judge-unplugged.ts";
import type { Finding } from "./judges/judge-states.ts";
import type { Random } from "./random.ts";

interface World {
  readonly site: OneProcess;
  /** Takes alerts, and answers well. */
  readonly receiver: Pick<HookServer, "url" | "receipts">;
  readonly random: Random;
  readonly findings: Finding[];
}

const FAR = "far";
/** Its name at either end. */
const LINK = "way";
const HERE = "10.70.0.1/29";
const HOSTS = ["10.70.0.2", "10.70.0.3"] as const;
const PORT = 8080;
const TIMEOUT_S = 2;
/** A change of the interval has a check run at once. */
const INTERVALS = [2, 1] as const;
const RUN_INTERVAL_MS = 8000;
const ROUNDS = 4;
/** Maximum delay of an alert whose failure had started. */
const LEAVES_WITHIN_MS = 5000;
const VERDICT_WITHIN_MS = 30_000;
const LOOK_MS = 500;

let turns = 0;

/**
 * Pulls the link over which targets are reached, or switches it off at this machine: nothing is known of the targets, so nothing is called down,
 * and nobody is alerted. Whether a check said meanwhile that it has no verdict.
 */
export async function unplugLink({ site, receiver, random, findings }: World): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  stack.use(await farMachine());
  const path = `/unplugged/${(turns += 1)}`;
  const { body: contact } = await site.insist("POST contacts", {
    name: "Unplugged",
    custrole: "notify",
    newaddresses: [{ address: `${receiver.url}${path}`, type: "webhook" }],
  });
  const ids: string[] = [];
  for (const [target, more] of [
    [`http://${HOSTS[0]}:${PORT}/`, { type: "HTTP", sens: 0 }],
    [`http://${HOSTS[1]}:${PORT}/`, { type: "HTTP", sens: 2 }],
    [HOSTS[0], { type: "PORT", port: PORT, sens: 1 }],
  ] as const) {
    const { body } = await site.insist("POST checks", {
      ...more,
      target,
      label: `behind a link: ${target}`,
      recheckwait: 0,
      interval: 1,
      threshold: TIMEOUT_S,
      enabled: true,
      notifications: [{ [contact._id]: "All" }],
    });
    ids.push(String(body._id));
  }
  const look = async (): Promise<readonly LinkSample[]> => {
    const samples: LinkSample[] = [];
    for (const id of ids) {
      const { body } = await site.insist(`GET checks/${id}`);
      samples.push({ id, state: body.state, trouble: body.trouble?.kind });
    }
    return samples;
  };
  const runAll = async (interval: number): Promise<void> => {
    for (const id of ids) await site.insist(`PUT checks/${id}`, { interval });
  };
  const pass = async (): Promise<readonly LinkSample[]> => {
    const end = systemClock.monotonic() + VERDICT_WITHIN_MS;
    for (;;) {
      const samples = await look();
      const isWell = samples.every(({ state, trouble }) => state === 1 && trouble === undefined);
      if (isWell || systemClock.monotonic() > end) return samples;
      await sleep(systemClock, LOOK_MS);
    }
  };
  const before = await pass();
  const samples: LinkSample[] = [];
  {
    await using _unplugged = await unplugged(random.chance(0.5));
    for (let round = 0; round < ROUNDS; round += 1) {
      await runAll(INTERVALS[round % INTERVALS.length] ?? 1);
      const next = systemClock.monotonic() + RUN_INTERVAL_MS;
      while (systemClock.monotonic() < next) {
        samples.push(...(await look()));
        await sleep(systemClock, LOOK_MS);
      }
    }
  }
  await runAll(INTERVALS[0]);
  const after = await pass();
  await sleep(systemClock, LEAVES_WITHIN_MS);
  const judged = judgeUnplugged({ before, samples, after, receipts: receiver.receipts(path) });
  const at = systemClock.monotonic();
  findings.push(...judged.findings.map((finding) => ({ ...finding, at })));
  for (const id of ids) await site.insist(`DELETE checks/${id}`);
  await site.insist(`DELETE contacts/${contact._id}`);
  return judged.hasMet;
}

/** A machine with two addresses at the other end of a link, which answers every request. */
async function farMachine(): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  // A network outlives its creator only if it has a name, which needs a folder in this namespace.
  await shell(
    "mkdir -p /run/netns",
    "mount -t tmpfs tmpfs /run/netns",
    // The links that the system lists are those of the network in which it was mounted.
    "mount -t sysfs sysfs /sys",
  );
  stack.defer(() => shell("umount --lazy /sys", "umount /run/netns"));
  await shell(
    `ip netns add ${FAR}`,
    `ip link add ${LINK} type veth peer name ${LINK} netns ${FAR}`,
    `ip address add ${HERE} dev ${LINK}`,
    `ip link set ${LINK} up`,
    ...HOSTS.map((host) => `ip -n ${FAR} address add ${host}/29 dev ${LINK}`),
    `ip -n ${FAR} link set ${LINK} up`,
  );
  stack.defer(() => shell(`ip link del ${LINK}`, `ip netns del ${FAR}`));
  const target = join(import.meta.dirname, "far-target.ts");
  const enter = ["nsenter", `--net=/run/netns/${FAR}`];
  const program = stack.use(
    run(folder.path, {}, [...enter, process.execPath, target, String(PORT)]),
  );
  await waitFor("the far machine listens", () => program.output().includes("listens"));
  for (const host of HOSTS)
    await waitFor("the far machine is reached over the link", () => isReached(host));
  const kept = stack.move();
  return { [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function isReached(host: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_S * 1000);
    return (await fetch(`http://${host}:${PORT}/`, { signal })).ok;
  } catch {
    return false;
  }
}

async function unplugged(isSwitchedOff: boolean): Promise<AsyncDisposable> {
  const end = isSwitchedOff ? "" : `-n ${FAR} `;
  await shell(`ip ${end}link set ${LINK} down`);
  return { [Symbol.asyncDispose]: () => shell(`ip ${end}link set ${LINK} up`) };
}
