import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createApiFixture, plainCheck, type Person } from "../../../../test/api-fixture.ts";
import { parseNotifications } from "./subscriptions.ts";

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
    await using cast = await createApiFixture();
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

const ids = fc.string({ minLength: 6, maxLength: 8, unit: "grapheme-ascii" });
const wish = fc.oneof(
  fc.constantFrom("All", "Days", ""),
  fc.record(
    {
      schedule: fc.constantFrom("All", "Nights", ""),
      delay: fc.oneof(fc.nat(99), fc.constant("7")),
    },
    { requiredKeys: [] },
  ),
);
const entries = fc.array(fc.dictionary(ids, wish, { minKeys: 1, maxKeys: 3 }), { minLength: 1 });

test("notifications are the same in every form, and what was read once reads as itself", () => {
  fc.assert(
    fc.property(entries, (list) => {
      const read = parseNotifications(list);
      assert.deepEqual(
        read?.map((entry) => Object.keys(entry)),
        list.map((entry) => Object.keys(entry)),
      );
      assert.deepEqual(parseNotifications(JSON.stringify(list)), read);
      assert.deepEqual(parseNotifications(Object.fromEntries(list.entries())), read);
      assert.deepEqual(parseNotifications(read), read);
    }),
  );
});

// guard: recipients of others
test("a check names groups and profiles of its account, and nobody else's", async () => {
  await using cast = await createApiFixture();
  const named = async (who: Person, resource: string): Promise<string> =>
    (await cast.ask(who, `POST /${resource}`, { name: "Team" })).body._id;
  const own = {
    [await named(cast.alice, "contactgroups")]: "All",
    [await named(cast.alice, "notificationprofiles")]: { schedule: "Days", delay: 5 },
  };
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    notifications: [own],
  });
  assert.deepEqual(made.notifications, [own]);
  for (const who of [cast.bob, cast.carol]) {
    for (const resource of ["contactgroups", "notificationprofiles"]) {
      const stranger = await named(who, resource);
      for (const request of ["POST /checks", `PUT /checks/${made._id}`]) {
        const { status, body } = await cast.ask(cast.alice, request, {
          ...plainCheck,
          notifications: [own, { [stranger]: "All" }],
        });
        const error = `notifications: no such contact, address, group or profile "${stranger}"`;
        assert.deepEqual([status, body], [400, { error }]);
      }
    }
  }
});

test("a check names up to 1000 recipients", async () => {
  await using cast = await createApiFixture();
  const { id } = cast.alice.contact;
  const notifications = Array.from({ length: 1000 }, () => ({ [id]: "All" }));
  const most = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, notifications });
  assert.deepEqual(most.body.notifications, notifications);
  const { status, body } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    notifications: [...notifications, { [id]: "All" }],
  });
  assert.deepEqual(
    [status, body],
    [400, { error: "notifications: must name at most 1000 recipients" }],
  );
});

test("None takes its recipient from the list alone; a list with others in it replaces the whole", async () => {
  await using cast = await createApiFixture();
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
  await using cast = await createApiFixture();
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
