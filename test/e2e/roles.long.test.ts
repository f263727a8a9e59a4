import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { sql } from "kysely";

import { deriveLocationKey, writeLocationKey } from "../../src/bus/location-key.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { kyselyOver } from "../../src/store/postgres/dialect.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { webServer } from "../peers/web-server.ts";
import { nats } from "../servers/nats.ts";
import { postgres } from "../servers/postgres.ts";
import { closeConnections, emptyDatabase } from "../stores/postgres-store.ts";
import { waitFor } from "../time/wait-for.ts";
import {
  root,
  run,
  start,
  temporaryFolder,
  type CheckRecord,
  type RunningInstallation,
} from "./process.ts";

const CHECKS = 6;
const regions = { ny: "nam", ld: "eur" } as const;
/** A take-over takes ten seconds at most, the successor renews its lease once a second, and a busy machine delays the read by two. */
const MAX_BEATS = 12;

/** A database, a broker, probes at two locations, and two processes of each other role. */
async function openCluster(operatorWebhook: string) {
  const ending = new AsyncDisposableStack();
  const server = await postgres();
  ending.defer(() => server[Symbol.asyncDispose]());
  ending.defer(() => closeConnections(server));
  const broker = ending.use(await nats());
  const folder = ending.use(await temporaryFolder());
  const key = randomBytes(32);
  const settings = {
    WATCHPOST_DATABASE_URL: await emptyDatabase(server),
    WATCHPOST_NATS_URL: broker.url,
    WATCHPOST_INSTANCE_KEY: key.toString("hex"),
    WATCHPOST_URL: "http://127.0.0.1:4848",
    WATCHPOST_GROUP_WAIT_SECONDS: "0",
    WATCHPOST_OPERATOR_WEBHOOK: operatorWebhook,
  };
  const probe = (location: keyof typeof regions) =>
    ending.use(
      run(
        folder.path,
        {
          WATCHPOST_NATS_URL: broker.url,
          WATCHPOST_LOCATION: location,
          WATCHPOST_LOCATION_KEY: writeLocationKey(
            deriveLocationKey(createSealer(key), location, {
              generation: 1,
              region: regions[location],
            }),
          ),
          WATCHPOST_PROBE_THREADS: "1",
        },
        [`${root}/watchpost`, "probe"],
      ),
    );
  const probes = [probe("ny"), probe("ld")];
  const processOf = async (role: string, known?: string): Promise<RunningInstallation> =>
    ending.use(await start(folder.path, { ...settings, WATCHPOST_ROLES: role }, known));
  const api = await processOf("api");
  const [otherApi, ...others] = await Promise.all([
    processOf("api", api.token),
    ...["controller", "controller", "notifier", "notifier"].map((role) => processOf(role)),
  ]);
  const [controller, successor, notifier, lastNotifier] = others;
  assert.ok(controller && successor && notifier && lastNotifier);
  const db = kyselyOver(createPool({ url: new Secret(settings.WATCHPOST_DATABASE_URL), most: 1 }));
  ending.defer(() => db.destroy());
  return {
    apis: [api, otherApi],
    controllers: [controller, successor],
    notifiers: [notifier, lastNotifier],
    probes,
    /** Returns how often each controller has renewed its lease. */
    async beats(): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{
        id: string;
        beat: number;
      }>`select id, beat from controllers`.execute(db);
      return new Map(rows.map(({ id, beat }) => [id, beat]));
    },
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  } as const;
}

async function isReady({ base }: RunningInstallation): Promise<boolean> {
  return (await fetch(`${base}/readyz`)).status === 200;
}

async function shardsOf({ base }: RunningInstallation): Promise<number> {
  const metrics = await (await fetch(`${base}/metrics`)).text();
  return Number(/^watchpost_store_shards (\d+)$/m.exec(metrics)?.[1]);
}

