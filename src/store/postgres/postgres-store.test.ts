import assert from "node:assert/strict";
import { test } from "node:test";

import { sql } from "kysely";

import { testDatabase, testServer } from "../../../test/stores/postgres-store.ts";
import {
  aCheck,
  aContact,
  aFlip,
  alice,
  anAlert,
  aResult,
  minute,
  noon,
} from "../../../test/record-builders.ts";
import type { Store, Transaction } from "../store.ts";
import { createControllerRows } from "./leases/controller-rows.ts";
import { waitFor } from "../../../test/time/wait-for.ts";

const server = testServer();

test("a token that another process revoked, and a check that it changed, are seen within seconds", async () => {
  await using database = await testDatabase(server());
  const [here, elsewhere] = [await database.open(), await database.open()];
  const check = await elsewhere.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.tokens.insert({
      digest: "token",
      accountId: alice.id,
      label: "",
      createdAt: noon,
      compatibility: "standard",
    });
    return tx.checks.insert(aCheck("check"));
  });
  assert.deepEqual((await here.accounts.findByToken("token"))?.account, alice);
  assert.equal((await here.checks.find(alice.id, "check"))?.check.label, "check");
  await elsewhere.write(async (tx) => {
    await tx.tokens.remove("token");
    await tx.checks.update({ ...check, label: "new" }, noon);
  });
  assert.deepEqual((await here.accounts.findByToken("token"))?.account, alice);
  await database.clock.advance(5000);
  assert.equal(await here.accounts.findByToken("token"), undefined);
  assert.equal((await here.checks.find(alice.id, "check"))?.check.label, "new");
});

test("a change that another process recorded is passed on within two seconds, each once", async () => {
  await using database = await testDatabase(server());
  const [here, elsewhere] = [await database.open(), await database.open()];
  const changes: unknown[] = [];
  here.changes.subscribe((change) => void changes.push(change));
  const change = { accountId: alice.id, checkNo: undefined };
  await elsewhere.write((tx) => tx.changes.record(change));
  await database.clock.advance(2000);
  await waitFor("it is passed on", () => changes.length > 0);
  for (let polls = 0; polls < 3; polls += 1) await database.clock.advance(2000);
  await here.write(() => Promise.resolve());
  assert.deepEqual(changes, [change]);
});

test("more changes than fit into a page are passed on at once and each once, also while another transaction stays open", async () => {
  await using database = await testDatabase(server());
  const here = await database.open();
  const seen: (number | undefined)[] = [];
  here.changes.subscribe((change) => {
    if (change !== "everything") seen.push(change.checkNo);
  });
  const record = (db: typeof database.db, from: number, to: number) =>
    sql`insert into changes (account_id, check_no, at) select ${alice.id}, generate_series(${from}::int, ${to}::int), 0`.execute(
      db,
    );
  await database.db.connection().execute(async (late) => {
    // Without the bounds of a unit.
    await sql`begin`.execute(late);
    await record(late, 0, 0);
    await record(database.db, 1, 12_000);
    await here.readChanges();
    assert.deepEqual(seen, range(1, 12_000));
    await record(database.db, 12_001, 12_001);
    await here.readChanges();
    await sql`commit`.execute(late);
  });
  await here.readChanges();
  await here.readChanges();
  assert.deepEqual(seen, [...range(1, 12_001), 0]);
});

test("who did not read changes for as long as they are kept is notified once that anything may have changed", async () => {
  await using database = await testDatabase(server());
  const here = await database.open();
  const seen: unknown[] = [];
  here.changes.subscribe((change) => void seen.push(change));
  const change = { accountId: alice.id, checkNo: undefined };
  const readAfter = async (ms: number): Promise<void> => {
    await database.setClock(database.clock.now() + ms);
    await here.readChanges();
  };
  await readAfter(20 * minute);
  assert.deepEqual(seen, []);
  await database.db.connection().execute(async (elsewhere) => {
    await sql`insert into changes (account_id, at) values (${alice.id}, 0)`.execute(elsewhere);
    // As the purge does an hour later.
    await sql`delete from changes`.execute(elsewhere);
  });
  await readAfter(60 * minute);
  assert.deepEqual(seen, ["everything"]);
  await readAfter(minute);
  await here.write((tx) => tx.changes.record(change));
  assert.deepEqual(seen, ["everything", change]);
});

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

test("processes that claim at the same time get each alert once", async () => {
  await using database = await testDatabase(server());
  const [one, other] = [await database.open(), await database.open()];
  await one.write(async (tx) => {
    await tx.accounts.insert(alice);
    const check = await tx.checks.insert(aCheck("check"));
    for (let index = 0; index < 60; index += 1)
      await tx.alerts.insert(
        anAlert(`alert-${index}`, check, { addressId: `${index % 20}`, flipId: `${index}` }),
      );
  });
  const claim = (store: Store) =>
    store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 10 }));
  const claims = await Promise.all([one, other, one, other].map(claim));
  // Claims that saw another's locked lanes return empty; the next ones get the rest.
  for (const store of [one, other]) claims.push(await claim(store));
  const ids = claims.flat().map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, 20);
});

