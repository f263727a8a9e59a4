import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { listen } from "../../../test/peers/tcp.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { stepUntil } from "../../../test/time/wait-for.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { createDeadMansSwitch } from "./dead-mans-switch.ts";

async function startSwitch(answer: { status: number; date?: string }) {
  const clock = fakeClock();
  const requests: string[] = [];
  let blockedBy: string | undefined;
  const outside = await listen(
    createServer((request, response) => {
      requests.push(request.url ?? "");
      response.sendDate = false;
      response.setHeader("date", answer.date ?? new Date(clock.now()).toUTCString());
      response.writeHead(answer.status).end("OK");
    }),
  );
  const deadMansSwitch = createDeadMansSwitch({
    url: new Secret(`http://127.0.0.1:${outside.port}/ping/key`),
    blockedBy: () => blockedBy,
    clock,
  });
  const stopping = new AbortController();
  const running = deadMansSwitch.run(stopping.signal);
  return {
    clock,
    requests,
    deadMansSwitch,
    until: (what: string, stepMs: number, look: () => boolean) =>
      stepUntil(what, async () => {
        await clock.advance(stepMs);
        return look();
      }),
    block: (reason: string | undefined) => void (blockedBy = reason),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      await outside[Symbol.asyncDispose]();
    },
  };
}

test("the URL is requested every minute while nothing critical is wrong", async () => {
  await using site = await startSwitch({ status: 200 });
  const { clock, requests, until } = site;
  await until("the first request", 1000, () => requests.length === 1);
  await until("the next one", 10_000, () => requests.length === 2);
  site.block("the mail server refuses");
  await clock.advance(300_000);
  assert.equal(requests.length, 2);
  site.block(undefined);
  await until("one after the problem", 10_000, () => requests.length === 3);
  assert.deepEqual(new Set(requests), new Set(["/ping/key"]));
  assert.equal(site.deadMansSwitch.failure(), undefined);
});

test("a process that restarts before it can know that all is well sends no request", async () => {
  for (let restart = 0; restart < 3; restart += 1) {
    await using site = await startSwitch({ status: 200 });
    await site.clock.advance(39_000);
    assert.deepEqual(site.requests, []);
  }
});

test("a problem that is found at the start keeps the first request back", async () => {
  await using site = await startSwitch({ status: 200 });
  site.block("the mail server refuses");
  await site.clock.advance(120_000);
  assert.deepEqual(site.requests, []);
});

test("a refusal is tried three times a minute, and named without the URL", async () => {
  await using site = await startSwitch({ status: 500 });
  const { until } = site;
  await until("three attempts", 1000, () => site.requests.length === 3);
  await until("the failure", 1, () => site.deadMansSwitch.failure() !== undefined);
  assert.equal(site.deadMansSwitch.failure(), "it answered with status 500");
});

test("the Date of the answer shows that the clock is off", async () => {
  const date = new Date(Date.UTC(2026, 0, 5, 11, 59, 40)).toUTCString();
  await using site = await startSwitch({ status: 200, date });
  const { until } = site;
  await until("an answer", 1000, () => site.deadMansSwitch.clockAheadMs() > 0);
  const aheadMs = site.deadMansSwitch.clockAheadMs();
  assert.ok(aheadMs >= 58_000 && aheadMs <= 60_000, String(aheadMs));
});
