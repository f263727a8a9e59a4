import { sleep, systemClock } from "../../src/kit/clock.ts";
import { hookServer, type HookServer } from "../chaos/hooks.ts";
import type { Beat } from "../chaos/judges/judge-states.ts";
import type { Random } from "../chaos/random.ts";
import { createTargets, steadyTarget, type Target } from "../chaos/targets.ts";
import { httpPeer } from "../peers/http.ts";
import { ASKED, nameServer, replyTo, wireRecord } from "../peers/name-server.ts";
import type { Client } from "./client.ts";
import { makeAll } from "./make-all.ts";

/** A check of somebody who does no harm, and all that is known of it at the end. */
export interface HonestCheck {
  readonly id: string;
  /** Token of its heartbeats; empty if it has a target. */
  readonly token: string;
  readonly account: HonestAccount;
  /** Undefined where it waits for heartbeats. */
  readonly target: Target | undefined;
  /** Whether it goes down and up. */
  readonly isSwitched: boolean;
  /** Where its alerts arrive. */
  readonly path: string;
  readonly beats: SentBeat[];
}

export interface SentBeat extends Beat {
  readonly status: number;
}

/** An account of its own share, and how it is reached: each of its clients has an address that is nobody else's. */
export interface HonestAccount {
  readonly id: string;
  readonly client: Client;
  /** One connection a heartbeat, as senders do. */
  readonly sender: Client;
}

export interface Counts {
  readonly accounts: number;
  /** Checks of each account: those that look at a target, and how many of these go down and up. */
  readonly probed: number;
  readonly switched: number;
  /** Heartbeat checks, every second of which fails at times. */
  readonly push: number;
}

export interface Honest extends AsyncDisposable {
  readonly accounts: readonly HonestAccount[];
  readonly checks: readonly HonestCheck[];
  readonly hooks: HookServer;
}

/** From the request to the verdict: this many seconds, with one recheck. */
export const TIMEOUT_S = 10;
export const SENS = 1;
/** Alerts of one contact, each of one check. */
const MAX_ADDRESSES = 100;

