import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { hashPassword, verifyPassword } from "./password.ts";
import { hashInThread, PASSWORD_THREADS, verifyInThread } from "./password-threads.ts";

test("threads hash and verify as the main thread does, several at a time", async () => {
  const stored = hashPassword("correct horse");
  const wanted = Array.from({ length: PASSWORD_THREADS + 1 }, (_, index) => index % 2 === 0);
  const found = await Promise.all(
    wanted.map((isRight) => verifyInThread(isRight ? "correct horse" : "wrong", stored)),
  );
  assert.deepEqual(found, wanted);
  assert.equal(verifyPassword("battery", await hashInThread("battery")), true);
});

test("the event loop and libuv's threads are free while all threads hash", async () => {
  const jobs = Array.from({ length: 2 * PASSWORD_THREADS }, () => hashInThread("x"));
  let ended = 0;
  for (const job of jobs) void job.then(() => (ended += 1));
  for (let reads = 0; reads < 20; reads += 1) await readFile(import.meta.filename);
  assert.ok(ended < jobs.length, "reads of files wait for no password");
  await Promise.all(jobs);
});
