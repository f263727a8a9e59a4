import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { verifyMessages, verifyAlerts, type AlertRow, type AlertHistory } from "./verify-alerts.ts";

const row = (id: string, type: AlertRow["type"], changes: Partial<AlertRow> = {}): AlertRow => ({
  _id: id,
  type,
  status: "delivered",
  ...changes,
});
/** Up at first, down, and up again: all of it was alerted. */
const delivered: AlertHistory = {
  name: "",
  results: [true, true, false, false, true],
  alerts: [row("f", "first"), row("d", "down"), row("u", "up")],
  received: ["f", "other", "d", "d", "u"],
  refused: new Set(),
  unsure: new Set(),
};

test("what was alerted as it happened is counted", () => {
  assert.deepEqual(verifyAlerts(delivered), {
    flips: 3,
    delivered: 3,
    duplicates: 1,
    cancelled: 0,
    failed: 0,
  });
});

const [first, down, up] = delivered.alerts;
assert.ok(first && down && up);

suite("a history is accepted where", () => {
  const rows: readonly { readonly name: string; readonly changes: Partial<AlertHistory> }[] = [
    {
      name: "an outage was over before its alert could be sent",
      changes: {
        alerts: [
          first,
          row("d", "down", { status: "dropped", reason: "recovered" }),
          row("u", "up", { status: "dropped", reason: "down_not_sent" }),
        ],
        received: ["f"],
      },
    },
    {
      name: "an outage is told of once it is over, for its down could not be delivered",
      changes: {
        alerts: [
          first,
          row("d", "down", { status: "dropped", reason: "recovered" }),
          row("u", "up", { isMissed: true }),
        ],
        received: ["f", "u"],
      },
    },
    {
      name: "a down was refused for good, and no up follows",
      changes: {
        alerts: [first, row("d", "down", { status: "failed" })],
        received: ["f"],
        refused: new Set(["d"]),
      },
    },
    {
      name: "a down was refused for good after it may have been received, and its up follows",
      changes: {
        alerts: [first, row("d", "down", { status: "failed" }), up],
        received: ["f", "u"],
        refused: new Set(["d"]),
        unsure: new Set(["d"]),
      },
    },
    {
      name: "a first result that failed was the down of its outage",
      changes: { results: [false, true], alerts: [first, up], received: ["f", "u"] },
    },
  ];
  for (const { name, changes } of rows)
    test(name, () => assert.doesNotThrow(() => verifyAlerts({ ...delivered, ...changes })));
});

suite("a history is rejected where", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes: Partial<AlertHistory>;
    readonly why: RegExp;
  }[] = [
    { name: "a down is missing", changes: { alerts: [first, up] }, why: /no alert of kind down/ },
    { name: "an up is missing", changes: { alerts: [first, down] }, why: /an up is missing/ },
    {
      name: "an up came without its down",
      changes: {
        alerts: [first, row("d", "down", { status: "dropped", reason: "recovered" }), up],
        received: ["f", "u"],
      },
      why: /an up without its down/,
    },
    {
      name: "a flip was alerted under two ids",
      changes: { alerts: [first, down, row("e", "down"), up], received: ["f", "d", "e", "u"] },
      why: /an up is missing|no alert of kind up/,
    },
    {
      name: "an alert was sent for no flip",
      changes: { alerts: [...delivered.alerts, row("x", "down")] },
      why: /alerts of no flip/,
    },
    {
      name: "a delivered alert was received by nobody",
      changes: { received: ["f", "u"] },
      why: /d was delivered, and nobody took it/,
    },
    {
      name: "an up overtook its down",
      changes: { received: ["f", "u", "d"] },
      why: /sent in another order/,
    },
    {
      name: "an alert still waits",
      changes: {
        alerts: [first, down, row("u", "up", { status: "waiting" })],
        received: ["f", "d"],
      },
      why: /u still waits/,
    },
    {
      name: "an alert failed that nobody refused",
      changes: { alerts: [first, row("d", "down", { status: "failed" })], received: ["f"] },
      why: /d failed, and nobody refused it/,
    },
    {
      name: "an alert was dropped for another reason",
      changes: {
        alerts: [
          first,
          row("d", "down", { status: "dropped", reason: "check_muted" }),
          row("u", "up", { status: "dropped", reason: "down_not_sent" }),
        ],
        received: ["f"],
      },
      why: /d was dropped: check_muted/,
    },
    {
      name: "a down that was delivered is said to be missed",
      changes: { alerts: [first, down, row("u", "up", { isMissed: true })] },
      why: /a down that was delivered is said to be missed/,
    },
    {
      name: "a dropped alert was received",
      changes: {
        alerts: [
          first,
          row("d", "down", { status: "dropped", reason: "recovered" }),
          row("u", "up", { status: "dropped", reason: "down_not_sent" }),
        ],
        received: ["f", "d"],
      },
      why: /d was dropped, and somebody took it/,
    },
  ];
  for (const { name, changes, why } of rows)
    test(name, () => assert.throws(() => verifyAlerts({ ...delivered, ...changes }), why));
});

const memoize = { mayForget: false };

test("what a killed process could not remember comes again with others, but only what came on its own", () => {
  const alone = { id: "one", alerts: ["a"] };
  const joint = { id: "two", alerts: ["a", "b"] };
  assert.throws(() => verifyMessages([alone, joint], memoize));
  assert.deepEqual(verifyMessages([alone, joint], { mayForget: true }), { joint: 1 });
  const other = { id: "three", alerts: ["b", "c"] };
  assert.throws(() => verifyMessages([joint, other], { mayForget: true }));
});

test("messages that come again unchanged are fine, and those with several alerts are counted", () => {
  const one = { id: "one", alerts: ["a", "b"] };
  assert.deepEqual(verifyMessages([one, { id: "two", alerts: ["c"] }, one], memoize), {
    joint: 1,
  });
});

for (const [what, other] of [
  ["a message that comes again with other alerts", { id: "one", alerts: ["a"] }],
  ["an alert that comes in another message", { id: "two", alerts: ["b", "c"] }],
] as const) {
  test(`${what} is found`, () => {
    assert.throws(() => verifyMessages([{ id: "one", alerts: ["a", "b"] }, other], memoize));
  });
}
