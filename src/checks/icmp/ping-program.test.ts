import assert from "node:assert/strict";
import { test } from "node:test";

import { places } from "../../../test/checks/ping-network.ts";
import { systemClock } from "../../kit/clock.ts";
import { createPingProgram } from "./ping-program.ts";

const { signal } = new AbortController();
const context = { ...systemClock, signal, timeoutMs: 60_000 };

for (const address of places.here) {
  test(`a reply from ${address} took as long as ping says`, async () => {
    const ms = await createPingProgram()(address, context);
    assert.ok(ms > 0 && ms < 1000, `it took ${ms} ms`);
  });
}

test("more pings than run at once wait in the queue", async () => {
  const send = createPingProgram();
  const many = Array.from({ length: 250 }, () => send("127.0.0.1", context));
  for (const ms of await Promise.all(many)) assert.ok(ms > 0);
});

test("a run that ends before its ping was started blames nobody", async () => {
  const over = { ...context, signal: AbortSignal.abort("over") };
  await assert.rejects(createPingProgram()("127.0.0.1", over), {
    code: "unavailable",
    message: "too little time was left for a ping",
  });
});
