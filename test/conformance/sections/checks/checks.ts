import assert from "node:assert/strict";

import { plainCheck, type TestResponse } from "../../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../../fixture.ts";
import { failingData, loadField, pushedCheck, healthyData } from "../../check-drivers.ts";
import { checkFields } from "./check-fields.ts";
import { checkParameters } from "./check-parameters.ts";
import { checkTypeFields } from "./check-type-fields.ts";

const DAY_MS = 86_400_000;

/** A check of Alice's, or of her subaccount where that is named, as it is read. */
async function create(
  { ask, alice }: ConformanceFixture,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  const { body } = await ask(alice, "POST /checks", { ...plainCheck, ...parameters });
  const { customer_id: customerid } = body;
  return (await ask(alice, `GET /checks/${body._id}`, { customerid })).body;
}

/** Returns Alice's enabled checks. */
async function active({ ask, alice }: ConformanceFixture): Promise<readonly string[]> {
  const { body } = await ask(alice, "GET /checks");
  return Object.keys(body).filter((id) => body[id].enable === "active");
}

const operations = {
  "get one": async (cast) => {
    const { ask, alice, carol, refused } = cast;
    const { _id: id } = await create(cast, { label: "the one" });
    for (const request of [`GET /checks/${id}`, `GET /checks?id=${id}`]) {
      const { body } = await ask(alice, request);
      assert.deepEqual([body._id, body.label], [id, "the one"]);
    }
    refused(await ask(carol, `GET /checks/${id}`), 404, "Error fetching check.");
  },

  "get the list": async (cast) => {
    const { ask, alice, bob, carol } = cast;
    const one = await create(cast);
    const other = await create(cast);
    const his = await create(cast, { customerid: bob.account.id });
    const list = async (who: ConformanceFixture["alice"], parameters: object): Promise<object> =>
      (await ask(who, "GET /checks", parameters)).body;
    assert.deepEqual(await list(alice, {}), { [one._id]: one, [other._id]: other });
    assert.deepEqual(await list(alice, { customerid: bob.account.id }), { [his._id]: his });
    assert.deepEqual(await list(carol, {}), {});
  },

  "get: lastresult": async (cast) => {
    const { ask, alice, clock } = cast;
    const { id, heartbeat } = await pushedCheck(cast, loadField);
    for (const lastresult of [true, "true", 1])
      assert.equal(
        "lastresult" in (await ask(alice, `GET /checks/${id}`, { lastresult })).body,
        false,
      );
    await heartbeat(healthyData);
    const at = clock.now();
    await ask(alice, `PUT /checks/${id}`, { enabled: "false" });
    await clock.advance(20 * DAY_MS);
    const { body } = await ask(alice, `GET /checks/${id}`, { lastresult: true });
    assert.deepEqual([body.lastresult.s, body.lastresult.su], [at, true]);
  },

  "get: current": async (cast) => {
    const { ask, alice } = cast;
    const { _id: off } = await create(cast);
    const { id: up } = await pushedCheck(cast);
    const { id: down, heartbeat } = await pushedCheck(cast, loadField);
    await heartbeat(failingData);
    const eventsOf = ({ events }: TestResponse["body"]): readonly string[] | undefined =>
      events?.map(({ type }: { type: string }) => type);
    const { body: all } = await ask(alice, "GET /checks", { current: true });
    assert.deepEqual(
      [off, up, down].map((id) => eventsOf(all[id])),
      [["disabled"], undefined, ["down"]],
    );
    const { body: one } = await ask(alice, `GET /checks/${down}`, { current: true });
    assert.equal(eventsOf(one), undefined, "in a list only");
  },

  create: async (cast) => {
    const { ask, alice, noFirstDown } = cast;
    const { body } = await ask(alice, "POST /checks", plainCheck);
    const { status, change: _change, warning, ...made } = body;
    assert.match(warning, /nobody is alerted of this check; enabled: the check is off/);
    assert.deepEqual([status, made.type, made.firstdown], ["modified", "HTTP", noFirstDown]);
    const { body: read } = await ask(alice, `GET /checks/${made._id}`);
    assert.deepEqual(read, { ...made, status: "assigned" });
  },

  update: async (cast) => {
    const { ask, alice } = cast;
    const { _rev, modified, status: _status, ...made } = await create(cast, { interval: 7 });
    const { body } = await ask(alice, `PUT /checks/${made._id}`, { label: "renamed" });
    assert.equal(body.label, "renamed");
    const { body: read } = await ask(alice, `GET /checks/${made._id}`);
    const { _rev: nextRev, modified: nextModified, status: _nextStatus, ...changed } = read;
    assert.deepEqual(changed, { ...made, label: "renamed" });
    assert.ok(nextRev !== _rev && nextModified > modified);
  },

  delete: async (cast) => {
    const { ask, alice, refused } = cast;
    refused(await ask(alice, "DELETE /checks"), 400, "id: required");
    for (const requestOf of [
      (id: string) => `DELETE /checks/${id}`,
      (id: string) => `DELETE /checks?id=${id}`,
    ]) {
      const { _id: id } = await create(cast);
      assert.deepEqual((await ask(alice, requestOf(id))).body, { ok: true, id });
      refused(await ask(alice, `GET /checks/${id}`), 404, "Error fetching check.");
      refused(await ask(alice, requestOf(id)), 404, "Unable to find that check");
    }
  },

  disableall: async (cast) => {
    const { ask, alice, bob, refused } = cast;
    const on = await create(cast, { enabled: "true" });
    const off = await create(cast);
    const customerid = bob.account.id;
    const his = await create(cast, { customerid, enabled: "true" });
    refused(await ask(alice, "POST /checks", { disableall: "true" }), 400, "type: required");
    assert.deepEqual(await active(cast), [on._id]);
    const { body } = await ask(alice, "PUT /checks", {
      disableall: "true",
      id: off._id,
      enabled: "true",
      interval: "no number",
    });
    const warning =
      "disableall: means all checks of the account, so id, enabled and interval were ignored";
    assert.deepEqual(body, { disableall: 1, disabled: 2, enabled: 0, active: 0, warning });
    assert.deepEqual(await active(cast), []);
    const { body: kept } = await ask(alice, `GET /checks/${his._id}`, { customerid });
    assert.equal(kept.enable, "active");
    await ask(alice, "PUT /checks", { disableall: "false" });
    assert.deepEqual(await active(cast), [on._id]);
  },

  id: async (cast) => {
    const { ask, alice, refused } = cast;
    const { _id: id } = await create(cast);
    refused(await ask(alice, "PUT /checks", { label: "x" }), 400, "id: required");
    refused(await ask(alice, "PUT /checks/missing", { label: "x" }), 404, "Unable to load check.");
    for (const [label, request] of [
      ["by path", `PUT /checks/${id}`],
      ["by parameter", `PUT /checks?id=${id}`],
    ] as const) {
      const { body } = await ask(alice, request, { label });
      assert.deepEqual([body._id, body.label], [id, label]);
    }
    const other = await create(cast, { id, label: "another" });
    assert.notEqual(other._id, id);
    assert.equal((await ask(alice, `GET /checks/${id}`)).body.label, "by parameter");
  },

  customerid: async (cast) => {
    const { ask, alice, bob, refused } = cast;
    const customerid = bob.account.id;
    const { _id: id, customer_id } = await create(cast, { customerid });
    assert.equal(customer_id, customerid);
    for (const [request, sentence] of [
      [`GET /checks/${id}`, "Error fetching check."],
      [`PUT /checks/${id}`, "Unable to load check."],
      [`DELETE /checks/${id}`, "Unable to find that check"],
    ] as const) {
      refused(await ask(alice, request), 404, sentence);
      assert.equal((await ask(alice, request, { customerid })).status, 200);
    }
  },
} satisfies Partial<RowTests<"4.7 checks">>;

export const checks = {
  ...operations,
  ...checkFields,
  ...checkParameters,
  ...checkTypeFields,
} satisfies RowTests<"4.7 checks">;
