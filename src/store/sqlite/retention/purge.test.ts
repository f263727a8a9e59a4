import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { fakeClock, drainEventLoop, type FakeClock } from "../../../../test/time/fake-clock.ts";
import {
  aConfiguration,
  aCheck,
  aContact,
  aFlip,
  aMaintenance,
  aResult,
  aStatusPage,
  aSubscriber,
  alice,
  anAccount,
  anAddress,
  anAlert,
  aPasskey,
  aTotp,
  anIncident,
  minute,
  noon,
} from "../../../../test/record-builders.ts";
import { tempStore } from "../../../../test/stores/temp-store.ts";
import type { Check } from "../../../domain/check.ts";
import { silentLog } from "../../../kit/log.ts";
import { createSealer } from "../../../kit/crypto/seal.ts";
import type { Store } from "../../store.ts";
import { openSqliteStore } from "../sqlite-store.ts";

const bob = anAccount("BOB", { parentId: alice.id });
/** A piece is smaller than this. */
const many = 1500;
/**
 * Tables that maintenance changes without changing accounts: counters and migrations. Mail budgets outlive accounts so that they are not reset, and locations
 * belong to no account.
 */
const notOfAccounts = new Set([
  "alert_mails",
  "locations",
  "meta",
  "migrations",
  "service_days",
  "sqlite_sequence",
  "unasked_mails",
]);

/** Every row of every table that could hold something of an account. */
function rowsOf(directory: string): ReadonlyMap<string, readonly string[]> {
  using database = new DatabaseSync(join(directory, "watchpost.db"), { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !notOfAccounts.has(name));
  return new Map(
    tables.map((table) => [
      table,
      database
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => JSON.stringify(row))
        .filter((row) => !row.endsWith('"used":0}')),
    ]),
  );
}

