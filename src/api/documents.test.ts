import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { test } from "node:test";

import { apiCast } from "../../test/api-cast.ts";
import { checkTypes } from "../checks/registry.ts";
import { commonParameters } from "./check-parameters.ts";
import { statuses } from "./errors.ts";
import { createResources } from "./registry.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), "utf8");

/** The rows of every table of a section whose first cell is a name. */
function rowsOf(document: string, heading: string): readonly (readonly string[])[] {
  const [, section = ""] = document.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return own
    .split("\n")
    .filter((line) => /^\| `\w+` \|/.test(line))
    .map((line) =>
      line
        .slice(2, -2)
        .replaceAll(/^`|`(?= \|)/g, "")
        .split(" | "),
    );
}

test("docs/api.md lists every operation and parameter of every resource, and no other", async () => {
  await using cast = await apiCast();
  const document = await read("docs/api.md");
  const types = new Set<string>(checkTypes.map(({ type }) => type));
  for (const { name, operations } of createResources(cast.deps)) {
    const rows = rowsOf(document, name).filter(([first = ""]) => !types.has(first));
    const documented = {
      operations: rows.filter((row) => row.length === 2),
      parameters: rows.filter((row) => row.length === 3),
    };
    assert.deepEqual(
      new Set(documented.operations.map(([operation]) => operation)),
      new Set(Object.keys(operations)),
      name,
    );
    const pairs = documented.parameters.flatMap(([parameter, list = ""]) =>
      list.split(", ").map((operation) => `${operation} ${parameter}`),
    );
    const registered = Object.entries(operations).flatMap(([operation, { input }]) =>
      Object.keys(input.shape).map((parameter) => `${operation} ${parameter}`),
    );
    assert.deepEqual(pairs.toSorted(), registered.toSorted(), name);
  }
});

test("docs/api.md lists every check type with its parameters, and those that are kept for all", async () => {
  const document = await read("docs/api.md");
  const rows = new Map(
    rowsOf(document, "checks").map(([name = "", , parameters = ""]) => [name, parameters]),
  );
  for (const { type, schema } of checkTypes) {
    const documented = [...(rows.get(type) ?? "").matchAll(/`(\w+)`/g)].map(
      ([, parameter]) => parameter,
    );
    assert.deepEqual(new Set(documented), new Set(Object.keys(schema.shape)), type);
  }
  for (const parameter of commonParameters)
    assert.ok(document.includes(`\`${parameter}\``), parameter);
});

test("docs/errors.md lists every code of an error with its status, and no other", async () => {
  const documented = rowsOf(`\n## errors\n${await read("docs/errors.md")}`, "errors").map(
    ([code, status]) => `${code} ${status}`,
  );
  const codes = new Set<string>();
  for await (const path of glob("src/**/*.ts", { cwd: root.pathname })) {
    if (path.endsWith(".test.ts")) continue;
    for (const [, code = ""] of (await read(path)).matchAll(
      /extends AppError \{\s+readonly code = "(\w+)"/g,
    ))
      codes.add(code);
  }
  assert.ok(codes.size > 5);
  assert.deepEqual(
    documented.toSorted(),
    [...codes].map((code) => `${code} ${statuses[code] ?? "none"}`).toSorted(),
  );
});
