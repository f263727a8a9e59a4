import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Row } from "../alert-rows.ts";
import {
  judgeEnd,
  judgePrompt,
  judgeReceipts,
  type AddressStory,
  type PromptStory,
  type Receipt,
} from "./judge-alerts.ts";
import { verifyKept } from "./judge-plain.ts";
import { judgeRows } from "./judge-storm.ts";
import type { Observation, Surroundings } from "./judge-states.ts";
import type { Change, Interval } from "./timeline.ts";

const quiet: Surroundings = { lost: [], interruptions: [], blurred: [] };

const receipt = (second: number, what: "Down" | "Up", outage: string): Receipt => ({
  at: second * 1000,
  id: `${what} ${outage}`,
  check: "check",
  isUp: what === "Up",
  outage,
  result: `${what} ${outage}`,
  answer: "taken",
});

const change = (from: number, to?: number): Change => ({
  what: "changed",
  begun: { from: from * 1000, to: from * 1000 + 100 },
  ...(to !== undefined && { ended: { from: to * 1000, to: to * 1000 + 100 } }),
});

const down = receipt(52, "Down", "a");
const up = receipt(92, "Up", "a");

const story: AddressStory = {
  about: "check at address",
  receipts: [down, up],
  following: [],
  suspended: [],
  suppressed: [],
  muted: [],
  inactive: [],
  acknowledged: [],
  truths: [
    { at: 0, isUp: true },
    { at: 50_000, isUp: false },
    { at: 90_000, isUp: true },
  ],
};

suite("what an address was sent", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes?: Partial<AddressStory>;
    readonly around?: Partial<Surroundings>;
    readonly found: readonly string[];
  }[] = [
    { name: "is right where it is an outage and its end", found: [] },
    {
      name: "is right where an alert came twice under its id",
      changes: { receipts: [down, { ...down, at: 60_000 }, up] },
      found: [],
    },
    {
      name: "is doubled where a flip came under two ids",
      changes: { receipts: [down, { ...down, id: "other" }, up] },
      found: ["doubled"],
    },
    {
      name: "is right where an Up has no Down, which may have been claimed by a process that was killed",
      changes: { receipts: [up], truths: [{ at: 49_000, isUp: false }] },
      around: { kills: [50_500] },
      found: [],
    },
    {
      name: "is wrong where an Up has no Down, and the process was killed before the outage",
      changes: { receipts: [up], truths: [{ at: 49_000, isUp: false }] },
      around: { kills: [48_000] },
      found: ["unexpected"],
    },
    ...[60_000, 40_000].map((killedAt) => ({
      name: `is ${killedAt === 60_000 ? "right" : "wrong"} where an Up comes late, in the next outage, and the process was killed at ${killedAt}`,
      changes: {
        receipts: [up],
        truths: [...story.truths, { at: 91_000, isUp: false }],
        alertedAt: new Map([[up.outage ?? "", 52_000]]),
      },
      around: { kills: [killedAt] },
      found: killedAt === 60_000 ? [] : ["unexpected"],
    })),
    {
      name: "is wrong where an Up has no Down",
      changes: { receipts: [up] },
      found: ["unexpected"],
    },
    {
      name: "is right where an outage is told of whose Down never came",
      changes: { receipts: [{ ...up, isMissed: true }] },
      found: [],
    },
    {
      name: "is right where an outage is told of whose Down was refused",
      changes: {
        receipts: [
          { ...down, answer: "refused" },
          { ...up, isMissed: true },
        ],
      },
      found: [],
    },
    {
      name: "is wrong where a Down that came is said not to have been delivered",
      changes: { receipts: [down, { ...up, isMissed: true }] },
      found: ["unexpected"],
    },
    {
      name: "is reordered where the Down came after its Up",
      changes: { receipts: [up, { ...down, at: 95_000 }] },
      found: ["unexpected", "reordered"],
    },
    {
      name: "is wrong while the account is suspended",
      changes: { suspended: [change(40, 60)] },
      found: ["unexpected"],
    },
    {
      name: "is wrong while the address is suppressed, an Up too",
      changes: { suppressed: [change(80)] },
      found: ["unexpected"],
    },
    {
      name: "is right where it had begun to leave by then",
      changes: {
        suspended: [change(50, 60)],
        suppressed: [change(90)],
        inactive: [change(50, 60)],
      },
      found: [],
    },
    {
      name: "is right where there was no time to stop it",
      changes: { suspended: [change(40, 60)] },
      around: { lost: [{ from: 40_000, to: 51_000 }] },
      found: [],
    },
    {
      name: "is wrong where a Down came while the check was off",
      changes: { inactive: [change(40, 60)] },
      found: ["unexpected"],
    },
    {
      name: "is right where it may have come before the check was off",
      changes: {
        receipts: [{ ...down, answer: "unsure" }, { ...down, at: 80_000 }, up],
        inactive: [change(60, 85)],
      },
      found: [],
    },
    {
      name: "is wrong where it was refused before the check was off",
      changes: {
        receipts: [{ ...down, answer: "refused" }, { ...down, at: 80_000 }, up],
        inactive: [change(60, 85)],
      },
      found: ["unexpected"],
    },
    {
      name: "is right where an Up came while the check was off",
      changes: { inactive: [change(80)] },
      found: [],
    },
    {
      name: "is wrong where the check went down while it was muted",
      changes: { muted: [change(40, 60)] },
      found: ["unexpected"],
    },
    {
      name: "is right where the check was muted after it went down, or when it came up",
      changes: { muted: [change(50.5, 60), change(80)] },
      found: [],
    },
  ];
  for (const { name, changes, around, found } of rows)
    test(name, () => {
      const findings = judgeReceipts({ ...story, ...changes }, { ...quiet, ...around });
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});

