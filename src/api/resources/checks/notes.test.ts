import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck } from "../../../../test/record-builders.ts";
import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";

const noted = {
  ...plainCheck,
  tags: ["web", " shop ", "web", ""],
  description: "the shop",
  mute: "true",
  autodiag: "yes",
  homeloc: "FRA",
};

test("tags, description, mute, autodiag and homeloc are kept, and a PUT without them leaves them", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", noted);
  const kept = {
    tags: ["web", "shop"],
    description: "the shop",
    mute: true,
    autodiag: true,
    homeloc: "fra",
  };
  const shown = await cast.ask(cast.alice, `PUT /checks/${body._id}`, { label: "shop" });
  assert.deepEqual({ ...shown.body, ...kept }, shown.body);
});

for (const { sent, name, shown } of [
  { sent: { tags: [] }, name: "tags", shown: [] },
  { sent: { tags: "" }, name: "tags", shown: ["web", "shop"] },
  { sent: { tags: null }, name: "tags", shown: ["web", "shop"] },
  { sent: { tags: "one, two" }, name: "tags", shown: ["one", "two"] },
  { sent: { description: "" }, name: "description", shown: "the shop" },
  { sent: { description: false }, name: "description", shown: "the shop" },
  { sent: { description: "other" }, name: "description", shown: "other" },
  { sent: { mute: false }, name: "mute", shown: false },
  { sent: { mute: 4_102_444_800_000 }, name: "mute", shown: 4_102_444_800_000 },
  { sent: { mute: "4102444800000" }, name: "mute", shown: 4_102_444_800_000 },
  { sent: { mute: "" }, name: "mute", shown: true },
  { sent: { autodiag: "0" }, name: "autodiag", shown: false },
  { sent: { homeloc: false }, name: "homeloc", shown: false },
  { sent: { homeloc: "" }, name: "homeloc", shown: false },
  { sent: { homeloc: "roam" }, name: "homeloc", shown: "roam" },
] as const) {
  test(`a PUT of ${JSON.stringify(sent)} leaves ${name} at ${JSON.stringify(shown)}`, async () => {
    await using cast = await createApiFixture();
    const { body } = await cast.ask(cast.alice, "POST /checks", noted);
    const put = await cast.ask(cast.alice, `PUT /checks/${body._id}`, sent);
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(put.body[name], shown);
  });
}

for (const [sent, sentence] of [
  [{ tags: 5 }, "tags: must be a list of at most 100 texts of at most 100 characters"],
  [
    { tags: ["x".repeat(101)] },
    "tags: must be a list of at most 100 texts of at most 100 characters",
  ],
  [{ description: "x".repeat(1001) }, "description: must be text of at most 1000 characters"],
  [{ mute: "soon" }, "mute: must be true, false, or the ms since 1970 until which it lasts"],
  [{ mute: -5 }, "mute: must be true, false, or the ms since 1970 until which it lasts"],
  [{ homeloc: "atlantis" }, 'homeloc: no such location "atlantis"'],
  [{ dep: ["a"] }, "dep: must be the id of a check, or false"],
] as const) {
  test(`a POST with ${JSON.stringify(sent).slice(0, 60)} is refused`, async () => {
    await using cast = await createApiFixture();
    const { status, body } = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, ...sent });
    assert.deepEqual([status, body.error], [400, sentence]);
  });
}

// guard: cycles of dependencies
test("a check depends on another of its account, never on itself or a stranger's, and on none again", async () => {
  await using cast = await createApiFixture();
  const { body: router } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  const { body: foreign } = await cast.ask(cast.carol, "POST /checks", plainCheck);
  const { body: site } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    dep: router._id,
  });
  assert.equal(site.dep, router._id);
  const path = `PUT /checks/${site._id}`;
  for (const dep of [foreign._id, "nothing"]) {
    const { status, body } = await cast.ask(cast.alice, path, { dep });
    assert.deepEqual([status, body.error], [400, `dep: no such check ${JSON.stringify(dep)}`]);
  }
  for (const [check, dep] of [
    [site, site],
    [router, site],
  ]) {
    const cycle = await cast.ask(cast.alice, `PUT /checks/${check._id}`, { dep: dep._id });
    assert.deepEqual(
      [cycle.status, cycle.body.error],
      [400, "dep: leads back to the check itself"],
    );
  }
  await cast.ask(cast.alice, `DELETE /checks/${router._id}`);
  const kept = await cast.ask(cast.alice, path, { label: "shop" });
  assert.deepEqual([kept.status, kept.body.dep], [200, router._id], "what is there may stay");
  for (const none of ["", false, "false"]) {
    assert.equal((await cast.ask(cast.alice, path, { dep: none })).body.dep, false);
  }
});

const LONG_CHAIN = "dep: makes a chain of more than 10 dependencies, each of one check on the next";

// guard: length of chains of dependencies
test("ten checks may depend on each other in a row, and no more, from whichever end the chain is made", async () => {
  await using cast = await createApiFixture();
  const add = async (parameters: object = {}): Promise<string> =>
    (await cast.ask(cast.alice, "POST /checks", { ...plainCheck, ...parameters })).body._id;
  const depend = async (id: string, dep: string): Promise<unknown> =>
    (await cast.ask(cast.alice, `PUT /checks/${id}`, { dep })).body.error;
  let last = await add();
  for (let length = 1; length <= 10; length += 1) last = await add({ dep: last });
  const refused = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, dep: last });
  assert.deepEqual([refused.status, refused.body.error], [400, LONG_CHAIN]);

  let first = await add();
  for (let length = 1; length <= 10; length += 1) {
    const above = await add();
    assert.equal(await depend(first, above), undefined);
    first = above;
  }
  assert.equal(await depend(first, await add()), LONG_CHAIN);
});

test("a longer chain that is there already may be changed, and is not read to its end", async () => {
  await using cast = await createApiFixture();
  const { store, alice } = cast;
  const ids = Array.from({ length: 40 }, (_, no) => `${alice.account.id}-CHAIN${no}`);
  await store.write(async (tx) => {
    for (const [no, id] of ids.entries())
      await tx.checks.insert({
        ...aCheck(id, { dependsOn: ids[no + 1] }),
        accountId: alice.account.id,
      });
  });
  const [first = "", second = ""] = ids;
  const renamed = await cast.ask(alice, `PUT /checks/${first}`, { label: "shop", dep: second });
  assert.deepEqual([renamed.status, renamed.body.label, renamed.body.dep], [200, "shop", second]);
  const cycle = await cast.ask(alice, `PUT /checks/${ids.at(-1)}`, { dep: first });
  assert.deepEqual([cycle.status, cycle.body.error], [400, LONG_CHAIN]);
});

test("a check of a suspended account says so", async () => {
  await using cast = await createApiFixture();
  const customerid = cast.bob.account.id;
  const { body } = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, customerid });
  assert.equal(body.suspacct, false);
  await cast.store.write((tx) =>
    tx.accounts.update({ ...cast.bob.account, status: "suspended" }, cast.clock.now()),
  );
  const shown = await cast.ask(cast.alice, `GET /checks/${body._id}`, { customerid });
  assert.equal(shown.body.suspacct, true);
});
