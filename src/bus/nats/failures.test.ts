import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { connect, nkeyAuthenticator } from "@nats-io/transport-node";

import { ask, controllerAt, probeAt, up } from "../../../test/harnesses/nats-harness.ts";
import { shippedConfiguration } from "../../../test/harnesses/nats-configuration.ts";
import { closedPort } from "../../../test/peers/tcp.ts";
import { nats } from "../../../test/servers/nats.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { createNatsUser, locationUserLine, serviceUserLine } from "../../cli/nats-user.ts";
import type { Report } from "../bus.ts";
import type { NatsBus } from "./nats-bus.ts";

/** A probe whose jobs are under way until it is closed. */
function heldProbe(...[server, options]: Parameters<typeof probeAt>): ReturnType<typeof probeAt> {
  const end = Promise.withResolvers<Report>();
  const probe = probeAt(server, { ...options, handlers: { runJob: () => end.promise } });
  return {
    ...probe,
    [Symbol.asyncDispose]() {
      end.resolve(up);
      return probe.close();
    },
  };
}

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

// Each of them waits for timers of seconds, and for nothing else.
suite("what fails between a service and its probes", { concurrency: true }, () => {
  test("a frozen server ends every request without an outcome, and goes on where it stopped", async () => {
    await using server = await nats();
    await using bus = controllerAt(server);
    let runs = 0;
    const runJob = async (): Promise<Report> => {
      runs += 1;
      return up;
    };
    await using probe = probeAt(server, { handlers: { runJob } });
    await using _ld = heldProbe(server, { location: "ld" });
    await live(bus, ["ld", "ny"]);
    const inFlight = ask(bus, "ld");
    await server.freeze();
    const sent = ask(bus, "ny");
    const errors = (await Promise.all([inFlight, sent])).map(
      (report) => "error" in report && report.error,
    );
    assert.deepEqual(errors, ["unanswered", "unanswered"]);
    await waitFor("both see it", () => !bus.isConnected() && !probe.isConnected());
    // Each location has a connection of its own, which sees it by itself.
    await waitFor("the connection to the location sees it", async () => {
      const refused = await ask(bus, "ny");
      return "error" in refused && refused.error === "no_broker";
    });
    server.signal("SIGCONT");
    await live(bus, ["ld", "ny"]);
    const before = runs;
    assert.ok("outcome" in (await ask(bus, "ny")));
    assert.equal(runs, before + 1);
  });

  test("a frozen leaf node ends the requests to its locations, while others go on", async () => {
    const leafPort = await closedPort();
    await using hub = await nats(`leafnodes { listen: "127.0.0.1:${leafPort}" }`, {
      ports: [leafPort],
    });
    await using leaf = await nats(
      `leafnodes { remotes: [ { url: "nats-leaf://127.0.0.1:${leafPort}" } ] }`,
    );
    await using bus = controllerAt(hub);
    await using _ny = probeAt(hub);
    await using _sg = heldProbe(leaf, { location: "sg" });
    await live(bus, ["ny", "sg"]);
    const inFlight = ask(bus, "sg");
    await leaf.freeze();
    const report = await inFlight;
    assert.equal("error" in report && report.error, "unanswered");
    assert.deepEqual(
      bus.presence.live().map(({ code }) => code),
      ["ny"],
    );
    assert.ok("outcome" in (await ask(bus, "ny")));
    leaf.signal("SIGCONT");
    await live(bus, ["ny", "sg"]);
  });

  test("a user that is taken from the configuration is out at once, and the others stay", async () => {
    const service = createNatsUser();
    const [ny, ld] = [createNatsUser(), createNatsUser()];
    const [serviceLine, nyLine, ldLine] = [
      serviceUserLine(service.publicKey),
      locationUserLine("ny", ny.publicKey),
      locationUserLine("ld", ld.publicKey),
    ];
    await using server = await nats(await shippedConfiguration([serviceLine, nyLine, ldLine]));
    await using bus = controllerAt(server, { seedText: service.seed });
    await using revoked = heldProbe(server, { seedText: ny.seed });
    await using stays = probeAt(server, { seedText: ld.seed, location: "ld" });
    await live(bus, ["ld", "ny"]);
    const changes: boolean[] = [];
    const inFlight = ask(bus, "ny");
    await server.reload(await shippedConfiguration([serviceLine, ldLine]));
    await waitFor("it is out", () => {
      changes.push(bus.isConnected(), stays.isConnected());
      return !revoked.isConnected();
    });
    const report = await inFlight;
    assert.equal("error" in report && report.error, "unanswered");
    assert.ok("outcome" in (await ask(bus, "ld")));
    assert.ok(changes.every(Boolean), "nobody else was disconnected");
    await assert.rejects(
      connect({
        servers: `127.0.0.1:${server.port}`,
        authenticator: nkeyAuthenticator(Buffer.from(ny.seed)),
        reconnect: false,
      }),
      /authorization violation/i,
    );
    await server.reload(await shippedConfiguration([serviceLine, nyLine, ldLine]));
    await waitFor("it is back, once it is let in again", revoked.isConnected);
  });

  test("every job is answered while probes are stopped and started again under load", async () => {
    await using server = await nats();
    await using bus = controllerAt(server);
    const runJob = async (): Promise<Report> => {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return up;
    };
    await using stack = new AsyncDisposableStack();
    const startProbe = (type: string) =>
      stack.use(probeAt(server, { handlers: { runJob }, types: [type] }));
    let current = startProbe("0");
    await live(bus, ["ny"]);
    const reports: Promise<Report>[] = [];
    let isLoaded = true;
    const load = (async () => {
      while (isLoaded) {
        for (let job = 0; job < 10; job += 1) reports.push(ask(bus, "ny"));
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    })();
    for (let restart = 0; restart < 4; restart += 1) {
      const next = startProbe(`${restart + 1}`);
      // The server may pass on the end of one before the start of another, who is on a connection of its own.
      await waitFor("both are live", () => bus.presence.live(`${restart}`).length === 0);
      await current.close();
      current = next;
    }
    isLoaded = false;
    await load;
    const unanswered = (await Promise.all(reports)).filter((report) => "error" in report);
    assert.deepEqual([unanswered, reports.length > 100], [[], true]);
  });
});
