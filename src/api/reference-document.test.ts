import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { test } from "node:test";

import { dropReasons } from "../domain/alert/alert.ts";
import { commonParameters } from "./resources/checks/merge-parameters.ts";
import { httpStatuses } from "./http/errors.ts";

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

test("docs/api.md names the parameters that are kept for every type", async () => {
  const document = await read("docs/api.md");
  for (const parameter of commonParameters)
    assert.ok(document.includes(`\`${parameter}\``), parameter);
});

test("docs/api.md says what every reason of a dropped notification means, and no other", async () => {
  const [, section = ""] = (await read("docs/api.md")).split(
    "The reasons why an alert was dropped:\n\n",
  );
  const [list = ""] = section.split("\n\n");
  const documented = list
    .split("\n")
    .flatMap((line) => [...(line.split(": ")[0] ?? "").matchAll(/`(\w+)`/g)])
    .map(([, reason]) => reason);
  assert.deepEqual(new Set(documented), new Set(dropReasons));
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
    [...codes].map((code) => `${code} ${httpStatuses[code] ?? "none"}`).toSorted(),
  );
});
