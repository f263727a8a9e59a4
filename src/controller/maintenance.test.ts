import assert from "node:assert/strict";
import { test } from "node:test";

import { stepUntil, waitFor } from "../../test/time/wait-for.ts";
import { down, schedulerHarness, up } from "../../test/harnesses/scheduler-harness.ts";
import { alice, aMaintenance, minute, noon } from "../../test/record-builders.ts";
import type { Check } from "../domain/check.ts";
import type { Maintenance } from "../domain/maintenance.ts";
import { Unavailable } from "../kit/errors.ts";
import { silentLog, type Log } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import type { Store } from "../store/store.ts";
import { createMaintenanceRunner } from "./maintenance.ts";

const forever = [0, Number.MAX_SAFE_INTEGER] as const;
const start = noon + 5 * minute;
const end = start + 10 * minute;
/** Each day for ten minutes. */
const daily = aMaintenance("daily", {
  cron: "5 12 * * *",
  nextAt: start,
  durationMinutes: 10,
  checkIds: ["CHECK"],
});
const day = 24 * 60 * minute;
/** How late something may come: a look, and the commit that the clock does not wait for. */
const LATE_MS = 10_000;

/** Alice's check runs every minute, and a maintenance holds it. */
async function scene({
  plans = [daily],
  check = {},
  answers = () => up,
  wrap = (store) => store,
  log = silentLog,
}: {
  readonly plans?: readonly Maintenance[];
  readonly check?: Partial<Check>;
  readonly answers?: () => typeof up;
  readonly wrap?: (store: Store) => Store;
  readonly log?: Log;
} = {}) {
  const site = await schedulerHarness({ aa: () => answers() });
  const { store, clock, bus, jobs } = site;
  await store.write(async ({ maintenances }) => {
    for (const plan of plans) await maintenances.insert(plan);
  });
  const no = await site.add("CHECK", { rechecks: 0, ...check });
  const isAllDone = async (): Promise<boolean> => (await store.maintenances.listDue()).length === 0;
  let watch: { readonly stopping: AbortController; readonly ran: Promise<void> } | undefined;
  const stop = async (): Promise<void> => {
    watch?.stopping.abort();
    await watch?.ran;
    watch = undefined;
  };
  return {
    ...site,
    no,
    stop,
    watch(): void {
      const stopping = new AbortController();
      const deps = { store: wrap(store), bus, clock, log, meter: noMeter };
      watch = { stopping, ran: createMaintenanceRunner(deps).run(stopping.signal) };
    },
    /** Moves the clock there, and lets everything that falls due on the way be done. */
    async at(instant: number): Promise<void> {
      while (clock.now() < instant) {
        await clock.advance(Math.min(minute, instant - clock.now()));
        if (watch === undefined) continue;
        await stepUntil("it is done", async () => {
          await clock.advance(10);
          return isAllDone();
        });
      }
    },
    isOn: async (): Promise<boolean> => (await store.checks.listActiveNumbers(alice.id)).length > 0,
    spans: async () =>
      (await store.states.listEnabledSpans(no, ...forever)).map((span) => [
        span.start,
        span.end ?? Infinity,
      ]),
    read: async (id = "daily"): Promise<Maintenance> => {
      const found = await store.maintenances.find(alice.id, id);
      assert.ok(found);
      return found;
    },
    runsWhile: async (work: () => Promise<void>): Promise<number> => {
      const before = jobs.length;
      await work();
      return jobs.length - before;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await site[Symbol.asyncDispose]();
    },
  };
}

function assertNear(found: number | undefined, wanted: number): void {
  assert.ok(found !== undefined && found >= wanted && found <= wanted + LATE_MS, `${found}`);
}

test("a check does not run from its beginning to its end, runs at once after that, and the time between is not enabled", async () => {
  await using site = await scene();
  site.start();
  site.watch();
  await site.until("the first run", () => site.jobs.length === 1);
  await site.at(start - minute);
  assert.equal(await site.isOn(), true);
  await site.at(start);
  assert.equal(await site.isOn(), false);
  await waitFor("the scheduler knows", () => site.scheduler.checkCount() === 0);
  const { endsAt, nextAt, history } = await site.read();
  assert.deepEqual([endsAt, nextAt], [end, start + day]);
  assert.deepEqual(history, [{ at: start, held: ["CHECK"], skipped: [] }]);
  assert.equal(await site.runsWhile(() => site.at(end - minute)), 0);
  await site.at(end);
  const [first, second] = await site.spans();
  assertNear(first?.[1], start);
  assertNear(second?.[0], end);
  await site.until("its next run", () => (site.jobs.at(-1)?.at ?? 0) >= end);
  assertNear(site.jobs.at(-1)?.at, end);
});

const unreachable: readonly {
  readonly name: string;
  /** From when to when nobody looks. */
  readonly away: readonly [from: number, to: number];
  readonly isOn: boolean;
  readonly spans: readonly (readonly [from: number, to: number])[];
  readonly held: readonly string[];
}[] = [
  {
    name: "one whose start passed while the process was stopped begins late",
    away: [noon, start + 5 * minute],
    isOn: false,
    spans: [[noon, start + 5 * minute]],
    held: ["CHECK"],
  },
  {
    name: "one whose end passed while the process was stopped ends late",
    away: [start + 5 * minute, end + 5 * minute],
    isOn: true,
    spans: [
      [noon, start],
      [end + 5 * minute, Infinity],
    ],
    held: ["CHECK"],
  },
  {
    name: "one that passed as a whole while the process was stopped pauses nothing",
    away: [noon, end + 5 * minute],
    isOn: true,
    spans: [[noon, Infinity]],
    held: [],
  },
];

