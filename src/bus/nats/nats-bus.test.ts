import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { connect, type NatsConnection } from "@nats-io/transport-node";

import { createScriptedHandlers } from "../../../test/contracts/bus.ts";
import {
  ask,
  beatOf,
  controllerAt,
  keyOf,
  nam,
  probeAt,
  sealerOf,
  up,
} from "../../../test/harnesses/nats-harness.ts";
import { closedPort } from "../../../test/peers/tcp.ts";
import { nats, type Nats } from "../../../test/servers/nats.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { failed } from "../../domain/run/outcome.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { hints, type Report } from "../bus.ts";
import { MAX_LOCATIONS } from "./location-links.ts";
import type { NatsBus } from "./nats-bus.ts";

let server: Nats;
before(async () => {
  server = await nats();
});
after(() => server[Symbol.asyncDispose]());

function live(bus: NatsBus, codes: readonly string[]): Promise<true> {
  return waitFor(`${codes.join()} live`, () => {
    const found = bus.presence.live();
    const isReached = found.every(({ isAway }) => isAway !== true);
    return (
      isReached &&
      found
        .map(({ code }) => code)
        .toSorted()
        .join() === codes.join()
    );
  });
}

/** Sends a beat of a location every 100 ms until the bus has received one, because its subscription may be younger than the first. */
async function beatUntilLive(client: NatsConnection, bus: NatsBus, code: string): Promise<void> {
  const beating = setInterval(() => client.publish(`presence.at.${code}`, beatOf(code)), 100);
  try {
    await live(bus, [code]);
  } finally {
    clearInterval(beating);
  }
  await client.flush();
}

test("a location that is expected is neither live nor gone before it is heard, and one that is no longer expected is found as any other", async () => {
  await using bus = controllerAt(server);
  bus.expect([{ code: "ny", region: "nam" }]);
  assert.deepEqual([bus.presence.live(), bus.presence.gone()], [[], []]);
  bus.expect([]);
  await using _ = probeAt(server);
  await live(bus, ["ny"]);
  bus.expect([]);
  assert.ok("outcome" in (await ask(bus, "ny")));
});

test("there is a connection for so many locations, and one more is refused with a word", async () => {
  const logged: unknown[] = [];
  const log = {
    ...silentLog,
    error: (event: string, fields?: object) => void logged.push(event, fields),
  };
  // The port is closed, so that no server has to accept so many connections.
  await using bus = controllerAt({ port: await closedPort() }, { log });
  bus.expect(
    Array.from({ length: MAX_LOCATIONS + 1 }, (_, no) => ({ code: `l${no}`, region: "nam" })),
  );
  assert.deepEqual(logged, [
    "bus.too_many_locations",
    { location: `l${MAX_LOCATIONS}`, most: MAX_LOCATIONS },
  ]);
});

test("the probes of a location share its jobs, and each job is run once", async () => {
  await using bus = controllerAt(server);
  const runs: number[] = [];
  const handlersOf = (probe: number) => ({
    async runJob() {
      runs.push(probe);
      return up;
    },
  });
  await using one = probeAt(server, { handlers: handlersOf(1) });
  await using two = probeAt(server, { handlers: handlersOf(2) });
  await waitFor("both are connected", () => one.isConnected() && two.isConnected());
  await live(bus, ["ny"]);
  const reports = await Promise.all(Array.from({ length: 200 }, () => ask(bus, "ny")));
  assert.ok(reports.every((report) => "outcome" in report));
  assert.deepEqual([runs.length, new Set(runs).size], [200, 2]);
});