const observations: readonly Observation[] = Array.from({ length: 140 }, (_, second) => ({
  from: second * 1000,
  to: second * 1000 + 20,
  isUp: second < 51 || second > 91,
}));
const prompt: PromptStory = { ...story, observations, delayMs: 0, withinMs: 20_000 };

suite("an address that answers well", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes: Partial<PromptStory>;
    readonly around?: Partial<Surroundings>;
    readonly found: readonly string[];
  }[] = [
    { name: "was alerted of all that lasted", changes: {}, found: [] },
    {
      name: "was alerted in time",
      changes: { receipts: [{ ...down, at: 70_000 }, up] },
      found: [],
    },
    {
      name: "was alerted of what began while the state was asked for",
      changes: {
        observations: [...observations.slice(0, 50), { from: 50_000, to: 52_500, isUp: true }],
      },
      found: [],
    },
    {
      name: "was alerted too late",
      changes: { receipts: [{ ...down, at: 80_000 }, up] },
      found: ["undelivered"],
    },
    { name: "was not alerted of an outage", changes: { receipts: [] }, found: ["undelivered"] },
    {
      name: "was not alerted of its end",
      changes: { receipts: [down] },
      found: ["undelivered"],
    },
    {
      name: "was refused by itself",
      changes: { receipts: [{ ...down, answer: "refused" }] },
      found: ["undelivered"],
    },
    {
      name: "is alerted after its delay only",
      changes: { receipts: [], delayMs: 60_000 },
      found: [],
    },
    {
      name: "need not be alerted after its delay of what is acknowledged",
      changes: {
        receipts: [],
        observations: observations.map((one) => ({ ...one, isUp: false })),
        delayMs: 20_000,
        acknowledged: [change(10, 15)],
      },
      found: [],
    },
    {
      name: "is alerted at once of what is acknowledged later",
      changes: { receipts: [], acknowledged: [change(52, 60)] },
      found: ["undelivered"],
    },
    {
      name: "need not be alerted of what was muted",
      changes: { receipts: [], muted: [change(40, 60)] },
      found: [],
    },
    {
      name: "need not be alerted while the check is off, nor soon after",
      changes: { receipts: [], inactive: [change(55, 75)] },
      found: [],
    },
    {
      name: "is alerted once the check is on again",
      changes: { receipts: [], inactive: [change(52, 60)] },
      found: ["undelivered"],
    },
    {
      name: "need not be alerted while no heartbeat came since then",
      changes: { receipts: [], inactive: [change(52, 60)], runs: [51_000] },
      found: [],
    },
    {
      name: "is alerted once a heartbeat came",
      changes: { receipts: [], inactive: [change(52, 60)], runs: [51_000, 64_000] },
      found: ["undelivered"],
    },
    {
      name: "need not be alerted while nothing could be sent",
      changes: { receipts: [] },
      around: { lost: [{ from: 55_000, to: 85_000 }] },
      found: [],
    },
  ];
  for (const { name, changes, around, found } of rows)
    test(name, () => {
      const findings = judgePrompt({ ...prompt, ...changes }, { ...quiet, ...around });
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});

suite("at the end", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes: Partial<AddressStory>;
    readonly found: readonly string[];
  }[] = [
    { name: "the last that an address got is an Up", changes: {}, found: [] },
    {
      name: "one that was never alerted of an outage needs no end",
      changes: { receipts: [] },
      found: [],
    },
    { name: "an end is lost", changes: { receipts: [down] }, found: ["lost"] },
    {
      name: "an end is lost that another outage followed",
      changes: { receipts: [down, up, receipt(100, "Down", "b")] },
      found: ["lost"],
    },
    {
      name: "an end was refused",
      changes: { receipts: [down, { ...up, answer: "refused" }] },
      found: [],
    },
    {
      name: "an end was suppressed by the address itself",
      changes: { receipts: [down], suppressed: [change(60, 70)] },
      found: [],
    },
    {
      name: "an end is lost, and an earlier suppression does not excuse it",
      changes: { receipts: [down], suppressed: [change(10, 20)] },
      found: ["lost"],
    },
    {
      name: "an end is lost in a suspension",
      changes: { receipts: [down], suspended: [change(60, 70)] },
      found: ["lost"],
    },
  ];
  for (const { name, changes, found } of rows)
    test(name, () =>
      assert.deepEqual(
        judgeEnd({ ...story, ...changes }).map(({ kind }) => kind),
        found,
      ),
    );
});

