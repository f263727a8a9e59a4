import assert from "node:assert/strict";
import { test } from "node:test";

import {
  digestChannel,
  notifierHarness,
  type Sent,
} from "../../test/harnesses/notifier-harness.ts";

const second = 1000;

test("the first results of 81 checks that are up make few messages where only those are grouped, and a Down goes at once", async () => {
  const sent: (Sent & { readonly at: number })[] = [];
  await using bench = await notifierHarness({
    checks: 83,
    groupWaitMs: 5 * second,
    channel: {
      ...digestChannel((one) => {
        sent.push({ ...one, at: bench.clock.monotonic() });
        return Promise.resolve({ response: "200 OK" });
      }),
      groupedAlerts: "first_ups",
      maxDigestSize: 50,
    },
  });
  const [down, late, ...up] = bench.checks;
  assert.ok(down && late);
  for (const check of up) {
    await bench.flip(undefined, "passing", check);
    if (check === up[40]) await bench.flip(undefined, "failing", down);
    await bench.clock.advance(100);
  }
  const failedAt = bench.clock.monotonic();
  await bench.flip(undefined, "failing", late);
  await bench.until("all are sent", () => sent.length === 83);
  const messages = Map.groupBy(sent, ({ message }) => message);
  const downs = [...messages.values()].filter((some) => some.length === 1 && some[0] !== sent[0]);
  assert.equal(downs.length, 2, "each Down on its own");
  assert.ok(downs.every(([one]) => (one?.at ?? Infinity) <= failedAt + second));
  assert.ok(messages.size <= 7, `${messages.size} messages`);
  assert.ok([...messages.values()].every((some) => some.length <= 50));
  assert.equal(new Set(sent.map(({ alertId }) => alertId)).size, 83, "each once");
});
