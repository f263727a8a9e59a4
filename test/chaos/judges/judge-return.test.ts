import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Receipt } from "./judge-alerts.ts";
import { judgeReturn } from "./judge-return.ts";

const receipt = (check: string, what: "Down" | "Up" | "missed", at: number, id = ""): Receipt => ({
  at,
  id: `${what} of ${check}${id}`,
  check,
  isUp: what !== "Down",
  isMissed: what === "missed",
  outage: `${check}-1`,
  result: `${check} ${what}`,
  answer: "taken",
});

const absence = { passing: "a", lasting: "b", returnedAt: 1000 };
const missed = receipt("a", "missed", 1200);
const down = receipt("b", "Down", 1300);

suite("a receiver that returns", () => {
  const rows: readonly {
    readonly name: string;
    readonly receipts: readonly Receipt[];
    readonly found: readonly string[];
  }[] = [
    {
      name: "is told of what came and went, and of what lasts",
      receipts: [missed, down],
      found: [],
    },
    {
      name: "may be sent the same message again",
      receipts: [missed, down, { ...missed, at: 1900 }],
      found: [],
    },
    {
      name: "has to be told of what came and went",
      receipts: [down, receipt("a", "Up", 1200)],
      found: ["undelivered a"],
    },
    {
      name: "has to be told after its return",
      receipts: [receipt("a", "missed", 900), receipt("b", "Down", 900)],
      found: ["undelivered a", "undelivered b"],
    },
    {
      name: "is told once",
      receipts: [missed, down, receipt("a", "missed", 1400, " again")],
      found: ["doubled a"],
    },
    {
      name: "is not alerted of what is over",
      receipts: [receipt("a", "Down", 1100), missed, down],
      found: ["unexpected a"],
    },
    { name: "has to be told of what lasts", receipts: [missed], found: ["undelivered b"] },
  ];
  for (const { name, receipts, found } of rows)
    test(name, () => {
      const findings = judgeReturn(receipts, absence);
      assert.deepEqual(
        findings.map(({ kind, about }) => `${kind} ${about}`),
        found,
      );
    });
});
