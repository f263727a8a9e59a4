import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { judge, type Alarm, type FaultKind, type Outage, type Truth } from "./judge.ts";

const WAYS = ["webhook", "mail"];
const outage: Outage = {
  target: "shop",
  scenario: "status-503",
  from: 100_000,
  to: 200_000,
  expects: "must",
  words: [/503/],
};
const truthOf = (...outages: readonly Outage[]): Truth => ({
  outages,
  spans: [{ scenario: "own-pause", from: 400_000, to: 500_000 }],
  ways: WAYS,
  lateMs: 60_000,
});

const said = (state: Alarm["state"], at: number, more: Partial<Alarm> = {}): readonly Alarm[] =>
  WAYS.map((way) => ({ target: "shop", state, at, reason: "status 503", way, ...more }));
const down = said("down", 110_000);
const up = said("up", 215_000);

const kindsOf = (truth: Truth, alarms: readonly Alarm[]): readonly FaultKind[] =>
  judge(truth, alarms).faults.map(({ kind }) => kind);
const twice = (kind: FaultKind): readonly FaultKind[] => [kind, kind];

test("a monitor that tells the truth has no fault, and its times are measured", () => {
  const { episodes, faults } = judge(truthOf(outage), [...down, ...up]);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    episodes.map(({ alarmSeconds, recoverySeconds, hasGoodReason }) => ({
      alarmSeconds,
      recoverySeconds,
      hasGoodReason,
    })),
    [{ alarmSeconds: 10, recoverySeconds: 15, hasGoodReason: true }],
  );
});

const lies: readonly {
  readonly name: string;
  readonly outages?: readonly Outage[];
  readonly alarms: readonly Alarm[];
  readonly faults: readonly FaultKind[];
}[] = [
  {
    name: "that never alarms missed it",
    alarms: [],
    faults: ["missed"],
  },
  {
    name: "that alarms long after the end gave a false alarm, and missed it",
    alarms: [...said("down", 300_000), ...said("up", 310_000)],
    faults: [...twice("false"), "missed"],
  },
  {
    name: "that alarms twice doubled it",
    alarms: [...down, ...said("down", 150_000), ...up],
    faults: twice("doubled"),
  },
  {
    name: "that recovers within the outage and alarms again gave a false recovery, and doubled it",
    alarms: [...down, ...said("up", 150_000), ...said("down", 160_000), ...up],
    faults: ["false-recovery", "doubled", "false-recovery", "doubled"],
  },
  {
    name: "that alarms of another target gave a false alarm, and missed it",
    alarms: [
      ...said("down", 110_000, { target: "blog" }),
      ...said("up", 215_000, { target: "blog" }),
    ],
    faults: ["missed", ...twice("false")],
  },
  {
    name: "that recovers without an alarm is out of order",
    outages: [],
    alarms: up,
    faults: twice("out-of-order"),
  },
  {
    name: "that tells of the end before the beginning is out of order, and owes the end",
    alarms: [...said("up", 105_000), ...down],
    faults: [...twice("out-of-order"), ...twice("no-recovery")],
  },
  {
    name: "that alarms while all is well gave a false alarm",
    outages: [],
    alarms: [...down, ...up],
    faults: twice("false"),
  },
  {
    name: "that alarms of what nobody is called for gave a false alarm",
    outages: [{ ...outage, expects: "never" }],
    alarms: [...down, ...up],
    faults: twice("false"),
  },
  {
    name: "that repeats a false alarm doubled it besides",
    outages: [],
    alarms: [...down, ...said("down", 120_000), ...up],
    faults: ["false", "doubled", "false", "doubled"],
  },
  {
    name: "that alarms by one way alone left the other untold",
    alarms: [...down, ...up].filter(({ way }) => way === "mail"),
    faults: ["untold"],
  },
  {
    name: "that tells nobody of the end owes the recovery",
    alarms: down,
    faults: twice("no-recovery"),
  },
  {
    name: "that tells one receiver alone of the end owes the recovery to the other",
    alarms: [...down, ...up.filter(({ way }) => way === "mail")],
    faults: ["no-recovery"],
  },
  {
    name: "that tells of a past outage that has not ended gave a false alarm, and missed it",
    alarms: said("past", 150_000, { beganAt: 110_000 }),
    faults: [...twice("false"), "missed"],
  },
  {
    name: "that tells of a past outage when there was none gave a false alarm, and missed it",
    alarms: said("past", 215_000, { beganAt: 90_000 }),
    faults: [...twice("false"), "missed"],
  },
  {
    name: "that tells of an outage once more after it is past doubled it",
    alarms: [...down, ...up, ...said("past", 220_000, { beganAt: 110_000 })],
    faults: twice("doubled"),
  },
  {
    name: "that tells of a past outage by one way alone left the other untold",
    alarms: said("past", 215_000, { beganAt: 110_000 }).filter(({ way }) => way === "mail"),
    faults: ["untold"],
  },
  {
    name: "that tells of a past outage that nobody is called for gave a false alarm",
    outages: [{ ...outage, expects: "never" }],
    alarms: said("past", 215_000, { beganAt: 110_000 }),
    faults: twice("false"),
  },
  {
    name: "that gives no reason gave a poor one",
    alarms: [...said("down", 110_000, { reason: "CRITICAL" }), ...up],
    faults: ["poor-reason"],
  },
];

for (const { name, outages = [outage], alarms, faults } of lies)
  test(`a monitor ${name}`, () => {
    assert.deepEqual(kindsOf(truthOf(...outages), alarms).toSorted(), faults.toSorted());
  });

test("a false alarm belongs to the trouble in which it came", () => {
  const { faults } = judge(truthOf(), said("down", 450_000));
  assert.deepEqual(
    faults.map(({ scenario }) => scenario),
    ["own-pause", "own-pause"],
  );
});

