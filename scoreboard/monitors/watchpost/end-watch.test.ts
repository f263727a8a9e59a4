import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";

import { run, type Program } from "../../../test/e2e/process.ts";
import { createEndWatch } from "./end-watch.ts";

const shell = (script: string): Program => run(tmpdir(), {}, ["sh", "-c", script]);

test("a program that ends by itself is named, and one that is stopped is not", async () => {
  const ends = createEndWatch();
  await using stopped = shell("exec sleep 1000");
  ends.watch("the first", stopped);
  ends.expectEnd(stopped);
  await stopped.kill("SIGKILL");
  assert.equal(ends.ended(), undefined);
  await using failed = shell("exit 3");
  ends.watch("the second", failed);
  await failed.ended;
  assert.equal(ends.ended(), "the second ended with 3");
});