/** Makes checks of what answers well, which are run in the regions; some of it goes down and up. */
export async function makeHonest(
  accounts: readonly HonestAccount[],
  counts: Counts,
  { random, regions }: { readonly random: Random; readonly regions: readonly string[] },
): Promise<Honest> {
  await using stack = new AsyncDisposableStack();
  const hooks = stack.use(await hookServer(random.split()));
  const switched = stack.use(await createTargets(random.split(), () => "127.0.0.1"));
  const steady = await steadyTargets(stack);
  const makeChecks = async (account: HonestAccount): Promise<readonly HonestCheck[]> => {
    const alerted = counts.switched + counts.push;
    const addresses = await addHooks(account, hooks, alerted);
    const targets = [
      ...(await Promise.all(
        Array.from({ length: counts.switched }, async (_, index) =>
          index % 3 === 2 ? switched.port() : switched.http(),
        ),
      )),
      ...Array.from({ length: counts.push }, () => undefined),
      ...Array.from({ length: counts.probed - counts.switched }, (_, index) =>
        steadyTarget(steady[index % steady.length] ?? {}),
      ),
    ];
    return makeAll(targets, async (target, index): Promise<HonestCheck> => {
      const address = addresses[index];
      const { _id: id, parameters } = await account.client.api("POST checks", {
        label: `honest ${index}`,
        enabled: true,
        ...(address === undefined ? {} : { notifications: [{ [address.id]: "All" }] }),
        ...(target === undefined
          ? HEARTBEATS
          : { ...PROBED, runlocations: regions, ...target.parameters }),
      });
      return {
        id,
        token: String(parameters.checktoken ?? ""),
        account,
        target,
        isSwitched: target === undefined ? index % 2 === 0 : index < counts.switched,
        path: address?.path ?? "",
        beats: [],
      };
    });
  };
  const checks = (await Promise.all(accounts.map(makeChecks))).flat();
  const kept = stack.move();
  return { accounts, checks, hooks, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const PROBED = { interval: 1, threshold: TIMEOUT_S, sens: SENS };
/** Missing heartbeats would fail the check, which a stall of the program must never cause. */
const HEARTBEATS = {
  type: "PUSH",
  interval: 1,
  sens: 1,
  oldresultfail: true,
  fields: { load: { name: "load", min: 0, max: 1 } },
};

interface Address {
  readonly id: string;
  readonly path: string;
}

/** One address for each check, for alerts to one address about several checks are grouped. */
async function addHooks(
  { id: account, client }: HonestAccount,
  hooks: HookServer,
  count: number,
): Promise<readonly Address[]> {
  const found: Address[] = [];
  while (found.length < count) {
    const from = found.length;
    const newaddresses = Array.from({ length: Math.min(MAX_ADDRESSES, count - from) }, (_, at) => ({
      type: "webhook",
      address: `${hooks.url}/${account}/${from + at}`,
    }));
    const contact: { readonly addresses: Readonly<Record<string, { readonly address: string }>> } =
      await client.api("POST contacts", {
        name: "Hooks",
        custrole: "notify",
        newaddresses,
      });
    for (const [id, { address }] of Object.entries(contact.addresses))
      found.push({ id, path: new URL(address).pathname });
  }
  return found;
}

/** Parameters of checks of each kind that always pass. */
async function steadyTargets(
  stack: AsyncDisposableStack,
): Promise<readonly Target["parameters"][]> {
  const page = stack.use(
    await httpPeer(({ url }, response) =>
      url === "/load.json" ? response.end('{"load":{"now":1}}') : response.end("<p>hello 42</p>"),
    ),
  );
  const names = stack.use(
    await nameServer((query) => [
      replyTo(query, { answer: [wireRecord(ASKED, ADDRESS_RECORD, Buffer.from([192, 0, 2, 1]))] }),
    ]),
  );
  const http = { type: "HTTP", target: `${page.url}/` };
  const port = { type: "PORT", target: page.host, port: page.port };
  return [
    http,
    port,
    http,
    {
      type: "DNS",
      target: "127.0.0.1",
      port: names.port,
      dnstoresolve: "www.example.net",
      contentstring: "192.0.2.1",
    },
    http,
    {
      type: "HTTPCONTENT",
      target: `${page.url}/`,
      contentstring: "hello \\d+",
      regex: true,
    },
    port,
    {
      type: "HTTPPARSE",
      target: `${page.url}/load.json`,
      fields: { one: { name: "load.now", min: 0, max: 2 } },
    },
  ];
}

/** RFC 1035, 3.2.2. */
const ADDRESS_RECORD = 1;

/** The intake takes five in any minute. */
const BEAT_INTERVAL_MS = 12_500;

/** Sends heartbeats until the signal aborts; those of every second check fail at times. */
export async function beatAll(
  { checks }: Pick<Honest, "checks">,
  { random, signal }: { readonly random: Random; readonly signal: AbortSignal },
): Promise<void> {
  const beating = checks
    .filter(({ target }) => target === undefined)
    .map(async (check) => {
      const own = random.split();
      await sleep(systemClock, BEAT_INTERVAL_MS * own.next(), signal);
      while (!signal.aborted) {
        check.beats.push(await beat(check, !check.isSwitched || own.chance(0.5)));
        // After the response, because the exact time of acceptance is unknown.
        await sleep(systemClock, BEAT_INTERVAL_MS, signal);
      }
    });
  await Promise.all(beating);
}

async function beat({ id, token, account }: HonestCheck, isPassing: boolean): Promise<SentBeat> {
  const from = systemClock.monotonic();
  const query = new URLSearchParams({ id, checktoken: token }).toString();
  const { status } = await account.sender.send({
    method: "POST",
    path: `/v1?${query}`,
    body: { data: { load: isPassing ? 0 : 2 } },
  });
  const outcome = status === 200 ? "stored" : status >= 400 && status < 500 ? "refused" : "unknown";
  return { from, to: systemClock.monotonic(), isPassing, outcome, status };
}
