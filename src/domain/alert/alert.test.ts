import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  alertKinds,
  alertStatuses,
  newAlertsFor,
  dropReasons,
  messageKindFor,
  alertsOnRecovery,
  isNotified,
  isWorded,
  type AlertInMessage,
  type AlertKind,
  type EarlierAlert,
} from "./alert.ts";
import { maxRetryMs, retryDelay } from "./retry.ts";
import { noSuppressions, type Suppressions } from "../contact/contact.ts";
import type { Recipient } from "../contact/recipients.ts";

const AT = 1_000_000;
const MINUTE_MS = 60_000;

const recipient: fc.Arbitrary<Recipient> = fc.record({
  contactId: fc.constantFrom("c1", "c2", "c3"),
  addressId: fc.constantFrom("a1", "a2"),
  schedule: fc.constantFrom("All", "Days", "Nights"),
  delayMinutes: fc.nat({ max: 30 }),
});

function keyOf({
  contactId,
  addressId,
}: {
  readonly contactId: string;
  readonly addressId: string;
}): string {
  return `${contactId} ${addressId}`;
}

test("a recipient gets one alert of a flip, due after the delay and under the schedule of its own", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("down" as const, "first" as const),
      fc.array(recipient),
      (kind, recipients) => {
        assert.deepEqual(
          newAlertsFor(kind, recipients, AT),
          recipients.map(({ delayMinutes, schedule, ...rest }) => ({
            ...rest,
            kind,
            schedules: [schedule],
            dueAt: AT + delayMinutes * MINUTE_MS,
          })),
        );
      },
    ),
  );
});

const earlierAlert: fc.Arbitrary<Omit<EarlierAlert, "id" | "addressId">> = fc.record({
  contactId: fc.constantFrom("c1", "c2"),
  schedules: fc.constantFrom(["All"], ["Days", "Nights"]),
  status: fc.constantFrom(...alertStatuses),
  reason: fc.option(fc.constantFrom(...dropReasons), { nil: undefined }),
  possiblySent: fc.boolean(),
  dueAt: fc.constant(AT),
  judged: fc.boolean(),
  unreached: fc.boolean(),
});
const outage = fc.array(earlierAlert, { maxLength: 6 }).map((alerts) =>
  alerts.map((alert, index): EarlierAlert => ({
    ...alert,
    id: `id${index}`,
    addressId: `a${index}`,
  })),
);

test("a recovery puts an Up in line for exactly those who know of the outage, may turn out to, could not be told, or wanted only its end", () => {
  fc.assert(
    fc.property(outage, (earlier) => {
      const { notify } = alertsOnRecovery(earlier, AT);
      const knowing = earlier.filter(
        ({ status, reason, possiblySent, unreached }) =>
          status === "delivered" ||
          status === "waiting" ||
          status === "held" ||
          possiblySent ||
          (status === "dropped" && reason === "suppressed_down") ||
          (unreached && (status === "failed" || (status === "dropped" && reason === "recovered"))),
      );
      assert.deepEqual(notify.map(keyOf), knowing.map(keyOf));
      assert.ok(notify.every(({ kind, dueAt }) => kind === "up" && dueAt === AT));
    }),
  );
});

test("a recovery cancels exactly what is held or has not begun to leave", () => {
  fc.assert(
    fc.property(outage, (earlier) => {
      const { cancel } = alertsOnRecovery(earlier, AT);
      const unsent = earlier.filter(
        ({ status, possiblySent }) => status === "held" || (status === "waiting" && !possiblySent),
      );
      assert.deepEqual(
        cancel,
        unsent.map(({ id }) => id),
      );
    }),
  );
});

for (const { status, reason, possiblySent, notified } of [
  { status: "delivered", reason: undefined, possiblySent: true, notified: true },
  { status: "delivered", reason: undefined, possiblySent: false, notified: true },
  { status: "failed", reason: "no answer", possiblySent: true, notified: true },
  { status: "failed", reason: "550 no such user", possiblySent: false, notified: false },
  { status: "waiting", reason: undefined, possiblySent: true, notified: true },
  { status: "waiting", reason: undefined, possiblySent: false, notified: false },
  { status: "dropped", reason: "suppressed_down", possiblySent: false, notified: true },
  { status: "dropped", reason: "outside_window", possiblySent: false, notified: false },
  { status: "dropped", reason: "address_suppressed", possiblySent: false, notified: false },
  { status: "dropped", reason: "address_muted", possiblySent: false, notified: false },
  { status: "dropped", reason: "recovered", possiblySent: false, notified: false },
] as const) {
  test(`a Down that is ${status} (${reason ?? "no reason"}, may have left: ${possiblySent}) counts as ${notified ? "notified" : "not notified"}`, () => {
    assert.equal(isNotified({ status, reason, possiblySent }), notified);
  });
}

