import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { down, schedulerHarness, up } from "../../../test/harnesses/scheduler-harness.ts";
import { aContact, alice, anAddress, minute } from "../../../test/record-builders.ts";
import type { Report } from "../../bus/bus.ts";
import { failed } from "../../domain/run/outcome.ts";
import { maxRecipients } from "../../domain/contact/recipients.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Store } from "../../store/store.ts";

const alertsOf = async ({
  store,
}: {
  store: Awaited<ReturnType<typeof schedulerHarness>>["store"];
}) => store.alerts.listDue(1000);

test("a new check is confirmed by its rechecks, and its first result is alerted", async () => {
  await using site = await schedulerHarness({ aa: () => up, bb: () => up, cc: () => up });
  site.start();
  const no = await site.add("CHECK");
  const result = await site.until("a result", async () => (await site.results(no))[0]);
  assert.equal(site.jobs.length, 3);
  assert.deepEqual(new Set(site.jobs.map(({ location }) => location)), new Set(["aa", "bb", "cc"]));
  assert.equal(result.passed, true);
  assert.equal(result.earlierRuns.length, 2);
  assert.equal((await site.store.states.get(no)).state, "passing");
  assert.deepEqual(
    (await alertsOf(site)).map(({ kind }) => kind),
    ["first"],
  );
  await site.until("the flip is reported", () => site.flips() === 1);
});

test("a failure is confirmed at once by two rechecks, then flips with its alert and down span", async () => {
  let reply = up;
  await using site = await schedulerHarness({
    aa: () => reply,
    bb: () => reply,
    cc: () => reply,
  });
  site.start();
  const no = await site.add("CHECK");
  await site.until(
    "the first verdict",
    async () => (await site.store.states.get(no)).state === "passing",
  );
  reply = down;
  const { downSince } = await site.until("the check is down", async () => {
    const state = await site.store.states.get(no);
    return state.state === "failing" && state;
  });
  const [first, last] = await site.results(no);
  assert.ok(first && last);
  const starts = [...last.earlierRuns.map(([at]) => at), last.startedAt];
  assert.equal(starts.length, 3);
  assert.ok(last.startedAt - (starts[0] ?? 0) < 1000, "other locations are asked without waiting");
  assert.equal(downSince, starts[0]);
  const [event] = await site.store.states.listCurrentEvents(alice.id);
  assert.deepEqual(event, { checkId: "CHECK", label: "CHECK", kind: "down", since: starts[0] });
  assert.deepEqual(
    (await alertsOf(site)).map(({ kind }) => kind),
    ["first"],
    "the alert that was made first goes out first",
  );
  const spans = await site.store.states.listDownSpans(no, 0, site.clock.now() + 1);
  assert.deepEqual(spans, [
    { start: starts[0], end: undefined, text: "error", message: "Error: connection refused" },
  ]);
});

test("a flip whose commit got no answer, and is stored all the same, is the result of its tick: that is not run again", async () => {
  let [reply, isUnanswered] = [up, false];
  const wrap = (store: Store): Store => ({
    ...store,
    async write(unit) {
      const value = await store.write(unit);
      if (!isUnanswered) return value;
      isUnanswered = false;
      throw new Unavailable("the database did not answer");
    },
  });
  await using site = await schedulerHarness({ aa: () => reply }, { wrap });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0 });
  const state = async () => (await site.store.states.get(no)).state;
  await site.until("the first verdict", async () => (await state()) === "passing");
  [reply, isUnanswered] = [down, true];
  await site.until("the check is down", async () => (await state()) === "failing");
  await site.clock.advance(40_000);
  const ticks = (await site.results(no)).map(({ tick }) => tick);
  assert.equal(ticks.length, 2);
  assert.equal(new Set(ticks).size, 2);
  assert.equal((await site.store.alerts.listDue(1000)).length, 1);
});

test("a flip with more recipients than are alerted logs a warning", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  const addresses = Array.from({ length: maxRecipients }, (_, index) => anAddress(`a${index}`));
  await site.store.write(({ contacts }) => contacts.insert(aContact("CROWD", { addresses })));
  site.start();
  for (const [id, notifications] of [
    ["NOTIFIED", [{ CROWD: "All" }]],
    ["TRUNCATED", [{ CROWD: "All" }, { CONTACT: "All" }]],
  ] as const) {
    assert.deepEqual(site.warnings, []);
    const no = await site.add(id, { rechecks: 0, notifications });
    await site.until("a verdict", async () => (await site.store.states.get(no)).state);
  }
  await site.until("the flip is reported", () => site.flips() === 2);
  assert.deepEqual(site.warnings, ["confirm.recipients_truncated"]);
});

