import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import {
  createLocationSealers,
  deriveLocationKey,
  writeLocationKey,
} from "../../../src/bus/location-key.ts";
import { createNatsBus, type NatsBus } from "../../../src/bus/nats/nats-bus.ts";
import { createNatsUser, locationUserLine, serviceUserLine } from "../../../src/cli/nats-user.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { createSealer } from "../../../src/kit/crypto/seal.ts";
import { Secret } from "../../../src/kit/crypto/secret.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { noMeter } from "../../../src/kit/meter.ts";
import { shippedConfiguration } from "../../harnesses/nats-configuration.ts";
import { ask } from "../../harnesses/nats-harness.ts";
import { notifySocket } from "../../peers/notify-socket.ts";
import { closedPort, listen } from "../../peers/tcp.ts";
import { nats } from "../../servers/nats.ts";
import { waitFor } from "../../time/wait-for.ts";
import { logged, root, run, temporaryFolder, type Program } from "../process.ts";

const instance = createSealer(randomBytes(32));
const service = createNatsUser();
const ny = createNatsUser();
const users = [serviceUserLine(service.publicKey), locationUserLine("ny", ny.publicKey)];
const MISCONFIGURED = 78;

function serviceAt(port: number): NatsBus & AsyncDisposable {
  const bus = createNatsBus({
    access: {
      servers: [`127.0.0.1:${port}`],
      requiresTls: false,
      ca: undefined,
      certificate: undefined,
      seed: new Secret(service.seed),
    },
    sealerOf: createLocationSealers(instance),
    clock: systemClock,
    log: silentLog,
    meter: noMeter,
  });
  return { ...bus, [Symbol.asyncDispose]: bus.close };
}

const nam = { generation: 1, region: "nam" } as const;

function probeAt(
  folder: string,
  port: number,
  given: Readonly<Record<string, string>> = {},
): Program {
  const settings = {
    WATCHPOST_NATS_URL: `nats://127.0.0.1:${port}`,
    WATCHPOST_NATS_NKEY: ny.seed,
    WATCHPOST_LOCATION: "ny",
    WATCHPOST_LOCATION_KEY: writeLocationKey(deriveLocationKey(instance, "ny", nam)),
    WATCHPOST_PROBE_THREADS: "1",
    ...given,
  };
  return run(folder, settings, [process.execPath, join(root, "src/main.ts"), "probe"]);
}

test("a probe says on a port of its own whether it is ready, and counts what it answers", async () => {
  await using folder = await temporaryFolder();
  const [port, healthPort] = [await closedPort(), await closedPort()];
  const notify = join(folder.path, "notify");
  using manager = notifySocket(notify);
  const told = (): readonly string[] => manager.received().flat();
  await using probe = probeAt(folder.path, port, {
    NOTIFY_SOCKET: notify,
    WATCHPOST_HEALTH_LISTEN: `127.0.0.1:${healthPort}`,
  });
  const read = async (path: string): Promise<readonly [number, string]> => {
    const response = await fetch(`http://127.0.0.1:${healthPort}${path}`);
    return [response.status, await response.text()];
  };
  await waitFor("it listens", () => logged(probe, "main.started")?.healthPort);
  assert.equal((await read("/healthz"))[0], 200);
  const [status, body] = await read("/readyz");
  assert.equal(status, 503);
  assert.match(body, /there is no connection to the NATS server/);
  assert.equal((await read("/"))[0], 404);
  assert.deepEqual(told(), ["STATUS=Connecting to the NATS server"]);

  await using server = await nats(await shippedConfiguration(users), { port });
  await using bus = serviceAt(port);
  await waitFor("it is live", () => bus.presence.live("HTTP").length === 1);
  await waitFor("it is ready", async () => (await read("/readyz"))[0] === 200);
  assert.deepEqual(await read("/readyz"), [200, '{"ready":true,"reasons":[]}']);
  await waitFor("its manager knows", () => told().includes("READY=1"));
  let code = 200;
  await using web = await listen(createServer((_, response) => response.writeHead(code).end("x")));
  const job = { type: "HTTP", parameters: { target: `http://127.0.0.1:${web.port}/` } };
  const passed = await ask(bus, "ny", { ...job, timeoutMs: 10_000 });
  assert.ok("outcome" in passed);
  code = 500;
  await ask(bus, "ny", { ...job, timeoutMs: 10_000 });
  const [, metrics] = await read("/metrics");
  for (const line of [
    'watchpost_bus_job_answered_total{outcome="passed"} 1',
    'watchpost_bus_job_answered_total{outcome="failed"} 1',
    "watchpost_bus_connected 1",
    "watchpost_probe_threads 1",
  ])
    assert.ok(metrics.includes(`\n${line}\n`), line);
  assert.doesNotMatch(metrics, /watchpost_store_can_commit/);

  // A connected user stays connected, because the server's configuration may be wrong.
  await server.reload(await shippedConfiguration(users.slice(0, 1)));
  await waitFor("it is not ready", async () => (await read("/readyz"))[0] === 503);
  await server.reload(await shippedConfiguration(users));
  await waitFor("it is ready again", async () => (await read("/readyz"))[0] === 200);
  assert.equal(await probe.kill("SIGTERM"), 0);
});

test("a probe whose credentials are of no use ends with a sentence and an exit code of its own", async () => {
  await using folder = await temporaryFolder();
  await using server = await nats(await shippedConfiguration(users));
  await using stranger = probeAt(folder.path, server.port, {
    WATCHPOST_NATS_NKEY: createNatsUser().seed,
  });
  assert.equal(await stranger.ended, MISCONFIGURED);
  assert.match(
    logged(stranger, "main.probe_refused").error,
    /^the NATS server does not know this user: put the line/,
  );

  await using bus = serviceAt(server.port);
  const other = writeLocationKey(deriveLocationKey(createSealer(randomBytes(32)), "ny", nam));
  await using wrong = probeAt(folder.path, server.port, { WATCHPOST_LOCATION_KEY: other });
  assert.equal(await wrong.ended, MISCONFIGURED);
  assert.match(
    logged(wrong, "main.probe_refused").error,
    /^the jobs of this location are sealed with another key: /,
  );
  assert.deepEqual(bus.presence.live(), [], "it never got a job");

  for (const [settings, sentence] of [
    [
      { WATCHPOST_LOCATION_KEY: `1.${"A".repeat(43)}` },
      /WATCHPOST_LOCATION_KEY: holds no region, because an older version made it: make a new key/,
    ],
    [
      { WATCHPOST_REGION: "eur" },
      /WATCHPOST_REGION: is eur, but WATCHPOST_LOCATION_KEY is for nam/,
    ],
  ] as const) {
    await using refused = probeAt(folder.path, server.port, settings);
    assert.equal(await refused.ended, MISCONFIGURED);
    assert.match(refused.log(), sentence);
  }
});
