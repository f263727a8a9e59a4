import assert from "node:assert/strict";
import { test } from "node:test";

import {
  changedValues,
  newValues,
  sentValues,
  storedValues,
  type FormParameter,
} from "./form-values.ts";

function parameter(
  name: string,
  input: FormParameter["input"],
  more: Partial<FormParameter> = {},
): FormParameter {
  return { name, input, title: name, help: "", required: false, advanced: false, ...more };
}

const parameters = [
  parameter("target", "line", { required: true }),
  parameter("port", "integer", { default: 21 }),
  parameter("verify", "switch", { default: false, suggested: true }),
  parameter("secure", "choice", {
    default: "false",
    choices: [
      { value: "false", title: "None" },
      { value: "ssl", title: "TLS" },
    ],
  }),
  parameter("sendheaders", "pairs"),
  parameter("fields", "metrics"),
];

test("a new form begins with what is suggested, or else with the defaults, and sends neither defaults nor what is empty", () => {
  const values = newValues(parameters);
  assert.deepEqual(values, {
    target: "",
    port: 21,
    verify: true,
    secure: "false",
    sendheaders: [],
    fields: [],
  });
  assert.deepEqual(sentValues(parameters, { ...values, target: "a.example" }), {
    target: "a.example",
    verify: true,
  });
});

test("rows are sent as members, those without a name not at all", () => {
  const values = {
    ...newValues(parameters),
    sendheaders: [
      { name: " X-One ", value: "1" },
      { name: "", value: "lost" },
    ],
    fields: [
      { key: "", name: "load.1min", min: "", max: 4.5 },
      { key: "", name: "load.1min", min: 0, max: "" },
    ],
  };
  const { sendheaders, fields } = sentValues(parameters, values);
  assert.deepEqual(sendheaders, { "X-One": "1" });
  assert.deepEqual(fields, {
    "load.1min": { name: "load.1min", max: 4.5 },
    "load.1min 2": { name: "load.1min", min: 0 },
  });
});

test("what is stored is shown in whatever notation it was sent", () => {
  const stored = {
    target: "a.example",
    port: "2121",
    verify: "yes",
    secure: true,
    sendheaders: { a: 1 },
    fields: { one: { name: "x", min: "2", max: null } },
  };
  assert.deepEqual(storedValues(parameters, stored), {
    target: "a.example",
    port: 2121,
    verify: true,
    secure: "ssl",
    sendheaders: [{ name: "a", value: "1" }],
    fields: [{ key: "one", name: "x", min: 2, max: 0 }],
  });
});

test("a form that nobody changed sends nothing", () => {
  const before = storedValues(parameters, { target: "a.example", verify: "off" });
  assert.deepEqual(changedValues(parameters, { before, after: { ...before } }), {});
});

test("of a stored record only changes are sent, and what is gone is removed", () => {
  const before = storedValues(parameters, {
    target: "a.example",
    port: 22,
    sendheaders: { a: "1", b: "2" },
    fields: { one: { name: "x", min: 1, max: 2 }, two: { name: "y", min: 3 } },
  });
  const after = {
    ...before,
    port: "",
    sendheaders: [{ name: "b", value: "3" }],
    fields: [
      { key: "one", name: "x", min: 1, max: "" },
      { key: "two", name: "y", min: 3, max: "" },
    ],
  };
  assert.deepEqual(changedValues(parameters, { before, after }), {
    port: "",
    sendheaders: { a: null, b: "3" },
    fields: { one: null, x: { name: "x", min: 1 } },
  });
});
