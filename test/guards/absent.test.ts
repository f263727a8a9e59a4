import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import manifest from "../../package.json" with { type: "json" };
import { pages } from "../../src/web/pages.ts";
import { createApiFixture } from "../api-fixture.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("{src,dashboard}/**/*.{ts,js}", { cwd: root }).filter(
  (path) => !path.endsWith(".test.ts"),
);
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** The files in which the pattern is found. */
function filesWith(pattern: RegExp): readonly string[] {
  assert.ok(sources.length > 300, `only ${sources.length} files were read`);
  return sources.filter((path) => pattern.test(textOf(path)));
}

const PROGRAM =
  /\beval\(|\bnew Function\(|\bnew Script\(|node:vm|shell:\s*true|\b(?:exec\w*|fork|spawnSync)\b.*from "node:child_process"/;
const MARKUP = /\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b|\bsrcdoc\b/;

test("no text is run as a program, and no program is started by a shell", () => {
  // The script of the pattern search is a constant: V8 ends only scripts after a time.
  assert.deepEqual(filesWith(PROGRAM), ["src/kit/patterns/pattern-worker.ts"]);
  assert.deepEqual(filesWith(/node:child_process/).toSorted(), [
    "src/checks/audio/volume.ts",
    "src/checks/diagnostics/route.ts",
    "src/checks/icmp/ping-program.ts",
    // `watchpost run`, which runs what the command line says.
    "src/cli/run-job.ts",
    // The program itself, with `backup` as its argument.
    "src/server/backup/schedule/backup-process.ts",
  ]);
});

test("no script of a page makes markup of text", () => {
  assert.deepEqual(filesWith(MARKUP), []);
});

for (const [text, pattern] of [
  ["eval(text)", PROGRAM],
  ["new Function(text)", PROGRAM],
  ['import { execFile } from "node:child_process";', PROGRAM],
  ["spawn(program, args, { shell: true })", PROGRAM],
  ["row.innerHTML = label", MARKUP],
  ["row.insertAdjacentHTML('beforeend', label)", MARKUP],
] as const) {
  test(`${JSON.stringify(text)} is found`, () => assert.match(text, pattern));
}

test("a cookie stands for no token", async () => {
  await using cast = await createApiFixture();
  for (const method of ["GET", "POST", "DELETE"] as const) {
    const { statusCode, headers } = await cast.app.inject({
      method,
      url: "/api/1/checks?action=DELETE&id=x",
      headers: { cookie: `token=${cast.alice.token}; session=${cast.alice.token}` },
    });
    assert.deepEqual([statusCode, headers["set-cookie"]], [403, undefined]);
  }
});

// guard: no passwords of browsers
test("no refusal makes a browser ask for a password, which it would then send on its own", async () => {
  await using cast = await createApiFixture();
  for (const headers of [{}, { authorization: `Basic ${btoa("UNKNOWN:")}` }]) {
    const refused = await cast.app.inject({ url: "/api/1/checks", headers });
    assert.deepEqual([refused.statusCode, refused.headers["www-authenticate"]], [403, undefined]);
  }
});

test("the API answers with JSON and nothing else", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "GET /openapi.json");
  const ofTheApi = Object.entries(body.paths).filter(([path]) => !path.startsWith("/v1"));
  const types = JSON.stringify(ofTheApi).match(/"[\w+.-]+\/[\w+.-]+":\{"schema"/g) ?? [];
  const sent = new Set(types.map((type) => type.split('"')[1]));
  assert.deepEqual(sent, new Set(["application/json", "application/x-www-form-urlencoded"]));
  // Public data about selected checks has tables and feeds.
  assert.deepEqual(filesWith(/text\/csv|spreadsheet|application\/(?:rss|atom)/).toSorted(), [
    "src/status-pages/feeds.ts",
    "src/status-pages/report-figures.ts",
    "src/status-pages/status-content.ts",
  ]);
});

test("files of pages are scripts and styles alone", () => {
  const types = pages.map(({ headers }) => headers["content-type"]?.split(";")[0] ?? "");
  assert.deepEqual([...new Set(types)].toSorted(), ["text/css", "text/javascript"]);
});

const REGISTRY = "https://registry.npmjs.org/";

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

/** Returns reasons why a package could differ from the reviewed one. */
function faultsOf(packages: Readonly<Record<string, LockedPackage>>): readonly string[] {
  return Object.entries(packages).flatMap(([path, { integrity, resolved }]) => {
    if (path === "") return [];
    if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? "")) return [`${path} has no hash`];
    return resolved === undefined || resolved.startsWith(REGISTRY)
      ? []
      : [`${path} comes from ${resolved}`];
  });
}

test("every package is of one registry and has its hash, and none runs a script", () => {
  const { packages }: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    textOf("package-lock.json"),
  );
  assert.deepEqual(faultsOf(packages), []);
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  const allowed: Readonly<Record<string, boolean>> = manifest.allowScripts;
  assert.deepEqual(
    withScript.filter((path) => allowed[path.replace(/^.*node_modules\//, "")] !== false),
    [],
  );
});

test("a package without a hash, and one from elsewhere, are found", () => {
  const integrity = `sha512-${"a".repeat(86)}==`;
  assert.deepEqual(
    faultsOf({
      "": {},
      a: { integrity, resolved: `${REGISTRY}a/-/a-1.0.0.tgz` },
      b: {},
      c: { integrity, resolved: "https://example.com/c.tgz" },
    }),
    ["b has no hash", "c comes from https://example.com/c.tgz"],
  );
});
