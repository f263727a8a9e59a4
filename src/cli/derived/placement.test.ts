import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine } from "../../../test/command-line.ts";
import { createResources } from "../../api/registry.ts";
import { groupOf, handWritten, placements } from "./placement.ts";

test("every operation of the API has a command, and that command is there", async () => {
  await using cast = await createApiFixture();
  const placed = placements();
  const commands = createResources(cast.deps).flatMap(({ name, operations }) =>
    Object.keys(operations).map((action) => {
      const found = placed.find((each) => each.resource === name && each.action === action);
      const own = handWritten[`${name} ${action}`];
      assert.ok(found ?? own, `no command for ${name} ${action}`);
      return own ?? `${found?.group} ${found?.verb}`;
    }),
  );
  const run = commandLine(cast, undefined);
  for (const command of new Set(commands)) {
    const { code, out } = await run(`${command} --help`);
    assert.deepEqual(
      [code, out.split("\n")[0]?.startsWith(`Usage: watchpost ${command} `)],
      [0, true],
    );
  }
});

test("no two operations have one command, and no parameter has the name of an option of all commands", () => {
  const words = placements().map(({ group, verb }) => `${group} ${verb}`);
  assert.deepEqual(words, [...new Set(words)]);
  const taken = ["url", "token", "context", "json", "yes", "input", "param", "notify", "help"];
  for (const { resource, action, operation } of placements())
    for (const name of taken)
      assert.ok(!Object.hasOwn(operation.parameters, name), `${resource} ${action} ${name}`);
});

test("a resource that nobody has named has a group by its own name", () => {
  assert.deepEqual(["subscribers", "audit", "statuspages"].map(groupOf), [
    "subscriber",
    "audit",
    "status-page",
  ]);
});
