import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { failingData, loadField, pushedCheck } from "../check-drivers.ts";

const HOUR_MS = 3_600_000;

/** Creates a failed check whose recipients are these contacts, and returns its ID. */
async function failed(
  cast: ConformanceFixture,
  owner: ConformanceFixture["alice"],
  contacts: readonly string[] = [owner.contact.id],
): Promise<string> {
  const notifications = contacts.map((id) => ({ [id]: "All" }));
  const { id, heartbeat } = await pushedCheck(cast, { ...loadField, notifications }, owner);
  await heartbeat(failingData);
  return id;
}

/** Sends all that is to be sent, and waits until that is stored. */
async function deliver(
  { start, until, mails, store }: ConformanceFixture,
  count: number,
): Promise<void> {
  start();
  await until(`${count} mails`, async () => mails.length === count);
  await until("their ends", async () => (await store.alerts.msUntilDue()) === undefined);
}

/** Sends what is due without the service, which would have to live through every minute between. */
function deliverAtOnce({ store, clock }: ConformanceFixture): Promise<void> {
  return store.write(async ({ alerts }) => {
    for (const { id } of await alerts.claim({ leaseMs: 1, limit: 999 }))
      await alerts.finishAttempt(id, { status: "delivered", at: clock.now() });
  });
}

/** The checks that Alice's notifications are about. */
async function checksOf(
  { ask, alice }: ConformanceFixture,
  parameters: object,
): Promise<readonly string[]> {
  const { body } = await ask(alice, "GET /notifications", parameters);
  return body.map(({ jobid }: TestResponse["body"]) => jobid);
}

export const notifications = {
  id: async (cast) => {
    const { ask, alice, bob } = cast;
    const one = await failed(cast, alice);
    const other = await failed(cast, alice);
    const his = await failed(cast, bob);
    await deliver(cast, 3);
    assert.deepEqual(await checksOf(cast, {}), [other, one], "of all checks, newest first");
    assert.deepEqual(await checksOf(cast, { id: one }), [one]);
    const { body } = await ask(alice, `GET /notifications/${other}`);
    assert.deepEqual([body.length, body[0].jobid, body[0].to], [1, other, "alice@example.com"]);
    assert.deepEqual(await checksOf(cast, { id: his }), []);
    assert.deepEqual(await checksOf(cast, { id: his, customerid: bob.account.id }), [his]);
  },

  span: async (cast) => {
    const { alice, clock } = cast;
    const old = await failed(cast, alice);
    await deliverAtOnce(cast);
    await clock.advance(2 * HOUR_MS);
    const recent = await failed(cast, alice);
    await deliverAtOnce(cast);
    assert.deepEqual(await checksOf(cast, { span: 1 }), [recent]);
    assert.deepEqual(await checksOf(cast, { span: 3 }), [recent, old]);
    assert.deepEqual(await checksOf(cast, { span: 3, limit: 1 }), [recent], "the narrower wins");
    assert.deepEqual(await checksOf(cast, { span: 1, limit: 2 }), [recent], "the narrower wins");
  },

  limit: async (cast) => {
    const { ask, alice } = cast;
    const contacts: string[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      const newaddresses = Array.from({ length: 76 }, (_, index) => ({
        type: "email",
        address: `${name}${index}@example.com`,
      }));
      const { body } = await ask(alice, "POST /contacts", { custrole: "notify", newaddresses });
      contacts.push(body._id);
    }
    await failed(cast, alice, contacts);
    await deliverAtOnce(cast);
    for (const [parameters, count] of [
      [{ limit: 2 }, 2],
      [{}, 300],
      [{ span: 1 }, 304],
      [{ limit: 43_201 }, 304],
    ] as const)
      assert.equal((await checksOf(cast, parameters)).length, count);
  },

  subaccounts: async (cast) => {
    const { alice, bob, carol } = cast;
    const hers = await failed(cast, alice);
    const his = await failed(cast, bob);
    await failed(cast, carol);
    await deliver(cast, 3);
    assert.deepEqual(await checksOf(cast, {}), [hers]);
    for (const subaccounts of [true, "true", 1])
      assert.deepEqual(await checksOf(cast, { subaccounts }), [his, hers]);
    assert.deepEqual(await checksOf(cast, { subaccounts: false }), [hers]);
  },
} satisfies RowTests<"4.9 notifications">;
