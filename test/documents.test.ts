import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { callsOf, derivedParts, sources, withParts } from "../scripts/documents.ts";
import { germanFormTexts, textOf } from "../scripts/form-texts.ts";
import { createResources } from "../src/api/registry.ts";
import { counters, histograms } from "../src/server/metrics.ts";
import { settings } from "../src/settings/settings.ts";
import { checkTypes } from "../src/checks/registry.ts";
import manifest from "../package.json" with { type: "json" };
import { createApiFixture } from "./api-fixture.ts";
import { modules } from "./module-boundaries.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const documents = globSync(["*.md", "docs/**/*.md", "bench/*.md", "src/**/*.md"], { cwd: root });

for (const [document, parts] of Object.entries(await derivedParts())) {
  test(`${document} says what the code says: node scripts/documents.ts writes it`, () => {
    const text = read(document);
    assert.equal(text, withParts(text, parts));
  });

  test(`a part of ${document} that is stale or without marks is found`, () => {
    const text = read(document);
    for (const [name, part] of Object.entries(parts)) {
      assert.notEqual(text, withParts(text, { [name]: `${part} older` }));
      assert.throws(() => withParts(text, { [`${name} that is not there`]: part }), /no such mark/);
    }
  });
}

test("a name in a call is read literally, or from the constant that holds one or another", () => {
  const text =
    'const event = won ? "a.won" : "a.lost";\nlog.info(event, {});\nlog.warn(\n  "b.c",\n);';
  assert.deepEqual(callsOf(text, "log"), [
    { verb: "info", name: "a.won" },
    { verb: "info", name: "a.lost" },
    { verb: "warn", name: "b.c" },
  ]);
  assert.deepEqual(callsOf(text, "meter"), []);
  assert.throws(() => callsOf("log.info(whatever)", "log"), /cannot be determined/);
});

test("everything that is counted or timed is declared, and everything declared is used", () => {
  const used = sources().flatMap((text) => callsOf(text, "meter"));
  const namesOf = (wanted: string): Set<string> =>
    new Set(used.filter(({ verb }) => verb === wanted).map(({ name }) => name));
  assert.deepEqual(namesOf("count"), new Set(Object.keys(counters)));
  assert.deepEqual(namesOf("observe"), new Set(Object.keys(histograms)));
});

/** Prefixes of events. Users search for them, so they outlive the names of modules. */
const eventSubjects = new Set([
  "api",
  "app",
  "bus",
  "channels",
  "confirm",
  "diagnostics",
  "incidents",
  "main",
  "maintenance",
  "notifier",
  "probe",
  "push",
  "scheduler",
  "settings",
  "store",
  "web",
]);

test("the name of every event begins with a subject that events have", () => {
  for (const { name } of sources().flatMap((text) => callsOf(text, "log")))
    assert.ok(eventSubjects.has(name.split(".")[0] ?? ""), name);
});

test("the German texts of the dashboard's forms are those of their declarations", () => {
  assert.ok(
    read("dashboard/locales/de/form-texts.json") === textOf(germanFormTexts()),
    "form-texts.json is stale: npm run documents",
  );
});

test("every setting that a document names exists", () => {
  // The last is read by `watchpost run`.
  const known = new Set([
    ...Object.keys(settings.shape),
    "WATCHPOST_FILE",
    "WATCHPOST_HEARTBEAT_URL",
  ]);
  const named = documents.flatMap((path) => read(path).match(/WATCHPOST_[A-Z\d_]+/g) ?? []);
  assert.ok(named.length > Object.keys(settings.shape).length);
  assert.deepEqual(
    [...new Set(named)].filter((name) => !known.has(name)),
    [],
  );
});