/** Everything that an account can have, a check that it removed included. */
async function fill(store: Store, accountId: string): Promise<Check> {
  const [check, removed] = await store.write(async (tx) => {
    await tx.tokens.insert({
      digest: accountId,
      accountId,
      label: "",
      createdAt: noon,
      compatibility: "standard",
    });
    const addresses = [anAddress(`${accountId}-mail`)];
    await tx.contacts.insert(aContact(`${accountId}-CONTACT`, { accountId, addresses }));
    const signIn = {
      accountId,
      contactId: `${accountId}-CONTACT`,
      endsAt: noon + 366 * 86_400_000,
    };
    await tx.sessions.insertLink({ ...signIn, digest: `${accountId}-link` });
    const session = { ...signIn, digest: `${accountId}-session`, createdAt: noon, usedAt: noon };
    await tx.sessions.insert({ ...session, client: "", agent: "" }, 1);
    const { contactId } = signIn;
    await tx.secondFactors.putTotp({ ...aTotp, accountId, contactId });
    await tx.secondFactors.insertPasskey({ ...aPasskey(accountId), accountId, contactId });
    await tx.secondFactors.replaceRecoveryCodes({ accountId, contactId }, ["digest"]);
    await tx.secondFactors.insertPending(
      { ...signIn, digest: `${accountId}-pending` },
      { most: 1, now: noon },
    );
    await tx.audit.insert({
      accountId,
      at: noon,
      actor: undefined,
      client: "",
      operation: "PUT accounts",
      recordId: undefined,
      fields: [],
    });
    await tx.groups.insert({ id: `${accountId}-G`, accountId, name: "", members: [] });
    await tx.profiles.insert({ id: `${accountId}-P`, accountId, name: "", subscriptions: [] });
    await tx.schedules.put(accountId, { name: "Days", days: {} });
    await tx.configurations.insert(aConfiguration(`${accountId}-configuration`, { accountId }));
    await tx.statusPages.insert(aStatusPage(`${accountId}-page`, { accountId }));
    await tx.pageOutages.add(`${accountId}-page`, [
      { checkId: "shop", outage: `${accountId}-outage`, incidentId: `${accountId}-incident` },
    ]);
    const subscriber = aSubscriber(`${accountId}-reader`, {
      accountId,
      pageId: `${accountId}-page`,
    });
    await tx.subscribers.insert(subscriber);
    await tx.pageMessages.request(subscriber);
    const incident = anIncident(`${accountId}-incident`, { accountId });
    await tx.incidents.insert(incident);
    await tx.pageMessages.announce(incident, incident.updates);
    await tx.systemMails.insert({
      id: `${accountId}-mail`,
      accountId,
      contactId: `${accountId}-CONTACT`,
      kind: "welcome",
      name: "",
      to: "",
      password: "",
      createdAt: noon,
    });
    const check = await tx.checks.insert(aCheck(`${accountId}-CHECK`, { accountId }));
    await tx.heartbeatAliases.insert({
      digest: `${accountId}-alias`,
      accountId,
      checkNo: check.no,
      system: "uptime-kuma",
      hint: "",
      createdAt: noon,
    });
    const range = { start: noon - 60_000, end: noon };
    await tx.importedHistories.add(
      { checkNo: check.no, accountId, origin: "uptime-kuma", ...range, createdAt: noon },
      [{ kind: "enabled", ...range, message: "" }],
    );
    await tx.importedRecords.put({
      accountId,
      origin: "uptime-kuma",
      kind: "check",
      originId: "1",
      recordId: check.id,
    });
    await tx.states.flip(aFlip(check.no, { id: `${accountId}-flip` }));
    await tx.states.recordGap(check.no, {
      kind: "missed",
      reason: "",
      message: "",
      firstTick: noon,
      lastTick: noon,
      ticks: 1,
    });
    const key = { accountId, id: "M" };
    await tx.maintenances.insert(aMaintenance("M", { accountId, checkIds: [check.id] }));
    await tx.maintenances.pauseChecks(key, [check.id], noon);
    await tx.diagnostics.insert({
      id: `${accountId}-diagnosis`,
      accountId,
      checkNo: check.no,
      checkId: check.id,
      outage: "",
      location: "",
      createdAt: noon,
    });
    const to = { contactId: `${accountId}-CONTACT`, addressId: `${accountId}-mail` };
    const alert = anAlert(`${accountId}-alert`, check, to);
    await tx.alerts.insert(alert);
    const grouping = new Map([["email", { waitMs: 1000 * minute, alerts: "all" as const }]]);
    await tx.alerts.claim({ leaseMs: 1000 * minute, limit: 9, grouping });
    const wording = { kind: "down", to: "", from: "", subject: "", body: "", network: "" } as const;
    const members = [{ alertId: alert.id, attempt: 1, wording }];
    await tx.alerts.bundle({ id: `${accountId}-bundle`, accountId, message: "", members });
    await tx.alerts.addDelivery({
      alertId: alert.id,
      attempt: 1,
      startedAt: noon,
      endedAt: noon,
      accepted: false,
      response: "",
    });
    await tx.changes.record({ accountId, checkNo: check.no });
    return [check, await tx.checks.insert(aCheck(`${accountId}-REMOVED`, { accountId }))] as const;
  });
  for (const { no } of [check, removed]) await store.append(aResult(no, noon));
  await store.write(async ({ evidence, startedRuns }) => {
    for (const { no } of [check, removed]) {
      const run = { checkNo: no, startedAt: noon };
      await startedRuns.begin({ ...run, runId: "", dueAt: undefined });
      await evidence.record({ ...run, flipped: true, text: "503" });
      const shown = { subject: "", issuer: "", validTo: 0 };
      await evidence.recordCertificate({
        checkNo: no,
        location: "fra",
        observedAt: noon,
        ...shown,
      });
    }
  });
  // No table of results takes half a ms.
  await store.append(aResult(check.no, noon + 0.5));
  await store.write((tx) => tx.checks.remove(accountId, removed.id, noon));
  return check;
}

async function appendMany(store: Store, checkNo: number): Promise<void> {
  await Promise.all(
    Array.from({ length: many }, (_, index) => store.append(aResult(checkNo, noon + index))),
  );
}

