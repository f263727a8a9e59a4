import assert from "node:assert/strict";
import { test } from "node:test";

import { readConfig } from "./config.ts";

const database = { WATCHPOST_DATABASE_URL: "postgres://u:p@db.example.com/watchpost" };
const nats = { WATCHPOST_NATS_URL: "nats://nats.example.com" };
const url = { WATCHPOST_URL: "https://watch.example.com" };

type Given = Readonly<Record<string, string>>;

function problemOf(given: Given): string | undefined {
  try {
    readConfig({ WATCHPOST_FILE: "/dev/null", ...given });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

test("a process has all roles unless it is given some of them, in any order", () => {
  const rolesOf = (given: Given): readonly string[] =>
    readConfig({ WATCHPOST_FILE: "/dev/null", ...given }).WATCHPOST_ROLES;
  const all = ["api", "controller", "notifier", "probe"];
  assert.deepEqual(rolesOf({}), all);
  assert.deepEqual(rolesOf({ WATCHPOST_ROLES: "all" }), all);
  assert.deepEqual(rolesOf({ WATCHPOST_ROLES: "probe, notifier,controller,api,api" }), all);
  assert.deepEqual(rolesOf({ ...database, WATCHPOST_ROLES: "probe,controller" }), [
    "controller",
    "probe",
  ]);
});

const taken: readonly Given[] = [
  { ...database, ...nats, WATCHPOST_ROLES: "api" },
  { ...database, ...nats, WATCHPOST_ROLES: "controller" },
  { ...database, WATCHPOST_ROLES: "controller,probe" },
  { ...database, ...url, WATCHPOST_ROLES: "notifier" },
  { ...database, ...nats, WATCHPOST_ROLES: "api,notifier" },
  { ...database, ...nats, WATCHPOST_ROLES: "api,probe" },
];

for (const given of taken)
  test(`${JSON.stringify(given)} is taken`, () => assert.equal(problemOf(given), undefined));

const refused: readonly (readonly [Given, RegExp])[] = [
  [{ WATCHPOST_ROLES: "all,api" }, /WATCHPOST_ROLES: must be all, or some of api, controller/],
  [{ WATCHPOST_ROLES: "scheduler" }, /, not "scheduler"$/],
  [{ WATCHPOST_ROLES: "probe" }, /WATCHPOST_ROLES: a process with the role probe alone is/],
  [{ ...nats, WATCHPOST_ROLES: "api" }, /WATCHPOST_DATABASE_URL: required with WATCHPOST_ROLES=/],
  [{ ...database, WATCHPOST_ROLES: "controller" }, /WATCHPOST_NATS_URL: required with .*=control/],
  [
    { ...database, WATCHPOST_ROLES: "api" },
    /WATCHPOST_NATS_URL: required .* without the role probe/,
  ],
  [
    { ...database, WATCHPOST_ROLES: "api,probe" },
    /WATCHPOST_NATS_URL: .* without the role control/,
  ],
  [{ ...database, WATCHPOST_ROLES: "notifier" }, /WATCHPOST_URL: required with .*=notifier/],
];

for (const [given, said] of refused)
  test(`${JSON.stringify(given)} is refused with a sentence that names what is missing`, () =>
    assert.match(problemOf(given) ?? "", said));