test("one agreeing recheck ends the series without a flip", async () => {
  let failing = "";
  await using site = await schedulerHarness({
    aa: () => (failing === "aa" ? down : up),
    bb: () => (failing === "bb" ? down : up),
    cc: () => up,
  });
  site.start();
  const no = await site.add("CHECK");
  await site.until(
    "the first verdict",
    async () => (await site.store.states.get(no)).state === "passing",
  );
  failing = site.jobs[0]?.location ?? "";
  const results = await site.until("the next result", async () => {
    const found = await site.results(no);
    return found.length >= 2 && found;
  });
  assert.equal(results[1]?.passed, true);
  assert.equal(results[1]?.earlierRuns.length, failing === "cc" ? 0 : 1);
  assert.equal((await site.store.states.get(no)).state, "passing");
});

test("one location is asked again after a second each time", async () => {
  await using site = await schedulerHarness({ only: () => up });
  site.start();
  const no = await site.add("CHECK");
  await site.until("a result", async () => (await site.results(no))[0]);
  const [first, second, third] = site.jobs.map(({ at }) => at);
  assert.deepEqual([Number(second) - Number(first), Number(third) - Number(second)], [1000, 1000]);
});

test("an attempt without an outcome flips nothing, shows on the check as a gap, and the next result closes it", async () => {
  let isOffline = false;
  await using site = await schedulerHarness({
    aa: () => (isOffline ? { error: "offline", message: "location aa is offline" } : up),
  });
  site.start();
  const no = await site.add("CHECK", { rechecks: 1 });
  await site.until(
    "the first verdict",
    async () => (await site.store.states.get(no)).state === "passing",
  );
  isOffline = true;
  const before = (await site.results(no)).length;
  const gap = await site.until(
    "the gap",
    async () => (await site.store.checks.find(alice.id, "CHECK"))?.openGap,
  );
  assert.deepEqual(
    [gap.kind, gap.reason, gap.message],
    ["undecided", "offline", "location aa is offline"],
  );
  assert.equal((await site.results(no)).length, before);
  assert.equal((await site.store.states.get(no)).state, "passing");
  assert.equal(
    site.jobs.filter(({ job }) => job.id.includes(`.${gap.lastTick}.`)).length,
    4,
    "2·(sens+1) runs at most",
  );
  isOffline = false;
  await site.until(
    "no more gap",
    async () => (await site.store.checks.find(alice.id, "CHECK"))?.openGap === undefined,
  );
});

test("a job that is too large for every location is undecided with its reason, and tried once a tick", async () => {
  const tooLarge: Report = { error: "too_large", message: "the job has 262177 bytes" };
  await using site = await schedulerHarness({ aa: () => tooLarge, bb: () => tooLarge });
  site.start();
  await site.add("CHECK");
  const gapOf = async () => (await site.store.checks.find(alice.id, "CHECK"))?.openGap;
  const gap = await site.until("the gap", gapOf);
  assert.deepEqual(
    [gap.kind, gap.reason, gap.message],
    ["undecided", "too_large", tooLarge.message],
  );
  await site.until("that of the next tick", async () => (await gapOf())?.lastTick !== gap.lastTick);
  const asked = site.jobs.filter(({ job }) => job.id.includes(`.${gap.lastTick}.`));
  assert.deepEqual(new Set(asked.map(({ location }) => location)), new Set(["aa", "bb"]));
  assert.equal(asked.length, 2);
});

test("a location that does not reply is passed over for the next", async () => {
  await using site = await schedulerHarness({ aa: () => undefined, bb: () => up });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, timeoutSeconds: 1 });
  const result = await site.until("a result", async () => (await site.results(no))[0]);
  assert.equal(result.location, "bb");
});

test("without a live location in its regions a check is undecided and says so", async () => {
  await using site = await schedulerHarness({ aa: () => up }, { region: "nam" });
  site.start();
  await site.add("CHECK", { regions: ["eur"] });
  const gap = await site.until(
    "the gap",
    async () => (await site.store.checks.find(alice.id, "CHECK"))?.openGap,
  );
  assert.equal(gap.reason, "no_location");
  assert.deepEqual(site.jobs, []);
});

