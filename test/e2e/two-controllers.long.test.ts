import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { systemClock } from "../../src/kit/clock.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { silentLog } from "../../src/kit/log.ts";
import { openDatabase } from "../../src/store/postgres/open-database.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { webServer } from "../peers/web-server.ts";
import { postgres } from "../servers/postgres.ts";
import { closeConnections, emptyDatabase } from "../stores/postgres-store.ts";
import { waitFor } from "../time/wait-for.ts";
import { start, temporaryFolder, type CheckRecord, type RunningInstallation } from "./process.ts";

const CHECKS = 24;
const TOKEN = "two-controllers-0123456789abcdef";
const INTERVAL_MS = 60_000;

async function shardsOf(site: RunningInstallation): Promise<number> {
  const metrics = await (await fetch(`${site.base}/metrics`)).text();
  return Number(/^watchpost_store_shards (\d+)$/m.exec(metrics)?.[1]);
}

test("of two processes on one database one is killed while targets flip: the other has its checks, every tick is accounted for, and no alert is lost or doubled", async () => {
  const server = await postgres();
  await using ending = new AsyncDisposableStack();
  ending.defer(() => server[Symbol.asyncDispose]());
  ending.defer(() => closeConnections(server));
  const settings = {
    WATCHPOST_DATABASE_URL: await emptyDatabase(server),
    WATCHPOST_INSTANCE_KEY: randomBytes(32).toString("hex"),
    WATCHPOST_GROUP_WAIT_SECONDS: "0",
    WATCHPOST_TOKEN: TOKEN,
  };
  const folder = ending.use(await temporaryFolder());
  const web = ending.use(await webServer());
  const hook = ending.use(await receiverPeer());
  // Alerts claimed by a killed notifier are sent by the other after 90 s: test/two-notifiers.long.test.ts.
  const withoutNotifier = { ...settings, WATCHPOST_ROLES: "api,controller,probe" };
  const [killed, site] = await Promise.all([
    start(folder.path, withoutNotifier, TOKEN).then((started) => ending.use(started)),
    start(folder.path, settings, TOKEN).then((started) => ending.use(started)),
  ]);
  await waitFor(
    "they share the checks",
    async () => (await shardsOf(killed)) === 128 && (await shardsOf(site)) === 128,
  );
  const contact = await site.api("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: hook.url, type: "webhook" }],
  });
  const checks: CheckRecord[] = [];
  for (let made = 0; made < CHECKS; made += 1)
    checks.push(
      await site.api("POST checks", {
        type: "HTTP",
        target: `${web.url}${made}`,
        sens: 1,
        interval: 1,
        enabled: true,
        notifications: [{ [contact._id]: "All" }],
      }),
    );
  const alertedOf = (type: string): readonly string[] =>
    hook.requests
      .map(({ body }) => JSON.parse(body))
      .filter((alert) => alert.type === type)
      .map((alert) => String(alert.check.id));
  await waitFor("each has its first result", () => alertedOf("check.first").length === CHECKS);

  /** A new timeout makes a check run at once. */
  const runAll = (threshold: number) =>
    Promise.all(checks.map(({ _id }) => site.api(`PUT checks/${_id}`, { threshold })));
  web.status = 500;
  await runAll(6);
  await waitFor("some are down", () => alertedOf("check.down").length > 0);
  await killed.kill("SIGKILL");
  await waitFor("its shards are taken over", async () => (await shardsOf(site)) === 256);
  await runAll(7);
  await waitFor("all are down", () => new Set(alertedOf("check.down")).size === CHECKS);
  web.status = 200;
  await runAll(8);
  await waitFor("all are up", () => new Set(alertedOf("check.up")).size === CHECKS);
  const ids = checks.map(({ _id }) => _id).toSorted();
  for (const type of ["check.first", "check.down", "check.up"])
    assert.deepEqual([...new Set(alertedOf(type))].toSorted(), ids);
  const webhookIds = hook.requests.map(({ headers }) => headers["webhook-id"]);
  assert.equal(new Set(webhookIds).size, 3 * CHECKS);
  assert.equal(webhookIds.length, 3 * CHECKS, "none is sent again");

  const sealer = createSealer(Buffer.from(settings.WATCHPOST_INSTANCE_KEY, "hex"));
  const url = new Secret(settings.WATCHPOST_DATABASE_URL);
  const opening = { url, sealer, connections: 2, clock: systemClock, log: silentLog };
  const store = await openDatabase(opening);
  ending.defer(() => store.close());
  for (const { _id } of checks) {
    const { check } = (await store.checks.findById(_id)) ?? {};
    assert.ok(check);
    const query = { checkNo: check.no, from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1000 };
    const results = (
      await Array.fromAsync(store.results.page({ ...query, order: "oldest" }))
    ).flat();
    const ticks = results.map(({ tick }) => tick);
    assert.equal(new Set(ticks).size, ticks.length, "no tick has two results");
    const without = ticks
      .slice(1)
      .map((tick, index) => Math.floor((tick - (ticks[index] ?? 0) - 1) / INTERVAL_MS))
      .reduce((sum, count) => sum + count, 0);
    const gaps = await store.states.listGaps(check.no, 1000);
    const recorded = gaps.reduce((sum, gap) => sum + gap.ticks, 0);
    assert.ok(
      without <= recorded,
      `${without} ticks of ${_id} without a result, ${recorded} noted`,
    );
  }
});