test("a false alarm that one way told after the trouble belongs to it as well", () => {
  const [webhook, mail] = said("down", 490_000);
  assert.ok(webhook && mail);
  const { faults } = judge(truthOf(), [webhook, { ...mail, at: 520_000 }]);
  assert.deepEqual(
    faults.map(({ scenario }) => scenario),
    ["own-pause", "own-pause"],
  );
});

test("an alarm that a trouble held up is measured from its end, and is not late", () => {
  const held = { ...outage, alarmFrom: 260_000 };
  const { episodes, faults } = judge(truthOf(held), [
    ...said("down", 265_000),
    ...said("up", 266_000),
  ]);
  assert.deepEqual(faults, []);
  assert.equal(episodes[0]?.alarmSeconds, 5);
});

test("a target that flaps may be told of each time, in order", () => {
  const flapping = truthOf({ ...outage, expects: "may", isFlapping: true });
  const turns = [...down, ...said("up", 120_000), ...said("down", 130_000), ...up];
  assert.deepEqual(kindsOf(flapping, turns), []);
  assert.deepEqual(kindsOf(flapping, []), []);
  assert.deepEqual(kindsOf(flapping, [...down, ...said("down", 120_000), ...up]), twice("doubled"));
});

test("a target that flaps may be told of afterwards, each time once", () => {
  const flapping = truthOf({ ...outage, expects: "may", isFlapping: true });
  const first = said("past", 130_000, { beganAt: 110_000 });
  const second = said("past", 170_000, { beganAt: 150_000 });
  assert.deepEqual(kindsOf(flapping, [...down, ...said("up", 115_000), ...first, ...second]), []);
  assert.deepEqual(kindsOf(flapping, [...first, ...second, ...first]), twice("doubled"));
  assert.deepEqual(
    new Set(kindsOf(flapping, [...down, ...second, ...up])),
    new Set(["doubled", "out-of-order"]),
  );
  const before = said("past", 130_000, { beganAt: 90_000 });
  assert.deepEqual(kindsOf(flapping, before), twice("false"));
});

test("an alarm that may be left out, and was told, has to be ended", () => {
  assert.deepEqual(kindsOf(truthOf({ ...outage, expects: "may" }), down), twice("no-recovery"));
});

const MINUTE = 60_000;

/** Outages of some targets that are far apart. */
const histories = fc
  .array(
    fc.record({
      target: fc.constantFrom("a", "b", "c"),
      seconds: fc.integer({ min: 30, max: 120 }),
      expects: fc.constantFrom("must" as const, "may" as const),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ target, seconds, expects }, index): Outage => ({
      ...outage,
      target,
      expects,
      from: index * 10 * MINUTE,
      to: index * 10 * MINUTE + seconds * 1000,
    })),
  );

function honest(outages: readonly Outage[], delayMs: number): readonly Alarm[] {
  return outages.flatMap(({ target, from, to }) => [
    ...said("down", from + delayMs, { target }),
    ...said("up", to + delayMs, { target }),
  ]);
}

test("whoever tells of every outage and of its end is never at fault, in whatever order it is read", () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 0, max: 29_000 }), fc.gen(), (outages, delay, gen) => {
      const alarms = honest(outages, delay);
      const order = gen(() => fc.shuffledSubarray([...alarms], { minLength: alarms.length }));
      const { faults, episodes } = judge(truthOf(...outages), order);
      assert.deepEqual(faults, []);
      for (const { alarmSeconds, recoverySeconds } of episodes) {
        assert.equal(alarmSeconds, delay / 1000);
        assert.equal(recoverySeconds, delay / 1000);
      }
    }),
  );
});

test("whatever one way leaves out is found", () => {
  fc.assert(
    fc.property(histories, fc.nat(), (outages, which) => {
      const alarms = honest(outages, 1000);
      const left = alarms.toSpliced(which % alarms.length, 1);
      assert.notDeepEqual(judge(truthOf(...outages), left).faults, []);
    }),
  );
});

test("whatever is told once more is found", () => {
  fc.assert(
    fc.property(histories, fc.nat(), (outages, which) => {
      const alarms = honest(outages, 1000);
      const again = alarms[which % alarms.length];
      assert.ok(again);
      const faults = judge(truthOf(...outages), [...alarms, { ...again, at: again.at + 1 }]).faults;
      assert.equal(faults.length, 1);
      assert.match(faults[0]?.kind ?? "", /doubled|out-of-order/);
    }),
  );
});

test("an alarm at an instant at which all is well is always false", () => {
  fc.assert(
    fc.property(histories, fc.constantFrom("a", "b", "c", "d"), (outages, target) => {
      const end = Math.max(...outages.map(({ to }) => to)) + 10 * MINUTE;
      const { faults } = judge(truthOf(...outages), [
        ...honest(outages, 1000),
        ...said("down", end, { target }),
      ]);
      assert.deepEqual(
        faults.map(({ kind }) => kind),
        twice("false"),
      );
    }),
  );
});

test("a past outage is told by one message, also when the next one has begun meanwhile", () => {
  const next = { ...outage, from: 250_000, to: 280_000 };
  const [webhook, mail] = [
    [...said("down", 110_000), ...up, ...said("down", 270_000), ...said("up", 285_000)],
    [
      ...said("past", 255_000, { beganAt: 104_000 }),
      ...said("past", 290_000, { beganAt: 249_400 }),
    ],
  ];
  const alarms = [
    ...webhook.filter(({ way }) => way === "webhook"),
    ...mail.filter(({ way }) => way === "mail"),
  ];
  assert.deepEqual(kindsOf(truthOf(outage, next), alarms), []);
});
