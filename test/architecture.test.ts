import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";

import { checkTypes } from "../src/checks/registry.ts";
import { boundaryViolation, moduleOf, modules, type Import } from "./module-boundaries.ts";
import { cyclesIn } from "./import-cycles.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");

const isTest = (path: string): boolean => path.endsWith(".test.ts");
/** Paths relative to `src`; those of the dashboard, which is outside it, relative to the root. */
const files = [
  ...globSync("**/*.{ts,tsx}", { cwd: source }),
  // The types of the API are generated, and not kept.
  ...globSync("dashboard/**/*.{ts,tsx}", { cwd: root, exclude: ["dashboard/api/schema.ts"] }),
].toSorted();
const production = files.filter((path) => !isTest(path));
/** Returns whether a file is loaded by browsers. */
const isForBrowsers = (path: string): boolean => path.startsWith("dashboard/");
/** Where a file is, from the root. */
const placeOf = (path: string): string => (isForBrowsers(path) ? path : join("src", path));
const textOf = (path: string): string => readFileSync(join(root, placeOf(path)), "utf8");

function importsOf(from: string, text: string): readonly Import[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
    .map(([, path]) => normalize(join(dirname(placeOf(from)), String(path))))
    .map((to) => (isForBrowsers(to) ? to : relative("src", to)))
    .filter((to) => !to.startsWith(".."))
    .map((to) => ({ from, to }));
}