test("a probe that stops answers every job that it has taken, and the next one takes the others", async () => {
  await using bus = controllerAt(server);
  const handlers = {
    async runJob(): Promise<Report> {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return up;
    },
  };
  await using first = probeAt(server, { handlers });
  await live(bus, ["ny"]);
  const asked: Promise<Report>[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (let job = 0; job < 50; job += 1) asked.push(ask(bus, "ny"));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await using second = probeAt(server, { handlers });
  await waitFor("the second is connected", second.isConnected);
  const stopped = first.close();
  for (let job = 0; job < 50; job += 1) asked.push(ask(bus, "ny"));
  await stopped;
  const reports = await Promise.all(asked);
  assert.deepEqual(
    reports.filter((report) => "error" in report),
    [],
  );
});

test("a location whose jobs nobody takes is not live at once, and what waits for it ends", async () => {
  const counted: string[] = [];
  const meter = { ...noMeter, count: (event: string) => void counted.push(event) };
  await using bus = controllerAt(server, { meter });
  await using client = await connect({ servers: `127.0.0.1:${server.port}` });
  await beatUntilLive(client, bus, "sg");
  const expected = { error: "unanswered", message: "location sg did not answer" };
  assert.deepEqual(await Promise.all([ask(bus, "sg"), ask(bus, "sg")]), [expected, expected]);
  assert.deepEqual(bus.presence.live(), []);
  assert.ok(counted.includes("bus.no_responders"));
});

test("without its server every request fails at once, and none is sent later", async () => {
  const port = await closedPort();
  const own = await nats("", { port });
  let runs = 0;
  const scripted = createScriptedHandlers();
  const handlers = {
    runJob(job: Parameters<typeof scripted.runJob>[0]) {
      runs += 1;
      return scripted.runJob(job);
    },
  };
  await using bus = controllerAt({ port });
  await using probe = probeAt({ port }, { handlers });
  await live(bus, ["ny"]);
  const inFlight = ask(bus, "ny", { type: "hold" });
  await waitFor("the job has arrived", () => runs === 1);
  await own[Symbol.asyncDispose]();
  const expected = {
    error: "no_broker",
    message: "there is no connection to the NATS server",
  };
  assert.deepEqual(await inFlight, expected);
  assert.deepEqual(await ask(bus, "ny"), expected);
  assert.deepEqual(bus.presence.live(), [
    { code: "ny", region: "nam", version: "1.2.3", isAway: true },
  ]);
  await waitFor("it says so", () => !bus.isConnected());
  assert.match(bus.presence.troubles().join(), /^there is no connection to the NATS server/);
  await assert.rejects(
    bus.diagnostics.request(
      "ny",
      { accountId: "alice", type: "pass", parameters: {}, timeoutMs: 1000 },
      { timeoutMs: 1000 },
    ),
    { code: "unavailable" },
  );
  await using _again = await nats("", { port });
  await waitFor("both are back", () => bus.isConnected() && probe.isConnected());
  await live(bus, ["ny"]);
  assert.ok("outcome" in (await ask(bus, "ny")));
  assert.equal(runs, 2);
  await ask(bus, "ny", { type: "release" });
});

test("a server that is not there yet is tried again, and the bus starts without it", async () => {
  const port = await closedPort();
  await using bus = controllerAt({ port });
  const report = await ask(bus, "ny");
  assert.deepEqual([bus.isConnected(), "error" in report && report.error], [false, "no_broker"]);
  await using _own = await nats("", { port });
  await waitFor("it is connected", bus.isConnected);
});

test("a hint reaches the other processes, and its own once", async () => {
  await using here = controllerAt(server);
  await using there = controllerAt(server);
  const buses = [here, there];
  await waitFor("both are connected", () => buses.every((bus) => bus.isConnected()));
  const received: string[][] = [[], []];
  for (const [index, bus] of buses.entries())
    for (const hint of hints) bus.hints.subscribe(hint, () => received[index]?.push(hint));
  for (const hint of hints) here.hints.publish(hint);
  await waitFor("the other has both", () => received[1]?.length === hints.length);
  assert.deepEqual(received, [hints, hints]);
});

test("whoever subscribes to all subjects learns nothing of what is asked and answered", async () => {
  await using spy = await connect({ servers: `127.0.0.1:${server.port}` });
  const received: string[] = [];
  spy.subscribe(">", {
    callback: (_, { subject, data }) =>
      void received.push(`${subject} ${Buffer.from(data).toString("latin1")}`),
  });
  await spy.flush();
  await using bus = controllerAt(server);
  await using _probe = probeAt(server);
  await live(bus, ["ny"]);
  const report = await ask(bus, "ny", { parameters: { password: "the secret of Alice" } });
  assert.ok("outcome" in report);
  await waitFor("all of it is received", () => received.some((each) => each.startsWith("reply.")));
  assert.ok(received.some((each) => each.startsWith("job.ny.v1-1-nam ")));
  assert.ok(received.every((each) => !/secret|Alice|alice|Connected/.test(each)));
});

test("a probe with the key of another installation gets no job, and ends with a sentence", async () => {
  const logged: string[] = [];
  const log = {
    ...silentLog,
    warn: (event: string) => void logged.push(event),
    error: (event: string) => void logged.push(event),
  };
  await using bus = controllerAt(server, { log });
  const refused = Promise.withResolvers<string>();
  await using _probe = probeAt(server, { log, key: keyOf("ld", nam), refused: refused.resolve });
  assert.match(await refused.promise, /^the jobs of this location are sealed with another key/);
  assert.deepEqual(bus.presence.live(), []);
  assert.deepEqual([...new Set(logged)], ["bus.beat_refused", "bus.unreadable_job"]);
});

test("a new generation of a location's key takes the jobs over", async () => {
  await using bus = controllerAt(server);
  const handlersThat = (message: string) => ({
    async runJob(): Promise<Report> {
      return { error: "busy", message };
    },
  });
  await using _first = probeAt(server, { handlers: handlersThat("first") });
  await live(bus, ["ny"]);
  assert.deepEqual(await ask(bus, "ny"), { error: "busy", message: "first" });
  await using _second = probeAt(server, {
    key: keyOf("ny", { ...nam, generation: 2 }),
    handlers: handlersThat("second"),
  });
  await waitFor("the second takes jobs", async () => {
    const report = await ask(bus, "ny");
    return "error" in report && report.message === "second";
  });
});

test("a reply that is none is our own trouble", async () => {
  await using bus = controllerAt(server);
  await using client = await connect({ servers: `127.0.0.1:${server.port}` });
  client.subscribe("job.ny.*", {
    callback: (_, asked) => {
      const context = `answer ${asked.reply}`;
      const answer = { kind: "report", report: { outcome: { passed: "perhaps" } } };
      asked.respond(sealerOf("ny", nam).seal(JSON.stringify(answer), context));
    },
  });
  client.publish("presence.at.ny", "no beat");
  await beatUntilLive(client, bus, "ny");
  const report = await ask(bus, "ny");
  assert.equal("error" in report && report.error, "internal_error");
});

test("a job that is too large for a message is our own trouble, with a reason of its own", async () => {
  await using bus = controllerAt(server);
  await using _probe = probeAt(server);
  await live(bus, ["ny"]);
  const report = await ask(bus, "ny", { parameters: { content: "x".repeat(256 * 1024) } });
  assert.ok("error" in report);
  assert.equal(report.error, "too_large");
  assert.match(report.message, /^the job has 262\d{3} bytes, more than the 262144 that may be/);
});

test("a reply that is too large for a message is the probe's trouble", async () => {
  await using bus = controllerAt(server);
  const message = "x".repeat(512 * 1024);
  const handlers = {
    runJob: (): Promise<Report> =>
      Promise.resolve({ ...up, outcome: failed("protocol", "error", message) }),
  };
  await using _probe = probeAt(server, { handlers });
  await live(bus, ["ny"]);
  const report = await ask(bus, "ny");
  assert.ok("error" in report);
  assert.match(report.message, /^the reply has 524\d{3} bytes/);
});
