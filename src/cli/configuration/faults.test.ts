import assert from "node:assert/strict";
import { test } from "node:test";

import { faultsOf } from "../../../test/configuration/faults-of.ts";

const table: readonly (readonly [text: string, ...faults: readonly (string | RegExp)[]])[] = [
  ["checks:\n\t- a", "a.yaml:2:1: tabs are not allowed as indentation"],
  ["a: 1\n---\nb: 2\n", "a.yaml:2:1: a file has one document, without ---"],
  [
    "checks: {\n",
    "a.yaml:2:1: flow map in block collection must be sufficiently indented and end with a }",
  ],
  ["checks:\n  web: { type: PUSH }\n  web: { type: PUSH }", "a.yaml:3:3: web: is there twice"],
  ["__proto__: {}", 'a.yaml:1:1: key not allowed "__proto__"'],
  ["? [a]\n: b", "a.yaml:1:3: a key must be text"],
  ["checks: *web", "a.yaml:1:1: unresolved alias (the anchor must be set before the alias): web"],
  ["checks: !js/function x", "a.yaml:1:9: unresolved tag: !js/function"],
  ["- a", "a.yaml:1:1: must be an object of sections, such as checks"],
  ["check: {}", "a.yaml:1:1: check: not known here, did you mean checks?"],
  ["checks: [a]", "a.yaml:1:1: checks: must be an object, in which each record has a key"],
  ["checks:\n  web: HTTP", "a.yaml:2:3: checks.web: must be an object"],
  [
    'checks:\n  "": { type: PUSH }',
    "a.yaml:2:3: checks.: a key must have 1 to 200 printable characters",
  ],
  [
    "configuration: a b",
    "a.yaml:1:1: configuration: must be 1 to 100 letters, digits, hyphens, dots and underscores",
  ],
  [
    "checks:\n  web: { type: HTPP }",
    /^a\.yaml:2:10: checks\.web\.type: must be one of AUDIO, .*; did you mean HTTP\?$/,
  ],
  ["checks:\n  web: { label: L }", /^a\.yaml:2:3: checks\.web: type: required, one of AUDIO, /],
  ["checks:\n  web: { type: HTTP }", "a.yaml:2:3: checks.web: target: required"],
  [
    "checks:\n  web:\n    type: HTTP\n    target: https://a.example\n    intervall: 5\n    threshold: 100\n    tags: { a: 1 }\n",
    "a.yaml:5:5: checks.web.intervall: not known here, did you mean interval?",
    "a.yaml:6:5: checks.web.threshold: must be a whole number from 1 to 90",
    "a.yaml:7:5: checks.web.tags: must be a list of at most 100 texts of at most 100 characters",
  ],
  [
    "checks:\n  web: { type: PORT, target: a.example, port: 99999 }\n  job: { type: PUSH, checktoken: X }",
    "a.yaml:2:41: checks.web.port: must be a whole number from 1 to 65535",
    "a.yaml:3:22: checks.job.checktoken: is assigned by Watchpost",
  ],
  [
    'checks:\n  web: { type: HTTP, target: "${env:NONE}", label: "${env:SET} ${file:none.txt}" }',
    "a.yaml:2:22: checks.web.target: the environment has no NONE",
    'a.yaml:2:45: checks.web.label: cannot read "none.txt": there is no such file or folder',
  ],
  [
    "schedules:\n  Week: { monday: { time1: 25:00, time2: 8:00 } }",
    "a.yaml:2:21: schedules.Week.monday.time1: must be a time such as 8:30",
  ],
  [
    "schedules:\n  Week: { mondy: {} }",
    "a.yaml:2:11: schedules.Week.mondy: not known here, did you mean monday?",
  ],
  [
    "contacts:\n  ops: { custrole: king }",
    "a.yaml:2:10: contacts.ops.custrole: must be one of owner, edit, view, notify",
  ],
  [
    "maintenance:\n  m: { cron: often }",
    /^a\.yaml:2:8: maintenance\.m\.cron: must be five fields of cron/,
  ],
  [
    "statuspages:\n  s: { color: red }",
    "a.yaml:2:8: statuspages.s.color: must be a color such as #1d4ed8",
  ],
  ["account: { emailme: perhaps }", "a.yaml:1:12: account.emailme: must be true or false"],
  [
    "subaccounts: { shop: { checks: { a: {} }, x: 1 } }",
    /^a\.yaml:1:34: subaccounts\.shop\.checks\.a: type: required/,
    "a.yaml:1:43: subaccounts.shop.x: not known here",
  ],
];

for (const [text, ...expected] of table)
  test(`${JSON.stringify(text)} is refused where the fault is`, () => {
    const said = faultsOf([text]);
    assert.equal(said.length, expected.length, said.join("\n"));
    for (const [at, fault] of expected.entries())
      if (typeof fault === "string") assert.equal(said[at], fault);
      else assert.match(said[at] ?? "", fault);
  });

test("two files do not say the same record, and have one name", () => {
  const one = "configuration: one\nchecks: { web: { type: PUSH } }\naccount: {}";
  const two = "configuration: two\nchecks: { web: { type: PUSH } }\naccount: {}";
  assert.deepEqual(faultsOf([one, two]), [
    'b.yaml:1:1: configuration: another file says "one": files that are applied together have one name',
    "b.yaml:2:11: checks.web: is there twice, also in a.yaml:2",
    "b.yaml:3:1: account: is there twice, also in a.yaml:3",
  ]);
});

test("defaults of many records stand once, and what begins with x- is of no meaning", () => {
  const text = `
x-web: &web { type: HTTP, interval: 1 }
checks:
${Array.from({ length: 500 }, (_, at) => `  c${at}: { <<: *web, target: "https://a.example/${at}" }`).join("\n")}
`;
  assert.deepEqual(faultsOf([text]), []);
});

for (const [name, text] of [
  ["aliases of aliases", bomb()],
  ["lists in lists", `x-a: ${"[".repeat(100)}${"]".repeat(100)}`],
  ["lists in lists without an end", "[".repeat(20_000)],
] as const)
  test(`${name} are refused, and take neither memory nor time`, () => {
    const [fault, ...others] = faultsOf([text]);
    assert.match(fault ?? "", /^a\.yaml:\d+:\d+: /);
    assert.ok(others.length < 25);
  });

/** Returns ten anchors of nine aliases each: a few hundred bytes that expand to billions. */
function bomb(): string {
  const lines = Array.from({ length: 10 }, (_, at) => {
    const of = at === 0 ? '"x"' : `*a${at - 1}`;
    return `x-${at}: &a${at} [${Array.from({ length: 9 }, () => of).join(", ")}]`;
  });
  return lines.join("\n");
}
