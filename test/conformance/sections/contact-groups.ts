import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";

const missing = "Unable to find group";

/** A group of Alice's that consists of her. */
async function create({ ask, alice }: ConformanceFixture): Promise<TestResponse["body"]> {
  const { body } = await ask(alice, "POST /contactgroups", {
    name: "Night shift",
    members: [alice.contact.id],
  });
  return body;
}

export const contactGroups = {
  "get one": async (cast) => {
    const { ask, alice, bob, carol, absent } = cast;
    const made = await create(cast);
    for (const request of [`GET /contactgroups/${made._id}`, `GET /contactgroups?id=${made._id}`])
      assert.deepEqual((await ask(alice, request)).body, made);
    absent(await ask(carol, `GET /contactgroups/${made._id}`), missing, {});
    const customerid = bob.account.id;
    const { body: his } = await ask(alice, "POST /contactgroups", { customerid });
    absent(await ask(alice, `GET /contactgroups/${his._id}`), missing, {});
    const read = await ask(alice, `GET /contactgroups/${his._id}`, { customerid });
    assert.deepEqual(read.body, his);
  },

  "get the list": async (cast) => {
    const { ask, alice, bob } = cast;
    const one = await create(cast);
    const other = await create(cast);
    const { body } = await ask(alice, "GET /contactgroups");
    assert.deepEqual(body, { [one._id]: one, [other._id]: other });
    const { body: his } = await ask(alice, "GET /contactgroups", { customerid: bob.account.id });
    assert.deepEqual(his, {});
  },

  "create: name and members": async ({ ask, alice, carol, refusedOrKept }) => {
    const [address] = alice.contact.addresses;
    const members = [alice.contact.id, address?.id];
    const { body } = await ask(alice, "POST /contactgroups", { name: "Night shift", members });
    assert.deepEqual([body.name, body.members], ["Night shift", members]);
    const { body: empty } = await ask(alice, "POST /contactgroups");
    assert.deepEqual([empty.name, empty.members], ["", []]);
    refusedOrKept(
      await ask(alice, "POST /contactgroups", { members: [carol.contact.id] }),
      `members: no such contact or address "${carol.contact.id}"`,
    );
  },

  "update: id is required": async (cast) => {
    const { ask, alice, refused } = cast;
    const { _id: id } = await create(cast);
    refused(await ask(alice, "PUT /contactgroups", { name: "x" }), 400, "id: required");
    for (const [name, request] of [
      ["by path", `PUT /contactgroups/${id}`],
      ["by parameter", `PUT /contactgroups?id=${id}`],
    ] as const)
      assert.equal((await ask(alice, request, { name })).body.name, name);
    refused(await ask(alice, "PUT /contactgroups/missing", { name: "x" }), 404, missing);
  },

  "update: name and members": async (cast) => {
    const { ask, alice } = cast;
    const made = await create(cast);
    const path = `/contactgroups/${made._id}`;
    await ask(alice, `PUT ${path}`, { name: "Day shift" });
    assert.deepEqual((await ask(alice, `GET ${path}`)).body, { ...made, name: "Day shift" });
    const members = [alice.contact.addresses[0]?.id];
    for (const list of [members, []]) {
      await ask(alice, `PUT ${path}`, { members: list });
      assert.deepEqual((await ask(alice, `GET ${path}`)).body.members, list);
    }
  },

  delete: async (cast) => {
    const { ask, alice, absent, refused } = cast;
    refused(await ask(alice, "DELETE /contactgroups"), 400, "id: required");
    const { _id: id } = await create(cast);
    assert.deepEqual((await ask(alice, `DELETE /contactgroups/${id}`)).body, { ok: true, id });
    absent(await ask(alice, `GET /contactgroups/${id}`), missing, {});
    refused(await ask(alice, `DELETE /contactgroups?id=${id}`), 404, missing);
  },
} satisfies RowTests<"4.4 contactgroups">;
