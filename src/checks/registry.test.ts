import assert from "node:assert/strict";
import test from "node:test";

import { portCheck } from "./port.ts";
import { checkTypeOf, checkTypes } from "./registry.ts";

test("check types are listed once each, by the alphabet", () => {
  const names = checkTypes.map(({ type }) => type);
  assert.deepEqual(names, [...new Set<string>(names)].toSorted());
});

test("a check type is found by its name in any case", () => {
  assert.equal(checkTypeOf("PORT"), portCheck);
  assert.equal(checkTypeOf("port"), portCheck);
});

test("a name that no check type has finds none", () => {
  for (const name of ["", "PORTS", "__proto__", "constructor"])
    assert.equal(checkTypeOf(name), undefined);
});
