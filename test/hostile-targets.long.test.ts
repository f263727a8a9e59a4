import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, test } from "node:test";

import type { Job } from "../src/bus/bus.ts";
import { checkTypes } from "../src/checks/registry.ts";
import {
  at,
  dnsQuestion,
  page,
  text,
  withLogin,
  type ParametersAt,
} from "./checks/target-parameters.ts";
import type { HostileJobs, HostileRuns, Measurement } from "./harnesses/hostile-runs.ts";
import type { Cost } from "./hostile-inputs/cost.ts";
import { selfSigned } from "./peers/certificates.ts";
import * as hostile from "./peers/hostile.ts";
import type { Manners } from "./peers/hostile.ts";
import { silent, tcpPeer } from "./peers/tcp.ts";
import { tlsPeer } from "./peers/tls.ts";
import { floodingUdp, udpPeer } from "./peers/udp.ts";

const TIMEOUT_MS = 1000;
/** Maximum total cost of a type's runs: a million chunks of one byte took 261 MiB, and a 64 KiB read in chunks of one byte takes 20 to 50 ms. */
const MAX: Cost = { ms: 150, bytes: 64 * 2 ** 20 };

const runner = fork(join(import.meta.dirname, "harnesses/hostile-runs.ts"), {
  execArgv: ["--expose-gc"],
});
after(() => runner.kill());

async function runAll(measurement: Omit<Measurement, "most">): Promise<HostileRuns> {
  runner.send({ ...measurement, most: MAX });
  const [found] = await once(runner, "message");
  return found;
}

interface Target {
  readonly parameters: ParametersAt;
  readonly slow?: Manners;
  readonly loud: Manners;
  readonly open?: typeof tcpPeer;
}

const { slowPeers: slow, loudPeers: loud } = hostile;
const certificate = selfSigned();
const openTls: typeof tcpPeer = (manner) => tlsPeer(certificate, manner);
const byLines: readonly Target[] = [
  { slow, loud, parameters: withLogin },
  { loud, parameters: (peer) => ({ ...at(peer), secure: "ssl" }), open: openTls },
];

/** PING and RBL have no peer of their own: one is an echo by the kernel, and the other asks name servers, as DNS does. */
const targets: Readonly<Record<string, readonly Target[]>> = {
  AUDIO: [{ slow: hostile.slowHttpPeers, loud: hostile.loudHttpPeers, parameters: page }],
  DNS: [
    {
      slow,
      loud,
      parameters: (peer) => ({ ...at(peer), ...dnsQuestion, transport: "tcp" }),
    },
  ],
  FTP: [{ slow, loud, parameters: withLogin }],
  HTTP: [
    { slow, loud: { ...loud, ...hostile.loudHttpPeers }, parameters: page },
    {
      loud,
      parameters: ({ host, port }) => ({ target: `https://${host}:${port}/` }),
      open: openTls,
    },
  ],
  HTTPADV: [{ slow, loud: hostile.loudHttpPeers, parameters: text }],
  HTTPCONTENT: [{ slow: hostile.slowHttpPeers, loud: hostile.loudHttpPeers, parameters: text }],
  HTTPPARSE: [
    {
      loud: { ...hostile.loudHttpPeers, ...hostile.documentPeers },
      parameters: (peer) => ({ ...page(peer), fields: { load: { name: "load", min: 0 } } }),
    },
  ],
  IMAP4: byLines,
  MYSQL: [{ slow, loud, parameters: withLogin }],
  POP3: byLines,
  PORT: [{ slow, loud, parameters: at }],
  RDP: [{ slow, loud, parameters: at }],
  SIP: [
    { slow, loud, parameters: (peer) => ({ ...at(peer), transport: "tcp" }) },
    { loud, parameters: (peer) => ({ ...at(peer), transport: "tls" }), open: openTls },
  ],
  SMTP: byLines,
  SSH: [
    { slow, loud, parameters: at },
    { slow, loud, parameters: withLogin },
  ],
  SSL: [{ slow, loud, parameters: at }],
  WEBSOCKET: [
    {
      slow: hostile.slowWebSocketPeers,
      loud: { ...hostile.loudHttpPeers, ...hostile.webSocketPeers },
      parameters: ({ host, port }) => ({
        target: `ws://${host}:${port}/`,
        contentstring: "wanted",
      }),
    },
  ],
};

test("each type that a probe runs has hostile targets here", () => {
  const probed = checkTypes.filter(({ driver }) => driver === "probe").map(({ type }) => type);
  assert.deepEqual([...Object.keys(targets), "PING", "RBL"].toSorted(), probed.toSorted());
});

for (const [type, several] of Object.entries(targets)) {
  test(`${type}: whatever a target sends, a run ends, takes little memory and holds nothing up`, async () => {
    await using stage = new AsyncDisposableStack();
    const jobs: Record<"slow" | "others", Job[]> = { slow: [], others: [] };
    for (const { slow: slowOnes = {}, loud: loudOnes, parameters, open = tcpPeer } of several)
      for (const [kind, manners] of [
        ["slow", slowOnes],
        ["others", loudOnes],
      ] as const)
        for (const [name, manner] of Object.entries(manners)) {
          const peer = stage.use(await open(manner));
          jobs[kind].push(jobOf(name, type, parameters(peer)));
        }
    judge(jobs, await runAll({ jobs }));
  });
}

for (const [type, parameters] of [
  ["SIP", { transport: "udp" }],
  ["DNS", { ...dnsQuestion, transport: "udp" }],
] as const) {
  test(`${type} over UDP: packets without an end are no answer`, async () => {
    await using peer = await udpPeer(floodingUdp("x".repeat(60_000)));
    const jobs = { slow: [], others: [jobOf("packets", type, { ...at(peer), ...parameters })] };
    judge(jobs, await runAll({ jobs }));
  });
}

function jobOf(id: string, type: string, parameters: Job["parameters"]): Job {
  return { id, checkId: type, accountId: "alice", type, parameters, timeoutMs: TIMEOUT_MS };
}

for (const planted of ["memory", "turn"] as const) {
  test(`a run that takes too much is found: ${planted}`, async () => {
    await using peer = await tcpPeer(silent);
    const jobs = { slow: [], others: [jobOf("too much", "PORT", at(peer))] };
    const runs = await runAll({ jobs, planted });
    assert.throws(() => judge(jobs, runs), planted === "memory" ? /grew by/ : /took .* of CPU/);
  });
}

function judge({ slow: slowJobs, others }: HostileJobs, { reports, cost }: HostileRuns): void {
  const ids = [...slowJobs, ...others].map(({ id }) => id);
  const errors = reports.flatMap((report, index) =>
    "error" in report ? [`${ids[index]}: ${report.message}`] : [],
  );
  assert.deepEqual(errors, []);
  const { ms, bytes } = cost;
  assert.ok(bytes <= MAX.bytes, `the memory grew by ${bytes / 2 ** 20} MiB`);
  assert.ok(ms <= MAX.ms, `a turn of the event loop took ${ms} ms of CPU`);
}
