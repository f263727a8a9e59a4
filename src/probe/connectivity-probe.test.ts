import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../test/time/wait-for.ts";
import { fakeClock, drainEventLoop } from "../../test/time/fake-clock.ts";
import { closedPort, fullPeer, silent, tcpPeer } from "../../test/peers/tcp.ts";
import { createEgress, type EgressMode } from "../kit/net/egress.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createConnectivityProbe, type ConnectivityAddress } from "./connectivity-probe.ts";

function startProbe(addresses: readonly ConnectivityAddress[], mode: EgressMode = "private") {
  const clock = fakeClock();
  const egress = createEgress({ mode, resolver: createResolver() });
  return { clock, probe: createConnectivityProbe(addresses, { egress, clock }) };
}

const host = "127.0.0.1";

test("one address that answers is enough, and nothing is left open", async () => {
  await using peer = await tcpPeer(silent);
  const { clock, probe } = startProbe([{ host, port: await closedPort() }, peer]);
  assert.equal(await probe.isOnline(), true);
  await waitFor("the connection is closed", () => peer.open() === 0);
  assert.equal(clock.pending(), 0);
});

test("where all addresses refuse, the location is offline", async () => {
  const { probe } = startProbe([{ host, port: await closedPort() }]);
  assert.equal(await probe.isOnline(), false);
});

test("an address that does not answer has 1.5 s", async () => {
  await using peer = await fullPeer();
  const { clock, probe } = startProbe([peer]);
  let answer: boolean | undefined;
  void probe.isOnline().then((found) => (answer = found));
  await clock.advance(1499);
  assert.equal(answer, undefined);
  await clock.advance(1);
  await waitFor("nobody has answered", () => answer === false);
});

test("an address that the egress policy refuses does not count", async () => {
  await using peer = await tcpPeer(silent);
  const { probe } = startProbe([peer], "public");
  assert.equal(await probe.isOnline(), false);
  assert.equal(peer.accepted(), 0);
});

test("an earlier check is not taken for one of now", async () => {
  const peer = await tcpPeer(silent);
  const { probe } = startProbe([peer]);
  assert.equal(await probe.isOnline(), true);
  await peer[Symbol.asyncDispose]();
  assert.equal(await probe.isOnline(), false);
});

test("callers during a check share the next one", async () => {
  await using peer = await tcpPeer(silent);
  const { probe } = startProbe([peer]);
  const ask = (): readonly Promise<boolean>[] =>
    Array.from({ length: 100 }, () => probe.isOnline());
  const first = ask();
  await Promise.resolve();
  const answers = await Promise.all([...first, ...ask()]);
  assert.deepEqual(new Set(answers), new Set([true]));
  await drainEventLoop();
  assert.equal(peer.accepted(), 2);
});

test("without addresses nothing is configured", () => {
  assert.equal(startProbe([]).probe.isConfigured, false);
});
