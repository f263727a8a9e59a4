import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../test/api-fixture.ts";

const missing = { error: "Unable to find that profile" };

/** A contact, an address and a group of Alice's. */
async function recipientsIn(cast: ApiFixture): Promise<readonly [string, string, string]> {
  const { id, addresses } = cast.alice.contact;
  const { body: group } = await cast.ask(cast.alice, "POST /contactgroups", { members: [id] });
  return [id, addresses[0]?.id ?? "", group._id];
}

test("a profile is made, and shown by its id, alone and in the list", async () => {
  await using cast = await createApiFixture();
  const [contact, address, group] = await recipientsIn(cast);
  const notifications = [
    { [contact]: { schedule: "Days", delay: 2 } },
    { [address]: { schedule: "All", delay: 0 } },
    { [group]: { schedule: "Nights", delay: 45 } },
  ];
  const { body } = await cast.ask(cast.alice, "POST /notificationprofiles", {
    name: "Shift",
    notifications,
  });
  assert.match(body._id, new RegExp(`^${cast.alice.account.id}-P-[A-Z0-9]{5}$`));
  assert.deepEqual(body, {
    _id: body._id,
    type: "notification profile",
    customer_id: cast.alice.account.id,
    name: "Shift",
    notifications,
  });
  const shown = { ...body, type: "notificationprofile" };
  for (const request of [`/${body._id}`, `?id=${body._id}`, "", "/"]) {
    const { text } = await cast.ask(cast.alice, `GET /notificationprofiles${request}`);
    assert.equal(text, JSON.stringify({ [body._id]: shown }));
  }
  const { body: second } = await cast.ask(cast.alice, "POST /notificationprofiles");
  assert.deepEqual([second.name, second.notifications], ["", []]);
  const { body: list } = await cast.ask(cast.alice, "GET /notificationprofiles");
  assert.deepEqual(Object.keys(list), [body._id, second._id]);
});

const forms: readonly {
  readonly name: string;
  readonly sent: (id: string, other: string) => unknown;
  /** Schedule and delay of each. */
  readonly becomes: readonly (readonly [schedule: string, delay: number])[];
}[] = [
  { name: "a schedule alone", sent: (id) => [{ [id]: "Days" }], becomes: [["Days", 0]] },
  { name: "nothing but ids", sent: (id) => [{ [id]: {} }], becomes: [["All", 0]] },
  {
    name: "a delay as text",
    sent: (id) => [{ [id]: { schedule: "Days", delay: "5" } }],
    becomes: [["Days", 5]],
  },
  {
    name: "several keys in one element",
    sent: (id, other) => [{ [id]: "Days", [other]: { delay: 1 } }],
    becomes: [
      ["Days", 0],
      ["All", 1],
    ],
  },
  { name: "one object", sent: (id) => ({ [id]: "Nights" }), becomes: [["Nights", 0]] },
  { name: "JSON text", sent: (id) => JSON.stringify([{ [id]: "All" }]), becomes: [["All", 0]] },
  {
    name: "a list with a gap",
    sent: (id, other) => ({ 0: { [id]: "All" }, 2: { [other]: "All" } }),
    becomes: [
      ["All", 0],
      ["All", 0],
    ],
  },
  {
    name: "one that is None beside another",
    sent: (id, other) => [{ [id]: "None" }, { [other]: { schedule: "Days", delay: 3 } }],
    becomes: [["Days", 3]],
  },
];

