import assert from "node:assert/strict";
import { test } from "node:test";

import { sampleAlert } from "../../../test/sample-alert.ts";
import { unknownState } from "../../domain/check.ts";
import type { Acknowledgement } from "../../domain/alert/acknowledgement.ts";
import type { EarlierAlert } from "../../domain/alert/alert.ts";
import { findUnacknowledged } from "./escalation.ts";
import type { DeliverableAlert } from "./suppressions.ts";

const down: EarlierAlert = {
  id: "down",
  contactId: "ben",
  addressId: "ben",
  schedules: ["All"],
  status: "delivered",
  reason: undefined,
  possiblySent: false,
  dueAt: 0,
  judged: true,
  unreached: false,
};
const { createdAt, ...alert } = sampleAlert("down", { outage: "outage" });
const delayed = { alert: { ...alert, createdAt, dueAt: createdAt + 60_000 } };

const bob: Acknowledgement = { at: createdAt + 60_000, by: "Bob", note: "" };

for (const { name, acknowledgement, others } of [
  { name: "nobody has acknowledged", acknowledgement: undefined, others: 1 },
  {
    name: "somebody acknowledged once the delay was over",
    acknowledgement: bob,
    others: undefined,
  },
])
  test(`a delayed Down of an outage that ${name} says ${others === undefined ? "nothing of" : "how many were alerted"} before`, async () => {
    const { kept } = await findUnacknowledged(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stage looks at no more of it
      [delayed as DeliverableAlert],
      {
        alerts: { listByOutage: () => Promise.resolve([down]) },
        states: { get: () => Promise.resolve({ ...unknownState, acknowledgement }) },
      },
    );
    assert.deepEqual(
      kept.map(({ unacknowledgedBy }) => unacknowledgedBy),
      [others],
    );
  });
