import assert from "node:assert/strict";
import test from "node:test";

import type { PreparedCheck, ProbedCheckType, RunContext } from "../../src/checks/check-type.ts";
import { maxEvidenceLength } from "../../src/checks/outcome/evidence.ts";
import type { Outcome, Reason } from "../../src/domain/run/outcome.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { createEgress, type Egress } from "../../src/kit/net/egress.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import { waitFor } from "../time/wait-for.ts";
import { drainEventLoop } from "../time/fake-clock.ts";
import {
  closedPort,
  closing,
  dripping,
  flooding,
  fullPeer,
  garbage,
  resetting,
  silent,
  tcpPeer,
  type SocketHandler,
  type Peer,
} from "../peers/tcp.ts";
import { garbageUdp, silentUdp, floodingUdp, udpPeer, type PacketHandler } from "../peers/udp.ts";

const manners = {
  silence: silent,
  drip: dripping("HTTP/1.1 200 OK\r\nX-Slow: "),
  garbage,
  reset: resetting,
  close: closing,
  flood: flooding("HTTP/1.1 200 OK\r\nX-Much: more\r\n"),
} as const satisfies Record<string, SocketHandler>;

/** UDP has no connection to close or to reset, and packets arrive whole. */
const udpManners = {
  silence: silentUdp,
  garbage: garbageUdp,
  flood: floodingUdp("HTTP/1.1 200 OK\r\nX-Much: more\r\n"),
} as const satisfies Record<string, PacketHandler>;

export interface ContractPeers<MannerName extends string = keyof typeof manners> {
  /** The name of the variant under test, if a type has several. */
  readonly name?: string;
  readonly healthy: () => Promise<Peer>;
  readonly parameters: (peer: Pick<Peer, "host" | "port">) => Readonly<Record<string, unknown>>;
  /** The required outcome for each faulty behaviour; `timeout` means that only the signal ends the run. */
  readonly endings: Readonly<Record<MannerName, Reason>>;
}

/** The contract of every probed check type over TCP. */
export function checkTypeContract(type: ProbedCheckType, peers: ContractPeers): void {
  contract(type, peers, (manner) => tcpPeer(manners[manner]));

  test(`${peers.name ?? type.type} is ended by the signal while it connects`, async () => {
    await using peer = await fullPeer();
    const { run } = prepare(type, peers.parameters(peer));
    const outcome = await interrupted(run, () => drainEventLoop());
    assert.deepEqual(
      [outcome.reason, outcome.message, outcome.address],
      ["timeout", "Timeout connecting", "127.0.0.1"],
    );
  });
}

/** The contract of every probed check type over UDP. */
export function udpCheckTypeContract(
  type: ProbedCheckType,
  peers: ContractPeers<keyof typeof udpManners>,
): void {
  contract(type, peers, (manner) => udpPeer(udpManners[manner]));
}

