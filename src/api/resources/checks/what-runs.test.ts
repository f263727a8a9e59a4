import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";
import { fieldKinds, mapFlags } from "../../../domain/check.ts";
import { flagNames, type flagFields } from "./flags.ts";
import type { checkFields } from "./input.ts";

/** For each parameter of all checks a change of it, and the field of the check that it is. */
const changes: Readonly<
  Record<
    Exclude<keyof typeof checkFields, keyof typeof flagFields>,
    { readonly field: keyof typeof fieldKinds; readonly sent: Readonly<Record<string, unknown>> }
  >
> = {
  type: { field: "type", sent: { type: "PING", target: "example.com" } },
  label: { field: "label", sent: { label: "new" } },
  interval: { field: "intervalMinutes", sent: { interval: 5 } },
  enabled: { field: "enabled", sent: { enabled: false } },
  enable: { field: "enabled", sent: { enable: false } },
  runlocations: { field: "regions", sent: { runlocations: ["fra"] } },
  threshold: { field: "timeoutSeconds", sent: { threshold: 7 } },
  sens: { field: "rechecks", sent: { sens: 5 } },
  recheckwait: { field: "recheckWait", sent: { recheckwait: 7 } },
  notifications: { field: "notifications", sent: {} },
  dep: { field: "dependsOn", sent: {} },
  mute: { field: "mute", sent: { mute: true } },
  tags: { field: "tags", sent: { tags: ["new"] } },
  description: { field: "description", sent: { description: "new" } },
  homeloc: { field: "home", sent: { homeloc: "fra" } },
};

const flagChanges = Object.values(
  mapFlags(
    (flag) => [flagNames[flag], { field: flag, sent: { [flagNames[flag]]: true } }] as const,
  ),
);

for (const [name, { field, sent }] of [...Object.entries(changes), ...flagChanges]) {
  const isStored = fieldKinds[field] === "stored";
  test(`a change of ${name} ${isStored ? "runs nothing" : "restarts the check"}`, async () => {
    await using cast = await createApiFixture();
    const { alice } = cast;
    const target = { type: "HTTP", target: "http://example.com/" };
    const other = await cast.ask(alice, "POST /checks", target);
    const { body } = await cast.ask(alice, "POST /checks", { ...target, enabled: true });
    const references: Readonly<Record<string, unknown>> = {
      notifications: [{ [alice.contact.id]: "All" }],
      dep: other.body._id,
    };
    const input = name in references ? { [name]: references[name] } : sent;
    const read = async () => (await cast.store.checks.find(alice.account.id, body._id))?.check;
    const before = await read();
    cast.clock.step(1000);
    const { status } = await cast.ask(alice, `PUT /checks/${body._id}`, input);
    assert.equal(status, 200);
    const after = await read();
    assert.ok(before && after);
    assert.notDeepEqual(after[field], before[field]);
    assert.equal(after.revision, before.revision + 1);
    assert.deepEqual(
      [after.runRevision, after.runChangedAt],
      isStored
        ? [before.runRevision, before.runChangedAt]
        : [before.runRevision + 1, after.modifiedAt],
    );
  });
}

test("a change of the target restarts the check", async () => {
  await using cast = await createApiFixture();
  const created = { type: "HTTP", target: "http://example.com/", enabled: true };
  const { body } = await cast.ask(cast.alice, "POST /checks", created);
  for (const [target, runRevision] of [
    ["http://example.com/", 1],
    ["http://example.com/other", 2],
  ] as const) {
    await cast.ask(cast.alice, `PUT /checks/${body._id}`, { target });
    const found = await cast.store.checks.findById(body._id);
    assert.equal(found?.check.runRevision, runRevision);
  }
});
