import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { connect, nkeyAuthenticator, type NatsConnection } from "@nats-io/transport-node";

import { ask, controllerAt, probeAt } from "../../../test/harnesses/nats-harness.ts";
import { shippedConfiguration } from "../../../test/harnesses/nats-configuration.ts";
import { issue } from "../../../test/peers/certificate-authority.ts";
import { nats, type Nats } from "../../../test/servers/nats.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { createNatsUser, locationUserLine, serviceUserLine } from "../../cli/nats-user.ts";

const authority = issue({ subject: "an authority", authority: true });
const certificate = issue({
  subject: "the NATS server",
  names: "DNS:localhost,IP:127.0.0.1",
  issuer: authority,
});
const service = createNatsUser();
const probes = { ny: createNatsUser(), ld: createNatsUser() };
let server: Nats;
before(async () => {
  const users = [
    serviceUserLine(service.publicKey),
    locationUserLine("ny", probes.ny.publicKey),
    locationUserLine("ld", probes.ld.publicKey),
  ];
  const tls = { certificate: "server.crt", key: "server.key" };
  server = await nats(await shippedConfiguration(users, tls), {
    files: { "server.crt": certificate.cert, "server.key": certificate.key },
  });
});
after(() => server[Symbol.asyncDispose]());

function client(seed: string | undefined): Promise<NatsConnection> {
  return connect({
    servers: `127.0.0.1:${server.port}`,
    tls: { ca: authority.cert },
    reconnect: false,
    ...(seed !== undefined && { authenticator: nkeyAuthenticator(Buffer.from(seed)) }),
  });
}

test("the service and its probes reach each other with the configuration that is shipped", async () => {
  const ca = authority.cert;
  await using bus = controllerAt(server, { ca, seedText: service.seed });
  await using _ny = probeAt(server, { ca, seedText: probes.ny.seed, location: "ny" });
  await using _ld = probeAt(server, { ca, seedText: probes.ld.seed, location: "ld" });
  await waitFor("both are live", () => bus.presence.live().length === 2);
  for (const location of ["ny", "ld"]) assert.ok("outcome" in (await ask(bus, location)));
});

for (const [name, seed] of [
  ["nobody", () => undefined],
  [
    "a user that the server does not know",
    () => "SUAB5ZR3QIDMWVKFHV2UA7ZWIUHGH3YB5ZAUJTM43BREXO72H7NQBPPA3I",
  ],
] as const) {
  test(`${name} is not let in`, async () => {
    await assert.rejects(client(seed()), /authorization violation/i);
  });
}

const notForProbes = {
  subscribe: [
    ["the jobs of another location", "job.ld.*", "probe"],
    ["the jobs of all locations", "job.>", "probe"],
    ["its jobs outside of the queue, as a copy of each", "job.ny.*", undefined],
    ["its jobs in a queue of its own, as a copy of each", "job.ny.*", "spy"],
    ["the replies of its location", "reply.ny.>", undefined],
    ["all replies", "reply.>", undefined],
    ["who is there", "presence.at.>", undefined],
    ["changes", "hint.>", undefined],
    ["everything", ">", undefined],
  ],
  publish: [
    ["a job for its location", "job.ny.v1-1"],
    ["a job for another location", "job.ld.v1-1"],
    ["a reply of another location, whose subject it knows", "reply.ld.c.controller.1"],
    ["that another location is there", "presence.at.ld"],
    ["a change", "hint.changes"],
    ["who is there, as a question", "presence.ask"],
  ],
} as const;

for (const [name, subject, queue] of notForProbes.subscribe) {
  // guard: subjects that a location receives
  test(`a probe cannot subscribe to ${name}`, async () => {
    await using probe = await client(probes.ny.seed);
    const subscription = probe.subscribe(subject, { ...(queue !== undefined && { queue }) });
    subscription.closed.catch(() => {});
    void (async () => {
      for await (const _ of subscription);
    })().catch(() => {});
    assert.match(String(await subscription.closed), /Permissions Violation for Subscription/);
  });
}

for (const [name, subject] of notForProbes.publish) {
  // guard: subjects that a location publishes
  test(`a probe cannot publish ${name}`, async () => {
    await using probe = await client(probes.ny.seed);
    const errors: string[] = [];
    const following = (async () => {
      for await (const status of probe.status())
        if (status.type === "error") errors.push(String(status.error));
    })();
    probe.publish(subject, "");
    await waitFor("it is refused", () => errors.length > 0);
    assert.match(errors.join("\n"), /Permissions Violation for Publish/);
    await probe.close();
    await following;
  });
}
