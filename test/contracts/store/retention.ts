import assert from "node:assert/strict";
import { test } from "node:test";

import { RESULTS_KEPT_DAYS } from "../../../src/store/retention.ts";
import type { Check } from "../../../src/domain/check.ts";
import { aCheck, aFlip, alice, anAlert, aResult, minute, noon } from "../../record-builders.ts";
import type { ContractStore } from "./contract-store.ts";
import type { OpenStore } from "./store.ts";

const day = 24 * 60 * minute;
/** Longer than results are kept, and soon over. */
const HISTORY_DAYS = 40;
const everything = { from: 0, to: Number.MAX_SAFE_INTEGER } as const;

export function retentionContract(open: OpenStore): void {
  const openWithCheck = async () => {
    const store = await open({ historyDays: HISTORY_DAYS });
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    return { store, check };
  };

  test("results go once the service has run for 31 days after theirs, and one more, and no sooner", async () => {
    const { store, check } = await openWithCheck();
    await using _ = store;
    for (const startedAt of [noon, noon + day]) {
      await store.append(aResult(check.no, startedAt));
      await recordEvidence(store, check, startedAt);
    }
    await run(store, RESULTS_KEPT_DAYS + 1);
    assert.deepEqual(await starts(store, check), [noon, noon + day]);
    await run(store, 1);
    assert.deepEqual(await starts(store, check), [noon + day]);
    const evidence = await store.evidence.list({ checkNo: check.no, ...everything });
    assert.deepEqual(
      evidence.map(({ startedAt }) => startedAt),
      [noon + day],
    );
  });

  test("a clock that is 40 days ahead for seconds, an hour or half a day ends nothing that a right one keeps", async () => {
    const { store, check } = await openWithCheck();
    await using _ = store;
    let now = noon;
    for (let days = 0; days < 40; days += 1) {
      await store.append(aResult(check.no, now));
      await run(store, 1);
      now += day;
    }
    const before = await starts(store, check);
    assert.ok(before.length <= RESULTS_KEPT_DAYS + 2, String(before.length));
    for (const ms of [25_000, 60 * minute, 12 * 60 * minute]) {
      await store.at(now + 40 * day);
      await store.append(aResult(check.no, now + 40 * day));
      for (let rounds = 0; rounds < 5; rounds += 1) {
        await store.runHousekeeping();
        await store.pass(ms / 5);
      }
      await store.runHousekeeping();
      now += ms;
      await store.at(now);
      await store.runHousekeeping();
    }
    const kept = before.filter((startedAt) => startedAt >= now - RESULTS_KEPT_DAYS * day);
    assert.ok(kept.length >= RESULTS_KEPT_DAYS - 1);
    const after = await starts(store, check);
    assert.deepEqual(
      kept.filter((startedAt) => !after.includes(startedAt)),
      [],
    );
  });

  test("a service that never runs for long keeps no more than so much running wrote", async () => {
    const { store, check } = await openWithCheck();
    await using _ = store;
    let now = noon;
    // Eight hours a day.
    for (let days = 0; days < 3 * RESULTS_KEPT_DAYS; days += 1) {
      await store.at(now);
      await store.append(aResult(check.no, now));
      for (let half = 0; half < 2; half += 1) {
        await store.runHousekeeping();
        await store.pass(4 * 60 * minute);
      }
      await store.runHousekeeping();
      now += day;
    }
    await store.runHousekeeping();
    const [oldest = 0] = await starts(store, check);
    assert.ok(oldest > noon, "nothing was ever purged");
    assert.ok(oldest < now - RESULTS_KEPT_DAYS * day);
  });

  test("what people look back at goes after its days, but for what is still open", async () => {
    const { store, check } = await openWithCheck();
    await using _ = store;
    const down = await store.write(({ checks }) => checks.insert(aCheck("down")));
    await store.write((tx) => fillHistory(tx, check, down));
    await run(store, HISTORY_DAYS + 3);
    const alerts = await store.alerts.listNotifications({
      accountIds: [alice.id],
      checkId: undefined,
      from: 0,
      limit: 99,
      dropped: true,
    });
    assert.deepEqual(alerts.map(({ alertId }) => alertId).toSorted(), ["of-outage", "waiting"]);
    assert.deepEqual(await store.deliveries.list([alice.id], ["delivered"]), []);
    assert.deepEqual(
      (await store.states.listGaps(check.no, 9)).map(({ reason }) => reason),
      ["open"],
    );
    assert.deepEqual(await store.diagnostics.listFinished(check.no, 9), []);
    assert.equal(await store.diagnostics.isDue(), true);
    const certificates = await store.evidence.listCertificates({
      checkNo: check.no,
      ...everything,
    });
    assert.deepEqual(
      certificates.map(({ subject }) => subject),
      ["latest"],
    );
    assert.equal((await store.states.get(down.no)).state, "failing");
    assert.equal(
      (await store.states.listDownSpans(check.no, 0, Number.MAX_SAFE_INTEGER)).length,
      1,
    );
  });
}

/** Runs a day at a time. */
async function run(store: ContractStore, days: number): Promise<void> {
  for (let count = 0; count < days; count += 1) {
    await store.runHousekeeping();
    await store.pass(day);
  }
  await store.runHousekeeping();
}

async function recordEvidence(store: ContractStore, { no }: Check, at: number): Promise<void> {
  const run = { checkNo: no, startedAt: at, flipped: true, text: "503" };
  await store.write(({ evidence }) => evidence.record(run));
}

async function starts(store: ContractStore, { no }: Check): Promise<readonly number[]> {
  const found: number[] = [];
  const query = { checkNo: no, ...everything, limit: 999, order: "oldest" } as const;
  for await (const page of store.results.page(query))
    found.push(...page.map(({ startedAt }) => startedAt));
  return found;
}

/** Creates an expired record and a current one of each kind. */
async function fillHistory(
  { alerts, states, diagnostics, evidence }: Parameters<Parameters<ContractStore["write"]>[0]>[0],
  check: Check,
  down: Check,
): Promise<void> {
  await states.flip(aFlip(check.no, { id: "over" }));
  await states.flip(
    aFlip(check.no, { id: "recovery", from: "failing", to: "passing", since: noon + 2 * minute }),
  );
  await states.flip(aFlip(down.no, { id: "outage" }));
  await alerts.insert(anAlert("delivered", check, { outage: "over" }));
  await alerts.insert(anAlert("waiting", check));
  await alerts.insert(anAlert("of-outage", down, { outage: "outage" }));
  for (const alertId of ["delivered", "of-outage"]) {
    const attempt = { attempt: 1, startedAt: noon, endedAt: noon, accepted: true, response: "ok" };
    await alerts.addDelivery({ alertId, ...attempt });
    await alerts.finishAttempt(alertId, { status: "delivered", at: noon });
  }
  for (const reason of ["closed", "open"])
    await states.recordGap(check.no, {
      kind: "missed",
      reason,
      message: "",
      firstTick: noon,
      lastTick: noon,
      ticks: 1,
    });
  for (const id of ["finished", "due"])
    await diagnostics.insert({
      id,
      accountId: alice.id,
      checkNo: check.no,
      checkId: check.id,
      outage: "",
      location: "",
      createdAt: id === "due" ? noon + minute : noon,
    });
  await diagnostics.finish({ id: "finished", attempts: 0 }, { at: noon, findings: [] });
  for (const [index, subject] of ["replaced", "latest"].entries())
    await evidence.recordCertificate({
      checkNo: check.no,
      location: "fra",
      observedAt: noon + index,
      subject,
      issuer: "",
      validTo: 0,
    });
}
