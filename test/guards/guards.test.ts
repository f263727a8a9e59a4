import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { attacks } from "./attacks.ts";
import { findings } from "./findings.ts";
import { withoutGuard, type TestReference } from "./guard.ts";
import { guards } from "./guards.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

for (const [name, guard] of Object.entries(guards)) {
  test(`the guard "${name}" is in its file once`, () => {
    withoutGuard(guard, read(guard.file));
  });
}

test("text that is not there, or there twice, is no guard", () => {
  const guard = { file: "src/a.ts", text: "guard();", without: "" };
  assert.equal(withoutGuard(guard, "a(); guard(); b();"), "a();  b();");
  assert.throws(() => withoutGuard(guard, "a(); b();"), /exactly once: "guard\(\);"/);
  assert.throws(() => withoutGuard(guard, "guard(); guard();"), /exactly once/);
});

/** A title in a source as a pattern: what it is made of stands for any text. */
function patternOf(title: string): RegExp {
  const parts = title.split(/\$\{(?:[^{}]|\{[^}]*\})*\}/);
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("[^]*")}$`);
}

const literal = /\b(?:test|context\.test)\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`|(\w+),)/g;

/** The titles of the tests in a file; `name` stands for those of a table, which hold the text themselves. */
function hasTest(path: string, name: string): boolean {
  const source = read(path);
  return [...source.matchAll(literal)].some(([, plain, template, variable]) => {
    if (variable !== undefined) return source.includes(JSON.stringify(name));
    const title = plain === undefined ? (template ?? "") : JSON.parse(`"${plain}"`);
    return patternOf(title).test(name);
  });
}

/** A file that `npm test` runs, with a test of that title, or with one that a contract in `test` gives it. */
function isTest({ file, name }: TestReference): boolean {
  if (!/^(?:src|dashboard|test)\/.*\.test\.ts$/.test(file) || !existsSync(join(root, file)))
    return false;
  const contracts = [...read(file).matchAll(/from "((?:\.\.?\/)[^"]*)"/g)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((path) => path.startsWith("test/contracts/"));
  return [file, ...contracts].some((path) => hasTest(path, name));
}

const named = [
  ...Object.values(guards).map((guard) => guard.test),
  ...[...attacks, ...Object.values(findings)].flatMap(({ tests = [] }) => tests),
];

test("every test that a guard or an attack names is there", () => {
  assert.deepEqual(
    named.filter((reference) => !isTest(reference)),
    [],
  );
});

for (const [reference, isThere] of [
  [{ file: "src/kit/net/egress.test.ts", name: "private egress refuses ::1 and more" }, true],
  [{ file: "src/kit/net/egress.test.ts", name: "no such test" }, false],
  [{ file: "src/kit/net/no-such.test.ts", name: "x" }, false],
  [{ file: "src/kit/net/egress.ts", name: "x" }, false],
  [{ file: "src/checks/port.test.ts", name: "PORT passes when its target is healthy" }, true],
] as const) {
  test(`${reference.file} ${isThere ? "has" : "does not have"} the test ${JSON.stringify(reference.name)}`, () =>
    assert.equal(isTest(reference), isThere));
}

test("every guard protects from an attack, and every attack has a guard or a test", () => {
  assert.equal(attacks.length, 33);
  assert.deepEqual(
    new Set(attacks.flatMap((attack) => attack.guards)),
    new Set(Object.keys(guards)),
  );
  for (const { attack, guards: names, tests = [] } of attacks)
    assert.ok(names.length + tests.length > 0, attack);
});

test("everything that was found by trying has a guard", () => {
  assert.deepEqual(
    Object.keys(findings),
    Array.from({ length: 16 }, (_, index) => `B${index + 1}`),
  );
  for (const [number, { guards: names }] of Object.entries(findings)) {
    assert.ok(names.length > 0, number);
    assert.deepEqual(
      names.filter((name) => guards[name] === undefined),
      [],
      number,
    );
  }
});

test("a guard is shown where its test fails without it, and only there", async () => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const shown = ["private addresses", "depth of JSON"];
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "run.ts"), ...shown, "no such guard"],
    { env, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  assert.equal(code, 1);
  for (const name of shown) assert.match(said, new RegExp(`^shown: ${name}$`, "m"));
  assert.match(said, /^NOT SHOWN: no such guard$/m);
});
