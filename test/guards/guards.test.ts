import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { attacks } from "./attacks.ts";
import { findings } from "./findings.ts";
import { root } from "../batches/batches.ts";
import type { TestReference } from "./guard.ts";
import { guards, unguarded } from "./guards.ts";
import { titleAt, marksIn, withoutGuard } from "./marks.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

test("every guard that is marked can be removed, and has a test that shows it", () => {
  assert.deepEqual(unguarded, []);
  for (const [name, { file, tests }] of Object.entries(guards)) {
    assert.ok(tests.length > 0, `${name}: no test has the mark`);
    for (const { title } of tests) assert.ok(title.length > 10, `${name}: ${title}`);
    const source = read(file);
    const without = withoutGuard(file, source, name);
    assert.notEqual(without, source, name);
    assert.deepEqual(unknownNames(source, name), [], name);
  }
});

const OF_MARKS = /\/\/ guard: .*|\/\* guard: .*? \*\//g;
const NAME = /(?<![.\w])[A-Za-z_]\w*/g;
const ofOperations: ReadonlySet<string> = new Set(
  "Buffer Infinity Promise RegExp argument else false it left new parameter right then true undefined".split(
    " ",
  ),
);

/** Names that an operation uses, and its source does not have: those that somebody else has renamed. */
function unknownNames(source: string, guard: string): readonly string[] {
  const known = new Set(source.replaceAll(OF_MARKS, "").match(NAME));
  return marksIn(source)
    .filter(({ name }) => name === guard)
    .flatMap(({ operation = "" }) => operation.replaceAll(/"[^"]*"|\w+:/g, "").match(NAME) ?? [])
    .filter((name) => !ofOperations.has(name) && !known.has(name));
}

for (const [operation, source, without] of [
  ["", "a();\n// guard: x\nif (b) throw c;\nd();", "a();\n// guard: x\n;\nd();"],
  ["", "f(a, /* guard: x */ b, c);", "f(a, /* guard: x */  c);"],
  ["", "query\n  // guard: x\n  .where(a)\n  .limit(b);", "query\n  // guard: x\n  \n  .limit(b);"],
  ["", "if (a || /* guard: x */ !b(c)) d();", "if (a) d();"],
  ["then", "// guard: x = then\nif (a) return b;", "// guard: x = then\nreturn b;"],
  ["else", "c = /* guard: x = else */ a ? b : d;", "c = /* guard: x = else */ d;"],
  [
    "right",
    "if (/* guard: x = right */ a && b && c) d();",
    "if (/* guard: x = right */ b && c) d();",
  ],
  ["argument", "a(/* guard: x = argument */ b(c, d));", "a(/* guard: x = argument */ c);"],
  [
    "parameter",
    "const f = (a) => /* guard: x = parameter */ b(a);",
    "const f = (a) => /* guard: x = parameter */ a;",
  ],
  [
    "it.slice(1)",
    "a = /* guard: x = it.slice(1) */ b.c;",
    "a = /* guard: x = it.slice(1) */ b.c.slice(1);",
  ],
] as const)
  test(`a guard with the operation ${JSON.stringify(operation)} is removed from ${JSON.stringify(source)}`, () => {
    assert.equal(withoutGuard("a.ts", source, "x"), without);
  });

test("a mark before nothing that can be removed is refused", () => {
  assert.throws(() => withoutGuard("a.ts", "// guard: x\n", "x"), /a\.ts: nothing to remove/);
  assert.throws(
    () => withoutGuard("a.ts", "f = /* guard: x = then */ b;", "x"),
    /nothing to remove/,
  );
});

test("the title of a marked test is the text after the mark", () => {
  const titlesOf = (text: string): readonly string[] =>
    marksIn(text).map((mark) => titleAt(text, mark));
  assert.deepEqual(titlesOf('// guard: x\ntest("a \\"b\\"", c);'), ['a "b"']);
  assert.deepEqual(titlesOf("// guard: x\ntest(`${a} is ${f({ b })} c`, d);"), ["… is … c"]);
  assert.deepEqual(titlesOf('// guard: x = refuses it\ncontract("a", b);'), ["refuses it"]);
});

/** Converts a title in a source to a pattern in which placeholders match any text. */
function patternOf(title: string): RegExp {
  const parts = title.split(/\$\{(?:[^{}]|\{[^}]*\})*\}/);
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("[^]*")}$`);
}

const literal = /\b(?:test|context\.test)\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`|(\w+),)/g;

/** Returns whether a file has a test; `name` replaces the placeholders of tables, which have the text themselves. */
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

const named = [...attacks, ...Object.values(findings)].flatMap(({ tests = [] }) => tests);

test("every test that an attack or a finding names is there", () => {
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
