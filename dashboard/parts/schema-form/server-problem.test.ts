import assert from "node:assert/strict";
import { test } from "node:test";

import { problemOf } from "./server-problem.ts";

const fields = ["target", "port", "sendheaders", "notifications"];

for (const { message, field, sentence } of [
  {
    message: "port: must be a whole number from 1 to 65535",
    field: "port",
    sentence: "Must be a whole number from 1 to 65535",
  },
  {
    message: "sendheaders.a: must be one line of ASCII text",
    field: "sendheaders",
    sentence: "Sendheaders.a: must be one line of ASCII text",
  },
  { message: "A target is required.", field: "target", sentence: "A target is required." },
  {
    message: "dep: leads back to the check itself",
    sentence: "Dep: leads back to the check itself",
  },
  { message: "the account is full", sentence: "The account is full" },
] as const)
  test(`${JSON.stringify(message)} is shown beside ${field ?? "no field"}`, () => {
    assert.deepEqual(problemOf(message, fields), { field, sentence });
  });