/** A round of upkeep in which the results go to their days. */
async function round(store: Store, clock: FakeClock): Promise<void> {
  await clock.advance(10 * minute);
  await store.runHousekeeping();
}

async function purgeAll(store: Store, clock: FakeClock): Promise<void> {
  for (let rounds = 0; rounds < 4; rounds += 1) await round(store, clock);
}

/** Changes are kept for an hour. */
async function forgetChanges(store: Store, clock: FakeClock): Promise<void> {
  await round(store, clock);
  await clock.advance(61 * minute);
  await store.runHousekeeping();
}

function resultsIn(directory: string, checkNo: number): number {
  return [...rowsOf(directory)]
    .filter(([table]) => table.startsWith("results_"))
    .flatMap(([, rows]) => rows)
    .filter((row) => row.startsWith(`{"check_no":${checkNo},`)).length;
}

/** As if the check had run for a day. */
function leavePackedDay(directory: string, checkNo: number): void {
  using database = new DatabaseSync(join(directory, "watchpost.db"));
  database
    .prepare("INSERT INTO packed_days VALUES (?, 0, ?, ?, ?, 1, x'00')")
    .run(checkNo, noon, noon, noon);
  for (const table of ["hourly_summaries", "daily_summaries"])
    database.prepare(`INSERT INTO ${table} VALUES (?, 0, x'00')`).run(checkNo);
}

/** As if the process had ended while it switched the checks of the account. */
function leaveSwitch(directory: string, accountId: string): void {
  using database = new DatabaseSync(join(directory, "watchpost.db"));
  database.prepare("INSERT INTO account_switches VALUES (?, 0, 0, NULL, NULL)").run(accountId);
}

test("nothing of a removed account remains in any table, and its neighbours keep all", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  await store.write((tx) => tx.accounts.insert(alice));
  await fill(store, alice.id);
  await purgeAll(store, clock);
  await forgetChanges(store, clock);
  const before = rowsOf(store.directory);

  await store.write((tx) => tx.accounts.insert(bob));
  const check = await fill(store, bob.id);
  await round(store, clock);
  await store.append(aResult(check.no, noon + 1));
  await store.append(aResult(check.no, noon + 86_400_000));
  leaveSwitch(store.directory, bob.id);
  leavePackedDay(store.directory, check.no);
  for (const [table, rows] of rowsOf(store.directory))
    assert.ok(rows.length > (before.get(table)?.length ?? 0), `${table} has nothing of Bob's`);

  await store.write((tx) => tx.accounts.remove(bob.id, clock.now()));
  await purgeAll(store, clock);
  await forgetChanges(store, clock);
  const after = new Map(rowsOf(store.directory));
  assert.deepEqual(after.get("results_20260106"), []);
  after.delete("results_20260106");
  assert.deepEqual(after, before);
});

test("an account is there until everything it had is gone, whatever comes late", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const late = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.accounts.insert(bob);
    await tx.accounts.remove(bob.id, noon);
    return tx.checks.insert(aCheck("late", { accountId: bob.id }));
  });
  await round(store, clock);
  await store.append(aResult(late.no, noon));
  await store.write((tx) => tx.contacts.insert(aContact("late", { accountId: bob.id })));
  assert.equal((await store.accounts.find(bob.id))?.status, "deleted");
  await purgeAll(store, clock);
  assert.equal(await store.accounts.find(bob.id), undefined);
  assert.deepEqual(await store.contacts.list(bob.id), []);
  assert.equal(resultsIn(store.directory, late.no), 0);
});

