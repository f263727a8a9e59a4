import assert from "node:assert/strict";
import { test } from "node:test";

import {
  aCheck,
  aContact,
  alice,
  anAddress,
  aResult,
  minute,
  noon,
} from "../../test/record-builders.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { failed, passed } from "../domain/run/outcome.ts";
import { maxRecipients } from "../domain/contact/recipients.ts";
import type { State } from "../domain/run/verdict.ts";
import { Unavailable } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import type { Gap } from "../store/tables/checks.ts";
import { createCheckTracker, type FlipToRecord } from "./check-tracker.ts";
import { observationOf, startOf, trackCheck } from "./tracked-check.ts";

const gap: Gap = {
  kind: "undecided",
  reason: "unanswered",
  message: "location ld did not answer",
  firstTick: noon,
  lastTick: noon,
  ticks: 1,
};
const up = passed("200", "Success");
const down = failed("refused", "error", "Error: connection refused");

/** A tracker of one check, for results at any minute. */
async function startTracking(source: "confirm" | "push" = "confirm") {
  const store = await tempStore();
  let isBroken = false;
  let flips = 0;
  const events: string[] = [];
  const check = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.contacts.insert(aContact("CONTACT"));
    return tx.checks.insert(aCheck("CHECK", { notifications: [{ CONTACT: "All" }] }));
  });
  const refuse = (): Promise<never> => Promise.reject(new Unavailable("the disk is full"));
  const tracker = createCheckTracker({
    store: {
      append: (...result) => (isBroken ? refuse() : store.append(...result)),
      write: (unit) => (isBroken ? refuse() : store.write(unit)),
    },
    ids: createIds(),
    flipped: () => void (flips += 1),
    log: {
      ...silentLog,
      info: (event) => void events.push(event),
      warn: (event) => void events.push(event),
    },
    meter: noMeter,
    source,
  });
  const load = async () => {
    const record = await store.checks.find(alice.id, check.id);
    assert.ok(record);
    return trackCheck({ ...record, state: record.state.state }, { latest: 0, recent: [] });
  };
  const found = (to: State, at: number, changes: Partial<FlipToRecord> = {}): FlipToRecord => {
    const outcome = to === "passing" ? up : down;
    const { passed: isPass, reason, text, message } = outcome;
    const result = aResult(check.no, noon + at * minute, { passed: isPass, reason, text, message });
    const since = result.startedAt;
    return {
      result,
      outcome,
      to,
      at: since,
      since,
      confirmations: [],
      ...changes,
    };
  };
  return {
    store,
    check,
    tracker,
    tracked: await load(),
    load,
    found,
    events,
    flips: () => flips,
    breakStore: (broken: boolean) => void (isBroken = broken),
    state: async () => (await store.states.get(check.no)).state,
    results: async () => {
      const query = {
        checkNo: check.no,
        from: 0,
        to: noon * 2,
        limit: 100,
        order: "oldest",
      } as const;
      return (await Array.fromAsync(store.results.page(query))).flat();
    },
    openGap: async () => (await store.checks.find(alice.id, check.id))?.openGap,
    downSpans: () => store.states.listDownSpans(check.no, 0, noon * 2),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test("a flip stores its result and the state, closes the gap, and is reported", async () => {
  await using site = await startTracking();
  const { tracker, tracked, found } = site;
  await tracker.recordGap(tracked, gap);
  assert.deepEqual([tracked.hasOpenGap, await site.openGap()], [true, gap]);
  assert.equal(await tracker.recordFlip(tracked, found("failing", 1)), true);
  assert.deepEqual([await site.state(), tracked.state], ["failing", "failing"]);
  assert.deepEqual([await site.openGap(), tracked.hasOpenGap], [undefined, false]);
  assert.deepEqual([(await site.results()).length, site.flips()], [1, 1]);
  assert.deepEqual(site.events, ["confirm.flip"]);
});

test("a result that agrees with the state closes the gap", async () => {
  await using site = await startTracking();
  const { tracker, tracked, found } = site;
  await tracker.recordFlip(tracked, found("passing", 1));
  await tracker.recordGap(tracked, gap);
  await tracker.recordResult(tracked, found("passing", 2));
  assert.deepEqual([await site.openGap(), tracked.hasOpenGap], [undefined, false]);
  assert.deepEqual([(await site.results()).length, site.flips()], [2, 1]);
});

test("while the store cannot commit nothing that is known of the check changes", async () => {
  await using site = await startTracking();
  const { tracker, tracked, found } = site;
  await tracker.recordFlip(tracked, found("failing", 1));
  await tracker.recordGap(tracked, gap);
  const before = { ...tracked };
  site.breakStore(true);
  for (const attempt of [
    () => tracker.recordFlip(tracked, found("passing", 2)),
    () => tracker.recordResult(tracked, found("failing", 2)),
    () => tracker.recordGap(tracked, gap),
  ]) {
    await assert.rejects(attempt, { code: "unavailable" });
    assert.deepEqual(tracked, before);
  }
  site.breakStore(false);
  assert.equal(await tracker.recordFlip(tracked, found("passing", 2)), true);
});

test("a flip whose precondition is false stores nothing, and leaves the gap open", async () => {
  await using site = await startTracking("push");
  const { tracker, tracked, found } = site;
  await tracker.recordGap(tracked, gap);
  const flip = found("failing", 1, { precondition: () => Promise.resolve(false) });
  assert.equal(await tracker.recordFlip(tracked, flip), false);
  assert.deepEqual([await site.results(), await site.state(), site.flips()], [[], undefined, 0]);
  assert.equal(tracked.hasOpenGap, true);
  await tracker.recordFlip(tracked, found("passing", 2));
  assert.equal(await site.openGap(), undefined);
});

for (const source of ["confirm", "push"] as const) {
  test(`a lost flip of ${source} leaves the state that another one set, and stores no result`, async () => {
    await using site = await startTracking(source);
    const { tracker, tracked, found } = site;
    const other = await site.load();
    await tracker.recordFlip(other, found("failing", 1));
    assert.equal(await tracker.recordFlip(tracked, found("passing", 2)), false);
    assert.deepEqual([tracked.state, await site.state(), site.flips()], ["failing", "failing", 1]);
    assert.equal((await site.results()).length, 1);
  });

  test(`after a lost flip of ${source} the next failing result reopens the down span of a check that was off`, async () => {
    await using site = await startTracking(source);
    const { store, check, tracker, tracked, found } = site;
    await tracker.recordFlip(await site.load(), found("failing", 1));
    for (const [enabled, at] of [
      [false, 2],
      [true, 3],
    ] as const)
      await store.write((tx) => tx.checks.update({ ...check, enabled }, noon + at * minute));
    assert.equal(await tracker.recordFlip(tracked, found("failing", 4)), false);
    await tracker.recordResult(tracked, found("failing", 5));
    await tracker.recordResult(tracked, found("failing", 6));
    const spans = await site.downSpans();
    assert.deepEqual(
      spans.map(({ start, end }) => [start, end]),
      [
        [noon + minute, noon + 2 * minute],
        [noon + 5 * minute, undefined],
      ],
    );
  });

  test(`a flip of ${source} with too many recipients logs a warning`, async () => {
    await using site = await startTracking(source);
    const { store, check, tracker, found } = site;
    const addresses = Array.from({ length: maxRecipients + 1 }, (_, index) =>
      anAddress(`a${index}`),
    );
    await store.write(async (tx) => {
      await tx.contacts.insert(aContact("CROWD", { addresses }));
      await tx.checks.update({ ...check, notifications: [{ CROWD: "All" }] }, noon);
    });
    await tracker.recordFlip(await site.load(), found("failing", 1));
    assert.deepEqual(site.events, [`${source}.flip`, `${source}.recipients_truncated`]);
  });
}

test("no two runs of a check start at the same time, and one after the clock was set back starts when it does", async () => {
  await using site = await startTracking();
  const { store, tracked } = site;
  await store.append(aResult(tracked.check.no, noon - minute));
  await store.append(aResult(tracked.check.no, noon - minute + 1));
  const starts: number[] = [];
  for (const at of [noon, noon, noon - 900, noon - minute, noon - minute, noon - 2 * minute])
    starts.push((await startOf(tracked, at, store.results)) - noon);
  assert.deepEqual(starts, [0, 1, 2, -minute + 2, -minute + 3, -2 * minute]);
});

test("a certificate is new where its location saw another one in the latest stored result", async () => {
  await using site = await startTracking();
  const { tracker, tracked, found } = site;
  const certificate = { subject: "shop.example", issuer: "An authority", validTo: noon };
  const outcome = { ...up, certificate };
  assert.deepEqual(observationOf(tracked, outcome, "ld"), {
    certificate,
    newCertificate: certificate,
  });
  await tracker.recordFlip(tracked, found("passing", 1, { outcome }));
  assert.deepEqual(observationOf(tracked, outcome, "ld"), { certificate });
  assert.deepEqual(observationOf(tracked, outcome, "ny"), {
    certificate,
    newCertificate: certificate,
  });
  const renewed = { ...certificate, validTo: noon + minute };
  assert.deepEqual(observationOf(tracked, { ...up, certificate: renewed }, "ld"), {
    certificate: renewed,
    newCertificate: renewed,
  });
});
