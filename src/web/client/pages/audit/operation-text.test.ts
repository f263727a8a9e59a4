import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../../test/api-fixture.ts";
import { createResources } from "../../../../api/registry.ts";
import { operationText, resources } from "./operation-text.ts";

test("every operation that changes something has words in the audit log, and its resource can be chosen", async () => {
  await using cast = await createApiFixture();
  const changing = createResources(cast.deps).flatMap(({ name, operations }) =>
    Object.entries(operations).flatMap(([action, { effect }]) =>
      effect === "read" ? [] : [{ name, action }],
    ),
  );
  const wordless = changing.filter(({ name, action }) => {
    const known: string[] = [];
    operationText(`${action} ${name}`, (id) => {
      known.push(id);
      return "";
    });
    return known.length < 3 || !Object.hasOwn(resources, name);
  });
  assert.deepEqual(wordless, []);
});
