import assert from "node:assert/strict";
import { test } from "node:test";

import { importHarness, shownCheck } from "./import-harness.ts";

export interface ImportCase {
  readonly title: string;
  readonly system: string;
  readonly files: Readonly<Record<string, object>>;
  /** Expected checks by label: the ID there, the result, and the notes. */
  readonly checks: Readonly<
    Record<string, readonly [from: string, becomes: object, ...notes: string[]]>
  >;
  readonly absent?: Readonly<Record<string, RegExp>>;
  /** Addresses of contacts by name. */
  readonly contacts?: Readonly<Record<string, readonly string[]>>;
  /** Delays in minutes by label. */
  readonly delays?: Readonly<Record<string, readonly number[]>>;
}

/** Imports into a running service, and compares what that then has with what is expected. */
export function testImport({
  title,
  system,
  files,
  checks,
  absent = {},
  contacts = {},
  delays = {},
}: ImportCase): void {
  test(`${title}: monitors and contacts come field by field, with a reason for what does not`, async () => {
    await using site = await importHarness(files);
    const planned = await site.plan(system);
    const found = await site.imported(system);
    for (const [label, [from, becomes, ...noted]] of Object.entries(checks)) {
      assert.deepEqual(shownCheck(found.checks[label]), becomes, label);
      assert.deepEqual(planned.notes[from]?.toSorted(), noted.toSorted(), label);
    }
    assert.deepEqual(Object.keys(found.checks).toSorted(), Object.keys(checks).toSorted());
    for (const [from, reason] of Object.entries(absent)) assert.match(planned.absent[from], reason);
    for (const [name, addresses] of Object.entries(contacts))
      assert.deepEqual(
        Object.values<{ address: string }>(found.contacts[name].addresses).map(
          ({ address }) => address,
        ),
        addresses,
      );
    for (const [label, minutes] of Object.entries(delays))
      assert.deepEqual(
        found.checks[label].notifications.flatMap((entry: object) =>
          Object.values<{ delay: number }>(Object.fromEntries(Object.entries(entry))).map(
            ({ delay }) => delay,
          ),
        ),
        minutes,
      );
  });
}
