import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { AddressStory, PromptStory, Receipt } from "./judge-alerts.ts";
import { judgeAcknowledged, judgeFollowing, judgeReminded } from "./judge-following.ts";
import type { Surroundings } from "./judge-states.ts";
import type { Change } from "./timeline.ts";

const quiet: Surroundings = { lost: [], interruptions: [], blurred: [] };

const receipt = (second: number, id: string, more: Partial<Receipt> = {}): Receipt => ({
  at: second * 1000,
  id,
  check: "check",
  isUp: false,
  outage: "a",
  result: "a",
  answer: "taken",
  ...more,
});
const change = (from: number, to?: number): Change => ({
  what: "changed",
  begun: { from: from * 1000, to: from * 1000 + 100 },
  ...(to !== undefined && { ended: { from: to * 1000, to: to * 1000 + 100 } }),
});

const down = receipt(10, "down");
const first = receipt(70, "first", { reminder: 1 });
const second = receipt(130, "second", { reminder: 2 });
const acknowledgement = receipt(80, "seen to", { isAcknowledgement: true });
const up = receipt(200, "up", { isUp: true });

const story: AddressStory = {
  about: "check at address",
  receipts: [down, up],
  following: [first, second],
  suspended: [],
  suppressed: [],
  muted: [],
  inactive: [],
  acknowledged: [],
  truths: [],
};

interface Row {
  readonly name: string;
  readonly changes?: Partial<PromptStory>;
  readonly around?: Partial<Surroundings>;
  readonly found: readonly string[];
}

