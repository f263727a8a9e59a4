import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { aCheck, alice, aResult, noon } from "../../../../test/record-builders.ts";
import { tempStore } from "../../../../test/stores/temp-store.ts";
import { waitFor } from "../../../../test/time/wait-for.ts";
import { codeOf } from "../../../kit/errors.ts";

/** The threads that are started until the end of the scope. */
function startedThreads(): Disposable & { readonly threads: readonly Worker[] } {
  const threads: Worker[] = [];
  const started = (message: unknown): void => {
    if (typeof message === "object" && message !== null && "worker" in message)
      if (message.worker instanceof Worker) threads.push(message.worker);
  };
  subscribe("worker_threads", started);
  return { threads, [Symbol.dispose]: () => unsubscribe("worker_threads", started) };
}

test("a thread that dies takes nothing along that was acknowledged, and the next one goes on", async () => {
  using started = startedThreads();
  await using store = await tempStore({ hasThread: true });
  const { no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("check"));
  });
  const threadsBefore = started.threads.length;
  const acknowledged: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const writes = Array.from({ length: 50 }, async (_, index) => {
      const startedAt = noon + round * 1000 + index;
      try {
        await store.append(aResult(no, startedAt));
        acknowledged.push(startedAt);
      } catch (error) {
        assert.equal(codeOf(error), "unavailable");
      }
    });
    const dying = started.threads.at(-1);
    await dying?.terminate();
    await Promise.all(writes);
    await waitFor("the next thread commits", () =>
      store.probeWrite().then(
        () => true,
        () => false,
      ),
    );
  }
  assert.equal(started.threads.length, threadsBefore + 5);
  assert.equal(store.writeError(), undefined);
  const pages = await Array.fromAsync(
    store.results.page({ checkNo: no, from: 0, to: noon * 2, limit: 1000, order: "oldest" }),
  );
  const kept = new Set(pages.flat().map(({ startedAt }) => startedAt));
  assert.deepEqual(
    acknowledged.filter((startedAt) => !kept.has(startedAt)),
    [],
  );
});
