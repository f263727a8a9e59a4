import assert from "node:assert/strict";

import { plainCheck } from "../../api-fixture.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { waitForState, probedCheck } from "../check-drivers.ts";

const notYours = "You do not have the correct permissions for that account.";
const missing = {
  contacts: "Unable to find that contact",
  contactgroups: "Unable to find group",
  schedules: "Unable to find that schedule",
  notificationprofiles: "Unable to find that profile",
  checks: "Unable to find that check",
};
const resources = ["accounts", "notifications", ...Object.keys(missing)];

/** A new record of each resource that has records, of Alice or of her subaccount: the resource, and its id. */
async function recordsOf({ ask, alice }: ConformanceFixture, customerid: string | undefined) {
  const made = async (resource: string, parameters: object): Promise<string> =>
    (await ask(alice, `POST /${resource}`, { customerid, ...parameters })).body._id;
  await ask(alice, "PUT /schedules/lunch", { customerid, data: { monday: { allday: true } } });
  return [
    ["contacts", await made("contacts", { custrole: "notify" })],
    ["contactgroups", await made("contactgroups", {})],
    ["schedules", "lunch"],
    ["notificationprofiles", await made("notificationprofiles", {})],
    ["checks", await made("checks", plainCheck)],
  ] as const;
}

export const conventions = {
  "base path": async ({ send, alice, refused }) => {
    const get = (path: string) => send({ url: `${path}?token=${alice.token}` });
    for (const resource of resources)
      assert.equal((await get(`/api/1/${resource}`)).status, 200, resource);
    const own = await get(`/api/1/contacts/${alice.contact.id}`);
    assert.equal(own.body._id, alice.contact.id);
    refused(await get("/api/1/pigeons"), 404, 'no such resource "pigeons"');
    refused(await get("/api/2/checks"), 404, 'no such path "/api/2/checks"');
    assert.equal((await get("/checks")).status, 404);
  },

  "query and json are interchangeable": async ({ send, alice }) => {
    const { token } = alice;
    const parameters = { ...plainCheck, label: "a&b", token };
    const url = "/api/1/checks";
    const form = "application/x-www-form-urlencoded";
    const json = encodeURIComponent(JSON.stringify(parameters));
    const requests = [
      { url: `${url}?${new URLSearchParams(parameters).toString()}` },
      { url: `${url}?json=${json}` },
      {
        url,
        headers: { "content-type": form },
        payload: new URLSearchParams(parameters).toString(),
      },
      { url, headers: { "content-type": form }, payload: `json=${json}` },
      { url, headers: { "content-type": "application/json" }, payload: JSON.stringify(parameters) },
    ];
    for (const request of requests) {
      const { body: created } = await send({ method: "POST", ...request });
      assert.equal(created.label, "a&b");
      const asQuery = await send({ url: `${url}?id=${created._id}&token=${token}` });
      const asJson = await send({
        url: `${url}?json=${JSON.stringify({ id: created._id, token })}`,
      });
      assert.equal(asQuery.body._id, created._id);
      assert.equal(asJson.text, asQuery.text);
    }
    const own = JSON.stringify({ id: alice.account.id });
    const mixed = await send({ url: `/api/1/accounts?id=nobody&token=${token}&json=${own}` });
    assert.equal(mixed.body._id, alice.account.id);
  },

  "id in path or parameter": async (cast) => {
    const { ask, alice } = cast;
    for (const [resource, id] of await recordsOf(cast, undefined)) {
      const inPath = await ask(alice, `GET /${resource}/${id}`);
      const asParameter = await ask(alice, `GET /${resource}`, { id });
      assert.equal(inPath.status, 200);
      assert.equal(asParameter.text, inPath.text);
      const deleted = await ask(alice, `DELETE /${resource}`, { id });
      assert.deepEqual(deleted.body, { ok: true, id });
    }
    const { body } = await ask(alice, "GET /accounts", { id: alice.account.id });
    assert.equal(body._id, alice.account.id);
  },

  "customerid names a subaccount": async (cast) => {
    const { ask, alice, bob, carol } = cast;
    const customerid = bob.account.id;
    for (const [resource, id] of await recordsOf(cast, customerid)) {
      const ofBob = await ask(alice, `GET /${resource}`, { customerid });
      assert.ok(id in ofBob.body, `${resource} of the subaccount`);
      const ofAlice = await ask(alice, `GET /${resource}`);
      assert.ok(!(id in ofAlice.body), `${resource} of the primary account`);
      assert.equal((await ask(alice, `GET /${resource}/${id}`, { customerid })).status, 200);
      cast.refused(await ask(alice, `DELETE /${resource}/${id}`), 404, missing[resource]);
      cast.refused(await ask(carol, `GET /${resource}/${id}`, { customerid }), 403, notYours);
      const deleted = await ask(alice, `DELETE /${resource}/${id}`, { customerid });
      assert.deepEqual(deleted.body, { ok: true, id });
    }
  },

  "timestamps in ms": async (cast) => {
    const { ask, alice, clock } = cast;
    await using target = await receiverPeer();
    const now = clock.now();
    const { body: account } = await ask(alice, `GET /accounts/${alice.account.id}`);
    assert.equal(account.creation_date, now);
    const id = await probedCheck(cast, target);
    cast.start();
    const { created, modified, lastresult } = await waitForState(cast, id, 1);
    assert.deepEqual([created, modified], [now, now]);
    for (const at of [lastresult.s, lastresult.e, Number(lastresult.ra)])
      assert.ok(Number.isInteger(at) && at >= now && at < now + 60_000, String(at));
  },

  "id shapes": async (cast) => {
    const { ask, alice } = cast;
    await using target = await receiverPeer();
    const account = alice.account.id;
    assert.match(account, /^202601051200[A-Z0-9]{5}$/);
    const shapes = {
      contacts: `${account}-[A-Z0-9]{5}`,
      contactgroups: `${account}-G-[A-Z0-9]{5}`,
      schedules: "lunch",
      notificationprofiles: `${account}-P-[A-Z0-9]{5}`,
      checks: `${account}-[A-Z0-9]{8}`,
    };
    for (const [resource, id] of await recordsOf(cast, undefined))
      assert.match(id, new RegExp(`^${shapes[resource]}$`));
    const { body: contact } = await ask(alice, `GET /contacts/${alice.contact.id}`);
    for (const id of Object.keys(contact.addresses)) assert.match(id, /^[A-Z0-9]{8}$/);
    const id = await probedCheck(cast, target);
    cast.start();
    const { lastresult } = await waitForState(cast, id, 1);
    assert.equal(lastresult._id, `${id}-${lastresult.s}`);
  },
} satisfies RowTests<"2.1 conventions">;
