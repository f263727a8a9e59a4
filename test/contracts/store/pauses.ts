import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../../src/domain/check.ts";
import type { Transaction } from "../../../src/store/store.ts";
import type { AttemptEnd } from "../../../src/store/tables/alerts.ts";
import { alice, minute, noon } from "../../record-builders.ts";
import { delivered, outageScene, sceneMaintenance, type Scene } from "./outage-scene.ts";
import type { OpenStore } from "./store.ts";

interface Pause {
  readonly name: string;
  readonly stopsAccount?: true;
  readonly begin: (tx: Transaction, check: Check, at: number) => Promise<unknown>;
  readonly end: (tx: Transaction, check: Check, at: number) => Promise<unknown>;
}

const switched =
  (enabled: boolean): Pause["begin"] =>
  async ({ checks }, { accountId, id }, at) => {
    const found = await checks.find(accountId, id);
    if (found === undefined) return;
    const revision = found.check.revision + 1;
    await checks.update({ ...found.check, enabled, revision }, at);
  };

const pauses: readonly Pause[] = [
  { name: "a disable", begin: switched(false), end: switched(true) },
  {
    name: "a disable of all checks",
    begin: ({ checks }, _, at) => checks.disableAll(alice.id, true, at),
    end: ({ checks }, _, at) => checks.disableAll(alice.id, false, at),
  },
  {
    name: "a disable of some checks",
    begin: ({ checks }, { no }, at) => checks.disable(alice.id, [no], { disable: true, at }),
    end: ({ checks }, { no }, at) => checks.disable(alice.id, [no], { disable: false, at }),
  },
  {
    name: "a maintenance",
    begin: ({ maintenances }, { id }, at) => maintenances.pauseChecks(sceneMaintenance, [id], at),
    end: ({ maintenances }, { id }, at) => maintenances.resumeChecks(sceneMaintenance, [id], at),
  },
  {
    name: "a suspension",
    stopsAccount: true,
    begin: ({ accounts }, _, at) => accounts.update({ ...alice, status: "suspended" }, at),
    end: ({ accounts }, _, at) => accounts.update(alice, at),
  },
];

const retried: AttemptEnd = {
  status: "waiting",
  nextAttemptAt: noon + minute,
  possiblySent: false,
};
const unclear: AttemptEnd = { ...retried, possiblySent: true };
const outsideWindow: AttemptEnd = {
  ...retried,
  nextAttemptAt: noon + 3 * 24 * 60 * minute,
  reason: "outside_window",
};
const refused: AttemptEnd = { status: "failed", at: noon, reason: "410", possiblySent: false };

interface Outage {
  readonly name: string;
  readonly delayMinutes?: number;
  /** How an attempt of the Down ended before the pause, or during it; none was made where neither is given. */
  readonly before?: AttemptEnd;
  readonly during?: AttemptEnd;
  /** Alerts after the check fails again, and after it passes; `paused` is sent during a pause in which the account stays active. */
  readonly fails: string;
  readonly passes: string;
  readonly paused?: string;
}

const outages: readonly Outage[] = [
  { name: "a delayed Down", delayMinutes: 10, fails: "down", passes: "" },
  { name: "a Down in a retry", before: retried, fails: "down", passes: "" },
  { name: "a Down that waited for its window", before: outsideWindow, fails: "down", passes: "" },
  { name: "a Down whose attempt fails meanwhile", during: retried, fails: "down", passes: "" },
  { name: "a Down that is delivered meanwhile", during: delivered, fails: "", passes: "up" },
  { name: "a Down that was delivered", before: delivered, fails: "", passes: "up" },
  { name: "a Down that was refused", before: refused, fails: "", passes: "" },
  {
    name: "a Down that may have arrived",
    before: unclear,
    fails: "",
    passes: "up",
    paused: "down",
  },
];

function sceneWith(open: OpenStore, delay: number): Promise<Scene> {
  return outageScene(open, [{ ann: { schedule: "All", delay } }]);
}

