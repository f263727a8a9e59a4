import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import test from "node:test";

import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { cachingResolver, dnsPeer, type DnsAnswer } from "../../peers/dns.ts";
import { listen } from "../../peers/tcp.ts";
import { shell } from "../../system-tools.ts";
import { waitFor } from "../../time/wait-for.ts";
import { apiOfAccount, root, run, temporaryFolder } from "../process.ts";
import { isInSandbox, runInSandbox } from "../sandbox.ts";

/** Addresses of the Internet, which are all in this network. */
const RESOLVER = "93.184.216.53";
const NAMED = ["93.184.216.1", "93.184.217.1", "93.184.218.1"];
const NUMBERED = ["93.184.219.1", "93.184.220.1"];
const MACHINE = "10.84.0.2";
const TOKEN = "blind-location-token-0123456789ab";
const METRICS = "metrics-token-0123456789abcdef";

/** Duration of each trouble, and the interval of the checks. */
const LASTS_MS = 1000 * Number(process.env.TROUBLE_SECONDS ?? 16);
const INTERVAL_MINUTES = 0.25;

if (isInSandbox) await inSandbox();
else
  test("no target is called down while its location is cut off or its resolver is dead", () =>
    runInSandbox(import.meta.filename));

/** A machine whose only link leads to the Internet, which is this process. */
async function makeMachine(resolvFile: string): Promise<void> {
  await shell(
    "mkdir -p /run/netns",
    "mount -t tmpfs tmpfs /run/netns",
    `mount --bind ${resolvFile} /etc/resolv.conf`,
    "ip netns add machine",
    "ip -n machine link set lo up",
    "ip link add near type veth peer name far netns machine",
    "ip address add 10.84.0.1/30 dev near",
    "ip link set near up",
    `ip -n machine address add ${MACHINE}/30 dev far`,
    "ip -n machine link set far up",
    "ip -n machine route add default via 10.84.0.1",
    ...[RESOLVER, ...NAMED, ...NUMBERED].map((address) => `ip address add ${address}/32 dev lo`),
  );
}

async function inSandbox(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const resolvFile = join(folder.path, "resolv.conf");
  await writeFile(resolvFile, `nameserver ${RESOLVER}\n`);
  await makeMachine(resolvFile);
  const zone: Record<string, DnsAnswer> = {};
  for (const [index, address] of NAMED.entries()) zone[`A shop${index}.example`] = [address];
  const resolver = cachingResolver(zone);
  let manner: DnsAnswer | undefined;
  const table = (question: string): DnsAnswer => manner ?? resolver.answer(question);
  stack.use(await dnsPeer(table, { host: RESOLVER, port: 53 }));
  const server = createServer((_, response) => response.end("fine"));
  const { port } = stack.use(await listen(server, "0.0.0.0"));
  const settings = {
    WATCHPOST_LISTEN: `${MACHINE}:4848`,
    WATCHPOST_TOKEN: TOKEN,
    WATCHPOST_METRICS_TOKEN: METRICS,
  };
  const enter = ["nsenter", "--net=/run/netns/machine", join(root, "watchpost")];
  const program = stack.use(run(folder.path, settings, enter));
  const base = `http://${MACHINE}:4848`;
  const { api } = apiOfAccount(base, TOKEN);
  const isReady = (): Promise<boolean> =>
    fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor("it is ready", isReady);
  const downs = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${METRICS}` };
    const body = await (await fetch(`${base}/metrics`, { headers })).text();
    return Number(/^watchpost_confirm_flip_total\{to="failing"\} (\d+)/m.exec(body)?.[1] ?? 0);
  };
  const targets = [...NAMED.map((_, index) => `shop${index}.example`), ...NUMBERED];
  for (const target of targets)
    await api("POST checks", {
      type: "HTTP",
      target: `http://${target}:${port}/`,
      interval: INTERVAL_MINUTES,
      threshold: 2,
      sens: 0,
      enabled: true,
    });
  await waitFor("all are up", async () => {
    const checks: readonly { readonly state?: unknown }[] = Object.values(await api("GET checks"));
    return checks.every(({ state }) => state === 1);
  });

  const figures: Record<string, number> = {};
  const trouble = async (
    name: string,
    sign: RegExp,
    [begin, end]: readonly [begin: () => Promise<unknown>, end: () => Promise<unknown>],
  ): Promise<void> => {
    const before = await downs();
    await begin();
    await sleep(systemClock, LASTS_MS);
    await waitFor(`${name}: it logs ${sign.source}`, () => sign.test(program.log()));
    await end();
    await waitFor("it is reached again", isReady);
    figures[name] = (await downs()) - before;
    await waitFor("nothing is undecided", async () => {
      const { locations } = await api("GET info/status");
      const all: readonly { readonly undecided: number }[] = Object.values(locations);
      return all.every(({ undecided }) => undecided === 0);
    });
  };

  for (const way of ["silence", "failure"] as const) {
    await trouble(`resolver: ${way}`, /probe\.resolver_silent/, [
      async () => (manner = way),
      async () => (manner = undefined),
    ]);
    await trouble(`resolver that keeps other names: ${way}`, /probe\.resolver_silent/, [
      async () => resolver.cut(way, ["A shop0.example"]),
      async () => resolver.mend(),
    ]);
  }
  assert.doesNotMatch(program.log(), /probe\.internal_error/);
  await trouble("link: packets are lost", /confirm\.location_blind/, [
    () =>
      shell(
        "tc qdisc add dev near root blackhole",
        "tc -n machine qdisc add dev far root blackhole",
      ),
    () => shell("tc qdisc del dev near root", "tc -n machine qdisc del dev far root"),
  ]);
  await trouble("link: no carrier", /probe\.offline/, [
    () => shell("ip link set near down"),
    () => shell("ip link set near up"),
  ]);
  await trouble("route: none", /probe\.offline/, [
    () => shell("ip -n machine route del default"),
    () => shell("ip -n machine route add default via 10.84.0.1"),
  ]);
  // Shown to people, who may choose longer troubles.
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  assert.deepEqual(new Set(Object.values(figures)), new Set([0]), JSON.stringify(figures));
}
