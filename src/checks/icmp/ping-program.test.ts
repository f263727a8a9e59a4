import assert from "node:assert/strict";
import { test } from "node:test";

import { childrenOf } from "../../../test/child-processes.ts";
import { places } from "../../../test/ping-network.ts";
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

test("a helper that dies is trouble of ours, and the next run has another", async () => {
  const others = new Set(childrenOf(process.pid));
  const send = createPingProgram();
  await send("127.0.0.1", context);
  const helper = childrenOf(process.pid).find((pid) => !others.has(pid)) ?? 0;
  process.kill(helper, "SIGSTOP");
  const running = send("127.0.0.1", context);
  process.kill(helper, "SIGKILL");
  await assert.rejects(running, {
    code: "unavailable",
    message: "the helper that runs ping ended",
  });
  assert.ok((await send("127.0.0.1", context)) > 0);
});

test("who has no time to begin a ping blames nobody", async () => {
  const over = { ...context, signal: AbortSignal.abort("over") };
  await assert.rejects(createPingProgram()("127.0.0.1", over), {
    code: "unavailable",
    message: "too little time was left for a ping",
  });
});
