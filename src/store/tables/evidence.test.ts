import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, alice, anAccount, bob, carol, noon } from "../../../test/record-builders.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";

const forever = { from: 0, to: Number.MAX_SAFE_INTEGER };

// guard: evidence of an account
test("evidence beyond the bytes of an account makes its oldest give way, its subaccounts' too, and nobody else's", async () => {
  await using store = await tempStore({ limits: { evidence: 300_000 } });
  const other = anAccount("OTHER", { parentId: alice.id });
  const checks = await store.write(async (tx) => {
    for (const account of [alice, bob, carol, other]) await tx.accounts.insert(account);
    return [
      await tx.checks.insert(aCheck("own")),
      await tx.checks.insert(aCheck("of-sub", { accountId: other.id })),
      await tx.checks.insert(aCheck("of-carol", { accountId: carol.id })),
    ] as const;
  });
  const text = "x".repeat(1000);
  await store.write(async ({ evidence }) => {
    for (let run = 0; run < 450; run += 1) {
      const { no } = checks[run < 30 ? 2 : run % 2] ?? checks[0];
      await evidence.record({ checkNo: no, startedAt: noon + run, flipped: true, text });
    }
  });
  const kept = async (index: 0 | 1 | 2) =>
    (await store.evidence.list({ checkNo: checks[index].no, ...forever })).map(
      ({ startedAt }) => startedAt - noon,
    );
  const ofAlice = [...(await kept(0)), ...(await kept(1))].toSorted((one, two) => one - two);
  assert.ok(ofAlice.length > 190 && ofAlice.length <= 300, String(ofAlice.length));
  assert.deepEqual(
    ofAlice,
    Array.from({ length: ofAlice.length }, (_, index) => 450 - ofAlice.length + index),
  );
  assert.equal((await kept(2)).length, 30);
  assert.equal((await store.usage.of(alice.id)).evidence, ofAlice.length * 1000);
});

test("what is found of a check that was removed meanwhile is not kept", async () => {
  await using store = await tempStore();
  await store.write(({ evidence }) =>
    evidence.record({ checkNo: 77, startedAt: noon, flipped: true, text: "late" }),
  );
  assert.equal(store.count("evidence"), 0);
});
