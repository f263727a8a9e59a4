import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { exportAccount, importDocument } from "../../../test/command-line.ts";
import { configuration } from "../../../test/arbitrary-configuration.ts";
import type { Configuration } from "./document.ts";
import { planOf } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { newAccountConfiguration } from "./import-accounts.ts";

const options = { prune: true, isSubaccount: false };

function reversed(given: Configuration): Configuration {
  const turned = Object.entries(given).map(([name, section]) => [
    name,
    ["account", "branding"].includes(name)
      ? section
      : Object.fromEntries(Object.entries(section ?? {}).toReversed()),
  ]);
  return Object.fromEntries(turned);
}

const linesOf = ({ steps }: Plan): readonly string[] =>
  steps.map(({ change, kind, name, differences }) =>
    [change, kind, name, ...differences].join(" "),
  );

test("an account that is as the document says is left alone", () => {
  fc.assert(
    fc.property(configuration, (given) => {
      const { steps, warnings } = planOf(given, structuredClone(given), options);
      assert.ok(steps.every(({ change, calls }) => change === "same" && calls.length === 0));
      assert.deepEqual(warnings, []);
    }),
  );
});

test("the order of the records on either side does not matter", () => {
  fc.assert(
    fc.property(configuration, configuration, (wanted, current) => {
      const plan = linesOf(planOf(wanted, current, options)).toSorted();
      for (const [one, other] of [
        [reversed(wanted), current],
        [wanted, reversed(current)],
      ] as const)
        assert.deepEqual(linesOf(planOf(one, other, options)).toSorted(), plan);
    }),
  );
});

test("a record is made before anything refers to it, and deleted when nothing does any more", () => {
  fc.assert(
    fc.property(configuration, (given) => {
      const made = planOf(given, newAccountConfiguration(given), options).steps;
      const there = new Set<string>();
      for (const { id, calls, addresses = {} } of made) {
        const text = JSON.stringify(calls);
        const named = [...text.matchAll(/"(A-[CGPK]-?\d|AD\d\d)"/g)].map(([, each]) => each ?? "");
        assert.ok(named.every((each) => each === id || there.has(each)));
        for (const each of [id, ...Object.keys(addresses)]) there.add(each);
      }
      const gone = planOf(newAccountConfiguration(given), given, options).steps.filter(
        ({ change }) => change === "prune",
      );
      const ranks = [
        "maintenance",
        "check",
        "notification profile",
        "contact group",
        "contact",
        "schedule",
      ];
      const order = gone.map(({ kind }) => ranks.indexOf(kind));
      assert.deepEqual(
        order,
        order.toSorted((one, other) => one - other),
      );
    }),
  );
});

test("an import settles at once: a second one finds nothing to do, and there is one record for each of the document", async () => {
  await fc.assert(
    fc.asyncProperty(configuration, configuration, async (first, second) => {
      await using cast = await createApiFixture();
      const before = await exportAccount(cast, cast.carol);
      for (const { account, ...sections } of [first, second]) {
        const { defaultnotifications } = account;
        const document = {
          ...before,
          ...sections,
          account: { ...before.account, defaultnotifications },
          contacts: { ...before.contacts, ...sections.contacts },
          schedules: { ...before.schedules, ...sections.schedules },
        };
        const ran = await importDocument(cast, { who: cast.carol, document }, "--prune");
        assert.deepEqual([ran.code, ran.err], [0, ""]);
        const again = await importDocument(cast, { who: cast.carol, document }, "--prune");
        assert.match(again.out, /^nothing to do, all \d+ are unchanged\.$/m);
        const after = await exportAccount(cast, cast.carol);
        for (const section of [
          "contacts",
          "contactgroups",
          "checks",
          "schedules",
          "maintenance",
        ] as const)
          assert.equal(Object.keys(after[section]).length, Object.keys(document[section]).length);
      }
    }),
    { numRuns: 10 },
  );
});
