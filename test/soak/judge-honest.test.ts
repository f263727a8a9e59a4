import assert from "node:assert/strict";
import { test } from "node:test";

import type { Receipt } from "../chaos/judges/judge-alerts.ts";
import type { StoredTick } from "./histories.ts";
import type { SentBeat } from "./honest.ts";
import { judgeAlerts, judgeHeartbeats, judgeTicks } from "./judge-honest.ts";

const MINUTE = 60_000;
const limits = { intervalMs: MINUTE, confirmMs: 20_000, tickLateMs: 5000, alertLateMs: 5000 };
const about = "alice's check";
const UNTIL = 10 * MINUTE;

const tick = (minute: number, more: Partial<StoredTick> = {}): StoredTick => ({
  id: `tick ${minute}`,
  dueAt: minute * MINUTE,
  startedAt: minute * MINUTE + 10,
  endedAt: minute * MINUTE + 30,
  isUp: true,
  ...more,
});
const minutes = (...wanted: readonly number[]): readonly StoredTick[] =>
  wanted.map((minute) => tick(minute));
const always = [{ at: 0, isUp: true }];
const eachMinute = minutes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

const tickRows: readonly {
  readonly name: string;
  readonly ticks: readonly StoredTick[];
  readonly until?: number;
  readonly truths?: readonly { readonly at: number; readonly isUp: boolean }[];
  readonly harms: readonly string[];
}[] = [
  { name: "a tick each minute is well", ticks: eachMinute, harms: [] },
  {
    name: "a tick that never ran is missed",
    ticks: eachMinute.toSpliced(4, 1),
    harms: ["missedTick"],
  },
  { name: "ticks that end are missed", ticks: eachMinute.slice(0, 7), harms: ["missedTick"] },
  { name: "a check without ticks misses them", ticks: [], harms: ["missedTick"] },
  {
    name: "the last tick may still be under way",
    ticks: eachMinute.slice(0, -1),
    until: 9 * MINUTE + 4900,
    harms: [],
  },
  {
    name: "the last tick of a target that goes down may still be confirmed",
    ticks: eachMinute.slice(0, -1),
    truths: [...always, { at: 9 * MINUTE, isUp: false }],
    until: 9 * MINUTE + 24_900,
    harms: [],
  },
  {
    name: "a check that was just made runs at once, and not again where it is due so soon",
    ticks: [tick(0, { dueAt: -3000 }), ...eachMinute.slice(1)],
    harms: [],
  },
  {
    name: "later a gap is not allowed to be longer than the interval",
    ticks: [
      ...eachMinute.slice(0, 4),
      tick(4, { dueAt: 4 * MINUTE + 3000 }),
      ...eachMinute.slice(5),
    ],
    harms: ["missedTick"],
  },
  {
    name: "a tick that began late is late",
    ticks: eachMinute.with(
      3,
      tick(3, { startedAt: 3 * MINUTE + 5001, endedAt: 3 * MINUTE + 5100 }),
    ),
    harms: ["lateTick"],
  },
  {
    name: "a target that was never down is not called down",
    ticks: eachMinute.with(3, tick(3, { isUp: false })),
    harms: ["falseState", "missedState"],
  },
  {
    name: "a target that was down is called down",
    ticks: eachMinute.with(3, tick(3, { isUp: false })),
    truths: [...always, { at: 2.5 * MINUTE, isUp: false }, { at: 3.5 * MINUTE, isUp: true }],
    harms: [],
  },
  {
    name: "a target that is down for long is not called up",
    ticks: eachMinute,
    truths: [...always, { at: 2.5 * MINUTE, isUp: false }],
    harms: ["missedState"],
  },
];

for (const { name, ticks, truths = always, until = UNTIL, harms } of tickRows)
  test(name, () => {
    const found = judgeTicks({ about, ticks, truths, since: 0, until, blurred: [] }, limits);
    assert.deepEqual(
      found.map(({ harm }) => harm),
      harms,
      JSON.stringify(found),
    );
  });

const beat = (at: number, more: Partial<SentBeat> = {}): SentBeat => ({
  from: at,
  to: at + 10,
  isPassing: true,
  outcome: "stored",
  status: 200,
  ...more,
});

/** Heartbeats are this far apart. */
const APART = 12_500;
const failing = { isPassing: false } as const;
const unanswered = { status: 0, outcome: "unknown", to: 2 * APART + 60_000 } as const;

