import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, testResponse } from "../../../test/api-fixture.ts";
import { createTokenAdmin } from "../../store/transactions/token-admin.ts";
import { createApiServer } from "./server.ts";

const rows: readonly {
  readonly name: string;
  readonly request: string;
  readonly parameters?: object;
  readonly standard: readonly [number, string];
  readonly legacy: readonly [number, string];
}[] = [
  {
    name: "a missing contact",
    request: "GET /contacts/missing",
    standard: [404, '{"error":"Unable to find that contact"}'],
    legacy: [200, "{}"],
  },
  {
    name: "a missing group",
    request: "GET /contactgroups/missing",
    standard: [404, '{"error":"Unable to find group"}'],
    legacy: [200, "{}"],
  },
  {
    name: "a missing maintenance",
    request: "GET /maintenance/missing",
    standard: [404, '{"error":"Unable to find that maintenance"}'],
    legacy: [200, "{}"],
  },
  {
    name: "a missing profile",
    request: "GET /notificationprofiles/missing",
    standard: [404, '{"error":"Unable to find that profile"}'],
    legacy: [200, '{"error":"Unable to find that profile"}'],
  },
  {
    name: "a missing schedule",
    request: "GET /schedules/missing",
    standard: [404, '{"error":"Unable to find that schedule"}'],
    legacy: [200, '""'],
  },
  {
    name: "a missing check",
    request: "GET /checks/missing",
    standard: [404, '{"error":"Error fetching check."}'],
    legacy: [200, '{"error":"Error fetching check."}'],
  },
  {
    name: "a missing contact to delete",
    request: "DELETE /contacts/missing",
    standard: [404, '{"error":"Unable to find that contact"}'],
    legacy: [200, '{"error":"Unable to find that contact"}'],
  },
  {
    name: "a missing group to delete",
    request: "DELETE /contactgroups/missing",
    standard: [404, '{"error":"Unable to find group"}'],
    legacy: [200, '{"error":"Unable to find group"}'],
  },
  {
    name: "a missing schedule to delete",
    request: "DELETE /schedules/missing",
    standard: [404, '{"error":"Unable to find that schedule"}'],
    legacy: [200, '{"error":"Unable to find that schedule"}'],
  },
  {
    name: "a missing target",
    request: "POST /checks",
    parameters: { type: "HTTP" },
    standard: [400, '{"error":"A target is required."}'],
    legacy: [200, '{"error":"A target is required."}'],
  },
  {
    name: "a verb that is not offered",
    request: "PUT /notifications",
    standard: [405, '{"error":"method PUT is not supported on notifications"}'],
    legacy: [200, '{"error":"method PUT is not supported on notifications"}'],
  },
  {
    name: "an unknown resource",
    request: "GET /things",
    standard: [404, '{"error":"no such resource \\"things\\""}'],
    legacy: [200, '{"error":"no such resource \\"things\\""}'],
  },
];

for (const mode of ["standard", "legacy"] as const) {
  for (const { name, request, parameters = {}, ...expected } of rows) {
    test(`${mode}: ${name} answers ${expected[mode].join(" ")}`, async () => {
      await using cast = await createApiFixture({ compatibility: mode });
      const { status, text } = await cast.ask(cast.alice, request, parameters);
      assert.deepEqual([status, text], expected[mode]);
    });
  }

  test(`${mode}: a bad token and a stranger's account answer 403`, async () => {
    await using cast = await createApiFixture({ compatibility: mode });
    assert.equal((await cast.ask("nobody", "GET /checks")).status, 403);
    assert.equal(
      (await cast.ask(cast.carol, "GET /checks", { customerid: cast.alice.account.id })).status,
      403,
    );
  });

  test(`${mode}: an error of ours stays 500, and a path outside the API 404`, async () => {
    const locations = (): never => {
      throw new Error("broken");
    };
    await using cast = await createApiFixture({ compatibility: mode, locations });
    assert.equal((await cast.ask(cast.alice, "POST /checks", plainCheck)).status, 500);
    assert.equal((await cast.app.inject({ url: "/nothing" })).statusCode, 404);
  });

  test(`${mode}: firstdown of a check that passes is ${mode === "legacy" ? "0" : "false"}`, async () => {
    await using cast = await createApiFixture({ compatibility: mode });
    const { body } = await cast.ask(cast.alice, "POST /checks", plainCheck);
    assert.equal(
      (await cast.ask(cast.alice, `GET /checks/${body._id}`)).body.firstdown,
      mode === "legacy" ? 0 : false,
    );
  });
}

test("each token is answered in its own mode, whatever that of the installation", async () => {
  await using cast = await createApiFixture();
  const accountId = cast.alice.account.id;
  const { token: legacy } = await createTokenAdmin(cast.deps).create({
    accountId,
    label: "terraform",
    compatibility: "legacy",
  });
  // Without the comparison with the OpenAPI document, which is that of one mode.
  await using server = createApiServer(cast.deps);
  const ask = async (token: string, url: string, parameters?: object) =>
    testResponse(
      await server.inject({
        method: parameters === undefined ? "GET" : "POST",
        url: `/api/1${url}`,
        headers: { authorization: `Bearer ${token}` },
        ...(parameters === undefined ? {} : { payload: parameters }),
      }),
    );
  const { body: made } = await ask(legacy, "/checks", plainCheck);
  assert.equal(made.firstdown, 0);
  assert.equal((await ask(legacy, `/checks/${made._id}`)).body.firstdown, 0);
  assert.equal((await ask(legacy, "/checks")).body[made._id].firstdown, 0);
  assert.equal((await ask(cast.alice.token, `/checks/${made._id}`)).body.firstdown, false);
  const [bySelf, byLegacy] = await Promise.all(
    [cast.alice.token, legacy].map((token) => ask(token, "/schedules/missing")),
  );
  assert.deepEqual([bySelf?.status, byLegacy?.status, byLegacy?.text], [404, 200, '""']);
});