test("each role runs in two processes: a flip goes through all of them, and one of each killed on the way loses and doubles no alert", async () => {
  await using operator = await receiverPeer();
  await using cluster = await openCluster(operator.url);
  const [api, otherApi] = cluster.apis;
  const [controller, successor] = cluster.controllers;
  const [notifier, lastNotifier] = cluster.notifiers;
  await using web = await webServer();
  await using hook = await receiverPeer();
  const alertedOf = (type: string): readonly string[] =>
    hook.requests
      .map(({ body }) => JSON.parse(body))
      .filter((alert) => alert.type === type)
      .map((alert) => String(alert.check.id))
      .toSorted();

  const all = [...cluster.apis, ...cluster.controllers, ...cluster.notifiers];
  for (const each of all) await waitFor("it is ready", () => isReady(each));
  for (const each of cluster.controllers)
    await waitFor("they share the checks", async () => (await shardsOf(each)) === 128);
  assert.equal((await fetch(`${controller.base}/api/1/checks`)).status, 404);
  await waitFor("an API knows the locations of others", async () => {
    const found = Object.keys(await otherApi.api("GET info/probe"));
    return found.toSorted().join() === "ld,ny";
  });

  const contact = await api.api("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: hook.url, type: "webhook" }],
  });
  const notifications = [{ [contact._id]: "All" }];
  const pushed: CheckRecord = await api.api("POST checks", {
    type: "PUSH",
    interval: 1,
    enabled: true,
    notifications,
  });
  assert.equal(await otherApi.push(pushed._id, String(pushed.parameters.checktoken)), 200);
  const checks: CheckRecord[] = [];
  for (let made = 0; made < CHECKS; made += 1)
    checks.push(
      await api.api("POST checks", {
        type: "HTTP",
        target: `${web.url}${made}`,
        sens: 1,
        interval: 1,
        enabled: true,
        notifications,
      }),
    );
  const ids = checks.map(({ _id }) => _id).toSorted();
  await waitFor("each has its first result", () => alertedOf("check.first").length > CHECKS);
  const [diagnosis] = await otherApi.api(`GET diagnostics/${ids[0]}?tool=page&location=ny`);
  assert.equal(diagnosis.location, "ny");

  const seldom = { type: "HTTP", target: `${web.url}0`, interval: 60, enabled: true };
  const { _id: wanted } = await api.api("POST checks", { ...seldom, notifications: [] });
  const runs = async (): Promise<number> => (await api.api(`GET results/${wanted}`)).length;
  await waitFor("it ran once, as every new check", async () => (await runs()) === 1);
  await otherApi.api(`POST checks/run/${wanted}`);
  await waitFor("the run that was asked for elsewhere", async () => (await runs()) === 2);

  /** A new timeout makes a check run at once. */
  const runAll = (by: RunningInstallation, threshold: number) =>
    Promise.all(ids.map((id) => by.api(`PUT checks/${id}`, { threshold })));
  await notifier.kill("SIGKILL");
  web.status = 500;
  await runAll(api, 6);
  await waitFor("some are down", () => alertedOf("check.down").length > 0);
  await Promise.all([controller.kill("SIGKILL"), api.kill("SIGKILL")]);
  const before = await cluster.beats();
  await waitFor("its shards are taken over", async () => (await shardsOf(successor)) === 256);
  const [[id = "", beat = Infinity] = [], ...more] = await cluster.beats();
  assert.deepEqual(more, [], "the dead one has no row");
  const beats = beat - (before.get(id) ?? 0);
  assert.ok(beats <= MAX_BEATS, `taken over after ${beats} beats`);
  await runAll(otherApi, 7);
  await waitFor("all are down", () => alertedOf("check.down").length === CHECKS);
  web.status = 200;
  await runAll(otherApi, 8);
  assert.equal(await otherApi.push(pushed._id, String(pushed.parameters.checktoken)), 200);
  await waitFor("all are up", () => alertedOf("check.up").length === CHECKS);
  assert.deepEqual(alertedOf("check.first"), [...ids, pushed._id].toSorted());
  for (const type of ["check.down", "check.up"]) assert.deepEqual(alertedOf(type), ids, type);
  for (const each of [otherApi, successor, lastNotifier])
    await waitFor("it is ready", () => isReady(each));

  assert.equal(await successor.kill("SIGTERM"), 0, successor.log());
  await waitFor("the operator learns from another process that no check runs", () =>
    operator.requests.some(({ body }) => body.includes("no check runs")),
  );
  // Each process examines the service at its own times, and the one that told the operator is another.
  await waitFor("the API says itself that no check runs", async () => {
    const { service } = await otherApi.api("GET statuses/overview");
    const names = service.problems.map(({ name }: { readonly name: string }) => name);
    return names.join() === "checks_uncontrolled";
  });
  for (const each of [otherApi, lastNotifier]) {
    assert.equal(await each.kill("SIGTERM"), 0, each.log());
  }
  for (const each of cluster.probes) assert.equal(await each.kill("SIGTERM"), 0, each.log());
});
