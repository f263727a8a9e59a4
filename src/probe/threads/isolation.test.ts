import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createIsolation } from "./isolation.ts";
import type { ProbeThread } from "./probe-thread.ts";
import type { ThreadReply } from "./protocol.ts";

const minute = 60_000;
const request = {
  kind: "job",
  location: "ld",
  job: { id: "a", checkId: "a", accountId: "a", type: "PING", parameters: {}, timeoutMs: 1000 },
} as const;

const findings: ThreadReply = { kind: "findings", findings: [] };

function isolationOf(reply: ThreadReply | undefined) {
  const clock = fakeClock();
  let released = 0;
  const thread: ProbeThread = {
    request: () => Promise.resolve(reply),
    isReady: () => true,
    stop() {},
    close: () => Promise.resolve(),
  };
  const supply = {
    take: () => thread,
    async release() {
      released += 1;
    },
  };
  return { clock, released: () => released, ...createIsolation(supply, clock) };
}

test("a thread goes once nothing ran in it for a minute, and no sooner", async () => {
  const { clock, released, run } = isolationOf(findings);
  await run(request, minute);
  await clock.advance(0.9 * minute);
  await run(request, minute);
  await clock.advance(0.9 * minute);
  assert.equal(released(), 0);
  await clock.advance(0.1 * minute);
  assert.equal(released(), 1);
});

test("what waited for too long to be run does not shorten the time of the thread", async () => {
  const { clock, released, run } = isolationOf(findings);
  await run(request, minute);
  await clock.advance(0.5 * minute);
  assert.equal(await run(request, 0), "expired");
  await clock.advance(0.5 * minute);
  assert.equal(released(), 0);
  await clock.advance(0.5 * minute);
  assert.equal(released(), 1);
});

test("nothing is awaited after the end of the thread, and after the close", async () => {
  const ended = isolationOf(undefined);
  assert.equal(await ended.run(request, minute), undefined);
  assert.equal(ended.clock.pending(), 0);
  const { clock, run, close } = isolationOf(findings);
  await run(request, minute);
  close();
  assert.equal(clock.pending(), 0);
});
