import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import type { ServiceProblem } from "../../domain/service-problem.ts";
import { silentLog } from "../../kit/log.ts";
import { createProblemWatch } from "./problem-watch.ts";

const mailServer: ServiceProblem = { name: "mail_server", subject: "", found: "no answer" };
const nats: ServiceProblem = { name: "nats", subject: "", found: "no connection" };

function startWatch() {
  const clock = fakeClock();
  const events: string[] = [];
  let found: readonly ServiceProblem[] = [];
  const watch = createProblemWatch({
    examine: async () => found,
    clock,
    log: silentLog,
    opened: ({ name }) => events.push(`${name} opened`),
    ended: ({ name }) => events.push(`${name} ended`),
  });
  const stopping = new AbortController();
  const running = watch.run(stopping.signal);
  return {
    clock,
    events,
    find: (...problems: readonly ServiceProblem[]) => void (found = problems),
    open: () => watch.open().map(({ name }) => name),
    watch,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

test("a problem opens once it has lasted as long as its kind asks for, and begins when it was found first", async () => {
  await using site = startWatch();
  await site.clock.advance(0);
  site.find(mailServer, nats);
  await site.clock.advance(5000);
  const began = site.clock.now();
  assert.deepEqual(site.open(), ["mail_server"]);
  await site.clock.advance(10_000);
  assert.deepEqual(site.open(), ["mail_server"]);
  await site.clock.advance(5000);
  assert.deepEqual(site.open(), ["mail_server", "nats"]);
  assert.deepEqual(
    site.watch.open().map(({ since }) => since),
    [began, began],
  );
  assert.deepEqual(site.events, ["mail_server opened", "nats opened"]);
});

test("a problem that comes and goes is one, and is over after half a minute without it", async () => {
  await using site = startWatch();
  await site.clock.advance(0);
  for (let round = 0; round < 3; round += 1) {
    site.find(mailServer);
    await site.clock.advance(10_000);
    site.find();
    await site.clock.advance(20_000);
  }
  assert.deepEqual(site.events, ["mail_server opened"]);
  await site.clock.advance(15_000);
  assert.deepEqual(site.events, ["mail_server opened", "mail_server ended"]);
  assert.deepEqual(site.open(), []);
});

test("what does not last is no problem", async () => {
  await using site = startWatch();
  site.find(nats);
  await site.clock.advance(10_000);
  site.find();
  await site.clock.advance(60_000);
  assert.deepEqual([site.events, site.open()], [[], []]);
});
