import assert from "node:assert/strict";
import { test } from "node:test";

import type { ObservedCertificate } from "../../../src/store/tables/evidence.ts";
import { aCheck, minute, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

export function evidenceContract(open: OpenStore): void {
  const openWithChecks = async () => {
    const store = await open();
    const [check, other] = await store.write(async ({ checks }) => [
      await checks.insert(aCheck("check")),
      await checks.insert(aCheck("other")),
    ]);
    const keep = (startedAt: number, flipped: boolean, checkNo = check.no): Promise<void> =>
      store.write(({ evidence }) =>
        evidence.record({ checkNo, startedAt, flipped, text: `at ${startedAt}` }),
      );
    return { store, check, other, keep };
  };
  const forever = { from: 0, to: Number.MAX_SAFE_INTEGER };

  test("evidence is found by the start of its run, and is that of its check alone", async () => {
    const { store, check, other, keep } = await openWithChecks();
    await using _ = store;
    await keep(noon, true);
    await keep(noon + minute, false);
    await keep(noon + minute, false, other.no);
    const found = await store.evidence.list({
      checkNo: check.no,
      from: noon + 1,
      to: noon + minute,
    });
    assert.deepEqual(found, [
      { checkNo: check.no, startedAt: noon + minute, flipped: false, text: `at ${noon + minute}` },
    ]);
    assert.equal((await store.evidence.list({ checkNo: check.no, ...forever })).length, 2);
  });

  test("evidence takes the place of what is kept with that result, and of its bytes", async () => {
    const { store, check, keep } = await openWithChecks();
    await using _ = store;
    await keep(noon, false);
    const before = await store.usage.most();
    await keep(noon, true);
    const found = await store.evidence.list({ checkNo: check.no, ...forever });
    assert.deepEqual(
      found.map(({ flipped }) => flipped),
      [true],
    );
    assert.deepEqual(await store.usage.most(), before);
  });

  test("that of flips stays, and of the rest of a check the newest twenty", async () => {
    const { store, check, other, keep } = await openWithChecks();
    await using _ = store;
    await keep(noon, true);
    await keep(noon, false, other.no);
    for (let run = 1; run <= 25; run += 1) await keep(noon + run * minute, false);
    const found = await store.evidence.list({ checkNo: check.no, ...forever });
    assert.deepEqual(
      found.map(({ startedAt }) => (startedAt - noon) / minute),
      [0, ...Array.from({ length: 20 }, (_, index) => index + 6)],
    );
    assert.equal((await store.evidence.list({ checkNo: other.no, ...forever })).length, 1);
  });

  test("a certificate counts at its location from when it was seen until the next", async () => {
    const { store, check } = await openWithChecks();
    await using _ = store;
    const seen = (location: string, observedAt: number): ObservedCertificate => ({
      checkNo: check.no,
      location,
      observedAt,
      subject: "shop.example",
      issuer: "An authority",
      validTo: noon + 90 * 24 * 60 * minute,
    });
    const all = [seen("fra", noon), seen("nyc", noon + 1), seen("fra", noon + minute)];
    await store.write(async ({ evidence }) => {
      for (const certificate of all) await evidence.recordCertificate(certificate);
    });
    const during = (from: number, to: number): Promise<readonly ObservedCertificate[]> =>
      store.evidence.listCertificates({ checkNo: check.no, from, to });
    assert.deepEqual(await during(noon + 2, noon + 3), all.slice(0, 2));
    assert.deepEqual(await during(noon + 2, noon + minute), all);
    assert.deepEqual(await during(noon + 2 * minute, noon + 3 * minute), all.slice(1));
    assert.deepEqual(await during(0, noon - 1), []);
  });

  test("of a site that shows its certificates in turn the newest hundred are kept", async () => {
    const { store, check } = await openWithChecks();
    await using _ = store;
    await store.write(async ({ evidence }) => {
      for (let run = 0; run < 105; run += 1) {
        const shown = { subject: `${run % 2}`, issuer: "", validTo: 0 };
        await evidence.recordCertificate({
          checkNo: check.no,
          location: "fra",
          observedAt: noon + run,
          ...shown,
        });
      }
    });
    const kept = await store.evidence.listCertificates({ checkNo: check.no, ...forever });
    assert.deepEqual([kept.length, kept[0]?.observedAt], [100, noon + 5]);
  });
}
