import assert from "node:assert/strict";
import { test } from "node:test";

import { apiCast, plainCheck } from "../../test/api-cast.ts";

const lists: readonly {
  readonly name: string;
  readonly sent: (id: string) => unknown;
  readonly becomes: (id: string) => unknown;
}[] = [
  { name: "schedule only", sent: (id) => [{ [id]: "All" }], becomes: (id) => [{ [id]: "All" }] },
  {
    name: "schedule and delay",
    sent: (id) => [{ [id]: { schedule: "Days", delay: 5 } }],
    becomes: (id) => [{ [id]: { schedule: "Days", delay: 5 } }],
  },
  {
    name: "a delay as text",
    sent: (id) => [{ [id]: { schedule: "Days", delay: "5" } }],
    becomes: (id) => [{ [id]: { schedule: "Days", delay: 5 } }],
  },
  {
    name: "nothing but the id",
    sent: (id) => [{ [id]: {} }],
    becomes: (id) => [{ [id]: { schedule: "All", delay: 0 } }],
  },
  {
    name: "a plain object",
    sent: (id) => ({ [id]: "Nights" }),
    becomes: (id) => [{ [id]: "Nights" }],
  },
  {
    name: "a gapped list",
    sent: (id) => ({ 3: { [id]: "Nights" } }),
    becomes: (id) => [{ [id]: "Nights" }],
  },
  {
    name: "JSON text",
    sent: (id) => JSON.stringify([{ [id]: "Nights" }]),
    becomes: (id) => [{ [id]: "Nights" }],
  },
  {
    name: "the long name of All",
    sent: (id) => [{ [id]: "All the time" }],
    becomes: (id) => [{ [id]: "All the time" }],
  },
  { name: "None", sent: (id) => [{ [id]: "None" }], becomes: () => [] },
  {
    name: "None in full",
    sent: (id) => [{ [id]: { schedule: "None", delay: 0 } }],
    becomes: () => [],
  },
  { name: "an empty list", sent: () => [], becomes: () => [] },
  { name: "an empty object", sent: () => ({}), becomes: () => [] },
];

for (const { name, sent, becomes } of lists) {
  test(`notifications are understood as ${name}`, async () => {
    await using cast = await apiCast();
    const [address] = cast.alice.contact.addresses;
    for (const id of [cast.alice.contact.id, address?.id ?? ""]) {
      const { status, body } = await cast.ask(cast.alice, "POST /checks", {
        ...plainCheck,
        notifications: sent(id),
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.notifications, becomes(id));
    }
  });
}

test("None takes its recipient from the list alone; a list with others in it replaces the whole", async () => {
  await using cast = await apiCast();
  const { id } = cast.alice.contact;
  const address = cast.alice.contact.addresses[0]?.id ?? "";
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    notifications: [{ [id]: "All" }, { [address]: "Days" }],
  });
  const removed = await cast.ask(cast.alice, `PUT /checks/${made._id}`, {
    notifications: [{ [id]: "None" }],
  });
  assert.deepEqual(removed.body.notifications, [{ [address]: "Days" }]);
  const ignored = await cast.ask(cast.alice, `PUT /checks/${made._id}`, { notifications: "" });
  assert.deepEqual(ignored.body.notifications, [{ [address]: "Days" }]);
  const replaced = await cast.ask(cast.alice, `PUT /checks/${made._id}`, {
    notifications: [{ [address]: "None" }, { [id]: "Nights" }],
  });
  assert.deepEqual(replaced.body.notifications, [{ [id]: "Nights" }]);
  const cleared = await cast.ask(cast.alice, `PUT /checks/${made._id}`, { notifications: {} });
  assert.deepEqual(cleared.body.notifications, []);
});

test("a recipient that was deleted does not stand in the way of a later PUT", async () => {
  await using cast = await apiCast();
  const { body: contact } = await cast.ask(cast.alice, "POST /contacts", { name: "gone soon" });
  const notifications = [{ [contact._id]: "All" }];
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    notifications,
  });
  await cast.ask(cast.alice, `DELETE /contacts/${contact._id}`);
  assert.equal(
    (await cast.ask(cast.alice, `PUT /checks/${made._id}`, { notifications })).status,
    200,
  );
  assert.equal(
    (await cast.ask(cast.alice, "POST /checks", { ...plainCheck, notifications })).status,
    400,
  );
});
