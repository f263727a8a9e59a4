import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type Person } from "../../../test/api-fixture.ts";

const missing = { error: "Unable to find group" };

function addressOf({ contact }: Person): string {
  return contact.addresses[0]?.id ?? "";
}

test("a group is made, shown alone and in the list by id", async () => {
  await using cast = await createApiFixture();
  const members = [cast.alice.contact.id, addressOf(cast.alice)];
  const { body } = await cast.ask(cast.alice, "POST /contactgroups", { name: "Team", members });
  assert.match(body._id, new RegExp(`^${cast.alice.account.id}-G-[A-Z0-9]{5}$`));
  assert.deepEqual(body, {
    _id: body._id,
    type: "group",
    customer_id: cast.alice.account.id,
    name: "Team",
    members,
  });
  assert.deepEqual((await cast.ask(cast.alice, `GET /contactgroups/${body._id}`)).body, body);
  assert.deepEqual((await cast.ask(cast.alice, `GET /contactgroups?id=${body._id}`)).body, body);
  const { body: second } = await cast.ask(cast.alice, "POST /contactgroups/");
  assert.deepEqual([second.name, second.members], ["", []]);
  const list = await cast.ask(cast.alice, "GET /contactgroups/");
  assert.equal(list.text, JSON.stringify({ [body._id]: body, [second._id]: second }));
});

const forms: readonly {
  readonly name: string;
  readonly sent: (contact: string, address: string) => unknown;
}[] = [
  { name: "a list", sent: (contact, address) => [contact, address] },
  { name: "JSON text", sent: (contact, address) => JSON.stringify([contact, address]) },
  { name: "text divided by commas", sent: (contact, address) => `${contact}, ${address},` },
  { name: "a list with a gap", sent: (contact, address) => ({ 1: contact, 4: address }) },
  {
    name: "a list with repetitions",
    sent: (contact, address) => [contact, ` ${address} `, contact, ""],
  },
];

for (const { name, sent } of forms) {
  test(`members arrive as ${name}`, async () => {
    await using cast = await createApiFixture();
    const own = [cast.alice.contact.id, addressOf(cast.alice)] as const;
    const { body } = await cast.ask(cast.alice, "POST /contactgroups", { members: sent(...own) });
    assert.deepEqual(body.members, own);
  });
}

test("members arrive in the query as well", async () => {
  await using cast = await createApiFixture();
  const { id } = cast.alice.contact;
  const { body } = await cast.ask(cast.alice, `POST /contactgroups?members[]=${id}&name=A%20b`);
  assert.deepEqual([body.name, body.members], ["A b", [id]]);
});

test("a PUT replaces what is sent and keeps the rest", async () => {
  await using cast = await createApiFixture();
  const members = [cast.alice.contact.id];
  const { body: made } = await cast.ask(cast.alice, "POST /contactgroups", { name: "A", members });
  const changes: readonly (readonly [sent: object, becomes: object])[] = [
    [{ name: "B" }, { name: "B", members }],
    [{ members: [addressOf(cast.alice)] }, { name: "B", members: [addressOf(cast.alice)] }],
    [{ members: "" }, { name: "B", members: [addressOf(cast.alice)] }],
    [{ members: null }, { name: "B", members: [addressOf(cast.alice)] }],
    [{ members: [] }, { name: "B", members: [] }],
    [made, { name: "A", members }],
    [{ members: {} }, { name: "A", members: [] }],
  ];
  for (const [sent, becomes] of changes) {
    const { body } = await cast.ask(cast.alice, `PUT /contactgroups/${made._id}`, sent);
    assert.deepEqual(body, { ...made, ...becomes });
    assert.deepEqual((await cast.ask(cast.alice, `GET /contactgroups/${made._id}`)).body, body);
  }
});

