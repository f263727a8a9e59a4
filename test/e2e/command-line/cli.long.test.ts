import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root, run, start, temporaryFolder, type CheckRecord } from "../process.ts";

/** Path of a system with an old Node.js or none. */
const PATH = "/usr/bin:/bin";

interface Ended {
  readonly code: number | NodeJS.Signals;
  readonly out: string;
  readonly err: string;
}

/** Runs the launcher in a folder, which gives it the settings that are there. */
async function watchpost(
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const command = [join(root, "watchpost"), ...args];
  await using program = run(folder, { PATH, ...settings }, command);
  return { code: await program.ended, out: program.output(), err: program.log() };
}

test("what was made with the command line in one installation is applied to another, and is the same there", async () => {
  await using one = await temporaryFolder();
  await using other = await temporaryFolder();
  await using site = await start(one.path, { WATCHPOST_OWNER_EMAIL: "owner@example.net" });
  await using empty = await start(other.path);
  const made = await watchpost(one.path, ["token", "create", "--label", "laptop"]);
  assert.equal(made.code, 0);
  const here = { WATCHPOST_TOKEN: made.out.trim(), WATCHPOST_URL: site.base };
  const there = { WATCHPOST_TOKEN: empty.token, WATCHPOST_URL: empty.base };

  const [contact = ""] = Object.keys(await site.api("GET contacts"));
  const web = ["--type", "HTTP", "--target", "http://127.0.0.1:1/", "--label", "Wéb site"];
  const added = await watchpost(
    one.path,
    ["check", "add", ...web, "--enabled", "--notify", `${contact}=Days:5`],
    here,
  );
  assert.deepEqual([added.code, added.err], [0, ""]);
  await watchpost(one.path, ["check", "add", "--type", "PUSH", "--label", "Backup"], here);
  const list = await watchpost(one.path, ["check", "list"], here);
  assert.match(list.out, /^\S+ +\S+ +HTTP +Wéb site +http:\/\/127\.0\.0\.1:1\/ +15 min$/m);

  const output = ["--secrets", "--output", "all.yaml"];
  assert.equal((await watchpost(one.path, ["export", ...output], here)).code, 0);
  const file = join(one.path, "all.yaml");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal((await watchpost(other.path, ["plan", "-f", file], there)).code, 3);
  const applied = await watchpost(other.path, ["apply", "-f", file], there);
  assert.deepEqual([applied.code, applied.err], [0, ""]);
  assert.equal((await watchpost(other.path, ["plan", "-f", file], there)).code, 0);

  assert.equal((await watchpost(other.path, ["export", ...output], there)).code, 0);
  const [given, taken] = [file, join(other.path, "all.yaml")].map((path) =>
    readFileSync(path, "utf8"),
  );
  assert.equal(taken, given);
  const checks: Readonly<Record<string, CheckRecord>> = await empty.api("GET checks");
  const backup = Object.values(checks).find(({ parameters }) => "checktoken" in parameters);
  assert.ok(applied.out.includes(`checktoken ${String(backup?.parameters.checktoken)}`));
});

test("tokens are made and revoked while the service writes, while it is stopped, and after it was killed", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  assert.equal(statSync(join(folder.path, "data", "control")).mode & 0o077, 0);
  const writes = Array.from({ length: 200 }, (_, index) =>
    site.api("PUT schedules", { id: `schedule ${index}`, data: {} }),
  );
  const made = await Promise.all(
    ["a", "b", "c", "d"].map((label) =>
      watchpost(folder.path, ["token", "create", "--label", label]),
    ),
  );
  for (const answer of await Promise.all(writes)) assert.equal(answer.ok, true);
  assert.deepEqual(
    made.map(({ code }) => code),
    [0, 0, 0, 0],
  );
  const [first = "", second = "", third = ""] = made.map(({ out }) => out.trim());
  const answers = async (base: string, token: string): Promise<number> =>
    (await fetch(`${base}/api/1/accounts?token=${token}`)).status;
  assert.equal(await answers(site.base, first), 200);
  const revoke = async (shown: Ended | undefined): Promise<void> => {
    const handle = /token revoke (\w+)/.exec(shown?.err ?? "")?.[1] ?? "";
    assert.equal((await watchpost(folder.path, ["token", "revoke", handle])).code, 0);
  };
  await revoke(made[0]);
  assert.equal(await answers(site.base, first), 403);
  await site.kill("SIGKILL");
  await revoke(made[1]);
  assert.equal((await watchpost(folder.path, ["token", "list"])).out.match(/\n/g)?.length, 4);
  await using again = await start(folder.path, {}, site.token);
  assert.equal(await answers(again.base, second), 403);
  assert.equal(await answers(again.base, third), 200);
  await revoke(made[2]);
  assert.equal(await answers(again.base, third), 403);
});

test("whoever reads may have had enough, and that is no error", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  for (let index = 0; index < 20; index += 1) {
    const data = { monday: { time1: "8:30", time2: "17:00" } };
    for (const day of ["tuesday", "friday"]) Object.assign(data, { [day]: data.monday });
    await site.api("PUT schedules", { id: `${"x".repeat(90)}${index}`, data });
  }
  const piped = `set -o pipefail; ${join(root, "watchpost")} export | head -n 1`;
  await using program = run(
    folder.path,
    { WATCHPOST_URL: site.base, WATCHPOST_TOKEN: site.token },
    ["bash", "-c", piped],
  );
  assert.equal(await program.ended, 0);
  assert.deepEqual([program.output(), program.log()], ["configuration: default\n", ""]);
});

test("npx finds it inside the clone, and what is not understood ends with 2", async () => {
  await using folder = await temporaryFolder();
  const settings = { npm_config_cache: folder.path, npm_config_update_notifier: "false" };
  const npx = ["npx", "--no", "--loglevel=error", "watchpost"];
  await using shown = run(root, settings, [...npx, "--version"]);
  assert.equal(await shown.ended, 0);
  assert.match(shown.output(), /^\d+\.\d+\.\d+\n$/);
  const misused = await watchpost(folder.path, ["chekc"]);
  assert.deepEqual([misused.code, misused.out], [2, ""]);
  assert.match(misused.err, /Did you mean check\?/);
  const nowhere = await watchpost(folder.path, ["token", "list"]);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.err, /^there is no data\/watchpost\.db: set WATCHPOST_DATA to/);
});