suite("what is stored of an alert", () => {
  const row = (_id: string, status: Row["status"]): Row => ({
    _id,
    status,
    type: "down",
    reason: "",
    check: "check",
    account: "account",
    contact: "contact",
    flip: _id,
    isHook: true,
    tried: { from: 0, to: 0 },
  });
  const rows: readonly {
    readonly name: string;
    readonly rows: readonly Row[];
    readonly receipts?: readonly Receipt[];
    readonly following?: readonly Receipt[];
    readonly unsaved?: readonly Interval[];
    readonly found: readonly string[];
  }[] = [
    {
      name: "is what its receiver saw",
      rows: [row(down.id, "delivered"), row(up.id, "delivered"), row("x", "dropped")],
      found: [],
    },
    {
      name: "is lost where it waits for ever, or is held",
      rows: [row(down.id, "delivered"), row("x", "waiting"), row("y", "held")],
      found: ["lost", "lost"],
    },
    {
      name: "is lost where it was delivered to nobody",
      rows: [row("x", "delivered")],
      found: ["lost"],
    },
    {
      name: "is lost where it failed and nobody refused it",
      rows: [row("x", "failed"), row(down.id, "failed")],
      receipts: [{ ...down, answer: "refused" }],
      found: ["lost"],
    },
    {
      name: "is wrong where it was dropped and taken",
      rows: [row(down.id, "dropped")],
      found: ["unexpected"],
    },
    {
      name: "is right where it was taken from a process that saved nothing of it, and dropped by the next",
      rows: [row(down.id, "dropped")],
      unsaved: [{ from: down.at - 100, to: down.at + 100 }],
      found: [],
    },
    {
      name: "is wrong where it was taken once more before it was dropped",
      rows: [row(down.id, "dropped")],
      receipts: [down, { ...down, at: down.at + 5000 }],
      unsaved: [{ from: down.at - 100, to: down.at + 100 }],
      found: ["unexpected"],
    },
    {
      name: "is reordered where it came after a later one",
      rows: [row(up.id, "delivered"), row(down.id, "delivered")],
      found: ["reordered"],
    },
    {
      name: "may be dropped and taken where it is a reminder, and come after what was made later",
      rows: [
        row(down.id, "delivered"),
        { ...row("first", "delivered"), type: "reminder" },
        { ...row("second", "dropped"), type: "reminder" },
        { ...row("acknowledged", "delivered"), type: "acknowledged" },
        row(up.id, "delivered"),
      ],
      following: ["acknowledged", "first", "second"].map((id) => ({ ...down, id })),
      found: [],
    },
    {
      name: "is lost where a reminder was delivered to nobody",
      rows: [{ ...row("first", "delivered"), type: "reminder" }],
      found: ["lost"],
    },
  ];
  for (const { name, rows: stored, found, ...given } of rows)
    test(name, () => {
      const { receipts = story.receipts, following = [], unsaved } = given;
      const findings = judgeRows({ about: "", receipts, following }, stored, unsaved);
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});

suite("an acknowledged heartbeat", () => {
  const beats = [true, false, true].map((isPassing, index) => ({
    from: 100 * index,
    to: 100 * index + 10,
    isPassing,
    outcome: "stored" as const,
  }));
  const check = { id: "check", beats, target: undefined };
  const ordered = { hasOrder: true, ahead: [] };
  const unordered = { hasOrder: false, ahead: [] };

  test("is kept among others", () => {
    verifyKept(check, [true, true, false, true, false], ordered);
    verifyKept(check, [true, true, false], unordered);
  });

  test("is lost where no result is left of it, or in another order", () => {
    assert.throws(() => verifyKept(check, [true, true], ordered), /became/);
    assert.throws(() => verifyKept(check, [true, true], unordered), /became/);
    assert.throws(() => verifyKept(check, [false, true, true], ordered), /became/);
  });

  test("need not be shown yet where the clock was ahead", () => {
    const ahead = [{ from: 90, to: 120 }];
    verifyKept(check, [true, true], { ...unordered, ahead });
    assert.throws(() => verifyKept(check, [true], { ...unordered, ahead }), /became/);
  });
});
