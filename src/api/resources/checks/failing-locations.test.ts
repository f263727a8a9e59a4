import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";

test("a check that is on shows the locations at which it fails, in its record, in lists and in its metrics", async () => {
  await using cast = await createApiFixture();
  const { alice, ask, store, app } = cast;
  const { body: made } = await ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  const found = await store.checks.find(alice.account.id, made._id);
  assert.ok(found);
  const failing = [
    { location: "ny", since: 5, reason: "timeout" },
    { location: "ld", since: 7, reason: "refused" },
  ];
  const shown = async () => {
    const record = await ask(alice, `GET /checks/${made._id}`);
    const statuses = await ask(alice, "GET /statuses");
    const { body } = await app.inject({
      url: "/metrics/checks",
      headers: { authorization: `Bearer ${alice.token}` },
    });
    const metrics = body.match(/(?<=watchpost_check_location_failing.*location=")\w+/g);
    return [record.body.failinglocations, statuses.body[0].failinglocations, metrics];
  };
  assert.deepEqual(await shown(), [undefined, undefined, null]);
  await store.write((tx) => tx.states.setFailingLocations(found.check.no, failing));
  assert.deepEqual(await shown(), [failing, failing, ["ny", "ld"]]);
  await ask(alice, `PUT /checks/${made._id}`, { enabled: false });
  assert.deepEqual(await shown(), [undefined, undefined, null]);
});
