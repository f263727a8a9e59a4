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
  const fetchPage = (port: number, timeoutMs = 5000) =>
    run({
      accountId: "alice",
      type: "HTTP",
      parameters: { target: `http://127.0.0.1:${port}/` },
      tools: ["page"],
      timeoutMs,
    });
  return { clock, stopping, fetchPage };
}

test("no more than four run at once, and each of the others has its turn and its time", async () => {
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

test("the stop of the process ends what is under way", async () => {
  await using peer = await tcpPeer(silent);
  const { stopping, fetchPage } = startRunner();
  const running = fetchPage(peer.port);
  await waitFor("it runs", () => peer.open() === 1);
  stopping.abort();
  assert.match((await running)[0]?.text ?? "", /Timeout waiting for the answer$/);
  await waitFor("nothing is left open", () => peer.open() === 0);
});
