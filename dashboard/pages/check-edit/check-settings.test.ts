import assert from "node:assert/strict";
import { test } from "node:test";

import { noSettings, sentSettings } from "./check-settings.ts";
import { newRecipient, notificationsOf, recipientsOf } from "./recipients.ts";

test("of the settings only what changed is sent", () => {
  assert.deepEqual(sentSettings(noSettings, noSettings), {});
  const after = { ...noSettings, label: "Shop", locations: ["eur"], dep: "A-1", mute: true };
  assert.deepEqual(sentSettings(noSettings, after), {
    label: "Shop",
    runlocations: ["eur"],
    dep: "A-1",
    mute: true,
  });
  assert.deepEqual(sentSettings(after, { ...after, locations: [], dep: "", mute: false }), {
    runlocations: "",
    dep: false,
    mute: false,
  });
});

test("recipients are read in every notation, and what the form does not show is kept", () => {
  const wire = [
    { ann: "Days", bob: { schedule: "", delay: "5" } },
    { group: { schedule: "All", delay: 0, repeat: 30, repeatcount: 8 } },
  ];
  const recipients = recipientsOf(wire);
  assert.deepEqual(
    recipients.map(({ id, schedule, delay, repeat }) => [id, schedule, delay, repeat]),
    [
      ["ann", "Days", 0, ""],
      ["bob", "All", 5, ""],
      ["group", "All", 0, 30],
    ],
  );
  assert.deepEqual(notificationsOf(recipients, []), [
    { ann: { schedule: "Days", delay: 0 } },
    { bob: { schedule: "All", delay: 5 } },
    { group: { schedule: "All", delay: 0, repeat: 30, repeatcount: 8 } },
  ]);
});

test("where all recipients are gone each is removed by name, and a row without one is not sent", () => {
  const before = recipientsOf([{ ann: "All" }]);
  assert.deepEqual(notificationsOf([], before), [{ ann: "None" }]);
  assert.deepEqual(notificationsOf([newRecipient()], before), [{ ann: "None" }]);
});
