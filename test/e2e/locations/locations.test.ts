import assert from "node:assert/strict";
import { test } from "node:test";

import { shippedConfiguration } from "../../harnesses/nats-configuration.ts";
import { closedPort } from "../../peers/tcp.ts";
import { nats } from "../../servers/nats.ts";
import { waitFor } from "../../time/wait-for.ts";
import { run, start, temporaryFolder, type CheckRecord, type Program } from "../process.ts";
import {
  command,
  INSTANCE_KEY,
  locationsAfter,
  locationsAre,
  locationsOfRuns,
  main,
  newestResults,
  runAll,
  target,
} from "../../harnesses/remote-locations.ts";

const CHECKS = 12;

test("probes on other machines run the checks; one that dies, or the broker, causes no flip", async () => {
  await using folder = await temporaryFolder();
  const lines = [
    await command(folder.path, "nats-user", "create"),
    await command(folder.path, "location", "create", "ny", "--region", "nam"),
    await command(folder.path, "location", "create", "ld", "--region", "eur"),
  ];
  const port = await closedPort();
  const url = `nats://127.0.0.1:${port}`;
  const configuration = await shippedConfiguration(lines);
  const broker = await nats(configuration, { port });
  const probe = (location: string): Program =>
    run(folder.path, { WATCHPOST_FILE: `${location}.env`, WATCHPOST_NATS_URL: url }, [
      ...main,
      "probe",
    ]);
  await using site = await start(folder.path, {
    WATCHPOST_FILE: "nats.env",
    WATCHPOST_NATS_URL: url,
    WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
    WATCHPOST_LOCATION: "home",
    WATCHPOST_REGION: "eao",
  });
  await using ny = probe("ny");
  await using ld = probe("ld");
  await locationsAre(site, ["home", "ld", "ny"]);

  await using web = await target();
  // A single check, so that no tick of another one detects the failure.
  await using failing = await target();
  const create = (runlocations: readonly string[], { url } = web): Promise<CheckRecord> =>
    site.api("POST checks", {
      type: "HTTP",
      target: url,
      interval: 60,
      threshold: 60,
      sens: 1,
      runlocations,
      enabled: true,
    });
  const checks: CheckRecord[] = [];
  for (let index = 0; index < CHECKS; index += 1) checks.push(await create(["nam", "eur"]));
  const ours = await create(["eao"]);
  const first = await create(["nam", "eur"], failing);
  await locationsAfter([], site, [first]);
  assert.deepEqual(new Set(await locationsAfter([], site, checks)), new Set(["ny", "ld"]));

  // One is killed in the middle of its runs.
  web.isSlow = true;
  const beforeKill = await newestResults(site, checks);
  await runAll(site, checks);
  await waitFor("all of them are under way", () => web.waiting() >= CHECKS);
  await ny.kill("SIGKILL");
  await waitFor("those of the dead one are given up", () => web.waiting() < CHECKS);
  web.isSlow = false;
  await site.api(`PUT checks/${checks[0]?._id}`, { label: "one more" });
  await runAll(site, checks);
  assert.deepEqual(new Set(await locationsAfter(beforeKill, site, checks)), new Set(["ld"]));
  await locationsAre(site, ["home", "ld"]);

  // A failure is confirmed from another location.
  await using again = probe("ny");
  await locationsAre(site, ["home", "ld", "ny"]);
  const before: CheckRecord = await site.api(`GET checks/${first._id}`);
  assert.equal(before.state, 1);
  failing.status = 500;
  await runAll(site, [first]);
  const down = await waitFor("it is down", async () => {
    const check: CheckRecord = await site.api(`GET checks/${first._id}`);
    return check.state === 0 && check;
  });
  const [failure] = await newestResults(site, [down]);
  assert.deepEqual(new Set(Object.values(failure?.l ?? {})), new Set(["ny", "ld"]));
  failing.status = 200;

  // Without the broker nothing flips, and the service's own location continues.
  await broker[Symbol.asyncDispose]();
  await runAll(site, checks);
  for (const { _id } of checks)
    await waitFor("it says why it was not run", async () => {
      const { trouble } = await site.api(`GET checks/${_id}`);
      return trouble?.reason === "no_broker";
    });
  assert.deepEqual(await locationsOfRuns(site, [ours]), ["home"]);
  await using _back = await nats(configuration, { port });
  for (const { log } of [again, ld])
    await waitFor("the probe is back", () => /"bus\.disconnected"[^]*"bus\.connected"/.test(log()));
  await locationsAre(site, ["home", "ld", "ny"]);
  await locationsOfRuns(site, checks);
  for (const { _id } of checks) {
    const { state, trouble, firstdown } = await site.api(`GET checks/${_id}`);
    assert.deepEqual([state, trouble, firstdown], [1, undefined, false]);
  }
  const metrics = await (await fetch(`${site.base}/metrics`)).text();
  assert.match(metrics, /^watchpost_confirm_flip_total\{to="failing"\} 1$/m);
  assert.deepEqual(await Promise.all([again.kill("SIGTERM"), ld.kill("SIGTERM")]), [0, 0]);
  await locationsAre(site, ["home"]);
});