test("units of one account that take long leave connections to others, and to units of nobody", async () => {
  await using database = await testDatabase(server());
  const store = await database.open();
  await store.write((tx) => tx.accounts.insert(alice));
  const ending = Promise.withResolvers<void>();
  let begun = 0;
  const long = Array.from({ length: 20 }, () =>
    store.write(
      async (tx) => {
        await tx.accounts.find(alice.id);
        begun += 1;
        await ending.promise;
      },
      { accountId: alice.id },
    ),
  );
  await waitFor("as many as may", () => begun === 4);
  const rename = (name: string) => (tx: Transaction) =>
    tx.accounts.update({ ...alice, name }, noon);
  await store.write(rename("by another"), { accountId: "BOB" });
  await store.write(rename("by nobody"));
  assert.equal(begun, 4);
  ending.resolve();
  await Promise.all(long);
  assert.equal(begun, 20);
});

test("a flip beside a switch to disabled leaves no open down span and no waiting alert", async () => {
  await using database = await testDatabase(server());
  const [one, other] = [await database.open(), await database.open()];
  await one.write((tx) => tx.accounts.insert(alice));
  for (let round = 0; round < 10; round += 1) {
    const check = await one.write((tx) => tx.checks.insert(aCheck(`check-${round}`)));
    const { no } = check;
    await Promise.all([
      one.write(
        async (tx) => {
          if (!(await tx.states.flip(aFlip(no, { id: `flip-${round}` })))) return;
          await tx.alerts.insert(anAlert(`alert-${round}`, check));
        },
        { checks: [no] },
      ),
      other.write((tx) => tx.checks.update({ ...check, enabled: false, revision: 2 }, noon), {
        checks: [no],
      }),
    ]);
    const spans = await one.states.listDownSpans(no, 0, Number.MAX_SAFE_INTEGER);
    assert.ok(spans.every(({ end }) => end !== undefined));
  }
  assert.equal(await one.alerts.msUntilDue(), undefined);
});

test("the lane of an address goes once the address is gone and no alert to it is open, and no sooner", async () => {
  await using database = await testDatabase(server());
  const store = await database.open();
  const check = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    for (const id of ["kept", "gone", "open"]) await tx.contacts.insert(aContact(id));
    return tx.checks.insert(aCheck("check"));
  });
  await store.write(async (tx) => {
    for (const id of ["kept", "gone", "open"]) {
      await tx.alerts.insert(anAlert(id, check, { contactId: id, addressId: `${id}-mail` }));
      if (id !== "open") await tx.alerts.finishAttempt(id, { status: "delivered", at: noon });
    }
    for (const id of ["gone", "open"]) await tx.contacts.remove(alice.id, id);
  });
  await store.runHousekeeping();
  assert.equal(await database.count("lanes"), 3);
  await store.runHousekeeping();
  assert.equal(await database.count("lanes"), 2);
  await store.write((tx) => tx.alerts.finishAttempt("open", { status: "delivered", at: noon }));
  for (let rounds = 0; rounds < 3; rounds += 1) await store.runHousekeeping();
  assert.equal(await database.count("lanes"), 1);
  const claimed = await store.write(async (tx) => {
    await tx.alerts.insert(anAlert("new", check, { contactId: "kept", addressId: "kept-mail" }));
    return tx.alerts.claim({ leaseMs: minute, limit: 9 });
  });
  assert.deepEqual(
    claimed.map(({ id }) => id),
    ["new"],
  );
});

// guard: the fence of a controller
test("a controller that was taken over from stores neither a unit nor a result", async () => {
  await using database = await testDatabase(server());
  const store = await database.open();
  const check = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("check"));
  });
  // No row of a controller has this id any more.
  const former = store.heldBy((unit) => unit("former"));
  const refused = { message: /another process controls the check by now, so nothing was stored/ };
  await assert.rejects(
    former.write((tx) => tx.states.flip(aFlip(check.no)), { checks: [check.no] }),
    refused,
  );
  await assert.rejects(former.append(aResult(check.no, noon)), refused);
  assert.equal((await store.states.get(check.no)).state, undefined);
  assert.equal(await store.results.last(check.no), undefined);
});

test("a result that waits for others is stored under the lease that it was found under, and under no later one", async () => {
  await using database = await testDatabase(server());
  const store = await database.open();
  const check = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("check"));
  });
  const rows = createControllerRows(database.db);
  let id = "before";
  await rows.register({ id, busOk: true, heldMs: 3300 });
  const controller = store.heldBy((unit) => unit(id));
  const append = (startedAt: number): Promise<unknown> =>
    controller.append(aResult(check.no, startedAt), { mayWait: true });
  const kept = append(noon);
  await database.clock.advance(50);
  await kept;
  const refused = assert.rejects(append(noon + 1), { message: /another process controls/ });
  // The lease is lost and won again while it waits.
  await rows.remove(id);
  id = "after";
  await rows.register({ id, busOk: true, heldMs: 3300 });
  await database.clock.advance(50);
  await refused;
  assert.equal(await database.count("results"), 1);
});
