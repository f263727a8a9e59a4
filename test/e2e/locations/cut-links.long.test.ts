import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

import { shippedConfiguration } from "../../harnesses/nats-configuration.ts";
import { closing, closedPort, tcpPeer } from "../../peers/tcp.ts";
import { nats } from "../../servers/nats.ts";
import { waitFor } from "../../time/wait-for.ts";
import {
  run,
  start,
  temporaryFolder,
  type CheckRecord,
  type Program,
  type RunningInstallation,
} from "../process.ts";
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
import { isInSandbox, runInSandbox } from "../sandbox.ts";

/** Public addresses, which nobody else has in a network of our own. */
const TARGET = "9.9.9.9";
const WITNESS = "9.9.9.10";
/** And some more where one location has all of them, which is as likely as one in eight. */
const CHECKS = 4;
/** Nobody has it, so that what is sent there is lost without a word. */
const NOBODY = "02:00:00:00:00:99";

async function ip(...args: readonly string[]): Promise<void> {
  await promisify(execFile)("ip", args);
}

interface Place {
  readonly code: string;
  /** Where the service and its NATS server are, as seen from there. */
  readonly gateway: string;
  /** Packets to and from the place are lost, and those that wait are not refused. */
  readonly cutLink: (isCut: boolean) => Promise<void>;
  /** Packets to public addresses are lost, while the NATS server is reached. */
  readonly cutInternet: (isCut: boolean) => Promise<void>;
}

/** A network namespace with one link to that of the test, which is its way to everywhere. */
async function place(code: string, index: number): Promise<Place> {
  const [gateway, own] = [`10.9.${index}.1`, `10.9.${index}.2`];
  const [here, there] = [`02:00:00:00:0${index}:01`, `02:00:00:00:0${index}:02`];
  const inside = (...args: readonly string[]): Promise<void> => ip("-n", code, ...args);
  await ip("netns", "add", code);
  await ip("link", "add", code, "address", here, "type", "veth", "peer", "name", "out");
  await ip("link", "set", "out", "netns", code);
  await inside("link", "set", "out", "address", there);
  await ip("addr", "add", `${gateway}/24`, "dev", code);
  await inside("addr", "add", `${own}/24`, "dev", "out");
  await ip("link", "set", code, "up");
  for (const name of ["lo", "out"]) await inside("link", "set", name, "up");
  const neighbour = (address: string, mac: string): readonly string[] => [
    "neigh",
    "replace",
    address,
    "lladdr",
    mac,
    "nud",
    "permanent",
    "dev",
  ];
  const nobody = `10.9.${index}.99`;
  await inside(...neighbour(nobody, NOBODY), "out");
  const cutInternet = (isCut: boolean): Promise<void> =>
    inside("route", "replace", "default", "via", isCut ? nobody : gateway);
  await cutInternet(false);
  return {
    code,
    gateway,
    cutInternet,
    async cutLink(isCut) {
      await ip(...neighbour(own, isCut ? NOBODY : there), code);
      await inside(...neighbour(gateway, isCut ? NOBODY : here), "out");
    },
  };
}

async function assertUp(site: RunningInstallation, checks: readonly CheckRecord[]): Promise<void> {
  for (const { _id } of checks) {
    const { state, firstdown } = await site.api(`GET checks/${_id}`);
    assert.deepEqual([state, firstdown], [1, false]);
  }
}

function allAreUndecided(
  site: RunningInstallation,
  checks: readonly CheckRecord[],
  wanted: RegExp,
): Promise<true> {
  return waitFor(`all are undecided: ${wanted.source}`, async () => {
    const found = await Promise.all(checks.map(({ _id }) => site.api(`GET checks/${_id}`)));
    return found.every(({ trouble }) => wanted.test(trouble?.reason ?? ""));
  });
}