test("a member whose contact is gone may stay, and is not taken anew", async () => {
  await using cast = await createApiFixture();
  const { body: contact } = await cast.ask(cast.alice, "POST /contacts", { name: "gone soon" });
  const members = [contact._id];
  const { body: made } = await cast.ask(cast.alice, "POST /contactgroups", { members });
  await cast.ask(cast.alice, `DELETE /contacts/${contact._id}`);
  const kept = await cast.ask(cast.alice, `PUT /contactgroups/${made._id}`, { name: "B", members });
  assert.deepEqual([kept.status, kept.body.members], [200, members]);
  const { status, body } = await cast.ask(cast.alice, "POST /contactgroups", { members });
  assert.deepEqual(
    [status, body],
    [400, { error: `members: no such contact or address "${contact._id}"` }],
  );
});

// guard: members of others
test("members of other accounts, groups and nobodies are refused, and the group stays as it was", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /contactgroups", { name: "A" });
  const strangers = [
    cast.carol.contact.id,
    addressOf(cast.carol),
    cast.bob.contact.id,
    made._id,
    "nobody",
  ];
  for (const stranger of strangers) {
    for (const request of ["POST /contactgroups", `PUT /contactgroups/${made._id}`]) {
      const { status, body } = await cast.ask(cast.alice, request, {
        name: "B",
        members: [cast.alice.contact.id, stranger],
      });
      assert.deepEqual(
        [status, body],
        [400, { error: `members: no such contact or address "${stranger}"` }],
      );
    }
  }
  assert.deepEqual((await cast.ask(cast.alice, "GET /contactgroups")).body, { [made._id]: made });
});

const noList = "members: must be a list of at most 1000 ids";
const refused: readonly (readonly [members: unknown, error: string])[] = [
  [5, noList],
  [[1], noList],
  [[["a"]], noList],
  [{ a: "b" }, noList],
  [Array.from({ length: 1001 }, (_, index) => `member ${index}`), noList],
  ['["a"', "members: malformed JSON"],
];

for (const [members, error] of refused) {
  test(`members ${JSON.stringify(members).slice(0, 30)} are refused`, async () => {
    await using cast = await createApiFixture();
    const { status, body } = await cast.ask(cast.alice, "POST /contactgroups", { members });
    assert.deepEqual([status, body], [400, { error }]);
  });
}

test("a group that is deleted is gone, and the checks that name it stay", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /contactgroups", { name: "A" });
  const notifications = [{ [made._id]: "All" }];
  const { body: check } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    notifications,
  });
  const { text } = await cast.ask(cast.alice, `DELETE /contactgroups/${made._id}`);
  assert.equal(text, JSON.stringify({ ok: true, id: made._id }));
  for (const verb of ["GET", "PUT", "DELETE"]) {
    const answer = await cast.ask(cast.alice, `${verb} /contactgroups/${made._id}`);
    assert.deepEqual([answer.status, answer.body], [404, missing]);
  }
  const { body } = await cast.ask(cast.alice, `PUT /checks/${check._id}`, { notifications });
  assert.deepEqual(body.notifications, notifications);
});

// guard: records of others
test("Carol sees, changes and deletes no group of Alice's or Bob's", async () => {
  await using cast = await createApiFixture();
  for (const { account } of [cast.alice, cast.bob]) {
    const scope = { customerid: account.id };
    const { body: made } = await cast.ask(cast.alice, "POST /contactgroups", {
      ...scope,
      name: "A",
    });
    assert.equal(made.customer_id, account.id);
    for (const verb of ["GET", "PUT", "DELETE"]) {
      const request = `${verb} /contactgroups/${made._id}`;
      const own = await cast.ask(cast.carol, request, { name: "hers" });
      assert.deepEqual([own.status, own.body], [404, missing]);
      assert.equal((await cast.ask(cast.carol, request, { ...scope, name: "hers" })).status, 403);
    }
    assert.deepEqual((await cast.ask(cast.carol, "GET /contactgroups")).body, {});
    const { body } = await cast.ask(cast.alice, "GET /contactgroups", scope);
    assert.deepEqual(body, { [made._id]: made });
  }
});