const suppressions: fc.Arbitrary<Suppressions> = fc.record({
  up: fc.boolean(),
  down: fc.boolean(),
  first: fc.boolean(),
  all: fc.boolean(),
  diagnostics: fc.boolean(),
});
const states = ["passing", "failing"] as const;

for (const { kind, state, suppress, verdict } of [
  { kind: "down", state: "failing", suppress: {}, verdict: { kind: "down" } },
  {
    kind: "down",
    state: "failing",
    suppress: { down: true },
    verdict: { dropped: "suppressed_down" },
  },
  {
    kind: "down",
    state: "failing",
    suppress: { up: true, first: true },
    verdict: { kind: "down" },
  },
  { kind: "up", state: "passing", suppress: { up: true }, verdict: { dropped: "suppressed_up" } },
  { kind: "up", state: "passing", suppress: { down: true }, verdict: { kind: "up" } },
  {
    kind: "first",
    state: "passing",
    suppress: { first: true },
    verdict: { dropped: "suppressed_first" },
  },
  { kind: "first", state: "failing", suppress: { first: true }, verdict: { kind: "down" } },
  {
    kind: "first",
    state: "failing",
    suppress: { first: true, down: true },
    verdict: { dropped: "suppressed_down" },
  },
  { kind: "first", state: "failing", suppress: { down: true }, verdict: { kind: "first" } },
  {
    kind: "missed",
    state: "passing",
    suppress: { up: true },
    verdict: { kind: "missed" },
  },
  { kind: "missed", state: "passing", suppress: { down: true }, verdict: { kind: "up" } },
  {
    kind: "missed",
    state: "passing",
    suppress: { down: true, up: true },
    verdict: { dropped: "suppressed_up" },
  },
  {
    kind: "down",
    state: "failing",
    suppress: { all: true },
    verdict: { dropped: "address_suppressed" },
  },
] as const) {
  test(`${kind} of a ${state} check to an address that suppresses ${JSON.stringify(suppress)} gives ${JSON.stringify(verdict)}`, () => {
    assert.deepEqual(
      messageKindFor({ kind, notice: { state } }, { ...noSuppressions, ...suppress }),
      verdict,
    );
  });
}

function suppressedAs(kind: AlertKind): "up" | "down" | "first" {
  if (kind === "reminder" || kind === "missed") return "down";
  return kind === "acknowledged" ? "up" : kind;
}

test("nothing goes out under a kind that its address suppresses", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...alertKinds),
      fc.constantFrom(...states),
      suppressions,
      (kind, state, suppress) => {
        const verdict = messageKindFor({ kind, notice: { state } }, suppress);
        if ("kind" in verdict)
          assert.equal(suppress.all || suppress[suppressedAs(verdict.kind)], false);
      },
    ),
  );
});

test("retries wait ever longer, never less than half of their step, and fit often into six hours", () => {
  const steps = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900].map((seconds) => seconds * 1000);
  for (const [index, step] of steps.entries()) {
    assert.equal(retryDelay(index + 1, 0), step / 2);
    assert.equal(retryDelay(index + 1, 1), step);
  }
  assert.equal(retryDelay(1000, 1), 15 * MINUTE_MS);
  assert.ok(maxRetryMs / retryDelay(1000, 1) >= 24);
});

const wordings: readonly (Partial<AlertInMessage> & {
  readonly name: string;
  readonly attempts: number;
  readonly worded: boolean;
})[] = [
  { name: "one that waits for its delay", attempts: 0, worded: false },
  { name: "one that waits for a retry", attempts: 1, worded: true },
  { name: "one that was delivered", attempts: 1, status: "delivered", worded: true },
  { name: "one that may have arrived", attempts: 1, possiblySent: true, worded: true },
  { name: "one that was refused", attempts: 1, status: "failed", worded: false },
];

for (const { name, worded, ...changes } of wordings)
  test(`what is said is ${worded ? "" : "not "}fixed of ${name}`, () => {
    const alert: AlertInMessage = {
      id: "alert",
      contactId: "ann",
      addressId: "mail",
      schedules: ["All"],
      status: "waiting",
      reason: undefined,
      possiblySent: false,
      dueAt: AT,
      judged: false,
      unreached: false,
      message: "alert",
      attempts: 0,
    };
    assert.equal(isWorded({ ...alert, ...changes }), worded);
  });
