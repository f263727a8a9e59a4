import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { connect, nkeyAuthenticator, type NatsConnection } from "@nats-io/transport-node";

import { ask, beatOf, controllerAt, probeAt } from "../../../test/harnesses/nats-harness.ts";
import { shippedHub, shippedLeaf } from "../../../test/harnesses/nats-configuration.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import { closedPort } from "../../../test/peers/tcp.ts";
import { nats, type Nats } from "../../../test/servers/nats.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { createNatsUser, locationUserLine, serviceUserLine } from "../../cli/nats-user.ts";
import type { NatsBus } from "./nats-bus.ts";

const authority = issue({ subject: "an authority", authority: true });
const certificate = issue({
  subject: "a NATS server",
  names: "DNS:localhost,IP:127.0.0.1",
  issuer: authority,
});
const files = {
  "server.crt": certificate.cert,
  "server.key": certificate.key,
  "ca.crt": authority.cert,
};
const tls = { certificate: "server.crt", key: "server.key" };
const ca = authority.cert;
const service = createNatsUser();
const probes = { ny: createNatsUser(), sg: createNatsUser(), tk: createNatsUser() };

let stack: AsyncDisposableStack;
let hub: Nats;
let leaf: Nats;
/** A server in the region whose operator lets everybody do everything. */
let lawless: Nats;
before(async () => {
  stack = new AsyncDisposableStack();
  const leafPort = await closedPort();
  const users = [serviceUserLine(service.publicKey), locationUserLine("ny", probes.ny.publicKey)];
  hub = stack.use(
    await nats(await shippedHub(users, { tls, leafPort }), { files, ports: [leafPort] }),
  );
  const region = (["sg", "tk"] as const).map((code) =>
    locationUserLine(code, probes[code].publicKey),
  );
  const way = { tls, leafPort, ca: "ca.crt" };
  leaf = stack.use(await nats(await shippedLeaf(region, way), { files }));
  const everything = [`{ nkey: ${probes.tk.publicKey} }`];
  lawless = stack.use(await nats(await shippedLeaf(everything, way), { files }));
});
after(() => stack.disposeAsync());

function live(bus: NatsBus, codes: readonly string[]): Promise<true> {
  return waitFor(`${codes.join()} live`, () => {
    const found = bus.presence.live().map(({ code }) => code);
    return found.toSorted().join() === codes.join();
  });
}

function foreignProbe(server: Nats): Promise<NatsConnection> {
  return connect({
    servers: `127.0.0.1:${server.port}`,
    tls: { ca },
    reconnect: false,
    noEcho: true,
    authenticator: nkeyAuthenticator(Buffer.from(probes.tk.seed)),
  });
}

const everything = ["job.sg.*", "job.ny.*", "job.>", "reply.>", "presence.at.>", "hint.>", ">"];

test("probes of a region are asked over their leaf node, with the configurations that are shipped", async () => {
  await using bus = controllerAt(hub, { ca, seedText: service.seed });
  await using _ny = probeAt(hub, { ca, seedText: probes.ny.seed, location: "ny" });
  await using _sg = probeAt(leaf, { ca, seedText: probes.sg.seed, location: "sg" });
  await using _tk = probeAt(leaf, { ca, seedText: probes.tk.seed, location: "tk" });
  await live(bus, ["ny", "sg", "tk"]);
  for (const location of ["ny", "sg", "tk"]) assert.ok("outcome" in (await ask(bus, location)));
});

test("a location behind a leaf node without a probe is given up at once", async () => {
  await using bus = controllerAt(hub, { ca, seedText: service.seed });
  await using probe = probeAt(leaf, { ca, seedText: probes.sg.seed, location: "sg" });
  await live(bus, ["sg"]);
  await probe.close();
  await live(bus, []);
  const report = await ask(bus, "sg");
  assert.equal("error" in report && report.error, "unanswered");
});

const [ofTheRegion, ofItself] = ["job.sg.v1-1-nam", "job.tk.v1-1-nam"];
for (const [name, serverOf, sees] of [
  ["the rules of the leaf node", () => leaf, [ofItself]],
  // Messages for its own region are encrypted for another location.
  ["the rules for the region, where the leaf has none", () => lawless, [ofTheRegion, ofItself]],
] as const) {
  test(`a foreign probe can neither read, answer nor be present as another location, by ${name}`, async () => {
    await using bus = controllerAt(hub, { ca, seedText: service.seed });
    await using _ny = probeAt(hub, { ca, seedText: probes.ny.seed, location: "ny" });
    await using _sg = probeAt(leaf, { ca, seedText: probes.sg.seed, location: "sg" });
    await live(bus, ["ny", "sg"]);
    await using foreign = await foreignProbe(serverOf());
    const received: string[] = [];
    for (const subject of [...everything, "job.tk.*"]) {
      const queue = subject === "job.tk.*" ? "probe" : undefined;
      const subscription = foreign.subscribe(subject, {
        ...(queue !== undefined && { queue }),
        callback: (error, message) => {
          if (error === null) received.push(message.subject);
        },
      });
      subscription.closed.catch(() => {});
    }
    for (const location of ["zz", "tk"])
      foreign.publish(`presence.at.${location}`, beatOf(location));
    foreign.publish("reply.ny.c.controller.1", "x");
    foreign.publish("job.ny.v1-1", "x");
    await live(bus, ["ny", "sg", "tk"]);
    for (const location of ["ny", "sg"]) assert.ok("outcome" in (await ask(bus, location)));
    void ask(bus, "tk");
    await waitFor("its own job", () => received.includes(ofItself));
    bus.hints.publish("changes");
    assert.ok("outcome" in (await ask(bus, "ny")));
    foreign.publish("presence.at.tk", beatOf("tk", { leaving: true }));
    await live(bus, ["ny", "sg"]);
    assert.deepEqual([...new Set(received)].toSorted(), sees);
  });
}
