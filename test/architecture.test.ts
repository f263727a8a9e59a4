import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";

import { checkTypes } from "../src/checks/registry.ts";
import { boundaryViolation, moduleOf, modules } from "./module-boundaries.ts";
import type { Import } from "./module-boundaries.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");

const isTest = (path: string): boolean => path.endsWith(".test.ts");
const files = globSync("**/*.ts", { cwd: source }).toSorted();
const production = files.filter((path) => !isTest(path));
const textOf = (path: string): string => readFileSync(join(source, path), "utf8");

function importsOf(from: string, text: string): readonly Import[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
    .map(([, path]) => relative(source, normalize(join(source, dirname(from), String(path)))))
    .filter((to) => !to.startsWith(".."))
    .map((to) => ({ from, to }));
}

/** What lint cannot say. Each names the files it does not bind, and what to do instead. */
const bans: readonly {
  name: string;
  pattern: RegExp;
  except: (path: string) => boolean;
  instead: string;
}[] = [
  {
    name: "the time is asked of a Clock",
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(Timeout|Interval)\(/,
    except: (path) => path === "kit/clock.ts",
    instead: "take a Clock",
  },
  {
    name: "the domain reads no node module",
    pattern: /from "node:/,
    except: (path) => moduleOf(path) !== "domain",
    instead: "receive what it would read",
  },
  {
    name: "the process is touched at its entry alone",
    pattern: /\bprocess\.(env|argv|exit|on|once|stdout|stderr|cwd)\b/,
    except: (path) => path === "main.ts",
    instead: "receive it",
  },
  {
    name: "no check type is named outside its own room",
    pattern: new RegExp(`"(${checkTypes.map(({ type }) => type).join("|")})"`),
    except: (path) => moduleOf(path) === "checks",
    instead: "give the check type a property and ask for that",
  },
];

const violations = (path: string, text: string): readonly string[] => [
  ...importsOf(path, text).flatMap((found) => boundaryViolation(found) ?? []),
  ...bans
    .filter(({ pattern, except }) => !except(path) && pattern.test(text))
    .map(({ name, instead }) => `${path}: ${name}: ${instead}`),
];

test("every room is in the table, and every room of the table is there", () => {
  assert.deepEqual([...new Set(files.map(moduleOf))].toSorted(), Object.keys(modules).toSorted());
});

test("no import goes upwards, sideways or past a door, and no ban is broken", () => {
  assert.ok(production.length > 80, `only ${production.length} files were read`);
  assert.deepEqual(
    production.flatMap((path) => violations(path, textOf(path))),
    [],
  );
});

const planted: readonly { name: string; path: string; text: string; found: RegExp }[] = [
  {
    name: "an import upwards",
    path: "domain/x.ts",
    text: 'import { a } from "../store/store.ts";',
    found: /domain may not import from store/,
  },
  {
    name: "an import sideways",
    path: "scheduler/x.ts",
    text: 'import { a } from "../confirm/confirm.ts";',
    found: /scheduler may not import from confirm/,
  },
  {
    name: "a type import sideways",
    path: "checks/x.ts",
    text: 'import type { A } from "../channels/channel.ts";',
    found: /checks may not import from channels/,
  },
  {
    name: "an import past a door",
    path: "api/x.ts",
    text: 'import { a } from "../store/sqlite/results.ts";',
    found: /private/,
  },
  {
    name: "a dynamic import past a door",
    path: "api/x.ts",
    text: 'await import("../checks/net/connection.ts")',
    found: /private/,
  },
  {
    name: "a room nobody knows",
    path: "utils/x.ts",
    text: 'import { a } from "../kit/clock.ts";',
    found: /not in the table/,
  },
  {
    name: "a clock of its own",
    path: "notifier/x.ts",
    text: "const at = Date.now();",
    found: /take a Clock/,
  },
  {
    name: "a timer of its own",
    path: "api/x.ts",
    text: "setTimeout(again, 5)",
    found: /take a Clock/,
  },
  {
    name: "a node module in the domain",
    path: "domain/x.ts",
    text: 'import { hash } from "node:crypto";',
    found: /receive what/,
  },
  { name: "the environment", path: "channels/x.ts", text: "process.env.SMTP", found: /receive it/ },
  {
    name: "a check type's name",
    path: "api/x.ts",
    text: 'if (type === "HTTP") return;',
    found: /property/,
  },
];

for (const { name, path, text, found } of planted) {
  test(`${name} is found`, () => {
    const [first = ""] = violations(path, text);
    assert.match(first, found);
  });
}

test("no folder is a drawer", () => {
  const drawers = globSync("**/{utils,helpers,common,types,lib}", { cwd: source });
  assert.deepEqual(drawers, []);
  assert.deepEqual(
    files.filter((path) => path.endsWith("/index.ts")),
    [],
  );
});

test("every path that a document cites is there", () => {
  const documents = globSync(["*.md", "docs/**/*.md", "bench/*.md", "src/**/*.md"], { cwd: root });
  assert.ok(documents.length > 8, `only ${documents.length} documents were read`);
  const missing = documents.flatMap((document) =>
    [
      ...readFileSync(join(root, document), "utf8").matchAll(
        /`((?:src|test|docs|bench|scripts)\/[\w./-]+)`/g,
      ),
    ]
      .map(([, path]) => String(path))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${document} cites ${path}`),
  );
  assert.deepEqual(missing, []);
});
