import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../../src/domain/check.ts";
import type { AttemptEnd, Notification } from "../../../src/store/tables/alerts.ts";
import {
  acknowledgeOutage,
  withdrawAcknowledgement,
} from "../../../src/store/transactions/acknowledge-outage.ts";
import { alice, minute, noon } from "../../record-builders.ts";
import { outageScene, type Scene } from "./outage-scene.ts";
import type { OpenStore } from "./store.ts";

const everyTen: Check["notifications"] = [{ ann: { schedule: "All", delay: 0, repeat: 10 } }];

async function downAtNoon(
  open: OpenStore,
  notifications: Check["notifications"] = everyTen,
): Promise<Scene> {
  const scene = await outageScene(open, notifications);
  await scene.flip(undefined, "passing", noon - minute);
  assert.match(await scene.send(noon - minute), /^first/);
  await scene.flip("passing", "failing", noon);
  return scene;
}

let acknowledged = 0;

function acknowledge(scene: Scene, at: number, by = "Ann"): Promise<boolean> {
  const ids = { alert: () => `ack-${(acknowledged += 1)}` };
  return scene.unit((tx, check) =>
    acknowledgeOutage(tx, { check, acknowledgement: { at, by, note: "" } }, ids),
  );
}

function withdraw(scene: Scene, at: number): Promise<boolean> {
  return scene.unit((tx, check) => withdrawAcknowledgement(tx, check, at));
}

/** Returns the sent or dropped alerts of one kind, in order of creation. */
async function recorded({ store }: Scene, kind: string): Promise<readonly Notification[]> {
  const all = { accountIds: [alice.id], checkId: undefined, from: 0, limit: 999, dropped: true };
  const listed = await store.alerts.listNotifications(all);
  return listed.filter((each) => each.kind === kind).toReversed();
}

/** The minutes after noon at which something is sent, and what. */
async function timeline(scene: Scene, from: number, to: number): Promise<readonly string[]> {
  const sent: string[] = [];
  for (let after = from; after <= to; after += 1) {
    const kinds = await scene.send(noon + after * minute);
    if (kinds !== "") sent.push(`${after} ${kinds}`);
  }
  return sent;
}

