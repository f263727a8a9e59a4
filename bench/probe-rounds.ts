import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { writeFileSync } from "node:fs";

import { fullPeer, silent, tcpPeer } from "../test/peers/tcp.ts";
import { bind } from "../test/servers/bind.ts";
import { nginx } from "../test/servers/nginx.ts";
import { blackbox } from "./blackbox.ts";
import { pause, startWorker, type Task, type Worker } from "./worker.ts";
import { median } from "./fixture.ts";

const SECONDS = 2;
const AT_ONCE = 50;
/** Checks in flight at the first measurement of the memory, and how many more at the second. */
const HELD = { before: 1000, more: 4000 };

interface Case extends Pick<Task, "type" | "parameters"> {
  readonly name: string;
  /** The exporter's words for the same check. */
  readonly module: string;
  readonly target: string;
  /** Parameters of a target that never responds. */
  readonly unanswered: Task["parameters"];
}

/** CPU of one check in microseconds, by who carried it out. */
interface Costs {
  readonly ours: number;
  readonly exporter: number;
  readonly bare: number;
}

execFileSync("ip", ["link", "set", "lo", "up"]);
setSystem("ping_group_range", "0 2147483647");

const host = "127.0.0.1";
const name = "www.zone.test";
await using web = await nginx({ rules: 'location / { return 200 "all is well"; }' });
await using names = await bind({ zones: { "zone.test": ["www A 192.0.2.1"] } });
await using exporter = await blackbox(name);
await using mute = await tcpPeer(silent);
await using full = await fullPeer();
const deaf = createSocket("udp4").bind(0, host);
await once(deaf, "listening");

const question = { dnstype: "A", dnstoresolve: name, contentstring: "192.0.2.1" };
const cases: readonly Case[] = [
  {
    name: "HTTP",
    type: "HTTP",
    parameters: { target: `${web.url}/` },
    module: "http",
    target: `${web.url}/`,
    unanswered: { target: `http://${host}:${mute.port}/` },
  },
  {
    name: "HTTP over TLS",
    type: "HTTP",
    parameters: { target: `${web.secureUrl}/` },
    module: "https",
    target: `${web.secureUrl}/`,
    unanswered: { target: `https://${host}:${mute.port}/` },
  },
  {
    name: "PORT",
    type: "PORT",
    parameters: { target: host, port: web.port },
    module: "tcp",
    target: `${host}:${web.port}`,
    unanswered: { target: host, port: full.port },
  },
  {
    name: "DNS",
    type: "DNS",
    parameters: { target: host, port: names.port, ...question },
    module: "dns",
    target: `${host}:${names.port}`,
    unanswered: { target: host, port: deaf.address().port, ...question },
  },
  {
    name: "PING",
    type: "PING",
    parameters: { target: host },
    module: "icmp",
    target: host,
    unanswered: { target: host },
  },
];

const rounds = Number(process.argv[2]);
const costs = new Map<string, Costs[]>();
{
  using ours = startWorker("watchpost-probe.ts");
  using bare = startWorker("baselines/sockets.ts");
  const costsOf = async (one: Case): Promise<Costs> => ({
    ours: await costOf(ours, one),
    exporter: await costAtExporter(one),
    bare: await costOf(bare, one),
  });
  // The first round warms up, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of cases) {
      const found = await costsOf(one);
      if (round > 0) costs.set(one.name, [...(costs.get(one.name) ?? []), found]);
    }
  }
}
setSystem("icmp_echo_ignore_all", "1");
const rows: string[] = [];
for (const one of cases) rows.push(await rowOf(one));
deaf.close();

process.stdout.write(
  [
    `Checks with a socket each, ${AT_ONCE} at once, ${rounds} rounds of ${SECONDS} s, medians; CPU is user and system of one process; memory with ${HELD.before + HELD.more} in flight`,
    "",
    "| check | a core-second | CPU µs a check | exporter's | ratio | bare sockets' | ratio | KB in flight | bare sockets' |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n"),
);

function setSystem(key: string, value: string): void {
  writeFileSync(`/proc/sys/net/ipv4/${key}`, value);
}

async function costOf(worker: Worker, { type, parameters }: Case): Promise<number> {
  const order = { type, parameters, atOnce: AT_ONCE, seconds: SECONDS };
  const { cpuMicros, checks } = await worker.run(order);
  return cpuMicros / checks;
}

async function costAtExporter({ module, target }: Case): Promise<number> {
  const before = await exporter.cpuMicros();
  let checks = 0;
  let over = false;
  const loop = async (): Promise<void> => {
    for (; !over; checks += 1) await exporter.probe(module, target);
  };
  const loops = Promise.all(Array.from({ length: AT_ONCE }, loop));
  await Promise.race([pause(SECONDS), loops]);
  over = true;
  await loops;
  return ((await exporter.cpuMicros()) - before) / checks;
}

async function rowOf(one: Case): Promise<string> {
  const found = costs.get(one.name) ?? [];
  const micros = (who: keyof Costs): number => median(found.map((cost) => cost[who]));
  const ratio = (who: keyof Costs): string =>
    median(found.map((cost) => cost.ours / cost[who])).toFixed(2);
  return [
    "",
    one.name,
    Math.round(1_000_000 / micros("ours")),
    Math.round(micros("ours")),
    Math.round(micros("exporter")),
    ratio("exporter"),
    Math.round(micros("bare")),
    ratio("bare"),
    await kilobytesEach("watchpost-probe.ts", one),
    await kilobytesEach("baselines/sockets.ts", one),
    "",
  ]
    .join(" | ")
    .trim();
}

/** Returns the memory that each check in flight adds to a fresh process. */
async function kilobytesEach(file: string, { type, unanswered }: Case): Promise<string> {
  using worker = startWorker(file);
  const hold = (atOnce: number) => worker.run({ type, parameters: unanswered, atOnce });
  const before = await hold(HELD.before);
  const after = await hold(HELD.more);
  return ((after.residentBytes - before.residentBytes) / HELD.more / 1000).toFixed(1);
}
