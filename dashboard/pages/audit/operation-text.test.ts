import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { createResources } from "../../../src/api/registry.ts";
import { resources, sentenceOf } from "./operation-text.ts";

test("every operation that changes something has a sentence in the audit log, and its resource can be chosen", async () => {
  await using cast = await createApiFixture();
  const changing = createResources(cast.deps).flatMap(({ name, operations }) =>
    Object.entries(operations).flatMap(([action, { effect }]) =>
      effect === "read" ? [] : [{ name, action }],
    ),
  );
  const wordless = changing.filter(({ name, action }) => {
    const known: string[] = [];
    sentenceOf(`${action} ${name}`, (id) => {
      known.push(id);
      return "";
    });
    return known.length < 2 || known.includes("audit.other") || !Object.hasOwn(resources, name);
  });
  assert.deepEqual(wordless, []);
});

test("a sentence has places for who did it and for the record, in the order of the language", () => {
  const texts: Readonly<Record<string, string>> = {
    "audit.PUT": "{who} changed the {noun} {record}",
    "audit.other": "{who}: {action} {noun}",
    "audit.checks": "check",
  };
  const text = (id: string, values: Record<string, unknown> = {}): string =>
    (texts[id] ?? "").replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  assert.deepEqual(sentenceOf("PUT checks", text), [
    { place: "who" },
    { words: " changed the check " },
    { place: "record" },
  ]);
  assert.deepEqual(sentenceOf("MOVE mountains", text), [
    { place: "who" },
    { words: ": MOVE mountains" },
  ]);
});
