import assert from "node:assert/strict";
import { test } from "node:test";

import { apiCast, plainCheck } from "../../test/api-cast.ts";
import type { Cast, Person } from "../../test/api-cast.ts";

const week = { data: { monday: { time1: "8:00", time2: "17:00" } } };

/** What each operation asks for, given the id of a record. */
const requests = [
  { resource: "accounts", id: "account", verbs: ["GET"] },
  {
    resource: "checks",
    id: "check",
    verbs: ["GET", "POST", "PUT", "DELETE"],
    body: { ...plainCheck, label: "touched" },
  },
  {
    resource: "contacts",
    id: "contact",
    verbs: ["GET", "POST", "PUT", "DELETE"],
    body: { name: "touched" },
  },
  {
    resource: "contactgroups",
    id: "group",
    verbs: ["GET", "POST", "PUT", "DELETE"],
    body: { name: "touched" },
  },
  {
    resource: "notificationprofiles",
    id: "profile",
    verbs: ["GET", "POST", "PUT", "DELETE"],
    body: { name: "touched" },
  },
  { resource: "schedules", id: "schedule", verbs: ["GET", "POST", "PUT", "DELETE"], body: week },
  { resource: "results", id: "check", verbs: ["GET", "UPTIME", "CURRENT"] },
  { resource: "notifications", id: "check", verbs: ["GET"] },
] as const;

interface Owned {
  readonly account: string;
  readonly check: string;
  readonly contact: string;
  readonly group: string;
  readonly profile: string;
  readonly schedule: string;
}

async function owned(cast: Cast, person: Person): Promise<Owned> {
  const { account, contact } = person;
  const { body } = await cast.ask(person, "POST /checks", {
    ...plainCheck,
    label: "untouched",
    enabled: true,
  });
  await cast.ask(person, "PUT /schedules/Mine", week);
  await cast.store.write((tx) =>
    tx.contacts.insert({ ...contact, id: `${account.id}-SPARE`, role: "view", addresses: [] }),
  );
  const made = async (resource: string): Promise<string> =>
    (await cast.ask(person, `POST /${resource}`, { name: "untouched" })).body._id;
  return {
    account: account.id,
    check: body._id,
    contact: `${account.id}-SPARE`,
    group: await made("contactgroups"),
    profile: await made("notificationprofiles"),
    schedule: "Mine",
  };
}

const listed = [
  "accounts",
  "checks",
  "contacts",
  "contactgroups",
  "notificationprofiles",
  "schedules",
];

async function seen(cast: Cast, person: Person): Promise<string> {
  const lists = await Promise.all(listed.map((resource) => cast.ask(person, `GET /${resource}`)));
  return lists.map(({ text }) => text).join();
}

const strangers = [
  { name: "Carol at Alice's account", who: "carol", whose: "alice" },
  { name: "Carol at Bob's account", who: "carol", whose: "bob" },
  { name: "Bob at his parent's account", who: "bob", whose: "alice" },
] as const;

for (const { name, who, whose } of strangers) {
  for (const { resource, id, verbs, ...rest } of requests) {
    for (const verb of verbs) {
      test(`${name} gets nothing by ${verb} ${resource}`, async () => {
        await using cast = await apiCast();
        const theirs = await owned(cast, cast[whose]);
        const before = await seen(cast, cast[whose]);
        const body = "body" in rest ? rest.body : {};
        const forbidden = { error: "You do not have the correct permissions for that account." };
        for (const parameters of [
          { customerid: theirs.account },
          { customerid: theirs.account, id: theirs[id] },
        ]) {
          const answer = await cast.ask(cast[who], `POST /${resource}`, {
            ...body,
            ...parameters,
            action: verb,
          });
          assert.deepEqual([answer.status, answer.body], [403, forbidden]);
        }
        if (id !== "account" && verb !== "POST") {
          const foreign = await cast.ask(cast[who], `POST /${resource}`, {
            ...body,
            id: theirs[id],
            action: verb,
          });
          const missing = await cast.ask(cast[who], `POST /${resource}`, {
            ...body,
            id: "missing",
            action: verb,
          });
          if (id !== "schedule")
            assert.deepEqual([foreign.status, foreign.body], [missing.status, missing.body]);
        }
        assert.equal(await seen(cast, cast[whose]), before);
      });
    }
  }
}

