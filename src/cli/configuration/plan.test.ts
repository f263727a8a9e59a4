import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine } from "../../../test/command-line.ts";
import { applyDocument } from "../../../test/configuration/configuration-files.ts";
import { configuration } from "../../../test/arbitrary-configuration.ts";
import { declaredForm } from "./export/export-account.ts";
import { exportKeys } from "./export/export-keys.ts";
import { nothingManaged } from "./managed.ts";
import { createSecretValues } from "./export/secret-values.ts";
import type { Configuration } from "./document.ts";
import { planOf, type Plan } from "./plan.ts";
import { newAccountConfiguration } from "./new-account.ts";

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

test("any configuration is applied at once, becomes another account as it was exported, and then there is nothing to do", async () => {
  await fc.assert(
    fc.asyncProperty(configuration, async (given) => {
      await using cast = await createApiFixture();
      const keys = exportKeys(given, nothingManaged);
      const secrets = createSecretValues({ isClear: true });
      const { account: _, ...written } = declaredForm(given, {
        keys,
        secrets,
        isSubaccount: false,
      });
      let document: object = written;
      const exports: object[] = [];
      for (const who of [cast.carol, cast.alice]) {
        const ran = await applyDocument(cast, { who, document });
        assert.deepEqual([ran.code, ran.err], [0, ""]);
        const again = await applyDocument(cast, { who, document });
        assert.match(again.out, /^No changes\. /m);
        const { out } = await commandLine(cast, who.token)("export --secrets --format json");
        const { account: __, ...exported } = JSON.parse(out);
        // The owner existed before and is not part of the configuration.
        delete exported.contacts[who.account.name];
        exports.push(exported);
        document = exported;
      }
      assert.deepEqual(exports[1], exports[0]);
    }),
    { numRuns: 10 },
  );
});
