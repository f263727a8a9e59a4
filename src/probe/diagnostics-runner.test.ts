import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../test/time/wait-for.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { silent, tcpPeer } from "../../test/peers/tcp.ts";
import { createEgress } from "../kit/net/egress.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createDiagnosticsRunner } from "./diagnostics-runner.ts";

function startRunner() {
  const clock = fakeClock();
  const stopping = new AbortController();
  const egress = createEgress({ mode: "private", resolver: createResolver() });
  const run = createDiagnosticsRunner({ egress, clock, stopping: stopping.signal });
  const fetchPage = (port: number, accountId = "alice", timeoutMs = 5000) =>
    run({
      accountId,
      type: "HTTP",
      parameters: { target: `http://127.0.0.1:${port}/` },
      tools: ["page"],
      timeoutMs,
    });
  return { clock, stopping, fetchPage };
}

test("no more than four of an account run at once, and each of the others has its turn and its time", async () => {
  await using peer = await tcpPeer(silent);
  const { clock, fetchPage } = startRunner();
  const all = Promise.all(Array.from({ length: 6 }, () => fetchPage(peer.port)));
  await waitFor("four run", () => peer.open() === 4);
  await clock.advance(4999);
  assert.equal(peer.accepted(), 4);
  await clock.advance(1);
  await waitFor("the others run", () => peer.accepted() === 6);
  await clock.advance(5000);
  const texts = (await all).map(([finding]) => finding?.text.split("\n").at(-1));
  assert.deepEqual(new Set(texts), new Set(["Timeout waiting for the answer"]));
  await waitFor("nothing is left open", () => peer.open() === 0);
  assert.equal(clock.pending(), 0);
});

test("those of another account do not wait for many that are before them", async () => {
  await using peer = await tcpPeer(silent);
  const { clock, stopping, fetchPage } = startRunner();
  const many = Array.from({ length: 20 }, () => fetchPage(peer.port));
  await waitFor("four run", () => peer.open() === 4);
  const other = fetchPage(peer.port, "bob");
  await waitFor("that of the other account runs", () => peer.open() === 5);
  await clock.advance(5000);
  await other;
  stopping.abort();
  await Promise.all(many);
});

test("the stop of the process ends what is under way", async () => {
  await using peer = await tcpPeer(silent);
  const { stopping, fetchPage } = startRunner();
  const running = fetchPage(peer.port);
  await waitFor("it runs", () => peer.open() === 1);
  stopping.abort();
  assert.match((await running)[0]?.text ?? "", /Timeout waiting for the answer$/);
  await waitFor("nothing is left open", () => peer.open() === 0);
});