suite("what follows a Down", () => {
  const rows: readonly (Row & { readonly isReminded?: boolean })[] = [
    { name: "is right where it reminds of an outage that goes on", found: [] },
    {
      name: "is wrong where the address does not want it",
      isReminded: false,
      found: ["unexpected", "unexpected"],
    },
    {
      name: "is right everywhere where it is an acknowledgement",
      changes: { following: [acknowledgement] },
      isReminded: false,
      found: [],
    },
    {
      name: "is wrong without a Down",
      changes: { receipts: [up] },
      found: ["unexpected", "unexpected"],
    },
    {
      name: "is wrong where the Down was of another outage",
      changes: { receipts: [{ ...down, outage: "b" }], following: [first] },
      found: ["unexpected"],
    },
    {
      name: "is reordered after the Up",
      changes: { receipts: [down, { ...up, at: 100_000 }], following: [first, second] },
      found: ["reordered"],
    },
    {
      name: "is right where it came twice under its id",
      changes: { following: [first, { ...first, at: 75_000 }] },
      found: [],
    },
    {
      name: "is doubled under two ids",
      changes: { following: [first, { ...first, id: "other" }] },
      found: ["doubled"],
    },
    {
      name: "is wrong while the check is off",
      changes: { inactive: [change(50, 90)] },
      found: ["unexpected"],
    },
    {
      name: "is right where it may have come before that",
      changes: {
        following: [
          { ...first, answer: "unsure" },
          { ...first, at: 85_000 },
        ],
        inactive: [change(75, 90)],
      },
      found: [],
    },
    {
      name: "is wrong while the account is suspended",
      changes: { suspended: [change(50, 90)] },
      found: ["unexpected"],
    },
    {
      name: "is wrong while it is acknowledged",
      changes: { acknowledged: [change(50, 90)] },
      found: ["unexpected"],
    },
    {
      name: "is right where it had begun to leave by then",
      changes: { acknowledged: [change(69, 90)] },
      found: [],
    },
    {
      name: "is right where the outage before was acknowledged",
      changes: { acknowledged: [change(5, 150)] },
      found: [],
    },
    {
      name: "is right where it is unknown whether it is acknowledged",
      changes: { acknowledged: [{ ...change(50, 90), begun: { from: 50_000, to: Infinity } }] },
      found: [],
    },
  ];
  for (const { name, changes, around, isReminded = true, found } of rows)
    test(name, () => {
      const findings = judgeFollowing(
        { ...story, ...changes, isReminded },
        { ...quiet, ...around },
      );
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});

const prompt: PromptStory = {
  ...story,
  observations: Array.from({ length: 220 }, (_, index) => ({
    from: index * 1000,
    to: index * 1000 + 20,
    isUp: index < 10 || index >= 200,
  })),
  delayMs: 0,
  withinMs: 20_000,
};

suite("an address that is to be reminded every minute", () => {
  const rows: readonly Row[] = [
    { name: "was reminded", found: [] },
    {
      name: "was reminded in time",
      changes: {
        following: [
          { ...first, at: 85_000 },
          { ...second, at: 150_000 },
        ],
      },
      found: [],
    },
    {
      name: "was reminded too late",
      changes: { following: [{ ...first, at: 95_000 }, second] },
      found: ["undelivered"],
    },
    { name: "was never reminded", changes: { following: [] }, found: ["undelivered"] },
    { name: "was reminded once", changes: { following: [first] }, found: ["undelivered"] },
    {
      name: "was reminded by one that it refused",
      changes: { following: [{ ...first, answer: "refused" }, second] },
      found: ["undelivered"],
    },
    {
      name: "need not be where it got no Down",
      changes: { receipts: [], following: [] },
      found: [],
    },
    {
      name: "need not be after the Up",
      changes: { receipts: [down, { ...up, at: 15_000 }], following: [] },
      found: [],
    },
    {
      name: "need not be while it is acknowledged, nor soon after",
      changes: { following: [], acknowledged: [change(60, 130)] },
      found: [],
    },
    {
      name: "is to be once the acknowledgement is withdrawn",
      changes: { following: [], acknowledged: [change(20, 100)] },
      found: ["undelivered"],
    },
    {
      name: "need not be while it is muted",
      changes: { following: [], muted: [change(60, 130)] },
      found: [],
    },
    {
      name: "need not be while no heartbeat came since a pause",
      changes: { following: [], inactive: [change(20, 30)], runs: [5000] },
      found: [],
    },
    {
      name: "is to be once one came",
      changes: { following: [], inactive: [change(20, 30)], runs: [5000, 35_000] },
      found: ["undelivered"],
    },
    {
      name: "need not be while nothing could be sent",
      changes: { following: [] },
      around: { lost: [{ from: 40_000, to: 190_000 }] },
      found: [],
    },
  ];
  for (const { name, changes, around, found } of rows)
    test(name, () => {
      const findings = judgeReminded(
        { ...prompt, ...changes, everyMs: 60_000 },
        { ...quiet, ...around },
      );
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});

suite("an address that was alerted of an outage", () => {
  const acknowledged = [change(79, 120)];
  const rows: readonly Row[] = [
    {
      name: "was notified that it is acknowledged",
      changes: { following: [acknowledgement] },
      found: [],
    },
    { name: "was not notified of that", changes: {}, found: ["undelivered"] },
    {
      name: "was notified of an earlier acknowledgement only",
      changes: { following: [{ ...acknowledgement, at: 60_000 }] },
      found: ["undelivered"],
    },
    {
      name: "need not be notified where it was acknowledged for a moment",
      changes: { acknowledged: [change(79, 90)] },
      found: [],
    },
    { name: "need not be notified where it got no Down", changes: { receipts: [] }, found: [] },
    {
      name: "need not be notified where the outage was over",
      changes: { acknowledged: [change(205)] },
      found: [],
    },
    {
      name: "need not be notified while the check is muted",
      changes: { muted: [change(60, 90)] },
      found: [],
    },
    {
      name: "need not be notified where it is unknown whether it is acknowledged",
      changes: { acknowledged: [{ ...change(79), begun: { from: 79_000, to: Infinity } }] },
      found: [],
    },
    {
      name: "need not be notified while nothing could be sent",
      around: { lost: [{ from: 79_000, to: 110_000 }] },
      found: [],
    },
  ];
  for (const { name, changes, around, found } of rows)
    test(name, () => {
      const findings = judgeAcknowledged(
        { ...prompt, following: [], acknowledged, ...changes },
        { ...quiet, ...around },
      );
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});