test("a change in the middle of a series ends it: runs of the old configuration flip nothing", async () => {
  let reply = up;
  await using site = await schedulerHarness({ only: () => reply });
  site.start();
  const no = await site.add("CHECK", { rechecks: 4 });
  await site.until(
    "the first verdict",
    async () => (await site.store.states.get(no)).state === "passing",
  );
  reply = down;
  const seen = site.jobs.length;
  await site.until("two failing runs", () => site.jobs.length >= seen + 2);
  reply = up;
  await site.change("CHECK", { timeoutSeconds: 9 });
  await site.until("a result of the new one", async () =>
    (await site.results(no)).find(({ revision }) => revision === 2),
  );
  assert.equal((await site.store.states.get(no)).state, "passing");
  assert.ok((await site.results(no)).every(({ passed }) => passed));
});

test("an outage that was interrupted by disabling goes on with the next failing run", async () => {
  await using site = await schedulerHarness({ aa: () => down });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0 });
  await site.until(
    "the check is down",
    async () => (await site.store.states.get(no)).state === "failing",
  );
  await site.change("CHECK", { enabled: false });
  await site.until(
    "it is disabled",
    async () => (await site.store.states.listCurrentEvents(alice.id))[0]?.kind === "disabled",
  );
  await site.clock.advance(5 * minute);
  await site.change("CHECK", { enabled: true, revision: 3, runRevision: 3 });
  await site.until(
    "it is down again",
    async () => (await site.store.states.listCurrentEvents(alice.id))[0]?.kind === "down",
  );
  const spans = await site.store.states.listDownSpans(no, 0, site.clock.now() + minute);
  assert.equal(spans.length, 2);
  assert.notEqual(spans[0]?.end, undefined);
  assert.equal(spans[1]?.start, (await site.store.states.get(no)).downSince);
});

test("many names of one public address that fail at once are held and checked again", async () => {
  const address = "192.0.2.7";
  const outcome = { ...failed("timeout", "Timeout", "Timeout"), address };
  let broken = false;
  await using site = await schedulerHarness({
    aa: () => (broken ? outcome : { ...up, address }),
  });
  site.start();
  const numbers: number[] = [];
  for (let index = 0; index < 8; index += 1) {
    const parameters = { target: `host${index}.example.net`, port: 80 };
    numbers.push(await site.add(`CHECK${index}`, { rechecks: 1, parameters }));
  }
  const states = () => Promise.all(numbers.map((no) => site.store.states.get(no)));
  const all = async (wanted: "passing" | "failing"): Promise<boolean> =>
    (await states()).every(({ state }) => state === wanted);
  await site.until("all are up", () => all("passing"));
  broken = true;
  await site.until("those that stay down are alerted in the end", () => all("failing"));
  const alerts = await site.store.alerts.listNotifications({
    accountIds: [alice.id],
    checkId: undefined,
    from: 0,
    limit: 100,
    dropped: true,
  });
  const waited = (await states())
    .map(({ downSince = 0 }, index) => {
      const alert = alerts.find(
        ({ kind, checkId }) => kind === "down" && checkId === `CHECK${index}`,
      );
      return { downSince, ms: Number(alert?.createdAt) - downSince };
    })
    .toSorted((one, other) => one.downSince - other.downSince)
    .map(({ ms }) => ms);
  assert.ok(Number(waited[0]) < 5000, "the first is not held");
  // The fifth trips the guard, perhaps while the one before it is still at its recheck.
  for (const ms of waited.slice(5)) assert.ok(ms >= 30_000, `alerted after ${ms} ms`);
});

test("after the clock was set back alerts are due now, though results are named ahead of it", async () => {
  let reply = up;
  await using site = await schedulerHarness({ aa: () => reply });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0 });
  await site.until("a result", async () => (await site.results(no))[0]);
  site.clock.step(-3_600_000);
  reply = down;
  await site.until(
    "the check is down",
    async () => (await site.store.states.get(no)).state === "failing",
  );
  const alerts = await site.store.alerts.listNotifications({
    accountIds: [alice.id],
    checkId: undefined,
    from: 0,
    limit: 9,
    dropped: true,
  });
  const downAlert = alerts.find(({ kind }) => kind === "down");
  assert.ok(downAlert !== undefined && downAlert.createdAt <= site.clock.now());
  assert.ok(Number((await site.store.results.last(no))?.startedAt) > site.clock.now());
});