/** A check that goes down, with its Down as it is to be, and is paused for an hour. */
async function pausedOutage(
  open: OpenStore,
  { begin, end, stopsAccount }: Pause,
  { delayMinutes = 0, before, during, paused = "" }: Outage,
): Promise<Scene> {
  const scene = await sceneWith(open, delayMinutes);
  const { unit } = scene;
  await scene.flip(undefined, "passing", noon - minute);
  await scene.send(noon - minute + delayMinutes * minute);
  await scene.flip("passing", "failing", noon);
  await scene.store.at(noon);
  if ((before ?? during) !== undefined)
    await unit(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
  const down = await unit(async ({ states, alerts }, { no }) => {
    const { outage = "" } = await states.get(no);
    const [first] = await alerts.listByOutage(outage);
    return first?.id ?? "";
  });
  if (before !== undefined) await unit(({ alerts }) => alerts.finishAttempt(down, before));
  await unit((tx, check) => begin(tx, check, noon + 1));
  if (during !== undefined) await unit(({ alerts }) => alerts.finishAttempt(down, during));
  assert.equal(await scene.send(noon + 20 * minute), stopsAccount ? "" : paused);
  // Once more, and once for nothing.
  await unit((tx, check) => end(tx, check, noon + 30 * minute));
  await unit((tx, check) => begin(tx, check, noon + 31 * minute));
  await unit((tx, check) => begin(tx, check, noon + 32 * minute));
  await unit((tx, check) => end(tx, check, noon + 60 * minute));
  return scene;
}

export function pauseContract(open: OpenStore): void {
  for (const pause of pauses) {
    for (const outage of outages) {
      const { name, fails, passes, paused } = outage;
      const heldPart = pause.stopsAccount && paused !== undefined ? paused : "";
      const failing = [heldPart, fails].filter((part) => part !== "").join();
      test(`${name}, then ${pause.name} and another failure: ${failing || "nothing"} is sent, and at last ${failing + passes === "" ? "nothing" : "an up where the down was"}`, async () => {
        await using scene = await pausedOutage(open, pause, outage);
        assert.equal(await scene.send(noon + 60 * minute), "", "before the check has run");
        await scene.failAgain(noon + 61 * minute);
        assert.equal(await scene.send(noon + 61 * minute), failing);
        await scene.failAgain(noon + 62 * minute);
        assert.equal(await scene.send(noon + 62 * minute), "");
        await scene.flip("failing", "passing", noon + 63 * minute);
        const wasAlerted = failing !== "" || passes !== "";
        assert.equal(await scene.send(noon + 63 * minute), wasAlerted ? "up" : "");
      });

      test(`${name}, then ${pause.name} and a pass: ${passes || "nothing"} is sent`, async () => {
        await using scene = await pausedOutage(open, pause, outage);
        await scene.flip("failing", "passing", noon + 61 * minute);
        assert.equal(await scene.send(noon + 61 * minute), passes);
        await scene.flip("passing", "failing", noon + 62 * minute);
        assert.equal(await scene.send(noon + 90 * minute), "down");
      });
    }

    test(`an Up that waits goes on over ${pause.name}${pause.stopsAccount ? ", but only once that is over" : ""}`, async () => {
      await using scene = await sceneWith(open, 0);
      await scene.flip(undefined, "failing", noon);
      assert.equal(await scene.send(noon), "first");
      await scene.flip("failing", "passing", noon + 1);
      await scene.unit((tx, check) => pause.begin(tx, check, noon + 2));
      assert.equal(await scene.send(noon + minute), pause.stopsAccount ? "" : "up");
      await scene.unit((tx, check) => pause.end(tx, check, noon + 2 * minute));
      assert.equal(await scene.send(noon + 2 * minute), pause.stopsAccount ? "up" : "");
    });

    test(`a Down that may have arrived, and whose outage is over, goes on with its Up over ${pause.name}${pause.stopsAccount ? ", but only once that is over" : ""}`, async () => {
      await using scene = await sceneWith(open, 0);
      await scene.flip(undefined, "passing", noon - minute);
      assert.equal(await scene.send(noon - minute), "first");
      await scene.flip("passing", "failing", noon);
      await scene.store.at(noon);
      await scene.unit(async ({ alerts }) => {
        const [down] = await alerts.claim({ leaseMs: minute, limit: 9 });
        await alerts.finishAttempt(down?.id ?? "", unclear);
      });
      await scene.flip("failing", "passing", noon + 1);
      await scene.unit((tx, check) => pause.begin(tx, check, noon + 2));
      assert.equal(await scene.send(noon + 20 * minute), pause.stopsAccount ? "" : "down,up");
      await scene.unit((tx, check) => pause.end(tx, check, noon + 30 * minute));
      assert.equal(await scene.send(noon + 30 * minute), pause.stopsAccount ? "down,up" : "");
    });

    test(`a first result that is up is held over ${pause.name}, and outdated by a failure after it`, async () => {
      for (const isFailing of [false, true]) {
        await using scene = await sceneWith(open, 5);
        await scene.flip(undefined, "passing", noon);
        await scene.unit((tx, check) => pause.begin(tx, check, noon + 1));
        assert.equal(await scene.send(noon + 10 * minute), "");
        await scene.unit((tx, check) => pause.end(tx, check, noon + 2 * minute));
        if (isFailing) await scene.flip("passing", "failing", noon + 3 * minute);
        assert.equal(await scene.send(noon + 10 * minute), isFailing ? "down" : "first");
      }
    });

    test(`whoever became a recipient during ${pause.name} is alerted of an outage that goes on, once`, async () => {
      await using scene = await pausedOutage(open, pause, {
        name: "",
        before: delivered,
        fails: "",
        passes: "",
      });
      await scene.unit(async ({ checks }, check) => {
        const notifications = [{ ann: "All" }, { ben: "All" }];
        const revision = check.revision + 1;
        await checks.update({ ...check, notifications, revision }, noon + 60 * minute);
      });
      await scene.failAgain(noon + 61 * minute);
      assert.equal(await scene.send(noon + 61 * minute), "down ben");
      await scene.failAgain(noon + 62 * minute);
      assert.equal(await scene.send(noon + 62 * minute), "");
      await scene.flip("failing", "passing", noon + 63 * minute);
      assert.equal(await scene.send(noon + 63 * minute), "up,up ben");
    });

    for (const gone of ["check", "account"] as const) {
      test(`what ${pause.name} holds ends with its ${gone}`, async () => {
        await using scene = await sceneWith(open, 0);
        await scene.flip(undefined, "failing", noon);
        await scene.unit((tx, check) => pause.begin(tx, check, noon + 1));
        await scene.unit(async (tx, { id, accountId }) => {
          if (gone === "check") await tx.checks.remove(accountId, id, noon + 2);
          else await tx.accounts.remove(accountId, noon + 2);
        });
        const ends = await scene.store.alerts.listNotifications({
          accountIds: [alice.id],
          checkId: undefined,
          from: 0,
          limit: 9,
          dropped: true,
        });
        assert.deepEqual(
          ends.map(({ status, reason }) => [status, reason]),
          [["dropped", gone === "check" ? "deleted" : "account_deleted"]],
        );
      });
    }
  }
}
