import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, connect } from "node:net";
import { platform } from "node:os";
import { test } from "node:test";

import { portOf } from "../../../test/peers/tcp.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { longestAcceptQueue, watchAcceptQueue } from "./accept-queue.ts";

// guard: connections that wait to be accepted
test("connections that wait to be accepted for more than a second are an interruption", async () => {
  const clock = fakeClock();
  let [queue, turns, failures] = [0, 0, 0];
  const stopping = new AbortController();
  const failed = (): void => void (failures += 1);
  const watching = watchAcceptQueue(
    { clock, failed, longestQueue: () => queue, turns: () => turns },
    stopping.signal,
  );
  const look = async (length: number, turnsMeanwhile: number): Promise<number> => {
    queue = length;
    turns += turnsMeanwhile;
    failures = 0;
    await clock.advance(500);
    return failures;
  };
  assert.equal(await look(40, 25), 0);
  assert.equal(await look(50, 25), 1);
  assert.equal(await look(300, 1000), 0);
  assert.equal(await look(2, 0), 1);
  assert.equal(await look(0, 0), 0);
  stopping.abort();
  await clock.advance(500);
  await watching;
});

test("the system says how many connections wait to be accepted", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = { host: "127.0.0.1", port: portOf(server) };
  const clients = Array.from({ length: 3 }, () => connect(place));
  // They are connected then, and nothing was accepted yet.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const waiting = longestAcceptQueue(place)();
  for (const client of clients) client.destroy();
  server.close();
  assert.equal(waiting, platform() === "linux" ? 3 : 0);
});