for (const { name, sent, becomes } of forms) {
  test(`notifications are understood as ${name}`, async () => {
    await using cast = await createApiFixture();
    const [contact, address] = await recipientsIn(cast);
    const { status, body } = await cast.ask(cast.alice, "POST /notificationprofiles", {
      notifications: sent(contact, address),
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.notifications.map(Object.values<{ schedule: string; delay: number }>),
      becomes.map(([schedule, delay]) => [{ schedule, delay }]),
    );
  });
}

test("a PUT replaces what is sent and keeps the rest, with the id in the path, the query or the body", async () => {
  await using cast = await createApiFixture();
  const [contact, address] = await recipientsIn(cast);
  const notifications = [{ [contact]: { schedule: "Days", delay: 2 } }];
  const { body: made } = await cast.ask(cast.alice, "POST /notificationprofiles", {
    name: "A",
    notifications,
  });
  const others = [{ [address]: { schedule: "All", delay: 0 } }];
  const changes: readonly (readonly [path: string, sent: object, becomes: object])[] = [
    [`/${made._id}`, { name: "B" }, { name: "B" }],
    [`?id=${made._id}`, { notifications: others }, { name: "B", notifications: others }],
    ["", { id: made._id, notifications: "" }, { name: "B", notifications: others }],
    [
      "",
      { id: made._id, notifications: [{ [address]: "None" }] },
      { name: "B", notifications: [] },
    ],
    [`/${made._id}`, made, {}],
    [`/${made._id}`, { notifications: [] }, { notifications: [] }],
  ];
  for (const [path, sent, becomes] of changes) {
    const { body } = await cast.ask(cast.alice, `PUT /notificationprofiles${path}`, sent);
    assert.deepEqual(body, { ...made, ...becomes });
    const { body: list } = await cast.ask(cast.alice, "GET /notificationprofiles");
    assert.deepEqual(list, { [made._id]: { ...body, type: "notificationprofile" } });
  }
});

test("recipients and schedules of other accounts are refused, and profiles as well", async () => {
  await using cast = await createApiFixture();
  const [contact] = await recipientsIn(cast);
  await cast.ask(cast.carol, "PUT /schedules/Carols", { data: { monday: { allday: true } } });
  const { body: hers } = await cast.ask(cast.carol, "POST /contactgroups", { name: "hers" });
  const { body: made } = await cast.ask(cast.alice, "POST /notificationprofiles", { name: "A" });
  const nobody = (id: string): string =>
    `notifications: no such contact, address or group ${JSON.stringify(id)}`;
  const strangers = [cast.carol.contact.id, cast.bob.contact.id, hers._id, made._id, "nobody"];
  const refused: readonly (readonly [notifications: object, error: string])[] = [
    ...strangers.map((id) => [[{ [contact]: "All" }, { [id]: "All" }], nobody(id)] as const),
    [[{ [contact]: "Carols" }], 'notifications: no such schedule "Carols"'],
    [
      [{ [contact]: { delay: -1 } }],
      `notifications: delay must be minutes from 0 to 43200 "${contact}"`,
    ],
  ];
  for (const [notifications, error] of refused) {
    for (const request of ["POST /notificationprofiles", `PUT /notificationprofiles/${made._id}`]) {
      const { status, body } = await cast.ask(cast.alice, request, { name: "B", notifications });
      assert.deepEqual([status, body], [400, { error }]);
    }
  }
  const { body: list } = await cast.ask(cast.alice, "GET /notificationprofiles");
  assert.deepEqual(list, { [made._id]: { ...made, type: "notificationprofile" } });
});

test("a recipient and a schedule that were deleted do not stand in the way of a later PUT", async () => {
  await using cast = await createApiFixture();
  const [, , group] = await recipientsIn(cast);
  const notifications = [{ [group]: { schedule: "Days", delay: 1 } }];
  const { body: made } = await cast.ask(cast.alice, "POST /notificationprofiles", {
    notifications,
  });
  await cast.ask(cast.alice, `DELETE /contactgroups/${group}`);
  await cast.ask(cast.alice, "DELETE /schedules/Days");
  const kept = await cast.ask(cast.alice, `PUT /notificationprofiles/${made._id}`, {
    notifications,
  });
  assert.deepEqual(kept.body, made);
  const { status } = await cast.ask(cast.alice, "POST /notificationprofiles", { notifications });
  assert.equal(status, 400);
});

test("a profile that is deleted is gone, and the checks that name it stay", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /notificationprofiles", { name: "A" });
  const notifications = [{ [made._id]: "All" }];
  const { body: check } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    notifications,
  });
  const { text } = await cast.ask(cast.alice, `DELETE /notificationprofiles/${made._id}`);
  assert.equal(text, JSON.stringify({ ok: true, id: made._id }));
  for (const verb of ["GET", "PUT", "DELETE"]) {
    const answer = await cast.ask(cast.alice, `${verb} /notificationprofiles/${made._id}`);
    assert.deepEqual([answer.status, answer.body], [404, missing]);
  }
  const { body } = await cast.ask(cast.alice, `PUT /checks/${check._id}`, { notifications });
  assert.deepEqual(body.notifications, notifications);
});

test("Carol sees, changes and deletes no profile of Alice's or Bob's", async () => {
  await using cast = await createApiFixture();
  for (const { account } of [cast.alice, cast.bob]) {
    const scope = { customerid: account.id };
    const { body: made } = await cast.ask(cast.alice, "POST /notificationprofiles", {
      ...scope,
      name: "A",
    });
    assert.equal(made.customer_id, account.id);
    for (const verb of ["GET", "PUT", "DELETE"]) {
      const request = `${verb} /notificationprofiles/${made._id}`;
      const own = await cast.ask(cast.carol, request, { name: "hers" });
      assert.deepEqual([own.status, own.body], [404, missing]);
      assert.equal((await cast.ask(cast.carol, request, { ...scope, name: "hers" })).status, 403);
    }
    assert.deepEqual((await cast.ask(cast.carol, "GET /notificationprofiles")).body, {});
    const { body } = await cast.ask(cast.alice, "GET /notificationprofiles", scope);
    assert.deepEqual(body, { [made._id]: { ...made, type: "notificationprofile" } });
  }
});