test("two results of a check never share their start, whatever the clock does", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0 });
  await site.until("a result", async () => (await site.results(no))[0]);
  site.clock.step(-3_600_000);
  await site.until("more results", async () => (await site.results(no)).length >= 3);
  const starts = (await site.results(no)).map(({ startedAt }) => startedAt);
  assert.deepEqual(
    starts,
    [...new Set(starts)].toSorted((one, other) => one - other),
  );
});

suite("what a target presents", () => {
  const certificate = { subject: "shop.example", issuer: "An authority", validTo: 5 * minute };
  const seen = { ...up, certificate };
  const broken = { ...down, certificate, evidence: "HTTP 503 Service Unavailable" };
  const forever = { from: 0, to: Number.MAX_SAFE_INTEGER };

  test("is stored with each result that failed, and alerted with a flip", async () => {
    let reply = seen;
    await using site = await schedulerHarness({ aa: () => reply });
    site.start();
    const no = await site.add("CHECK");
    const inState = (state: string): Promise<unknown> =>
      site.until(`it is ${state}`, async () => (await site.store.states.get(no)).state === state);
    await inState("passing");
    assert.deepEqual(await site.store.evidence.list({ checkNo: no, ...forever }), []);
    reply = broken;
    await inState("failing");
    const flippedAt = (await site.results(no)).at(-1)?.startedAt;
    await site.until(
      "another result",
      async () => (await site.results(no)).at(-1)?.startedAt !== flippedAt,
    );
    const kept = await site.store.evidence.list({ checkNo: no, ...forever });
    const results = await site.results(no);
    assert.deepEqual(
      kept.map(({ startedAt, flipped, text }) => [startedAt, flipped, text]),
      results
        .filter(({ passed }) => !passed)
        .map(({ startedAt }) => [startedAt, startedAt === flippedAt, broken.evidence]),
    );
    const [alert] = await alertsOf(site);
    assert.equal(alert?.notice.result.evidence, undefined, "the first result passed");
    assert.deepEqual(alert?.notice.result.certificate, certificate);
  });

  test("a certificate is stored when a location first gets it, and when it gets another", async () => {
    let reply = seen;
    await using site = await schedulerHarness({ aa: () => reply });
    site.start();
    const no = await site.add("CHECK");
    const certificates = () => site.store.evidence.listCertificates({ checkNo: no, ...forever });
    const results = async (count: number): Promise<unknown> =>
      site.until(`${count} results`, async () => (await site.results(no)).length >= count);
    await results(3);
    assert.deepEqual(
      (await certificates()).map(({ location, issuer }) => [location, issuer]),
      [["aa", "An authority"]],
    );
    reply = { ...up, certificate: { ...certificate, issuer: "Another" } };
    await results(6);
    assert.deepEqual(
      (await certificates()).map(({ issuer }) => issuer),
      ["An authority", "Another"],
    );
  });

  test("an outage of a check with diagnostics requests them from the location that detected it", async () => {
    let reply = up;
    await using site = await schedulerHarness({ aa: () => reply });
    site.start();
    const wanted = await site.add("WANTED", { diagnose: true });
    const plain = await site.add("PLAIN");
    const both = async (state: string): Promise<unknown> =>
      site.until(`both are ${state}`, async () => {
        const states = await Promise.all([wanted, plain].map((no) => site.store.states.get(no)));
        return states.every((found) => found.state === state);
      });
    await both("passing");
    assert.equal(site.store.count("diagnostics"), 0);
    reply = down;
    await both("failing");
    const claim = () => site.store.write((tx) => tx.diagnostics.claim({ leaseMs: minute }));
    const order = await claim();
    const { outage } = await site.store.states.get(wanted);
    assert.deepEqual([order?.checkId, order?.location, order?.outage], ["WANTED", "aa", outage]);
    assert.equal(await claim(), undefined);
  });
});

test("a run whose times were not taken has none in its result", async () => {
  await using site = await schedulerHarness({
    aa: () => ({ ...up, untimed: true, runtimeMs: 5000 }),
  });
  site.start();
  const no = await site.add("CHECK");
  const result = await site.until("a result", async () => (await site.results(no))[0]);
  assert.deepEqual([result.runtimeMs, result.timings], [0, undefined]);
});
