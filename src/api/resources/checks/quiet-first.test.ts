import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";

test("quietfirst of a new check is stored, shown by no record, and a change of the check leaves it as it is", async () => {
  await using cast = await createApiFixture();
  const quiet = async (id: string) =>
    (await cast.store.checks.find(cast.alice.account.id, id))?.check.quietFirst;
  const { body } = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, quietfirst: true });
  assert.equal("quietfirst" in body || "quietfirst" in body.parameters, false);
  await cast.ask(cast.alice, `PUT /checks/${body._id}`, { label: "Other" });
  assert.equal(await quiet(body._id), true);
  const plain = await cast.ask(cast.alice, "POST /checks", plainCheck);
  assert.equal(await quiet(plain.body._id), false);
  const refused = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, quietfirst: "x" });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /^quietfirst: /);
});
