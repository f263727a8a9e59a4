import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { connect, nkeyAuthenticator, type NatsConnection } from "@nats-io/transport-node";

import {
  ask,
  beatOf,
  controllerAt,
  nam,
  probeAt,
  sealerOf,
} from "../../../test/harnesses/nats-harness.ts";
import { shippedConfiguration } from "../../../test/harnesses/nats-configuration.ts";
import { nats, type Nats } from "../../../test/servers/nats.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { createNatsUser, locationUserLine, serviceUserLine } from "../../cli/nats-user.ts";
import { systemClock, type Clock } from "../../kit/clock.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { MAX_BEATS } from "./discovery.ts";
import { CUT_OFF_MS, MAX_UNASKED } from "./location-link.ts";
import { sealBeat } from "./messages.ts";
import type { NatsBus } from "./nats-bus.ts";

/** Starts a service, an honest probe at `ld`, and an attacker with the credentials of `ny`; those of `sg` are not used yet. */
async function start(clock: Clock = systemClock) {
  await using stack = new AsyncDisposableStack();
  const [service, ny, ld, sg] = [
    createNatsUser(),
    createNatsUser(),
    createNatsUser(),
    createNatsUser(),
  ];
  const server: Nats = stack.use(
    await nats(
      await shippedConfiguration([
        serviceUserLine(service.publicKey),
        locationUserLine("ny", ny.publicKey),
        locationUserLine("ld", ld.publicKey),
        locationUserLine("sg", sg.publicKey),
      ]),
    ),
  );
  const events: [event: string, fields: object | undefined][] = [];
  const note = (event: string, fields?: object): void => void events.push([event, fields]);
  const bus = stack.use(
    controllerAt(server, {
      clock,
      seedText: service.seed,
      log: { ...silentLog, warn: note, error: note },
      meter: { ...noMeter, count: note },
    }),
  );
  stack.use(probeAt(server, { seedText: ld.seed, location: "ld" }));
  const intruder: NatsConnection = stack.use(
    await connect({
      servers: `127.0.0.1:${server.port}`,
      authenticator: nkeyAuthenticator(Buffer.from(ny.seed)),
      reconnect: false,
    }),
  );
  await live(bus, ["ld"]);
  const kept = stack.move();
  return {
    bus,
    server,
    intruder,
    seedOfSg: sg.seed,
    wasNoted: (event: string) => events.some(([name]) => name === event),
    fieldsOf: (event: string) => events.find(([name]) => name === event)?.[1],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function live(bus: NatsBus, codes: readonly string[]): Promise<true> {
  return waitFor(`${codes.join()} live`, () => {
    const found = bus.presence.live().map(({ code }) => code);
    return found.toSorted().join() === codes.join();
  });
}

// Two at a time, because a NATS server refuses clients that a busy machine keeps from authenticating within two seconds.
suite("whoever has the credentials of one location", { concurrency: 2 }, () => {
  // guard: regions of locations
  test("cannot be in another region: what says so is not believed, and no job of that region is sent to it", async () => {
    await using site = await start();
    const { bus, intruder } = site;
    const received: string[] = [];
    intruder.subscribe("job.ny.*", {
      queue: "probe",
      callback: (_, { subject }) => void received.push(subject),
    });
    const claim = { generation: 1, region: "eur" } as const;
    const own = sealerOf("ny", nam);
    const beat = { instance: "one", versions: [1], types: ["PORT"], leaving: false };
    const claims: (Uint8Array | string)[] = [
      JSON.stringify({ ...beat, generation: 1, region: "eur" }),
      sealBeat(beat, "ny", { key: claim, sealer: own }),
      sealBeat(beat, "ny", { key: { ...claim, generation: 2 }, sealer: own }),
      sealBeat(beat, "ny", { key: { ...claim, region: undefined }, sealer: own }),
      sealBeat(beat, "ld", { key: nam, sealer: own }),
    ];
    for (const each of claims) intruder.publish("presence.at.ny", each);
    await intruder.flush();
    await waitFor("it is refused", () => site.wasNoted("bus.beat_refused"));
    assert.deepEqual(bus.presence.live(), [{ code: "ld", region: "nam", version: "1.2.3" }]);

    intruder.publish("presence.at.ny", beatOf("ny"));
    await live(bus, ["ld", "ny"]);
    for (const each of claims) intruder.publish("presence.at.ny", each);
    await intruder.flush();
    void ask(bus, "ny");
    await waitFor("it gets a job of its own region", () => received.includes("job.ny.v1-1-nam"));
    assert.deepEqual(bus.presence.live().find(({ code }) => code === "ny")?.region, "nam");
    // The test of its key is sealed with the other key, which it does not have.
    assert.ok(received.every((subject) => !subject.startsWith("job.ld")));
  });

  test("has few probes, however many it names", async () => {
    await using site = await start();
    const { bus, intruder } = site;
    for (let no = 0; no < 500; no += 1)
      intruder.publish("presence.at.ny", beatOf("ny", { instance: `probe ${no}` }));
    await live(bus, ["ld", "ny"]);
    for (let no = 0; no < 500; no += 1)
      intruder.publish("presence.at.ny", beatOf("ny", { instance: `another ${no}` }));
    await waitFor("those beyond are refused", () => site.wasNoted("bus.probe_refused"));
    assert.deepEqual(site.fieldsOf("bus.probe_refused"), { location: "ny" });
    assert.ok("outcome" in (await ask(bus, "ld")));
  });

  // guard: messages of unknown locations
  test("delays the search for new locations alone where none of its keys is good", async () => {
    await using site = await start();
    const { bus, intruder } = site;
    await waitFor("the search rests", async () => {
      for (let no = 0; no < 2 * MAX_BEATS; no += 1) intruder.publish("presence.at.ny", "junk");
      await intruder.flush();
      return site.wasNoted("bus.discovery_rest");
    });
    assert.ok("outcome" in (await ask(bus, "ld")));
    assert.deepEqual(bus.presence.live(), [{ code: "ld", region: "nam", version: "1.2.3" }]);
    assert.ok(bus.isConnected());
  });

  test("hides no location that is expected, however long the search for new ones rests", async () => {
    // The clock is stopped, and with it everything else.
    await using site = await start(fakeClock());
    const { bus, server, intruder, seedOfSg } = site;
    await waitFor("the search rests", async () => {
      for (let no = 0; no < 2 * MAX_BEATS; no += 1) intruder.publish("presence.at.ny", "junk");
      await intruder.flush();
      return site.wasNoted("bus.discovery_rest");
    });
    bus.expect([{ code: "sg", region: "nam" }]);
    await using _ = probeAt(server, { seedText: seedOfSg, location: "sg" });
    await live(bus, ["ld", "sg"]);
    assert.ok("outcome" in (await ask(bus, "sg")));
  });

  test("is heard again half a minute after it was cut off", async () => {
    const clock = fakeClock();
    await using site = await start(clock);
    const { bus, intruder } = site;
    intruder.publish("presence.at.ny", beatOf("ny"));
    await live(bus, ["ld", "ny"]);
    for (let no = 0; no <= MAX_UNASKED; no += 1) intruder.publish("presence.at.ny", "junk");
    await waitFor("it is cut off", () => bus.presence.troubles().length > 0);
    await clock.advance(CUT_OFF_MS - 1);
    assert.equal(bus.presence.troubles().length, 1);
    await clock.advance(1);
    await waitFor("it is live again", () => {
      intruder.publish("presence.at.ny", beatOf("ny"));
      return bus.presence.live().some(({ code }) => code === "ny");
    });
    assert.deepEqual(bus.presence.troubles(), []);
  });

  for (const [what, subject, junk] of [
    ["beats of new probes", "presence.at.ny", (no: number) => beatOf("ny", { instance: `${no}` })],
    ["junk as presence", "presence.at.ny", () => Buffer.alloc(20_000, "junk")],
    ["junk as replies", "reply.ny.c.any.1", () => Buffer.alloc(20_000, "junk")],
    [
      "beats of a key that there is not",
      "presence.at.ny",
      (no: number) => `${no + 1}-eur\n${"x".repeat(99)}`,
    ],
  ] as const) {
    // guard: messages of a location
    test(`is cut off for a while by a flood of ${what}, and no other location loses a job`, async () => {
      await using site = await start();
      const { bus, intruder } = site;
      intruder.publish("presence.at.ny", beatOf("ny"));
      await live(bus, ["ld", "ny"]);
      // The subject of its replies is in each job.
      const asked: string[] = [];
      intruder.subscribe("job.ny.*", {
        queue: "probe",
        callback: (_, { reply }) => void asked.push(reply ?? ""),
      });
      await intruder.flush();
      const own = ask(bus, "ny");
      await waitFor("it has a job", () => asked.length > 0);
      const prepared = Array.from({ length: 100 }, (_, no) => junk(no));
      const reports = [];
      for (let round = 0; round < 100; round += 1) {
        for (const each of prepared)
          intruder.publish(subject.startsWith("reply") ? (asked[0] ?? "") : subject, each);
        await intruder.flush();
        if (round % 5 === 0) reports.push(ask(bus, "ld"));
      }
      await waitFor("it is cut off", () => site.wasNoted("bus.location_cut_off"));
      assert.ok(100 * 100 > MAX_UNASKED);
      assert.deepEqual(
        (await Promise.all(reports)).filter((report) => "error" in report),
        [],
      );
      const report = await own;
      assert.ok("error" in report);
      assert.match(report.message, /sends too much, and is cut off for 30 s|cannot be read/);
      const again = await ask(bus, "ny");
      assert.match("error" in again ? again.message : "", /location ny sends too much/);
      await live(bus, ["ld"]);
      assert.deepEqual(
        bus.presence.gone().map(({ code }) => code),
        ["ny"],
      );
      assert.deepEqual(bus.presence.troubles(), [
        "location ny sends too much, and is cut off: it runs no checks",
      ]);
      assert.ok(bus.isConnected());
    });
  }
});