for (const { resource, id, verbs, ...rest } of requests) {
  for (const verb of verbs) {
    test(`Alice may use ${verb} ${resource} on her subaccount`, async () => {
      await using cast = await apiCast();
      const his = await owned(cast, cast.bob);
      const body = "body" in rest ? rest.body : {};
      const answer = await cast.ask(cast.alice, `POST /${resource}`, {
        ...body,
        customerid: his.account,
        id: his[id],
        action: verb,
      });
      assert.equal(answer.status, 200, answer.text);
    });
  }
}

test("a record of a subaccount is found with its customerid only", async () => {
  await using cast = await apiCast();
  const his = await owned(cast, cast.bob);
  const { status, body } = await cast.ask(cast.alice, `GET /checks/${his.check}`);
  assert.deepEqual([status, body], [404, { error: "Error fetching check." }]);
});

test("an account id in the path stands for customerid", async () => {
  await using cast = await apiCast();
  const his = await owned(cast, cast.bob);
  const list = await cast.ask(cast.alice, `GET /checks/${his.account}`);
  assert.deepEqual(Object.keys(list.body), [his.check]);
  const made = await cast.ask(cast.alice, `POST /contacts/${his.account}`, { name: "new" });
  assert.equal(made.body.customer_id, his.account);
  const notifications = await cast.ask(cast.alice, `GET /notifications/${his.account}`, {
    id: his.check,
  });
  assert.deepEqual(notifications.body, []);
  const refused = await cast.ask(cast.carol, `GET /checks/${his.account}`);
  assert.equal(refused.status, 403);
});

test("the path wins over what the parameters name", async () => {
  await using cast = await apiCast();
  const hers = await owned(cast, cast.alice);
  const { body } = await cast.ask(cast.alice, `GET /checks/${hers.check}?id=other`, {
    id: "another",
  });
  assert.equal(body._id, hers.check);
});

const badTokens = [
  { name: "no token", headers: {}, query: "" },
  { name: "an unknown token", headers: {}, query: "?token=AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE" },
  { name: "an empty token", headers: {}, query: "?token=" },
  { name: "two tokens", headers: {}, query: "?token=a&token=b" },
  { name: "a structured token", headers: {}, query: "?token[a]=b" },
  {
    name: "Basic without a name",
    headers: { authorization: `Basic ${btoa(":secret")}` },
    query: "",
  },
  { name: "Basic that is no base64", headers: { authorization: "Basic ???" }, query: "" },
  { name: "another scheme", headers: { authorization: "Bearer x" }, query: "" },
];

for (const { name, headers, query } of badTokens) {
  test(`${name} answers 403`, async () => {
    await using cast = await apiCast();
    const answer = await cast.app.inject({ url: `/api/1/checks${query}`, headers });
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.body, '{"error":"Token not found"}');
  });
}

test("the token is taken from query, form, JSON and Basic user name, whatever the password", async () => {
  await using cast = await apiCast();
  const { token } = cast.alice;
  const answers = await Promise.all([
    cast.app.inject({ url: `/api/1/checks?token=${token}` }),
    cast.app.inject({
      method: "GET",
      url: "/api/1/checks",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `token=${token}`,
    }),
    cast.app.inject({ method: "GET", url: "/api/1/checks", payload: { token } }),
    cast.app.inject({
      url: "/api/1/checks",
      headers: { authorization: `basic ${btoa(`${token}:what:ever`)}` },
    }),
    cast.app.inject({ url: "/api/1/checks", headers: { authorization: `Basic ${btoa(token)}` } }),
  ]);
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 200],
  );
});