test("the results of a removed check go as well, those of a run that was under way too", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const [removed, kept] = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return [await tx.checks.insert(aCheck("removed")), await tx.checks.insert(aCheck("kept"))];
  });
  for (const { no } of [removed, kept]) await appendMany(store, no);
  await round(store, clock);
  await store.write((tx) => tx.checks.remove(alice.id, removed.id, clock.now()));
  await clock.advance(10 * minute);
  const folded = store.runHousekeeping();
  await store.append(aResult(removed.no, clock.now()));
  await folded;
  for (let rounds = 0; rounds < 3; rounds += 1) await store.runHousekeeping();
  assert.equal(resultsIn(store.directory, removed.no), many);
  await purgeAll(store, clock);
  assert.equal(resultsIn(store.directory, removed.no), 0);
  assert.equal(resultsIn(store.directory, kept.no), many);
  assert.deepEqual(rowsOf(store.directory).get("removed_checks"), []);
  assert.deepEqual(rowsOf(store.directory).get("result_journal"), []);
});

test("whoever writes gets a turn between two pieces", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const { no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("removed"));
  });
  await appendMany(store, no);
  await store.write((tx) => tx.checks.remove(alice.id, "removed", clock.now()));
  await round(store, clock);
  await clock.advance(10 * minute);
  const seen = new Set<number>();
  let isOver = false;
  const upkeep = store.runHousekeeping().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await store.write(() => Promise.resolve());
    seen.add(resultsIn(store.directory, no));
  }
  await upkeep;
  assert.ok(seen.size > 3, [...seen].join());
  assert.equal(resultsIn(store.directory, no), 0);
});

test("what was begun goes on after a crash in the middle", async () => {
  const clock = fakeClock();
  const directory = await mkdtemp(join(tmpdir(), "watchpost-"));
  const sealer = createSealer(randomBytes(32));
  await using store = await tempStore({ hasThread: true, clock, sealer });
  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.accounts.insert(bob);
  });
  const check = await fill(store, bob.id);
  await appendMany(store, check.no);
  await round(store, clock);
  await store.write((tx) => tx.accounts.remove(bob.id, clock.now()));
  await round(store, clock);
  await clock.advance(10 * minute);
  const upkeep = store.runHousekeeping();
  while (resultsIn(store.directory, check.no) === many) await drainEventLoop(1);
  cpSync(store.directory, directory, { recursive: true });
  await upkeep;

  const reopened = await openSqliteStore({ directory, clock, sealer, log: silentLog });
  assert.equal((await reopened.accounts.find(bob.id))?.status, "deleted");
  assert.notEqual(resultsIn(directory, check.no), 0);
  await purgeAll(reopened, clock);
  await forgetChanges(reopened, clock);
  assert.equal(await reopened.accounts.find(bob.id), undefined);
  assert.deepEqual(
    [...rowsOf(directory)].filter(([, rows]) => rows.length > 0).map(([table]) => table),
    ["account_usage", "accounts"],
  );
  await reopened.close();
  await rm(directory, { recursive: true });
});

test("the removal of a check deletes a handful of rows, however many it has: the rest goes in pieces", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const check = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("removed"));
  });
  for (let from = 0; from < many; from += 500)
    await store.write(async ({ states }) => {
      for (let index = from; index < from + 500; index += 1) {
        const [before, after] =
          index % 2 === 0 ? (["passing", "failing"] as const) : (["failing", "passing"] as const);
        const at = noon + index;
        const id = `flip-${index}`;
        const state = index === 0 ? undefined : before;
        await states.flip(aFlip(check.no, { id, from: state, to: after, at, since: at }));
      }
    });
  const rows = (): number => store.count(`flips`) + store.count(`spans`);
  const before = rows();
  assert.ok(before > many);
  await store.write((tx) => tx.checks.remove(alice.id, "removed", clock.now()));
  assert.equal(rows(), before);
  assert.deepEqual(await store.states.listDownSpans(check.no, 0, Number.MAX_SAFE_INTEGER), []);
  await round(store, clock);
  await clock.advance(10 * minute);
  const seen = new Set<number>();
  let isOver = false;
  const upkeep = store.runHousekeeping().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await store.write(() => Promise.resolve());
    seen.add(rows());
  }
  await upkeep;
  assert.ok(seen.size > 3, [...seen].join());
  assert.equal(rows(), 0);
});
