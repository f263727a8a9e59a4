import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { waitFor } from "../time/wait-for.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import {
  start,
  temporaryFolder,
  type CheckRecord,
  type ResultRecord,
  type RunningInstallation,
} from "./process.ts";

const stateOf = async (
  site: RunningInstallation,
  { _id }: CheckRecord,
): Promise<number | undefined> => (await site.api(`GET checks/${_id}`)).state;
const beat = (
  site: RunningInstallation,
  { _id, parameters }: CheckRecord,
  data?: object,
): Promise<number> => site.push(_id, String(parameters.checktoken), data);
const addPush = (site: RunningInstallation, parameters: object = {}): Promise<CheckRecord> =>
  site.api("POST checks", {
    type: "PUSH",
    label: "pushed",
    interval: 1,
    enabled: true,
    ...parameters,
  });

// Concurrent, because the first one waits for half a minute of real time.
suite("PUSH end to end", { concurrency: true }, () => {
  const ending = new AsyncDisposableStack();
  let site: RunningInstallation;
  before(async () => {
    const folder = ending.use(await temporaryFolder());
    site = ending.use(await start(folder.path));
  });
  after(() => ending.disposeAsync());

  test("a check fails on silence, and is alerted", async () => {
    await using hook = await receiverPeer();
    const contact = await site.api("POST contacts", {
      name: "Hook",
      custrole: "notify",
      newaddresses: [{ address: hook.url, type: "webhook" }],
    });
    const check = await addPush(site, {
      interval: 0.5,
      sens: 1,
      oldresultfail: true,
      notifications: [{ [contact._id]: "All" }],
    });
    assert.equal(await beat(site, check), 200);
    assert.equal(await stateOf(site, check), 1);
    await waitFor("the silence is alerted", () =>
      hook.requests.find(({ body }) => JSON.parse(body).type === "check.down"),
    );
    assert.equal(await stateOf(site, check), 0);
    const [last] = await site.api(`GET results/${check._id}?limit=1`);
    assert.match(String(last?.m), /^The last result is from/);
  });

  test("a check fails at once on a metric out of its range and passes with the next good one", async () => {
    const check = await addPush(site, { fields: { load: { name: "load.1min", min: 0, max: 4 } } });
    assert.equal(await beat(site, check, { load: { "1min": 1 } }), 200);
    assert.equal(await beat(site, check, { load: { "1min": 9.5 } }), 200);
    assert.equal(await stateOf(site, check), 0);
    assert.equal(await beat(site, check, { load: { "1min": 2 } }), 200);
    assert.equal(await stateOf(site, check), 1);
    const results: readonly ResultRecord[] = await site.api(`GET results/${check._id}?clean=1`);
    assert.deepEqual(
      results.map(({ m }) => m),
      ["All fields within parameters", "load.1min:9.5 (max 4)", "All fields within parameters"],
    );
  });

  test("kill -9 at any moment loses no acknowledged heartbeat", async () => {
    await using folder = await temporaryFolder();
    let site = await start(folder.path);
    const { token } = site;
    const checks = await Promise.all(Array.from({ length: 40 }, () => addPush(site)));
    const acknowledged = new Map<string, number>();
    const stopped = site;
    const sending = checks.flatMap((check) =>
      Array.from({ length: 5 }, async () => {
        const status = await beat(stopped, check).catch(() => undefined);
        if (status === 200) acknowledged.set(check._id, (acknowledged.get(check._id) ?? 0) + 1);
      }),
    );
    await waitFor("some are acknowledged", () => acknowledged.size > 5);
    await site.kill("SIGKILL");
    await Promise.all(sending);
    site = await start(folder.path, {}, token);
    await using _site = site;
    for (const [id, count] of acknowledged) {
      const kept = await site.api(`GET results/${id}?clean=1`);
      assert.ok(
        kept.length >= count,
        `${kept.length} of ${count} acknowledged heartbeats of ${id}`,
      );
      assert.ok(kept.length <= 5);
    }
  });

  test("what is acknowledged while the program stops is kept", async () => {
    await using folder = await temporaryFolder();
    let site = await start(folder.path);
    const { token } = site;
    const checks = await Promise.all(Array.from({ length: 40 }, () => addPush(site)));
    const acknowledged = new Set<string>();
    const stopped = site;
    const sending = checks.map(async (check) => {
      if ((await beat(stopped, check).catch(() => undefined)) === 200) acknowledged.add(check._id);
    });
    assert.equal(await site.kill("SIGTERM"), 0);
    await Promise.all(sending);
    site = await start(folder.path, {}, token);
    await using _site = site;
    for (const id of acknowledged) assert.equal((await site.api(`GET results/${id}`)).length, 1);
  });

  test("a disk that takes no more makes heartbeats 503 and readiness say so, until there is room again", async () => {
    await using folder = await temporaryFolder();
    await using site = await start(folder.path);
    const check = await addPush(site);
    assert.equal(await beat(site, check), 200);
    // No file of the process may grow any further, as on a full disk.
    const limit = (bytes: string): unknown =>
      execFileSync("prlimit", [`--pid=${site.pid}`, `--fsize=${bytes}:`]);
    limit(String(statSync(join(folder.path, "data/watchpost.db-wal")).size));
    const ready = async (): Promise<number> => (await fetch(`${site.base}/readyz`)).status;
    assert.equal(await beat(site, check), 503);
    assert.equal(await ready(), 503);
    await assert.rejects(site.api("POST contacts", { name: "too late" }), /503/);
    limit("unlimited");
    // The store tries again by itself, and refuses until that was stored.
    await waitFor("heartbeats are stored", async () => (await beat(site, check)) === 200);
    await waitFor("it is ready", async () => (await ready()) === 200);
    assert.equal((await site.api(`GET results/${check._id}`)).length, 2);
  });
});
