import assert from "node:assert/strict";

import { createApiServer } from "../../../src/api/http/server.ts";
import { createFirstAccount } from "../../../src/server/first-account.ts";
import { Secret } from "../../../src/kit/crypto/secret.ts";
import { createTokenAdmin } from "../../../src/store/transactions/token-admin.ts";
import { plainCheck } from "../../api-fixture.ts";
import { tempStore } from "../../stores/temp-store.ts";
import type { RowTests } from "../fixture.ts";
import { pushedCheck } from "../check-drivers.ts";

const unknown = "Token not found";
const missing =
  "token: required, as a parameter, as Authorization: Bearer, or as the user name of Basic";
const url = "/api/1/accounts";

function basic(user: string, password = ""): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

export const authentication = {
  "a token as parameter or as user name": async ({ send, alice, carol, refused }) => {
    const { token } = alice;
    for (const request of [
      { url: `${url}?token=${token}` },
      { url: `${url}?json=${JSON.stringify({ token })}` },
      { url, payload: JSON.stringify({ token }) },
      { url, payload: `token=${token}` },
      { url, headers: basic(token) },
      { url, headers: basic(token, "whatever") },
      { url, headers: { authorization: `Bearer ${token}` } },
    ]) {
      const { body } = await send(request);
      assert.ok(alice.account.id in body, JSON.stringify(request));
      assert.ok(!(carol.account.id in body));
    }
    for (const request of [{ url }, { url: `${url}?token=` }, { url, headers: basic("", token) }])
      refused(await send(request), 403, missing);
  },

  "a token of the primary account": async ({ ask, alice, bob, carol, refused }) => {
    const { body: own } = await ask(alice, "POST /checks", plainCheck);
    assert.equal(own.customer_id, alice.account.id);
    const customerid = bob.account.id;
    const { body: his } = await ask(alice, "POST /checks", { ...plainCheck, customerid });
    assert.equal(his.customer_id, customerid);
    refused(
      await ask(carol, "GET /checks", { customerid }),
      403,
      "You do not have the correct permissions for that account.",
    );
  },

  "checktoken for the intake": async (cast) => {
    const { push, send, alice, refused } = cast;
    const { id, query } = await pushedCheck(cast);
    const checktoken = new URLSearchParams(query).get("checktoken") ?? "";
    assert.equal((await push(query)).status, 200);
    const byToken = [`id=${id}&token=${alice.token}`, `id=${id}&checktoken=${alice.token}`];
    assert.equal((await push(byToken[0] ?? "")).status, 400);
    assert.equal((await push(byToken[1] ?? "", { headers: basic(alice.token) })).status, 403);
    refused(await send({ url: `/api/1/checks?token=${checktoken}` }), 403, unknown);
    refused(await send({ url: `/api/1/checks?checktoken=${checktoken}` }), 403, missing);
  },

  "the parameter is token": async ({ send, alice, refused }) => {
    assert.equal((await send({ url: `${url}?token=${alice.token}` })).status, 200);
    for (const name of ["apitoken", "api_key", "Token"])
      refused(await send({ url: `${url}?${name}=${alice.token}` }), 403, missing);
  },

  "roles bind people, not tokens": async ({ ask, alice, refused }) => {
    for (const custrole of ["owner", "edit", "view", "notify"]) {
      const { body: contact } = await ask(alice, "POST /contacts", { custrole });
      assert.equal(contact.custrole, custrole);
      refused(await ask(contact._id, "GET /checks"), 403, unknown);
    }
    const { body: check } = await ask(alice, "POST /checks", plainCheck);
    const deleted = await ask(alice, `DELETE /checks/${check._id}`);
    assert.equal(deleted.status, 200);
  },

  "where a token comes from": async ({ ask, alice, deps }) => {
    await using store = await tempStore({ clock: deps.clock });
    const given = deps.ids.token();
    await createFirstAccount(
      store,
      {
        token: new Secret(given),
        ownerEmail: undefined,
        timeZone: "+00:00",
        compatibility: "standard",
      },
      deps,
    );
    await using empty = createApiServer({ ...deps, store });
    const first = await empty.inject({ url: `${url}?token=${given}` });
    assert.equal(first.statusCode, 200);

    const desk = createTokenAdmin(deps);
    const { token } = await desk.create({ accountId: alice.account.id, label: "another" });
    assert.ok(alice.account.id in (await ask(token, "GET /accounts")).body);
    const shape = /^[A-Z0-9]{8}-[A-Z0-9]{4}-4[A-Z0-9]{3}-8[A-Z0-9]{3}-[A-Z0-9]{12}$/;
    for (const made of [given, token]) assert.match(made, shape);
  },
} satisfies RowTests<"5 authentication">;
