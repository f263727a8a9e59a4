import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { samples } from "../../checks/samples.ts";
import { createClientFixture, modes, type ClientFixture } from "../fixture.ts";
import { countRecords, type Site } from "./client.ts";

const run = promisify(execFile);
/** Go's build cache, kept for the next test. */
const home = await mkdtemp(join(tmpdir(), "watchpost-clients-"));
after(() => rm(home, { recursive: true, force: true }));

const clients: Readonly<Record<string, (site: Site) => Promise<Record<string, number>>>> = {
  Go: (site) => counted("go", ["run", "main.go"], site),
  Python: (site) => counted("python3", ["client.py"], site),
  TypeScript: countRecords,
};

async function counted(
  program: string,
  args: readonly string[],
  { api: API, token: TOKEN, mode: MODE }: Site,
): Promise<Record<string, number>> {
  const { stdout } = await run(program, args, {
    cwd: import.meta.dirname,
    // Neither client needs packages outside its standard library, nor the user's environment.
    env: {
      PATH: process.env.PATH,
      HOME: home,
      GOCACHE: home,
      GO111MODULE: "off",
      API,
      TOKEN,
      MODE,
    },
  });
  return JSON.parse(stdout);
}

for (const mode of modes)
  for (const [language, read] of Object.entries(clients)) {
    test(`${mode}: a typed client in ${language} reads the list of one disabled check`, async () => {
      await using site = await createClientFixture(mode);
      await site.cast.ask(site.cast.alice, "POST /checks", {
        type: "HTTP",
        target: "http://example.com/",
      });
      const counts = await read({ api: `${site.base}/api/1`, token: site.token, mode });
      assert.deepEqual([counts.checks, counts.events], [1, 1]);
    });

    test(`${mode}: a typed client in ${language} reads every list, whatever the state of its records and the form in which they were sent`, async () => {
      await using site = await createClientFixture(mode);
      await fill(site);
      const counts = await read({ api: `${site.base}/api/1`, token: site.token, mode });
      const types = Object.keys(samples).length;
      assert.deepEqual(counts, {
        accounts: 2,
        contacts: 2,
        contactgroups: 2,
        schedules: 5,
        notificationprofiles: 2,
        checks: 2 * types + 3,
        events: types + 2,
        results: 2,
        notifications: 1,
      });
    });
  }

/** Makes records of every kind in different states, some of them by queries and forms, which have only text. */
async function fill({ cast, recordResult, deliverAlerts }: ClientFixture): Promise<void> {
  const { ask, alice, bob } = cast;
  await ask(alice, `PUT /accounts/${bob.account.id}`, { status: "Suspend" });
  await ask(alice, "POST /contacts", {
    custrole: "notify",
    newaddresses: [
      { address: "one@example.com", type: "email", suppressup: true, mute: true },
      { address: "+442079460000", type: "sms", mute: cast.clock.now() + 60_000 },
      { address: "https://hooks.example/x", type: "webhook", data: "text" },
    ],
  });
  await ask(alice, "POST /contactgroups");
  await ask(alice, "POST /contactgroups", { members: [alice.contact.id] });
  await ask(alice, "POST /notificationprofiles");
  await ask(alice, `POST /notificationprofiles?notifications[0][${alice.contact.id}]=Days`);
  await ask(alice, "PUT /schedules/Form?data[monday][time1]=6:00&data[monday][exclude]=1");
  for (const [type, { least = {}, full = {} }] of Object.entries(samples)) {
    const asText = Object.entries({ type, ...least, port: 25, follow: true }).map(
      ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)],
    );
    await ask(alice, `POST /checks?${new URLSearchParams(asText).toString()}`);
    await ask(alice, "POST /checks", { type, ...full, enabled: true });
  }
  const made = async (parameters: object): Promise<string> =>
    (await ask(alice, "POST /checks", { type: "PING", target: "example.com", ...parameters })).body
      ._id;
  const enabled = { enabled: true, notifications: [{ [alice.contact.id]: "All" }] };
  const up = await made({ ...enabled, sens: 2, runlocations: "nam", interval: "5.0" });
  const down = await made({ ...enabled, dep: up, mute: true, homeloc: "roam", tags: "a,b" });
  await made({ warningdays: false, statuscode: false, port: false });
  await recordResult(up);
  await recordResult(down, { passed: false });
  await deliverAlerts(down);
}
