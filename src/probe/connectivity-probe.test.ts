import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../test/wait-for.ts";
import { fakeClock, drainEventLoop } from "../../test/fake-clock.ts";
import { closedPort, fullPeer, silent, tcpPeer } from "../../test/peers/tcp.ts";
import { createEgress } from "../kit/net/egress.ts";
import type { EgressMode } from "../kit/net/egress.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createConnectivityProbe } from "./connectivity-probe.ts";
import type { ConnectivityAddress } from "./connectivity-probe.ts";

function bench(addresses: readonly ConnectivityAddress[], mode: EgressMode = "private") {
  const clock = fakeClock();
  const egress = createEgress({ mode, resolver: createResolver() });
  return { clock, witnesses: createConnectivityProbe(addresses, { egress, clock }) };
}

const host = "127.0.0.1";

test("one that answers is enough, and nothing is left open", async () => {
  await using peer = await tcpPeer(silent);
  const { clock, witnesses } = bench([{ host, port: await closedPort() }, peer]);
  assert.equal(await witnesses.isOnline(), true);
  await waitFor("the connection is closed", () => peer.open() === 0);
  assert.equal(clock.pending(), 0);
});

test("where all refuse nobody answers", async () => {
  const { witnesses } = bench([{ host, port: await closedPort() }]);
  assert.equal(await witnesses.isOnline(), false);
});

test("one that stays silent has 1.5 s", async () => {
  await using peer = await fullPeer();
  const { clock, witnesses } = bench([peer]);
  let answer: boolean | undefined;
  void witnesses.isOnline().then((found) => (answer = found));
  await clock.advance(1499);
  assert.equal(answer, undefined);
  await clock.advance(1);
  await waitFor("nobody has answered", () => answer === false);
});

test("one that policy refuses does not answer", async () => {
  await using peer = await tcpPeer(silent);
  const { witnesses } = bench([peer], "public");
  assert.equal(await witnesses.isOnline(), false);
  assert.equal(peer.accepted(), 0);
});

test("an answer from before is not taken for one of now", async () => {
  const peer = await tcpPeer(silent);
  const { witnesses } = bench([peer]);
  assert.equal(await witnesses.isOnline(), true);
  await peer[Symbol.asyncDispose]();
  assert.equal(await witnesses.isOnline(), false);
});

test("those who come while a question is under way share the next one", async () => {
  await using peer = await tcpPeer(silent);
  const { witnesses } = bench([peer]);
  const ask = (): readonly Promise<boolean>[] =>
    Array.from({ length: 100 }, () => witnesses.isOnline());
  const first = ask();
  await Promise.resolve();
  const answers = await Promise.all([...first, ...ask()]);
  assert.deepEqual(new Set(answers), new Set([true]));
  await drainEventLoop();
  assert.equal(peer.accepted(), 2);
});

test("without addresses there are none", () => {
  assert.equal(bench([]).witnesses.isConfigured, false);
});
