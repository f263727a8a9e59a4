import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../test/api-fixture.ts";

test("an account id in the path stands for customerid", async () => {
  await using cast = await createApiFixture();
  const { id } = cast.bob.account;
  const { body: his } = await cast.ask(cast.bob, "POST /checks", plainCheck);
  const list = await cast.ask(cast.alice, `GET /checks/${id}`);
  assert.deepEqual(Object.keys(list.body), [his._id]);
  const made = await cast.ask(cast.alice, `POST /contacts/${id}`, { name: "new" });
  assert.equal(made.body.customer_id, id);
  const notifications = await cast.ask(cast.alice, `GET /notifications/${id}`, { id: his._id });
  assert.deepEqual(notifications.body, []);
  const refused = await cast.ask(cast.carol, `GET /checks/${id}`);
  assert.equal(refused.status, 403);
});

test("the path wins over what the parameters name", async () => {
  await using cast = await createApiFixture();
  const { body: hers } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  const { body } = await cast.ask(cast.alice, `GET /checks/${hers._id}?id=other`, {
    id: "another",
  });
  assert.equal(body._id, hers._id);
});

const badTokens = [
  { name: "an unknown token", headers: {}, query: "?token=AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE" },
  { name: "two tokens", headers: {}, query: "?token=a&token=b" },
  { name: "a structured token", headers: {}, query: "?token[a]=b" },
  { name: "an unknown Bearer token", headers: { authorization: "Bearer x" }, query: "" },
];

for (const { name, headers, query } of badTokens) {
  test(`${name} answers 403`, async () => {
    await using cast = await createApiFixture();
    const answer = await cast.app.inject({ url: `/api/1/checks${query}`, headers });
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.body, '{"error":"Token not found"}');
  });
}

const withoutToken = [
  { name: "no token", headers: {}, query: "" },
  { name: "an empty token", headers: {}, query: "?token=" },
  {
    name: "Basic without a name",
    headers: { authorization: `Basic ${btoa(":secret")}` },
    query: "",
  },
  { name: "Basic that is no base64", headers: { authorization: "Basic ???" }, query: "" },
  { name: "Bearer without a token", headers: { authorization: "Bearer " }, query: "" },
  { name: "another scheme", headers: { authorization: "Digest x" }, query: "" },
];

for (const { name, headers, query } of withoutToken) {
  test(`${name} answers 403, and how a token is sent`, async () => {
    await using cast = await createApiFixture();
    const answer = await cast.app.inject({ url: `/api/1/checks${query}`, headers });
    assert.equal(answer.statusCode, 403);
    assert.match(answer.body, /^\{"error":"token: required, as a parameter, /);
  });
}

test("the token is taken from query, form, JSON, Bearer and Basic user name, whatever the password", async () => {
  await using cast = await createApiFixture();
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
    cast.app.inject({ url: "/api/1/checks", headers: { authorization: `bearer ${token}` } }),
  ]);
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 200, 200],
  );
});
