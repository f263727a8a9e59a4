import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../../..");
const CLASS = /\bm_[\da-f]{6,8}\b/g;

test("every component of Mantine that the dashboard shows has its style, and no other is sent", () => {
  const shown = classesOf("dist/client/assets/*.js");
  const styled = classesOf("dist/client/assets/*.css");
  const known = classesOf("node_modules/@mantine/core/styles.css");
  const missing = known.intersection(shown).difference(styled);
  assert.deepEqual([...missing], [], "add the component's style to dashboard/mantine.css");
  const imported = readFileSync(join(root, "dashboard/mantine.css"), "utf8");
  for (const [, path = ""] of imported.matchAll(/"(@mantine\/core\/styles\/[A-Z]\w+\.css)"/g))
    assert.ok(!classesOf(`node_modules/${path}`).isDisjointFrom(shown), `${path} is not needed`);
  assert.ok(styled.size > 100);
});

function classesOf(pattern: string): Set<string> {
  const paths = globSync(pattern, { cwd: root });
  return new Set(
    paths.flatMap((path) => readFileSync(join(root, path), "utf8").match(CLASS) ?? []),
  );
}