const beatRows: readonly {
  readonly name: string;
  readonly beats: readonly SentBeat[];
  /** When each that is kept was received, and whether it passes. */
  readonly kept: readonly (readonly [at: number, isUp: boolean])[];
  readonly harms: readonly string[];
}[] = [
  {
    name: "heartbeats that are all kept are well",
    beats: [beat(0), beat(APART, failing)],
    kept: [
      [3, true],
      [APART + 3, false],
    ],
    harms: [],
  },
  {
    name: "a heartbeat that was taken is kept",
    beats: [beat(0), beat(APART)],
    kept: [[3, true]],
    harms: ["lostHeartbeat"],
  },
  {
    name: "one that is kept does not stand for another",
    beats: [beat(0), beat(APART), beat(2 * APART, unanswered)],
    kept: [
      [3, true],
      [2 * APART + 3, true],
    ],
    harms: ["lostHeartbeat", "refusedHeartbeat"],
  },
  {
    name: "a heartbeat that is kept is as it was sent",
    beats: [beat(0, failing)],
    kept: [[3, true]],
    harms: ["lostHeartbeat", "falseState"],
  },
  {
    name: "a silence that never was is a false state",
    beats: [beat(0), beat(APART)],
    kept: [
      [3, true],
      [9000, false],
      [APART + 3, true],
    ],
    harms: ["falseState"],
  },
  {
    name: "the silence after the end is none",
    beats: [beat(0)],
    kept: [
      [3, true],
      [UNTIL + 1, false],
    ],
    harms: [],
  },
  {
    name: "a heartbeat is kept once",
    beats: [beat(0)],
    kept: [
      [3, true],
      [4, true],
    ],
    harms: ["falseState"],
  },
  {
    name: "a heartbeat is never refused",
    beats: [beat(0, { status: 503, outcome: "unknown" })],
    kept: [],
    harms: ["refusedHeartbeat"],
  },
  {
    name: "a heartbeat is always answered, and may be kept where it was not",
    beats: [beat(0, { status: 0, outcome: "unknown" })],
    kept: [[70_000, true]],
    harms: ["refusedHeartbeat"],
  },
  {
    name: "a heartbeat is always answered",
    beats: [beat(0, { status: 0, outcome: "unknown" })],
    kept: [],
    harms: ["refusedHeartbeat"],
  },
];

for (const { name, beats, kept, harms } of beatRows)
  test(name, () => {
    const ticks = kept.map(([at, isUp]) =>
      tick(0, { id: `tick at ${at}`, dueAt: at, startedAt: at, endedAt: at, isUp }),
    );
    const found = judgeHeartbeats({ about, ticks, beats, until: UNTIL });
    assert.deepEqual(
      found.map(({ harm }) => harm),
      harms,
      JSON.stringify(found),
    );
  });

const down = tick(1, { isUp: false });
const history = [tick(0), down, tick(2, { isUp: false }), tick(3)];
const receipt = (of: StoredTick, more: Partial<Receipt> = {}): Receipt => ({
  at: of.endedAt + 100,
  id: `alert of ${of.id}`,
  check: about,
  isUp: of.isUp,
  outage: null,
  result: of.id,
  answer: "taken",
  ...more,
});
const allAlerted = [receipt(tick(0)), receipt(down), receipt(tick(3))];

const alertRows: readonly {
  readonly name: string;
  readonly receipts: readonly Receipt[];
  readonly since?: number;
  readonly harms: readonly string[];
}[] = [
  { name: "each change of state is alerted", receipts: allAlerted, harms: [] },
  {
    name: "a change without an alert is lost",
    receipts: allAlerted.toSpliced(1, 1),
    harms: ["lostAlert"],
  },
  {
    name: "an alert of another state than that of the result is no alert of it",
    receipts: allAlerted.with(1, receipt(down, { isUp: true })),
    harms: ["lostAlert"],
  },
  {
    name: "an alert that took long is late",
    receipts: allAlerted.with(2, receipt(tick(3), { at: tick(3).endedAt + 5001 })),
    harms: ["lateAlert"],
  },
  {
    name: "an alert that took long before the attack is not late",
    receipts: allAlerted.with(2, receipt(tick(3), { at: tick(3).endedAt + 5001 })),
    since: 3.5 * MINUTE,
    harms: [],
  },
  {
    name: "an alert of no change is wrong",
    receipts: [...allAlerted, receipt(history[2] ?? down)],
    harms: ["wrongAlert"],
  },
];

for (const { name, receipts, since = 0, harms } of alertRows)
  test(name, () => {
    const found = judgeAlerts({ about, ticks: history, since, receipts }, limits);
    assert.deepEqual(
      found.map(({ harm }) => harm),
      harms,
      JSON.stringify(found),
    );
  });