function contract<MannerName extends string>(
  type: ProbedCheckType,
  { name = type.type, healthy, parameters, endings }: ContractPeers<MannerName>,
  badPeer: (manner: MannerName) => Promise<Peer>,
): void {
  const prepared = (peer: Pick<Peer, "host" | "port">): PreparedCheck =>
    prepare(type, parameters(peer));

  test(`${name} passes when its target is healthy`, async () => {
    await using peer = await healthy();
    const outcome = await leavesNoSocket(peer, () => prepared(peer).run(contextOf()));
    assert.deepEqual([outcome.passed, outcome.reason], [true, "ok"], outcome.message);
  });

  test(`${name} fails as refused where nobody listens`, async () => {
    const port = await closedPort();
    const outcome = await prepared({ host: "127.0.0.1", port }).run(contextOf());
    assert.deepEqual(
      [outcome.passed, outcome.reason, outcome.address],
      [false, "refused", "127.0.0.1"],
    );
  });

  test(`${name} is ended by the signal while its target's name is looked up`, async () => {
    const egress: Egress = {
      resolve: (_, { signal }) => untilAborted(signal),
      isPublic: () => false,
    };
    const outcome = await interrupted(
      prepared({ host: "localhost", port: 1 }).run,
      () => drainEventLoop(),
      egress,
    );
    assert.deepEqual([outcome.reason, outcome.message], ["timeout", "Timeout looking up the name"]);
  });

  test(`${name} opens nothing when the signal has already aborted`, async () => {
    await using peer = await healthy();
    const outcome = await prepared(peer).run(contextOf({ signal: AbortSignal.abort("over") }));
    assert.equal(outcome.reason, "timeout");
    await drainEventLoop();
    assert.equal(peer.accepted(), 0);
  });

  test(`${name} says blocked, and opens nothing, where egress refuses its target`, async () => {
    await using peer = await healthy();
    const egress = createEgress({ mode: "public", resolver: createResolver() });
    const outcome = await prepared(peer).run(contextOf({ egress }));
    assert.deepEqual([outcome.passed, outcome.reason], [false, "blocked"]);
    assert.equal(peer.accepted(), 0);
  });

  test(`${name} throws, so that the run is undecided, when this process is out of sockets`, async () => {
    const trouble = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    const egress: Egress = { resolve: () => Promise.reject(trouble), isPublic: () => false };
    await assert.rejects(
      prepared({ host: "localhost", port: 1 }).run(contextOf({ egress })),
      trouble,
    );
  });

  for (const manner in endings) {
    const ending = endings[manner];
    test(`${name} ends as ${ending} when its target behaves as ${manner}`, async () => {
      await using peer = await badPeer(manner);
      const outcome = await leavesNoSocket(peer, () =>
        ending === "timeout"
          ? interrupted(prepared(peer).run, () =>
              waitFor("a connection", () => peer.accepted() > 0).then(() => drainEventLoop()),
            )
          : prepared(peer).run(contextOf()),
      );
      assert.equal(outcome.reason, ending, outcome.message);
      assert.equal(outcome.passed, ending === "ok");
    });
  }
}

/** Checks that every outcome is complete. */
function prepare(
  type: ProbedCheckType,
  parameters: Readonly<Record<string, unknown>>,
): PreparedCheck {
  const { run } = type.prepare(parameters);
  return {
    async run(context) {
      const outcome = await run(context);
      assertTimed(outcome);
      assertShown(outcome);
      return outcome;
    },
  };
}

function assertTimed({ timings }: Outcome): void {
  assert.ok(timings !== undefined);
  // The first byte comes before or after the TLS handshake, depending on the protocol.
  const { dns = 0, connect = dns, tls = connect, firstByte = connect, total } = timings;
  for (const inOrder of [
    [0, dns, connect, tls, total],
    [0, dns, connect, firstByte, total],
  ]) {
    assert.ok(inOrder.every(Number.isSafeInteger), JSON.stringify(timings));
    assert.deepEqual(
      inOrder,
      inOrder.toSorted((one, other) => one - other),
    );
  }
}

function assertShown({ passed, evidence, certificate, timings }: Outcome): void {
  if (passed) assert.equal(evidence, undefined);
  if (evidence !== undefined)
    assert.ok(evidence.length > 0 && evidence.length <= maxEvidenceLength);
  if (timings?.tls === undefined) assert.equal(certificate, undefined);
  else {
    const { subject, issuer, validTo } = certificate ?? {};
    assert.ok(subject !== undefined && subject !== "" && issuer !== undefined);
    assert.ok(validTo !== undefined && validTo > systemClock.now());
  }
}

export function contextOf(parts: Partial<RunContext> = {}): RunContext {
  const egress = createEgress({ mode: "private", resolver: createResolver() });
  return {
    signal: new AbortController().signal,
    egress,
    ...systemClock,
    timeoutMs: 5000,
    accountId: "alice",
    ...parts,
  };
}

/** Runs, aborts once `reached` says so, and gives the outcome. */
async function interrupted(
  run: (context: RunContext) => Promise<Outcome>,
  reached: () => Promise<void>,
  egress?: Egress,
): Promise<Outcome> {
  const controller = new AbortController();
  const running = run(
    contextOf({ signal: controller.signal, ...(egress !== undefined && { egress }) }),
  );
  await reached();
  controller.abort("over");
  return running;
}

async function leavesNoSocket(peer: Peer, run: () => Promise<Outcome>): Promise<Outcome> {
  const sockets = (): number =>
    process
      .getActiveResourcesInfo()
      .filter((kind) => kind === "TCPSocketWrap" || kind === "UDPWrap").length;
  const before = sockets();
  const outcome = await run();
  await waitFor(
    "every connection closed on both sides",
    () => peer.open() === 0 && sockets() <= before,
  );
  assert.equal(peer.accepted(), 1);
  return outcome;
}

function untilAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
