import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture, type Person } from "../../../../test/api-fixture.ts";
import type { AddressTest } from "../../../domain/contact/address-test.ts";
import type { TestContact } from "./test-contact.ts";

type Asked = Parameters<TestContact>[0];

/** A cast whose receivers answer with `answer`, and the tests that were asked for. */
async function testCast(
  answer: Partial<AddressTest> = {},
): Promise<ApiFixture & { readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const cast = await createApiFixture({
    async testContact(one) {
      asked.push(one);
      return one.contact.addresses.map((address) => ({
        address,
        accepted: true,
        response: "250 2.0.0 queued",
        durationMs: 12,
        ...answer,
      }));
    },
  });
  return { ...cast, asked };
}

for (const request of [
  (id: string) => `POST /contacts/${id}?action=TEST`,
  (id: string) => `GET /contacts?id=${id}&action=test`,
  (id: string) => `PUT /contacts?id=${id}&action=test`,
  (id: string) => `POST /contacts/test/${id}`,
]) {
  test(`a contact is tested by ${request("<id>")}, and the answer says what became of each address`, async () => {
    await using cast = await testCast();
    const { contact, account } = cast.alice;
    const { status, body } = await cast.ask(cast.alice, request(contact.id));
    const [address] = contact.addresses;
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          success: true,
          addresses: {
            [address?.id ?? ""]: {
              type: "email",
              address: "alice@example.com",
              accepted: true,
              response: "250 2.0.0 queued",
              runtime: 12,
            },
          },
        },
      ],
    );
    assert.deepEqual(
      cast.asked.map((one) => [one.contact.id, one.account.id, one.caller.id]),
      [[contact.id, account.id, account.id]],
    );
  });
}

test("a test is a success only where every address took it, and one that was not sent took no time", async () => {
  await using cast = await testCast({
    accepted: false,
    response: "not sent: the address wants no messages",
    durationMs: undefined,
  });
  const { body } = await cast.ask(cast.alice, "POST /contacts/test", { id: cast.alice.contact.id });
  const [response] = Object.values(body.addresses);
  assert.deepEqual(
    [body.success, response],
    [
      false,
      {
        type: "email",
        address: "alice@example.com",
        accepted: false,
        response: "not sent: the address wants no messages",
      },
    ],
  );
});

test("Carol tests no contact of Alice's, and Alice one of her subaccount only where she names it", async () => {
  await using cast = await testCast();
  for (const [who, id] of [
    [cast.carol, cast.alice.contact.id],
    [cast.bob, cast.alice.contact.id],
    [cast.alice, cast.bob.contact.id],
    [cast.alice, "missing"],
  ] as const) {
    const { status, body } = await cast.ask(who, "POST /contacts/test", { id });
    assert.deepEqual([status, body], [404, { error: "Unable to find that contact" }]);
  }
  assert.equal(cast.asked.length, 0);
  const parameters = { id: cast.bob.contact.id, customerid: cast.bob.account.id };
  assert.equal((await cast.ask(cast.alice, "POST /contacts/test", parameters)).status, 200);
  assert.deepEqual(
    cast.asked.map(({ account, caller }) => [account.name, caller.name]),
    [["Bob", "Alice"]],
  );
});

test("a test needs an id, and a contact with an address", async () => {
  await using cast = await testCast();
  const { body: bare } = await cast.ask(cast.alice, "POST /contacts", { name: "bare" });
  for (const [parameters, error] of [
    [{}, "id: required"],
    [{ id: bare._id }, "id: the contact has no address to send a test to"],
  ] as const) {
    const { status, body } = await cast.ask(cast.alice, "POST /contacts/test", parameters);
    assert.deepEqual([status, body.error], [400, error]);
  }
  assert.equal(cast.asked.length, 0);
});

// guard: rate of tests
test("a contact is tested once a minute, whoever asks", async () => {
  await using cast = await testCast();
  const { id } = cast.bob.contact;
  const ask = (who: Person) =>
    cast.ask(who, "POST /contacts/test", { id, customerid: cast.bob.account.id });
  assert.equal((await ask(cast.bob)).status, 200);
  await cast.clock.advance(15_500);
  const early = await ask(cast.alice);
  assert.deepEqual(
    [early.status, early.body, early.headers["retry-after"]],
    [429, { error: "id: the contact was tested less than a minute ago" }, "45"],
  );
  await cast.clock.advance(44_500);
  assert.equal((await ask(cast.alice)).status, 200);
  assert.equal(cast.asked.length, 2);
});

test("a test of which nothing was sent is not counted", async () => {
  await using cast = await testCast({ accepted: false, durationMs: undefined });
  const ask = () => cast.ask(cast.alice, "POST /contacts/test", { id: cast.alice.contact.id });
  assert.deepEqual([(await ask()).status, (await ask()).status], [200, 200]);
});

test("an account has five contacts tested a minute, its own and those of its subaccounts, and another's count for nothing", async () => {
  await using cast = await testCast();
  const made = await Promise.all(
    [undefined, cast.bob.account.id].flatMap((customerid) =>
      Array.from({ length: 3 }, async () => {
        const newaddresses = [{ address: "ann@example.com" }];
        const { body } = await cast.ask(cast.alice, "POST /contacts", { customerid, newaddresses });
        return body;
      }),
    ),
  );
  const test = ({ _id: id, customer_id: customerid }: Record<string, unknown> = {}) =>
    cast.ask(cast.alice, "POST /contacts/test", { id, customerid });
  const statuses: number[] = [];
  for (const contact of made) {
    statuses.push((await test(contact)).status);
    await cast.clock.advance(1000);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  const { body, headers } = await test(made[5]);
  assert.deepEqual(
    [body.error, headers["retry-after"]],
    ["id: 5 contacts were tested in the last minute with tokens of the account", "54"],
  );
  const ofCarol = { id: cast.carol.contact.id };
  assert.equal((await cast.ask(cast.carol, "POST /contacts/test", ofCarol)).status, 200);
  await cast.clock.advance(54_000);
  assert.equal((await test(made[5])).status, 200);
});
