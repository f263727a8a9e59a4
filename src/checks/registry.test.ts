import assert from "node:assert/strict";
import test from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";

import { samples } from "../../test/checks/samples.ts";
import { portCheck } from "./port.ts";
import { checkTypeOf, checkTypes, parametersOfTypes } from "./registry.ts";

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

test("every parameter is described, and the same way for each of its types", () => {
  for (const { schema } of checkTypes)
    for (const [name, parameter] of Object.entries(schema.shape)) {
      const known = parametersOfTypes().find((each) => each.name === name);
      assert.ok(parameter.description, name);
      assert.equal(parameter.description, known?.description, name);
    }
});

test("a parameter is described once, with all its types and forms", () => {
  const parameters = new Map(parametersOfTypes().map((each) => [each.name, each]));
  assert.equal(parameters.size, parametersOfTypes().length);
  assert.deepEqual(parameters.get("transport"), {
    name: "transport",
    description: "The transport protocol of the request",
    forms: {
      anyOf: [
        { type: "string", enum: ["udp", "tcp"] },
        { type: "string", enum: ["udp", "tcp", "tls"] },
      ],
    },
    types: ["DNS", "SIP"],
  });
  assert.deepEqual(parameters.get("servername")?.types, ["SSL"]);
});

test("the forms of a parameter hold what its types take", () => {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  for (const { name, forms, types } of parametersOfTypes()) {
    const fits = ajv.compile(forms);
    for (const type of types) {
      const value = samples[type]?.full[name];
      assert.ok(value === undefined || fits(value), `${type} ${name} ${JSON.stringify(value)}`);
    }
    assert.ok(!fits([[]]), name);
  }
});