/** Rules that lint cannot express, each with the exempt files and the alternative. */
const bans: readonly {
  name: string;
  pattern: RegExp;
  except: (path: string) => boolean;
  instead: string;
}[] = [
  {
    name: "time comes from a Clock",
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(Timeout|Interval)\(/,
    except: (path) => path === "kit/clock.ts" || isForBrowsers(path),
    instead: "take a Clock",
  },
  {
    name: "the domain imports no node module",
    pattern: /from "node:/,
    except: (path) => moduleOf(path) !== "domain",
    instead: "receive what it would read",
  },
  {
    name: "only the entry point uses the process",
    pattern: /\bprocess\.(env|argv|exit|on|once|stdout|stderr|cwd)\b/,
    except: (path) => path === "main.ts",
    instead: "receive it",
  },
  {
    name: "no check type is named outside its module",
    pattern: new RegExp(`"(${checkTypes.map(({ type }) => type).join("|")})"`),
    // Importers map the types of other systems to check types.
    except: (path) => moduleOf(path) === "checks" || path.startsWith("cli/imports/"),
    instead: "give the check type a property and ask for that",
  },
];

const violations = (path: string, text: string): readonly string[] => [
  ...importsOf(path, text).flatMap((found) =>
    isForBrowsers(path) ? [] : (boundaryViolation(found) ?? []),
  ),
  ...importsOf(path, text)
    .filter(({ to }) => isForBrowsers(path) && !isForBrowsers(to) && moduleOf(to) !== "domain")
    .map(({ to }) => `${path} imports ${to}: the dashboard may import from the domain alone`),
  ...bans
    .filter(({ pattern, except }) => !except(path) && pattern.test(text))
    .map(({ name, instead }) => `${path}: ${name}: ${instead}`),
];

test("every module is in the table, and every module of the table exists", () => {
  assert.deepEqual(
    [...new Set(files.filter((path) => !isForBrowsers(path)).map(moduleOf))].toSorted(),
    Object.keys(modules).toSorted(),
  );
});

test("no import breaks a module boundary, and no ban is broken", () => {
  assert.ok(production.length > 80, `only ${production.length} files were read`);
  assert.deepEqual(
    production.flatMap((path) => violations(path, textOf(path))),
    [],
  );
});

/** Matches code that makes a test depend on the machine's speed. */
const wallTime =
  /systemClock\.monotonic\(\)|performance\.now|\bDate\.now\(|\btimeout: \d|DefaultTimeout\(\d/;

test("no test measures wall time or sets a deadline of its own", () => {
  const exempt = new Set(["test/time/wait-for.ts", "test/architecture.test.ts"]);
  const paths = globSync(["{src,dashboard}/**/*.test.ts", "test/**/*.ts"], { cwd: root });
  assert.ok(paths.length > 250, `only ${paths.length} files were read`);
  assert.deepEqual(
    paths
      // Storms, soaks and the trials of blips, distance and self-monitoring run for minutes by design, and measure what the program lets others wait for.
      .filter(
        (path) =>
          !exempt.has(path) && !/^test\/(?:blips|chaos|distance|self-monitoring|soak)\//.test(path),
      )
      // There the timeouts are those of monitors of other systems.
      .filter((path) => !path.startsWith("src/cli/imports/"))
      .filter((path) => wallTime.test(readFileSync(join(root, path), "utf8"))),
    [],
    "wait with waitFor, use a fake clock, or measure with cpuTimeMs",
  );
});

for (const text of [
  "assert.ok(systemClock.monotonic() - before < 1000);",
  'test("x", { timeout: 5000 }, run);',
  "page.setDefaultTimeout(5000);",
]) {
  test(`${JSON.stringify(text)} depends on the machine`, () => assert.match(text, wallTime));
}

const planted: readonly { name: string; path: string; text: string; found: RegExp }[] = [
  {
    name: "an import upwards",
    path: "domain/x.ts",
    text: 'import { a } from "../store/store.ts";',
    found: /domain may not import from store/,
  },
  {
    name: "an import sideways",
    path: "probe/x.ts",
    text: 'import { a } from "../notifier/notifier.ts";',
    found: /probe may not import from notifier/,
  },
  {
    name: "a type import sideways",
    path: "checks/x.ts",
    text: 'import type { A } from "../channels/channel.ts";',
    found: /checks may not import from channels/,
  },
  {
    name: "an import from a private folder",
    path: "api/x.ts",
    text: 'import { a } from "../store/sqlite/results.ts";',
    found: /private/,
  },
  {
    name: "a dynamic import from a private folder",
    path: "api/x.ts",
    text: 'await import("../checks/net/connection.ts")',
    found: /private/,
  },
  {
    name: "an unknown module",
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
  {
    name: "a file of the dashboard in the server",
    path: "web/x.ts",
    text: 'import { a } from "../../dashboard/text.ts";',
    found: /web may not import from dashboard/,
  },
  {
    name: "a server's file in the dashboard",
    path: "dashboard/x.tsx",
    text: 'import { a } from "../src/web/pages.ts";',
    found: /from the domain alone/,
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

test("no files import each other in a cycle, not even types", () => {
  const graph = new Map(
    production.map((path) => [path, importsOf(path, textOf(path)).map(({ to }) => to)]),
  );
  assert.ok([...graph.values()].flat().length > 1000, "too few imports were read");
  assert.deepEqual(cyclesIn(graph), []);
});

const graphs: readonly { name: string; edges: Record<string, string[]>; cycles: string[][] }[] = [
  { name: "a chain", edges: { a: ["b"], b: ["c"], c: [] }, cycles: [] },
  { name: "a diamond", edges: { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, cycles: [] },
  { name: "two that import each other", edges: { a: ["b"], b: ["a"] }, cycles: [["a", "b"]] },
  {
    name: "a cycle of three beside a cycle of two",
    edges: { a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: ["d"] },
    cycles: [
      ["d", "e"],
      ["a", "b", "c"],
    ],
  },
  { name: "a file that imports itself", edges: { a: ["a"] }, cycles: [["a"]] },
];

for (const { name, edges, cycles } of graphs) {
  test(`the cycles in ${name} are ${JSON.stringify(cycles)}`, () => {
    assert.deepEqual(cyclesIn(new Map(Object.entries(edges))), cycles);
  });
}

test("an import of a type counts for a cycle", () => {
  const texts = { "a/x.ts": 'import type { Y } from "./y.ts";', "a/y.ts": 'import "./x.ts";' };
  const graph = new Map(
    Object.entries(texts).map(([path, text]) => [path, importsOf(path, text).map(({ to }) => to)]),
  );
  assert.deepEqual(cyclesIn(graph), [["a/x.ts", "a/y.ts"]]);
});

test("no folder is a catch-all, and no file only re-exports", () => {
  const drawers = globSync("{src,dashboard}/**/{utils,helpers,common,types,lib}", { cwd: root });
  assert.deepEqual(drawers, []);
  assert.deepEqual(
    files.filter((path) => path.endsWith("/index.ts")),
    [],
  );
});

/** Folders of fewer files are reported by `npm run static` instead. */
const FILES_OF_A_SUBJECT = 3;

test("every folder is a subject with a sentence in ARCHITECTURE.md", () => {
  const rows = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(
    /^\| `([^`]+)\/` \| [A-Z].+\. \|$/gm,
  );
  // A name in angle brackets matches any folder.
  const described = [...rows].map(([, folder = ""]) =>
    folder
      .split(/<\w+>/)
      .map((part) => RegExp.escape(part))
      .join("[^/]+"),
  );
  const folders = [...Map.groupBy(globSync("{src/*,dashboard}/**/*.*", { cwd: root }), dirname)]
    .filter(([, paths]) => paths.length >= FILES_OF_A_SUBJECT)
    .map(([folder]) => folder)
    // The modules are in the tree above the table.
    .filter((folder) => !/^src\/[^/]+$/.test(folder));
  assert.ok(folders.length > 40, `only ${folders.length} folders were read`);
  const matches = (folder: string, pattern: string): boolean =>
    new RegExp(`^${pattern}$`).test(folder);
  assert.deepEqual(
    folders.filter((folder) => !described.some((pattern) => matches(folder, pattern))),
    [],
    "add a row to the table of folders",
  );
  assert.deepEqual(
    described.filter((pattern) => !folders.some((folder) => matches(folder, pattern))),
    [],
    "remove the row of a folder that is gone or has too few files",
  );
});

test("every path that a document mentions exists", () => {
  const documents = globSync(["*.md", "docs/**/*.md", "bench/*.md", "src/**/*.md"], { cwd: root });
  assert.ok(documents.length > 8, `only ${documents.length} documents were read`);
  const missing = documents.flatMap((document) =>
    [
      ...readFileSync(join(root, document), "utf8").matchAll(
        /`((?:src|dashboard|test|docs|bench|scripts|scoreboard)\/[\w./-]+)`/g,
      ),
    ]
      .map(([, path]) => String(path))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${document} cites ${path}`),
  );
  assert.deepEqual(missing, []);
});