for (const { name, away, isOn, spans, held } of unreachable) {
  test(name, async () => {
    await using site = await scene();
    if (away[0] > noon) {
      site.watch();
      await site.at(away[0]);
      await site.stop();
    }
    await site.at(away[1]);
    site.watch();
    await site.at(away[1] + LATE_MS);
    assert.equal(await site.isOn(), isOn);
    const found = await site.spans();
    assert.equal(found.length, spans.length);
    for (const [index, [from, to]] of spans.entries()) {
      assertNear(found[index]?.[0], from);
      assertNear(found[index]?.[1], to);
    }
    const [past] = (await site.read()).history;
    assert.deepEqual(past, { at: start, held, skipped: held.length > 0 ? [] : ["CHECK"] });
  });
}

test("of two that overlap the end of the last one resumes the check", async () => {
  const later = { ...daily, id: "later", cron: "12 12 * * *", nextAt: start + 7 * minute };
  await using site = await scene({ plans: [daily, later] });
  site.watch();
  await site.at(start + 8 * minute);
  assert.deepEqual((await site.read("later")).history[0]?.held, ["CHECK"]);
  await site.at(end + minute);
  assert.equal((await site.read()).endsAt, undefined);
  assert.equal(await site.isOn(), false);
  await site.at(start + 18 * minute);
  assert.equal(await site.isOn(), true);
});

for (const enabled of [true, false]) {
  test(`a check that its owner ${enabled ? "enables" : "disables"} meanwhile stays so`, async () => {
    await using site = await scene();
    site.watch();
    await site.at(start + minute);
    await site.change("CHECK", { enabled, inMaintenance: false });
    assert.equal(await site.isOn(), enabled);
    await site.at(end + minute);
    assert.equal(await site.isOn(), enabled);
  });
}

test("a check that is off stays off, and one that was deleted holds up no other", async () => {
  const plan = { ...daily, checkIds: ["GONE", "CHECK"] };
  await using site = await scene({ plans: [plan], check: { enabled: false } });
  site.watch();
  await site.at(end + minute);
  assert.equal(await site.isOn(), false);
  const { history, endsAt } = await site.read();
  assert.deepEqual(history, [{ at: start, held: [], skipped: ["GONE", "CHECK"] }]);
  assert.equal(endsAt, undefined);
});

test("its last ten runs are in its history", async () => {
  const often = { ...daily, cron: "*/2 * * * *", durationMinutes: 1, nextAt: noon + 2 * minute };
  await using site = await scene({ plans: [often] });
  site.watch();
  await site.at(noon + 25 * minute);
  const { history } = await site.read();
  assert.deepEqual(
    history.map(({ at }) => at),
    Array.from({ length: 10 }, (_, back) => noon + (24 - 2 * back) * minute),
  );
});

test("a check that failed before and passes after alerts those who were alerted of the outage", async () => {
  for (const wasAlerted of [true, false]) {
    let answer = down;
    await using site = await scene({ answers: () => answer });
    const { store, clock, no } = site;
    const everything = {
      accountIds: [alice.id],
      checkId: undefined,
      from: 0,
      limit: 10,
      dropped: true,
    };
    site.start();
    site.watch();
    await site.until("it fails", async () => (await store.states.get(no)).state === "failing");
    if (wasAlerted) {
      const [claimed] = await store.write((tx) => tx.alerts.claim({ leaseMs: minute, limit: 1 }));
      assert.ok(claimed);
      await store.write((tx) =>
        tx.alerts.finishAttempt(claimed.id, { status: "delivered", at: clock.now() }),
      );
    }
    await site.at(start + minute);
    assert.deepEqual(
      (await store.states.listCurrentEvents(alice.id)).map(({ kind }) => kind),
      ["disabled"],
    );
    assert.equal((await store.states.get(no)).state, "failing");
    assert.notEqual((await store.states.listDownSpans(no, ...forever))[0]?.end, undefined);
    answer = up;
    await site.at(end);
    await site.until("it passes", async () => (await store.states.get(no)).state === "passing");
    assert.deepEqual(
      (await store.alerts.listNotifications(everything)).map(({ kind, status, reason }) => [
        kind,
        status,
        reason,
      ]),
      wasAlerted
        ? [
            ["up", "waiting", undefined],
            ["first", "delivered", undefined],
          ]
        : [
            ["up", "waiting", undefined],
            ["first", "dropped", "recovered"],
          ],
    );
  }
});

test("one that cannot be advanced is tried again, and holds up no other", async () => {
  let isBroken = true;
  const failures: unknown[] = [];
  await using site = await scene({
    plans: [{ ...daily, id: "broken", nextAt: start - minute }, daily],
    log: { ...silentLog, error: (event) => failures.push(event) },
    wrap: (store) => ({
      ...store,
      write: (unit) =>
        store.write((tx) => {
          const claim: typeof tx.maintenances.claim = (key) =>
            key.id === "broken" && isBroken
              ? Promise.reject(new Unavailable("broken"))
              : tx.maintenances.claim(key);
          return unit({ ...tx, maintenances: { ...tx.maintenances, claim } });
        }),
    }),
  });
  await site.at(start);
  site.watch();
  await site.until("the other began", async () => (await site.read()).endsAt !== undefined);
  await site.clock.advance(minute);
  assert.equal((await site.read("broken")).endsAt, undefined);
  assert.deepEqual(new Set(failures), new Set(["maintenance.failed"]));
  assert.ok(failures.length < 20, "it does not spin");
  isBroken = false;
  await site.until("it began", async () => (await site.read("broken")).endsAt !== undefined);
});
