import assert from "node:assert/strict";
import { test } from "node:test";

import { aHeartbeat } from "../../../test/harnesses/push-harness.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { HeartbeatStatus } from "../heartbeats.ts";
import { acceptForAll } from "./accept-by-all.ts";

const from = { peer: "192.0.2.1", maySend: () => true };
const copies = ["a", "b", "c"].map((id) => ({ ...aHeartbeat(), id }));

const statusOf = (...statuses: readonly HeartbeatStatus[]): Promise<HeartbeatStatus> => {
  const left = [...statuses];
  return acceptForAll(async () => left.shift() ?? assert.fail(), copies, from);
};

test("the status of a heartbeat to several checks is the best of theirs", async () => {
  assert.equal(await statusOf("disabled", "accepted", "throttled"), "accepted");
  assert.equal(await statusOf("limited", "limited", "unknown"), "limited");
  assert.equal(await statusOf("unknown", "unknown", "unknown"), "unknown");
});

test("a heartbeat that one check could not store is sent again, and the others have it by then", async () => {
  const stored: string[] = [];
  const accepting = acceptForAll(
    async ({ id }) => {
      if (id === "a") throw new Unavailable("the disk is full");
      await new Promise(setImmediate);
      stored.push(id);
      return "accepted";
    },
    copies,
    from,
  );
  await assert.rejects(accepting, /the disk is full/);
  assert.deepEqual(stored, ["b", "c"]);
});
