import assert from "node:assert/strict";

import { plainCheck } from "../../api-fixture.ts";
import type { RowTests } from "../fixture.ts";

export const methods = {
  "GET, PUT and DELETE by verb or action": async ({ send, ask, alice }) => {
    const { token } = alice;
    const { body: check } = await ask(alice, "POST /checks", plainCheck);
    const url = `/api/1/checks/${check._id}`;
    const byAction = async (action: string, parameters: object = {}) => {
      const query = new URLSearchParams({ token, action, ...parameters });
      return send({ method: "GET", url: `${url}?${query.toString()}` });
    };
    const byJson = async (parameters: object) =>
      send({ method: "POST", url, payload: JSON.stringify({ token, ...parameters }) });

    assert.equal((await byAction("GET")).text, (await ask(alice, `GET /checks/${check._id}`)).text);
    assert.equal((await byJson({ action: "GET" })).body._id, check._id);
    assert.equal((await byAction("PUT", { label: "one" })).body.label, "one");
    assert.equal((await byAction("put", { label: "two" })).body.label, "two");
    assert.equal((await byJson({ action: "PUT", label: "three" })).body.label, "three");
    assert.equal(
      (await ask(alice, `PUT /checks/${check._id}`, { label: "four" })).body.label,
      "four",
    );
    assert.deepEqual((await byAction("DELETE")).body, { ok: true, id: check._id });
    assert.deepEqual((await ask(alice, "GET /checks")).body, {});

    const { body: other } = await ask(alice, "POST /checks", plainCheck);
    const byVerb = await send({
      method: "DELETE",
      url: `/api/1/checks/${other._id}?token=${token}`,
    });
    assert.deepEqual(byVerb.body, { ok: true, id: other._id });
  },

  "action selects other operations": async (cast) => {
    const { send, ask, alice, mails, until, refused } = cast;
    const { token, contact } = alice;
    cast.enableSystemMail();
    const get = (path: string) => send({ url: `/api/1/${path}&token=${token}` });
    const reset = await get(`contacts/${contact.id}?action=RESETPASSWORD`);
    assert.deepEqual(reset.body, { success: true });
    cast.start();
    const mail = await until("the mail with the password", async () => mails[0]);
    assert.equal(mail.to, "alice@example.com");

    const { body: check } = await ask(alice, "POST /checks", plainCheck);
    assert.deepEqual(Object.keys((await get("results?action=CURRENT")).body), [check._id]);
    assert.ok("total" in (await get(`results?action=uptime&id=${check._id}`)).body);
    refused(await get("checks?action=FLY"), 400, 'action: not known on checks "FLY"');
  },

  "POST creates and PUT updates": async ({ ask, alice }) => {
    const records = {
      checks: plainCheck,
      contacts: { custrole: "notify" },
      contactgroups: {},
      notificationprofiles: {},
    };
    for (const [resource, parameters] of Object.entries(records)) {
      const idsOfAll = async () =>
        new Set(Object.keys((await ask(alice, `GET /${resource}`)).body));
      const before = await idsOfAll();
      const { body: created } = await ask(alice, `POST /${resource}`, parameters);
      const { body: updated } = await ask(alice, `PUT /${resource}/${created._id}`, parameters);
      assert.equal(updated._id, created._id);
      assert.deepEqual(await idsOfAll(), before.add(created._id), resource);
    }
  },
} satisfies RowTests<"4.1 method selection">;
