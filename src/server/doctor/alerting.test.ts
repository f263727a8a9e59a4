import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import {
  aCheck,
  aContact,
  alice,
  anAddress,
  anAlert,
  bob,
  carol,
  minute,
  noon,
} from "../../../test/record-builders.ts";
import { postgres } from "../../../test/servers/postgres.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { createIds } from "../../kit/ids.ts";
import { silentLog } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import { createAdministration } from "../control/administration.ts";
import { serveControlSocket } from "../control/control-socket.ts";
import { readConfig } from "../../settings/config.ts";
import { openOnly } from "../open-store.ts";
import { alertingFindings } from "./alerting.ts";

/** Creates Alice's account without default recipients, and Carol's with a group. */
async function fill(store: Store): Promise<void> {
  await store.write(async (tx) => {
    for (const account of [
      { ...alice, name: "Alice" },
      { ...bob, name: "Bob", suppressAll: true },
    ])
      await tx.accounts.insert(account);
    const defaultNotifications = [{ team: { schedule: "All", delay: 0 } }];
    await tx.accounts.insert({ ...carol, name: "Carol", defaultNotifications });
    const silenced = { up: true, down: true, first: true, all: true, diagnostics: true };
    const contacts = [
      aContact("ann", { name: "Ann" }),
      aContact("off", {
        name: "Off",
        addresses: [
          anAddress("off-1", { status: "disabled" }),
          anAddress("off-2", { confirmed: false }),
          anAddress("off-3", { suppress: silenced }),
          anAddress("off-4", { mute: true }),
        ],
      }),
      aContact("empty", { name: "Empty", addresses: [] }),
      aContact("cat", { accountId: carol.id, name: "Cat", addresses: [anAddress("cat-1")] }),
    ];
    for (const contact of contacts) await tx.contacts.insert(contact);
    await tx.groups.insert({ id: "team", accountId: carol.id, name: "Team", members: ["cat"] });
    const to = (id: string) => [{ [id]: { schedule: "All", delay: 0 } }];
    const checks = [
      aCheck("heard", { notifications: to("ann") }),
      aCheck("unnamed"),
      aCheck("to off", { notifications: to("off") }),
      aCheck("to empty", { notifications: to("empty") }),
      aCheck("disabled", { enabled: false }),
      aCheck("of bob", { accountId: bob.id }),
      aCheck("of carol", { accountId: carol.id }),
    ];
    for (const check of checks) await tx.checks.insert(check);
  });
}

async function failAlerts(store: Store): Promise<void> {
  const record = await store.checks.find(alice.id, "heard");
  const check = record?.check ?? assert.fail();
  await store.write(async ({ alerts }) => {
    await alerts.insert(anAlert("one", check), anAlert("untried", check, { dueAt: noon + minute }));
    const message = { kind: "down" as const, to: "a@example.net", from: "", subject: "", body: "" };
    await alerts.setRendered("one", { ...message, network: "email" });
    await alerts.addDelivery({
      alertId: "one",
      attempt: 1,
      startedAt: noon,
      endedAt: noon,
      accepted: false,
      response: "450 mailbox busy",
    });
    await alerts.finishAttempt("one", {
      status: "waiting",
      nextAttemptAt: noon + 20 * minute,
      possiblySent: false,
      unreached: true,
    });
  });
}

const settings = { WATCHPOST_LISTEN: "127.0.0.1:1" };

test("checks that alert nobody, contacts without an address, and alerts that fail are findings of the running service", async () => {
  const clock = fakeClock(noon);
  await using store = await tempStore({ clock });
  const config = readConfig({ ...settings, WATCHPOST_DATA: store.directory });
  const [unknown] = await alertingFindings(config, clock);
  assert.deepEqual(
    [unknown?.state, unknown?.found],
    ["amber", "not looked at: the service does not run on this data folder"],
  );
  const administration = createAdministration({
    store,
    ids: createIds(),
    clock,
    compatibility: "standard",
  });
  const control = await serveControlSocket(store.directory, { ...administration, log: silentLog });
  try {
    const well = await alertingFindings(config, clock);
    assert.deepEqual(
      well.map(({ name, state, advice }) => [name, state, advice]),
      [
        ["recipients", "green", undefined],
        ["contacts", "green", undefined],
        ["failing alerts", "green", undefined],
      ],
    );
    await fill(store);
    await failAlerts(store);
    clock.step(12 * minute);
    const found = await alertingFindings(config, clock);
    assert.deepEqual(
      found.map(({ state, found: said }) => [state, said]),
      [
        [
          "amber",
          '4 checks alert nobody: "unnamed" of Alice (neither it nor the account names anybody), "to off" of Alice (every address it names is off, muted or not confirmed), "to empty" of Alice (whom it names has no address) and 1 more',
        ],
        ["amber", '2 contacts have no address that is on: "Off" of Alice, "Empty" of Alice'],
        ["red", "1 alert was not accepted, the oldest is 12 min late: email: 450 mailbox busy"],
      ],
    );
    assert.ok(found.every(({ advice }) => advice !== undefined));
  } finally {
    await control.close();
  }
});

test("on PostgreSQL the database itself is read, and one that this program would have to upgrade is left alone", async () => {
  await using server = await postgres();
  const folder = await mkdtemp(join(tmpdir(), "watchpost-doctor-"));
  try {
    const key = randomBytes(32);
    const { user, host, port } = server;
    const config = readConfig({
      ...settings,
      WATCHPOST_DATA: join(folder, "nowhere"),
      WATCHPOST_DATABASE_URL: `postgres://${user}@${host}:${port}/postgres`,
      WATCHPOST_INSTANCE_KEY: key.toString("hex"),
    });
    const clock = fakeClock(noon);
    const [before] = await alertingFindings(config, clock);
    assert.deepEqual(
      [before?.state, before?.found],
      ["amber", "not looked at: the database has no tables of an installation"],
    );
    const deps = { clock, sealer: createSealer(key), log: silentLog };
    const store = await openOnly(config, deps);
    await fill(store);
    await failAlerts(store);
    await store.close();
    const found = await alertingFindings(config, clock);
    assert.deepEqual(
      found.map(({ name, state }) => [name, state]),
      [
        ["recipients", "amber"],
        ["contacts", "amber"],
        ["failing alerts", "red"],
      ],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