export function reminderContract(open: OpenStore): void {
  const wishes = [
    { name: "no reminder without repeat", wish: {}, sent: ["0 down"] },
    {
      name: "a reminder every ten minutes",
      wish: { repeat: 10 },
      sent: ["0 down", "10 reminder", "20 reminder", "30 reminder"],
    },
    {
      name: "as many as are wanted",
      wish: { repeat: 5, repeatcount: 2 },
      sent: ["0 down", "5 reminder", "10 reminder"],
    },
    {
      name: "none after the time in which they are wanted",
      wish: { repeat: 10, repeatuntil: 25 },
      sent: ["0 down", "10 reminder", "20 reminder"],
    },
    {
      name: "the first a whole interval after a delayed Down",
      wish: { delay: 7, repeat: 20 },
      sent: ["7 down", "27 reminder"],
    },
  ];
  for (const { name, wish, sent } of wishes) {
    test(`an outage has ${name}`, async () => {
      await using scene = await outageScene(open, [{ ann: { schedule: "All", ...wish } }]);
      await scene.flip(undefined, "passing", noon - 10 * minute);
      assert.equal(await scene.send(noon - minute), "first");
      await scene.flip("passing", "failing", noon);
      assert.deepEqual(await timeline(scene, 0, 32), sent);
    });
  }

  test("no reminder is sent after the recovery, not even one that may have arrived, and the Up does not wait for it", async () => {
    await using scene = await downAtNoon(open);
    assert.deepEqual(await timeline(scene, 0, 10), ["0 down", "10 reminder"]);
    await scene.store.at(noon + 20 * minute);
    const unclear: AttemptEnd = {
      status: "waiting",
      nextAttemptAt: noon + 60 * minute,
      possiblySent: true,
    };
    await scene.unit(async ({ alerts }) => {
      const [reminder] = await alerts.claim({ leaseMs: minute, limit: 9 });
      assert.equal(reminder?.kind, "reminder");
      assert.ok(await alerts.finishAttempt(reminder.id, unclear, reminder));
    });
    await scene.flip("failing", "passing", noon + 21 * minute);
    assert.deepEqual(await timeline(scene, 21, 70), ["21 up"]);
  });

  test("a reminder under way at the recovery ends with its attempt", async () => {
    await using scene = await downAtNoon(open);
    assert.equal(await scene.send(noon), "down");
    await scene.store.at(noon + 10 * minute);
    const [reminder] = await scene.unit(({ alerts }) =>
      alerts.claim({ leaseMs: minute, limit: 9 }),
    );
    await scene.flip("failing", "passing", noon + 10 * minute + 1);
    await scene.unit(({ alerts }) =>
      alerts.finishAttempt(
        reminder?.id ?? "",
        { status: "waiting", nextAttemptAt: noon + 11 * minute, possiblySent: true },
        reminder,
      ),
    );
    const [ended] = await recorded(scene, "reminder");
    assert.deepEqual([ended?.status, ended?.reason], ["dropped", "recovered"]);
    assert.deepEqual(await timeline(scene, 11, 40), ["11 up"]);
  });

  test("reminders that were late leave out those whose time is past", async () => {
    await using scene = await downAtNoon(open, [
      { ann: { schedule: "All", repeat: 10, repeatcount: 6 } },
    ]);
    assert.equal(await scene.send(noon), "down");
    assert.equal(await scene.send(noon + 37 * minute), "reminder");
    assert.deepEqual(await timeline(scene, 38, 90), ["40 reminder", "50 reminder", "60 reminder"]);
    const ids = (await recorded(scene, "reminder")).map(({ alertId }) => alertId);
    assert.equal(new Set(ids).size, 4);
    assert.deepEqual(
      ids.map((id) => id.split("-").at(-1)),
      ["1", "4", "5", "6"],
    );
  });

  test("a Down that was refused is followed by no reminder, and a reminder that was refused by the next", async () => {
    const refused: AttemptEnd = { status: "failed", at: noon, reason: "410", possiblySent: false };
    const refuse = (scene: Scene): Promise<number> =>
      scene.unit(async ({ alerts }) => {
        const claimed = await alerts.claim({ leaseMs: minute, limit: 9 });
        for (const alert of claimed) await alerts.finishAttempt(alert.id, refused, alert);
        return claimed.length;
      });
    await using refusing = await downAtNoon(open);
    await refusing.store.at(noon);
    assert.equal(await refuse(refusing), 1);
    assert.deepEqual(await timeline(refusing, 1, 30), []);
    await using scene = await downAtNoon(open);
    assert.equal(await scene.send(noon), "down");
    await scene.store.at(noon + 10 * minute);
    assert.equal(await refuse(scene), 1);
    assert.deepEqual(await timeline(scene, 11, 30), ["20 reminder", "30 reminder"]);
  });

  test("reminders rest while the check is off, and go on once it fails again", async () => {
    await using scene = await downAtNoon(open);
    assert.equal(await scene.send(noon), "down");
    const disable = (disabled: boolean, at: number): Promise<unknown> =>
      scene.unit(({ checks }) => checks.disableAll(alice.id, disabled, at));
    await disable(true, noon + minute);
    assert.deepEqual(await timeline(scene, 1, 30), []);
    await disable(false, noon + 30 * minute);
    assert.deepEqual(await timeline(scene, 30, 31), []);
    await scene.failAgain(noon + 32 * minute);
    assert.deepEqual(await timeline(scene, 32, 43), ["32 reminder", "42 reminder"]);
  });

  test("an attempt that ends while its check is off leaves a reminder that waits for it", async () => {
    await using scene = await downAtNoon(open);
    await scene.store.at(noon);
    const [down] = await scene.unit(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    await scene.unit(({ checks }) => checks.disableAll(alice.id, true, noon + 1));
    await scene.unit(({ alerts }) =>
      alerts.finishAttempt(down?.id ?? "", { status: "delivered", at: noon }, down),
    );
    assert.deepEqual(await timeline(scene, 1, 20), []);
    await scene.unit(({ checks }) => checks.disableAll(alice.id, false, noon + 20 * minute));
    await scene.flip("failing", "passing", noon + 21 * minute);
    assert.deepEqual(await timeline(scene, 21, 40), ["21 up"]);
  });

  test("reminders move with a clock that is set", async () => {
    await using scene = await downAtNoon(open);
    assert.equal(await scene.send(noon), "down");
    await scene.unit(({ alerts }) => alerts.shiftTimes(-60 * minute));
    assert.deepEqual(await timeline(scene, -60, -40), ["-50 reminder", "-40 reminder"]);
  });

  test("an acknowledgement is sent to those who got the Down, and ends reminders and what is still delayed", async () => {
    await using scene = await downAtNoon(open, [
      { ann: { schedule: "All", repeat: 10 } },
      { ben: { schedule: "All", delay: 15 } },
    ]);
    assert.deepEqual(await timeline(scene, 0, 10), ["0 down", "10 reminder"]);
    assert.equal(await acknowledge(scene, noon + 12 * minute), true);
    assert.deepEqual(await timeline(scene, 12, 40), ["12 acknowledged"]);
    const delayed = (await recorded(scene, "down")).find(({ contactId }) => contactId === "ben");
    assert.deepEqual([delayed?.status, delayed?.reason], ["dropped", "acknowledged"]);
    await scene.flip("failing", "passing", noon + 41 * minute);
    assert.deepEqual(await timeline(scene, 41, 60), ["41 up"]);
    assert.equal(await acknowledge(scene, noon + 61 * minute), false, "nothing is down");
    await scene.flip("passing", "failing", noon + 62 * minute);
    const { acknowledgement } = await scene.unit(({ states }, { no }) => states.get(no));
    assert.equal(acknowledgement, undefined, "it ended with its outage");
  });

  for (const order of ["before", "after"] as const) {
    test(`an acknowledgement ${order} a Down begins to wait for its window drops it until it is withdrawn`, async () => {
      await using scene = await downAtNoon(open);
      await scene.store.at(noon);
      const opensAt = noon + 60 * minute;
      const closed: AttemptEnd = {
        status: "waiting",
        nextAttemptAt: opensAt,
        possiblySent: false,
        reason: "outside_window",
      };
      const [down] = await scene.unit(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
      const wait = () =>
        scene.unit(({ alerts }) => alerts.finishAttempt(down?.id ?? "", closed, down));
      if (order === "after") await wait();
      assert.equal(await acknowledge(scene, noon + 1), true);
      if (order === "before") await wait();
      const [{ status, reason } = {}] = await recorded(scene, "down");
      assert.deepEqual([status, reason], ["dropped", "acknowledged"]);
      assert.doesNotMatch(await scene.send(opensAt), /down/);
      assert.equal(await withdraw(scene, opensAt + minute), true);
      assert.equal(await scene.send(opensAt + minute), "down");
    });
  }

  test("an alert that waited says for what when it is claimed", async () => {
    await using scene = await downAtNoon(open);
    await scene.store.at(noon);
    const claim = () => scene.unit(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    const [down] = await claim();
    assert.equal(down?.waitedFor, undefined);
    await scene.unit(({ alerts }) =>
      alerts.finishAttempt(
        down?.id ?? "",
        {
          status: "waiting",
          nextAttemptAt: noon + minute,
          possiblySent: false,
          reason: "check_muted",
        },
        down,
      ),
    );
    await scene.store.at(noon + minute);
    assert.equal((await claim())[0]?.waitedFor, "check_muted");
  });

  test("an acknowledgement that is withdrawn lets reminders and delayed alerts go on, each once", async () => {
    await using scene = await downAtNoon(open, [
      { ann: { schedule: "All", repeat: 10 } },
      { ben: { schedule: "All", delay: 15 } },
    ]);
    assert.equal(await scene.send(noon), "down");
    assert.equal(await acknowledge(scene, noon + minute), true);
    assert.deepEqual(await timeline(scene, 1, 4), ["1 acknowledged"]);
    assert.equal(await withdraw(scene, noon + 5 * minute), true);
    assert.equal(await withdraw(scene, noon + 5 * minute), false);
    assert.deepEqual(await timeline(scene, 5, 20), ["10 reminder", "15 down ben", "20 reminder"]);
    assert.equal(await acknowledge(scene, noon + 21 * minute, "Ben"), true);
    assert.deepEqual(await timeline(scene, 21, 40), ["21 acknowledged,acknowledged ben"]);
    const { acknowledgement } = await scene.unit(({ states }, { no }) => states.get(no));
    assert.deepEqual(acknowledgement, { at: noon + 21 * minute, by: "Ben", note: "" });
  });

  test("a Down that is delivered after the acknowledgement has its reminders where that is withdrawn", async () => {
    await using scene = await downAtNoon(open);
    await scene.store.at(noon);
    const [down] = await scene.unit(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    await acknowledge(scene, noon + 1);
    await scene.unit(({ alerts }) =>
      alerts.finishAttempt(down?.id ?? "", { status: "delivered", at: noon + 2 }, down),
    );
    assert.deepEqual(await timeline(scene, 1, 11), ["1 acknowledged"]);
    await withdraw(scene, noon + 12 * minute);
    assert.deepEqual(await timeline(scene, 12, 22), ["12 reminder", "22 reminder"]);
  });

  test("an acknowledgement lasts over a pause, and whoever became a recipient meanwhile is not escalated to", async () => {
    await using scene = await downAtNoon(open);
    assert.equal(await scene.send(noon), "down");
    await acknowledge(scene, noon + minute);
    assert.equal(await scene.send(noon + minute), "acknowledged");
    await scene.unit(({ checks }) => checks.disableAll(alice.id, true, noon + 2 * minute));
    await scene.unit(async ({ checks }, check) => {
      const notifications = [...everyTen, { ben: { schedule: "All", delay: 5 } }];
      const revision = check.revision + 1;
      await checks.update({ ...check, notifications, revision }, noon + 3 * minute);
    });
    await scene.unit(({ checks }) => checks.disableAll(alice.id, false, noon + 4 * minute));
    await scene.failAgain(noon + 5 * minute);
    assert.deepEqual(await timeline(scene, 5, 40), []);
  });
}
