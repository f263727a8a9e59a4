import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";

async function manyChecks({ ask, alice }: ApiFixture, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { body } = await ask(alice, "POST /checks", { ...plainCheck, tags: ["old", "kept"] });
    ids.push(body._id);
  }
  return ids;
}

test("several checks are changed alike, and what happened is said of each", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const ids = await manyChecks(cast, 30);
  const [first = ""] = ids;
  const { body } = await ask(alice, "POST /checks/bulk", {
    checklist: [...ids, "nothing"],
    enabled: true,
    mute: true,
    addtags: "new",
    removetags: "old",
    notifications: [{ [alice.contact.id]: "All" }],
  });
  assert.equal(body.changed, 30);
  assert.deepEqual(body.checks[first], { done: true });
  assert.deepEqual(body.checks.nothing, { done: false, error: "Unable to find that check" });
  const { body: all } = await ask(alice, "GET /checks");
  for (const id of ids) {
    const { enable, mute, tags, notifications } = all[id];
    assert.deepEqual(
      [enable, mute, tags, notifications],
      ["active", true, ["kept", "new"], [{ [alice.contact.id]: "All" }]],
    );
  }
});

test("several checks are deleted, and those of another account are as if they were not there", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, carol, changes } = cast;
  const [one = "", two = "", three = ""] = await manyChecks(cast, 3);
  const hers = await ask(carol, "POST /checks/bulk", { checklist: [one, two], delete: true });
  const missing = { done: false, error: "Unable to find that check" };
  assert.deepEqual(hers.body, { changed: 0, checks: { [one]: missing, [two]: missing } });
  const before = changes.length;
  const { body } = await ask(alice, "POST /checks/bulk", { checklist: [one, two], delete: true });
  assert.deepEqual(body, { changed: 2, checks: { [one]: { done: true }, [two]: { done: true } } });
  assert.deepEqual(Object.keys((await ask(alice, "GET /checks")).body), [three]);
  assert.equal(changes.length - before, 2);
});

test("more than a thousand are refused, and what no check may have is said of each", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const many = await ask(alice, "POST /checks/bulk", {
    checklist: Array.from({ length: 1001 }, (_, index) => `id-${index}`),
  });
  assert.deepEqual(
    [many.status, many.body.error],
    [400, "checklist: must be a list of at most 1000 ids"],
  );
  const [id = ""] = await manyChecks(cast, 1);
  const { body } = await ask(alice, "POST /checks/bulk", {
    checklist: [id],
    notifications: [{ nobody: "All" }],
  });
  assert.equal(body.changed, 0);
  assert.match(body.checks[id].error, /no such .*nobody/);
  const { body: log } = await ask(alice, "GET /audit");
  assert.ok(log.every(({ operation }: { operation: string }) => operation !== "BULK checks"));
});