async function locationsThatAreCutOff(): Promise<void> {
  await ip("link", "set", "lo", "up");
  for (const address of [TARGET, WITNESS]) await ip("addr", "add", `${address}/32`, "dev", "lo");
  await promisify(execFile)("sh", ["-c", "mkdir -p /run/netns && mount -t tmpfs none /run/netns"]);
  const [ny, ld] = [await place("ny", 1), await place("ld", 2)];
  await using folder = await temporaryFolder();
  const lines = await Promise.all([
    command(folder.path, "nats-user", "create"),
    command(folder.path, "location", "create", "ny", "--region", "nam"),
    command(folder.path, "location", "create", "ld", "--region", "eur"),
  ]);
  const port = await closedPort();
  await using _broker = await nats(await shippedConfiguration(lines), { port, host: "0.0.0.0" });
  await using web = await target(TARGET);
  await using witness = await tcpPeer(closing, WITNESS);
  await using site = await start(folder.path, {
    WATCHPOST_FILE: "nats.env",
    WATCHPOST_NATS_URL: `nats://127.0.0.1:${port}`,
    WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
    WATCHPOST_LOCATION: "home",
    WATCHPOST_REGION: "eao",
  });
  const probe = ({ code, gateway }: Place): Program =>
    run(
      folder.path,
      {
        WATCHPOST_FILE: `${code}.env`,
        WATCHPOST_NATS_URL: `nats://${gateway}:${port}`,
        WATCHPOST_CONNECTIVITY_PROBES: `${WITNESS}:${witness.port}`,
        WATCHPOST_PROBE_THREADS: "1",
      },
      ["ip", "netns", "exec", code, ...main, "probe"],
    );
  await using _ny = probe(ny);
  await using _ld = probe(ld);
  await locationsAre(site, ["home", "ld", "ny"]);
  const checks: CheckRecord[] = [];
  const addChecks = async (count: number): Promise<void> => {
    for (let added = 0; added < count; added += 1)
      checks.push(
        await site.api("POST checks", {
          type: "HTTP",
          target: web.url,
          interval: 60,
          threshold: 3,
          // No second location is asked to confirm a failure: none may be decided.
          sens: 0,
          runlocations: ["nam", "eur"],
          enabled: true,
        }),
      );
    await locationsAfter([], site, checks);
  };
  await addChecks(CHECKS);
  while (new Set(await locationsOfRuns(site, checks)).size < 2) await addChecks(1);

  // A location without the Internet says so for each run, and another one decides.
  await ny.cutInternet(true);
  assert.deepEqual(new Set(await locationsOfRuns(site, checks)), new Set(["ld"]));
  await ld.cutInternet(true);
  await runAll(site, checks);
  await allAreUndecided(site, checks, /^offline$/);
  await assertUp(site, checks);
  for (const each of [ny, ld]) await each.cutInternet(false);
  await locationsOfRuns(site, checks);

  // A link is cut in the middle of runs: they end when the location is no longer live, and continue elsewhere.
  web.isSlow = true;
  const before = await newestResults(site, checks);
  // None of them times out before the link is cut.
  for (const { _id } of checks) await site.api(`PUT checks/${_id}`, { threshold: 60 });
  await waitFor("all of them are under way", () => web.waiting() >= checks.length);
  await ny.cutLink(true);
  web.isSlow = false;
  assert.ok((await locationsAfter(before, site, checks)).length === checks.length);
  await locationsAre(site, ["home", "ld"]);
  assert.deepEqual(new Set(await locationsOfRuns(site, checks)), new Set(["ld"]));
  await ny.cutLink(false);
  await locationsAre(site, ["home", "ld", "ny"]);
  // It takes runs again once it reaches its witness again.
  await waitFor(
    "both run checks again",
    async () => new Set(await locationsOfRuns(site, checks)).size === 2,
  );
  await assertUp(site, checks);
  const metrics = await (await fetch(`${site.base}/metrics`)).text();
  assert.doesNotMatch(metrics, /^watchpost_confirm_flip_total\{to="failing"\}/m);
}

if (isInSandbox) test("locations that are cut off", locationsThatAreCutOff);
else
  test("a location that is cut off, from the Internet or from us, causes no down, and another one takes its checks", () =>
    runInSandbox(import.meta.filename));
