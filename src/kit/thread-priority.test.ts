import assert from "node:assert/strict";
import { once } from "node:events";
import { getPriority } from "node:os";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const thread = `
  import { getPriority } from "node:os";
  import { parentPort } from "node:worker_threads";
  import { lowerThreadPriority } from ${JSON.stringify(new URL("thread-priority.ts", import.meta.url).href)};
  lowerThreadPriority(5);
  const lowered = getPriority();
  lowerThreadPriority(100);
  parentPort.postMessage([lowered, getPriority()]);
`;

test("a thread of Linux lowers its own priority alone, and never below the lowest; others keep theirs", async () => {
  const before = getPriority();
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(thread)}`));
  const [[lowered, lowest]] = await once(worker, "message");
  const expected = process.platform === "linux" ? [Math.min(before + 5, 19), 19] : [before, before];
  assert.deepEqual([lowered, lowest], expected);
  assert.equal(getPriority(), before);
});
