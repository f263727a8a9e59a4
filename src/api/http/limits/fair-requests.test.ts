import assert from "node:assert/strict";
import { test } from "node:test";

import { drainEventLoop, fakeClock } from "../../../../test/time/fake-clock.ts";
import { alice, carol } from "../../../../test/record-builders.ts";
import { createFairRequests } from "./fair-requests.ts";
import { isJsonStream, streamArray } from "../responses/json-stream.ts";

const FLOOD = 1000;

function openRequests() {
  const clock = fakeClock();
  return { clock, requests: createFairRequests(clock) };
}

// guard: requests of an account in progress
test("requests of an account that wait leave places to others, and are refused after a while", async () => {
  const site = openRequests();
  let running = 0;
  const { promise: end, resolve } = Promise.withResolvers<object>();
  const flood = Array.from({ length: FLOOD }, () =>
    site.requests
      .run(carol.id, () => {
        running += 1;
        return end;
      })
      .then(
        () => "answered",
        () => "refused",
      ),
  );
  await drainEventLoop();
  assert.equal(running, 128);
  assert.deepEqual(await site.requests.run(alice.id, async () => ({ ok: true })), { ok: true });
  await site.clock.advance(10_000);
  resolve({});
  const ends = await Promise.all(flood);
  assert.equal(ends.filter((one) => one === "refused").length, FLOOD - 128);
});

// guard: pieces of long responses
test("accounts take turns for the pieces of long responses", async () => {
  const site = openRequests();
  const pieces: string[] = [];
  const read = async (accountId: string, pages: number): Promise<void> => {
    const body = await site.requests.run(accountId, async () =>
      streamArray(
        (async function* () {
          for (let page = 0; page < pages; page += 1) {
            pieces.push(accountId);
            yield [page];
          }
        })(),
      ),
    );
    assert.ok(isJsonStream(body));
    let text = "";
    for await (const piece of body) text += piece;
    assert.deepEqual(JSON.parse(text), [...Array.from({ length: pages }).keys()]);
  };
  const many = Array.from({ length: 50 }, () => read(carol.id, 10));
  await drainEventLoop(2);
  const before = pieces.length;
  assert.ok(before < 100, `${before} pieces in two turns of the event loop`);
  await read(alice.id, 5);
  const meanwhile = pieces.length - before;
  assert.ok(meanwhile <= 25, `${meanwhile} pieces for five of them`);
  await Promise.all(many);
});

test("a long response leaves most turns of the event loop to everything else", async () => {
  const site = openRequests();
  let pages = 0;
  const body = await site.requests.run(alice.id, async () =>
    streamArray(
      (async function* () {
        for (; pages < 50; pages += 1) yield [pages];
      })(),
    ),
  );
  assert.ok(isJsonStream(body));
  const reading = Array.fromAsync(body);
  await drainEventLoop(20);
  assert.ok(pages <= 5, `${pages} pieces in 20 turns of the event loop`);
  assert.equal(JSON.parse((await reading).join("")).length, 50);
});

test("a long response that is not read to its end is closed", async () => {
  const site = openRequests();
  let isClosed = false;
  const body = await site.requests.run(alice.id, async () =>
    streamArray(
      (async function* () {
        try {
          for (;;) yield [1];
        } finally {
          isClosed = true;
        }
      })(),
    ),
  );
  assert.ok(isJsonStream(body));
  for await (const piece of body) {
    assert.equal(piece, "[1");
    break;
  }
  assert.equal(isClosed, true);
});
