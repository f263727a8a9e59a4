import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import {
  start,
  temporaryFolder,
  type CheckRecord,
  type RunningInstallation,
} from "../e2e/process.ts";
import { listen } from "../peers/tcp.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { waitFor } from "../time/wait-for.ts";
import { blipsOf } from "./arithmetic.ts";

export const LENGTHS: readonly number[] = [1, 3, 5, 10, 20];
export const INTERVALS: readonly number[] = [15, 60];
/** Checks of each type, per length and interval. */
const CHECKS_OF_TYPE = 4;
/** How long a check may take to notice the last blip, and to alert. */
const SETTLE_MS = 20_000;

export interface Group {
  readonly lengthSeconds: number;
  readonly intervalSeconds: number;
  readonly checks: number;
  readonly alarms: number;
}

/** Runs the real program against targets that blip once a minute, and counts the alarms that a webhook receives. */
export async function runTrial(minutes: number): Promise<readonly Group[]> {
  await using folder = await temporaryFolder();
  await using receiver = await receiverPeer();
  await using targets = new AsyncDisposableStack();
  await using site = await start(folder.path, {
    WATCHPOST_LOCATIONS: "ny:nam,ld:eur,tk:eao",
    WATCHPOST_TOKEN_RATE: "0",
    WATCHPOST_ADDRESS_RATE: "0",
  });
  const contact = await site.api("POST contacts", {
    name: "Receiver",
    custrole: "notify",
    newaddresses: [{ address: `${receiver.url}/alerts`, type: "webhook" }],
  });
  const [address = ""] = Object.keys(contact.addresses);
  const pairs: (Pair & { readonly lengthSeconds: number })[] = [];
  for (const lengthSeconds of LENGTHS)
    pairs.push({ lengthSeconds, ...targets.use(await targetPair()) });
  const groups: { lengthSeconds: number; intervalSeconds: number; ids: Set<string> }[] = [];
  for (const pair of pairs) {
    for (const intervalSeconds of INTERVALS) {
      const ids = new Set<string>();
      for (let made = 0; made < CHECKS_OF_TYPE; made += 1)
        for (const parameters of pair.checks) {
          const label = `${pair.lengthSeconds} s, every ${intervalSeconds} s, ${ids.size}`;
          const interval = intervalSeconds / 60;
          const notifications = [{ [address]: "All" }];
          const record = { ...parameters, label, interval, enabled: true, notifications };
          ids.add((await site.api("POST checks", record))._id);
        }
      groups.push({ lengthSeconds: pair.lengthSeconds, intervalSeconds, ids });
    }
  }
  await allPass(
    site,
    groups.reduce((sum, { ids }) => sum + ids.size, 0),
  );
  const beganAt = systemClock.monotonic();
  await Promise.all(
    pairs.map((pair) => blip(pair, { beganAt, lengthSeconds: pair.lengthSeconds, minutes })),
  );
  await sleep(systemClock, SETTLE_MS);
  const downs = receiver.requests
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type === "check.down")
    .map(({ check }): string => check.id);
  return groups.map(({ ids, ...group }) => ({
    ...group,
    checks: ids.size,
    alarms: downs.filter((id) => ids.has(id)).length,
  }));
}

async function allPass(site: RunningInstallation, count: number): Promise<void> {
  await waitFor("every check passes", async () => {
    const checks: Readonly<Record<string, CheckRecord>> = await site.api("GET checks");
    return Object.values(checks).filter(({ state }) => state === 1).length === count;
  });
}

interface Pair extends AsyncDisposable {
  /** Differences between the checks of the two. */
  readonly checks: readonly object[];
  readonly setDown: (isDown: boolean) => void;
}

/** A web server that answers 503 during a blip, and a TCP server that does not listen meanwhile. */
async function targetPair(): Promise<Pair> {
  let status = 200;
  const web = await listen(
    createHttpServer((_request, response) => response.writeHead(status).end()),
  );
  const server: Server = createServer((socket) => socket.end());
  const tcp = await listen(server);
  return {
    checks: [
      { type: "HTTP", target: `http://${web.host}:${web.port}/` },
      { type: "PORT", target: tcp.host, port: tcp.port },
    ],
    setDown(isDown) {
      status = isDown ? 503 : 200;
      if (isDown) server.close();
      else server.listen(tcp.port, tcp.host);
    },
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]();
      await tcp[Symbol.asyncDispose]();
    },
  };
}

async function blip(
  { setDown }: Pair,
  {
    beganAt,
    lengthSeconds,
    minutes,
  }: {
    readonly beganAt: number;
    readonly lengthSeconds: number;
    readonly minutes: number;
  },
): Promise<void> {
  const reach = (seconds: number): Promise<void> =>
    sleep(systemClock, Math.max(0, beganAt + 1000 * seconds - systemClock.monotonic()));
  for (const { from, to } of blipsOf(lengthSeconds, minutes)) {
    await reach(from);
    setDown(true);
    await reach(to);
    setDown(false);
  }
}
