import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";

const missing = "Unable to find that profile";

/** A profile of Alice's that notifies her, and her group later at night. */
async function create({ ask, alice }: ConformanceFixture): Promise<TestResponse["body"]> {
  const { body: group } = await ask(alice, "POST /contactgroups");
  const { body } = await ask(alice, "POST /notificationprofiles", {
    name: "Escalation",
    notifications: [
      { [alice.contact.id]: { delay: 0, schedule: "Days" } },
      { [group._id]: { delay: 15, schedule: "Nights" } },
    ],
  });
  return body;
}

/** The type is spelled in one way in the answer to a write, in another in a listing. */
function listed(profile: TestResponse["body"]): object {
  return { ...profile, type: "notificationprofile" };
}

export const notificationProfiles = {
  get: async (cast) => {
    const { ask, alice, carol, refused } = cast;
    const one = await create(cast);
    const other = await create(cast);
    for (const request of [
      `GET /notificationprofiles/${one._id}`,
      `GET /notificationprofiles?id=${one._id}`,
    ])
      assert.deepEqual((await ask(alice, request)).body, { [one._id]: listed(one) });
    const { body } = await ask(alice, "GET /notificationprofiles");
    assert.deepEqual(body, { [one._id]: listed(one), [other._id]: listed(other) });
    assert.deepEqual((await ask(carol, "GET /notificationprofiles")).body, {});
    refused(await ask(carol, `GET /notificationprofiles/${one._id}`), 404, missing);
  },

  create: async (cast) => {
    const { ask, alice, carol, refusedOrKept } = cast;
    const made = await create(cast);
    const [, group = ""] = made.notifications.flatMap(Object.keys);
    assert.deepEqual(made, {
      _id: made._id,
      type: "notification profile",
      customer_id: alice.account.id,
      name: "Escalation",
      notifications: [
        { [alice.contact.id]: { schedule: "Days", delay: 0 } },
        { [group]: { schedule: "Nights", delay: 15 } },
      ],
    });
    refusedOrKept(
      await ask(alice, "POST /notificationprofiles", {
        notifications: [{ [carol.contact.id]: { schedule: "Days", delay: 0 } }],
      }),
      `notifications: no such contact, address or group "${carol.contact.id}"`,
    );
  },

  update: async (cast) => {
    const { ask, alice } = cast;
    const made = await create(cast);
    const path = `/notificationprofiles/${made._id}`;
    const { body: renamed } = await ask(alice, `PUT ${path}`, { name: "Night" });
    assert.deepEqual(renamed, { ...made, name: "Night" });
    const notifications = [{ [alice.contact.id]: { schedule: "Nights", delay: 5 } }];
    const { body } = await ask(alice, `PUT ${path}`, { notifications });
    assert.deepEqual(body.notifications, notifications);
    assert.deepEqual((await ask(alice, `GET ${path}`)).body, { [made._id]: listed(body) });
  },

  delete: async (cast) => {
    const { ask, alice, refused } = cast;
    const { _id: id } = await create(cast);
    const { body } = await ask(alice, `DELETE /notificationprofiles/${id}`);
    assert.deepEqual(body, { ok: true, id });
    assert.deepEqual((await ask(alice, "GET /notificationprofiles")).body, {});
    refused(await ask(alice, `DELETE /notificationprofiles/${id}`), 404, missing);
    refused(await ask(alice, "DELETE /notificationprofiles"), 400, "id: required");
  },

  "id and customerid": async (cast) => {
    const { ask, alice, bob, refused } = cast;
    const customerid = bob.account.id;
    const { body: his } = await ask(alice, "POST /notificationprofiles", { customerid });
    assert.equal(his.customer_id, customerid);
    for (const [name, request] of [
      ["by path", `PUT /notificationprofiles/${his._id}`],
      ["by parameter", `PUT /notificationprofiles?id=${his._id}`],
    ] as const) {
      assert.equal((await ask(alice, request, { name, customerid })).body.name, name);
      refused(await ask(alice, request, { name }), 404, missing);
    }
    refused(await ask(alice, "PUT /notificationprofiles"), 400, "id: required");
    const { body } = await ask(alice, "GET /notificationprofiles", { customerid });
    assert.deepEqual(Object.keys(body), [his._id]);
  },
} satisfies RowTests<"4.6 notificationprofiles">;
