import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";
import { failingCheck } from "../../../../test/failing-check.ts";

test("all that are down are acknowledged at once, and who has acknowledged one already stays", async () => {
  await using cast = await createApiFixture();
  const { alice, carol, ask } = cast;
  const [one, two, seen] = [
    await failingCheck(cast, alice),
    await failingCheck(cast, alice),
    await failingCheck(cast, alice),
  ].map(({ id }) => id);
  const { body: passing } = await ask(alice, "POST /checks", plainCheck);
  await ask(alice, `POST /checks/acknowledge/${seen}`, { by: "Ann" });
  const checklist = [one, two, seen, passing._id];
  const hers = await ask(carol, "POST /checks/bulk", { checklist, acknowledge: true });
  assert.equal(hers.body.changed, 0);
  const { body } = await ask(alice, "POST /checks/bulk", { checklist, acknowledge: true });
  assert.equal(body.changed, 3);
  assert.deepEqual(body.checks[passing._id], {
    done: false,
    error: "the check is not down: there is nothing to acknowledge",
  });
  const { body: all } = await ask(alice, "GET /checks");
  const by = checklist.map((id) => all[id ?? ""].acknowledged?.by);
  assert.deepEqual(by, [alice.account.name, alice.account.name, "Ann", undefined]);
});