/** The rows of the table under a heading, without its head, a list of cells each. */
function rowsUnder(heading: string, text: string): readonly (readonly string[])[] {
  const [section = ""] = text.slice(text.indexOf(`\n${heading}\n`) + 1).split(/\n(?=## )/);
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("what each part's death does is shown by tests that there are, and seen in metrics and events that there are", () => {
  const text = read("docs/operating.md");
  const rows = rowsUnder("## What each part's death does", text);
  assert.ok(rows.length >= 10);
  for (const cells of rows) {
    const [what = "", , , , seen = "", shown = ""] = cells;
    assert.equal(cells.length, 6, what);
    for (const [, name = ""] of seen.matchAll(/`(watchpost_\w+|\w+\.\w+)`/g))
      assert.match(text, new RegExp(`^\\| \`${name}\` \\|`, "m"), name);
    const tests = shown.split("<br>").map((each) => /^`([^`]+)`: (.+)$/.exec(each));
    for (const [named, path = "", name = ""] of tests.map((found) => found ?? [])) {
      assert.ok(named, `${what}: ${shown}`);
      assert.ok(read(path).includes(name), `${path} has no test ${name}`);
    }
  }
});

test("every npm script that a document names exists", () => {
  const named = documents.flatMap((path) =>
    [...read(path).matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, script, short]) => script ?? short ?? "",
    ),
  );
  assert.ok(named.length > 5);
  for (const script of named) assert.ok(Object.hasOwn(manifest.scripts, script), script);
});

test("every link between documents leads to a file, and to a heading in it", () => {
  const links = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]+))?\)/g)].map(
      ([, file = "", anchor]) => ({
        from: path,
        to: file === "" ? path : join(dirname(path), file),
        anchor,
      }),
    ),
  );
  assert.ok(links.length > 15, `only ${links.length} links were read`);
  for (const { from, to, anchor } of links) {
    assert.ok(existsSync(join(root, to)), `${from} links to ${to}`);
    if (anchor !== undefined)
      assert.ok(anchorsOf(read(to)).includes(anchor), `${from} links to ${to}#${anchor}`);
  }
});

function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** A call of the API as README shows it. */
interface Shown {
  readonly verb: string;
  readonly path: string;
  readonly parameters: readonly string[];
}

function callsShown(text: string): readonly Shown[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => /\bcurl .*\$API\//.test(line))
    .map((line) => {
      const [, path = "", query = ""] = /\$API\/([^"\s?|)]+)(?:\?([^"\s]+))?/.exec(line) ?? [];
      const sent = [...line.matchAll(/ -d ["']?(\w+)[=[]/g)].map(([, name = ""]) => name);
      const verb = / -X (\w+)/.exec(line)?.[1] ?? (sent.length > 0 ? "POST" : "GET");
      return { verb, path, parameters: [...sent, ...new URLSearchParams(query).keys()] };
    });
}

test("every call that README shows is one of the API, with parameters that it takes", async () => {
  await using cast = await createApiFixture();
  const resources = createResources(cast.deps);
  const ofTypes = checkTypes.flatMap(({ schema }) => Object.keys(schema.shape));
  const calls = callsShown(read("README.md"));
  assert.ok(calls.length >= 8, `only ${calls.length} calls were read`);
  for (const { verb, path, parameters } of calls) {
    const [name = "", second = ""] = path.split("/");
    const operations = resources.find((resource) => resource.name === name)?.operations ?? {};
    const operation =
      operations[second === "" || second.startsWith("$") ? verb : second.toUpperCase()];
    assert.ok(operation, `${verb} ${path}`);
    const taken = new Set([
      ...Object.keys(operation.input.shape),
      ...(name === "checks" ? ofTypes : []),
    ]);
    for (const parameter of parameters)
      assert.ok(taken.has(parameter), `${verb} ${path} takes no ${parameter}`);
  }
});

test("npm says nothing of the Node that it runs on itself, which may be older than the one that runs the code", () => {
  const [, major = ""] = /Node (\d+) or later/.exec(read("README.md")) ?? [];
  assert.ok(Number(major) < Number(manifest.engines.node.replace(">=", "")));
  assert.match(read(".npmrc"), /^loglevel=error$/m);
});

test("README stays short, and shows the intake where the program serves it", () => {
  const text = read("README.md");
  assert.ok(text.split("\n").length <= 160);
  assert.match(text, /127\.0\.0\.1:4848\/v1\?/);
  assert.equal(settings.parse({}).WATCHPOST_LISTEN.port, 4848);
});

test("ARCHITECTURE names every module, and shows the dependencies that are allowed", () => {
  const text = read("ARCHITECTURE.md");
  const levels = (/^kit  <-.*$/m.exec(text)?.[0] ?? "").split("<-").map(modulesOf);
  assert.deepEqual(new Set(levels.flat()), new Set(Object.keys(modules)));
  for (const [index, level] of levels.entries()) {
    const below = new Set(levels.slice(0, index).flat());
    for (const name of level) {
      assert.match(text, new RegExp(`^  ${name}(/|\\.ts) `, "m"));
      // The entry needs no more than what composes the rest.
      if (name !== "main") assert.deepEqual(new Set(modules[name]), below, name);
    }
  }
});

function modulesOf(level: string): readonly string[] {
  return level.split(",").map((name) => name.trim());
}

test("no document tells what does not exist yet, or shows an error message as a value", () => {
  for (const path of documents.filter((each) => !each.startsWith("docs/decisions/"))) {
    assert.doesNotMatch(read(path), /\b(?:do|does) not exist yet\b/, path);
    assert.doesNotMatch(read(path), /\| (?:Invalid \w+|[Mm]ust be)\b/, path);
  }
});

test("every decision is numbered in order, dated, and says what to mind", () => {
  const decisions = documents.filter((path) => path.startsWith("docs/decisions/")).toSorted();
  assert.ok(decisions.length > 4);
  for (const [index, path] of decisions.entries()) {
    const text = read(path);
    assert.match(path, new RegExp(`/${String(index + 1).padStart(4, "0")}-[a-z-]+\\.md$`));
    assert.match(text, new RegExp(`^# ${index + 1}\\. .+\\n\\n\\d{4}-\\d\\d-\\d\\d\\n`));
    for (const word of ["Choice", "Why", "Mind"]) assert.ok(text.includes(`**${word}.**`), path);
  }
});
