import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Ajv } from "ajv";
import { parse } from "yaml";

import { configurationSchema } from "../../../scripts/configuration-schema.ts";
import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine } from "../../../test/command-line.ts";
import { faultsOf } from "../../../test/configuration/faults-of.ts";
import { seedAccount } from "../../../test/stores/seed-account.ts";
import { checkTypes } from "../../checks/registry.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../../docs/configuration.schema.json", import.meta.url), "utf8"),
);
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

test("the schema for editors is that of this version: npm run schema writes it", () => {
  assert.deepEqual(schema, configurationSchema());
});

test("an export is as the schema says, with secrets and without", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const run = commandLine(cast, cast.alice.token);
  for (const line of ["export --subaccounts", "export --secrets"])
    assert.ok(validate(parse((await run(line)).out)), JSON.stringify(validate.errors));
});

test("the example of every check type is taken by the schema and by the parser", () => {
  for (const { type, example, target } of checkTypes) {
    const checks = { one: { type, ...(target === "none" ? {} : { target: "" }), ...example } };
    const text = JSON.stringify({ checks });
    assert.deepEqual(faultsOf([text]), [], type);
    assert.ok(validate(JSON.parse(text)), `${type} ${JSON.stringify(validate.errors)}`);
  }
});

/** Each with whether it is right. */
const table: readonly (readonly [text: string, isRight: boolean])[] = [
  ["x-a: [1]\nchecks:", true],
  ["configuration: shop\nchecks: { a: { type: push } }", true],
  ["checks: { a: { type: PUSH, label: '${env:SET}' } }", true],
  ["checks: { a: { type: PUSH, notifications: [a, b: All, c: { delay: 5 }] } }", true],
  [
    "contacts: { a: { addresses: [{ service: ntfy, settings: { server: 'https://ntfy.sh', topic: ops } }] } }",
    true,
  ],
  [
    "contacts: { a: { addresses: [a@example.com, { type: sms, address: '+491701234567' }] } }",
    true,
  ],
  ["schedules: { A: { monday: { time1: 8:00, time2: 9:00 }, sunday: { allday: true } } }", true],
  ["statuspages: { a: { sections: [{ name: A, checks: [b, { check: c, name: C }] }] } }", true],
  ["subaccounts: { a: { checks: { a: { type: PUSH } } } }", true],
  ["check: {}", false],
  ["checks: []", false],
  ["checks: { a: { label: A } }", false],
  ["checks: { a: { type: PUSHED } }", false],
  ["checks: { a: { type: PUSH, intervall: 5 } }", false],
  ["checks: { a: { type: PUSH, interval: often } }", false],
  ["contacts: { a: { custrole: king } }", false],
  ["schedules: { A: { someday: {} } }", false],
  ["account: { zone: GMT }", false],
  ["subaccounts: { a: { subaccounts: {} } }", false],
];

for (const [text, isRight] of table)
  test(`${text} is ${isRight ? "taken" : "refused"} by the schema as by the parser`, () => {
    assert.equal(validate(parse(text)), isRight, JSON.stringify(validate.errors));
    assert.equal(faultsOf([text]).length === 0, isRight);
  });
