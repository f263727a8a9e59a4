import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { loadGlibcTrim, returnMemory } from "./return-memory.ts";

const MB = 1e6;

test("memory is returned while that gives something back, and else looked at again after a while", async () => {
  const clock = fakeClock();
  const stopping = new AbortController();
  let memory = 200 * MB;
  let free = 0;
  let trims = 0;
  const ended = returnMemory({
    clock,
    signal: stopping.signal,
    memory: () => memory,
    loadTrim: async () => () => {
      trims += 1;
      memory -= free;
      free = 0;
    },
  });
  const trimsAfter = async (ms: number): Promise<number> => {
    await clock.advance(ms);
    return trims;
  };
  assert.equal(await trimsAfter(60_000), 0, "a small process has nothing to return");
  memory = 400 * MB;
  free = 50 * MB;
  assert.equal(await trimsAfter(10_000), 1);
  assert.equal(await trimsAfter(10_000), 2, "what gave much back is done again soon");
  assert.equal(await trimsAfter(60_000), 2, "what gave nothing back is not");
  assert.equal(await trimsAfter(60_000), 3);
  stopping.abort();
  await ended;
  assert.equal(memory, 350 * MB);
});

test("a process ends its looks where its allocator returns nothing", async () => {
  const clock = fakeClock();
  const { signal } = new AbortController();
  const ended = returnMemory({
    clock,
    signal,
    memory: () => 400 * MB,
    loadTrim: async () => undefined,
  });
  await clock.advance(10_000);
  await ended;
});

test(
  "the allocator of this system returns memory",
  { skip: process.platform !== "linux" },
  async () => {
    const trim = await loadGlibcTrim();
    // Undefined on musl.
    trim?.();
  },
);
