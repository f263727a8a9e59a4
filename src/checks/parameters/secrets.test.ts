import assert from "node:assert/strict";
import test from "node:test";

import { samples } from "../../../test/checks/samples.ts";
import { checkTypes } from "../registry.ts";
import { secretValues } from "./secrets.ts";

const schemaOf = (type: string) => {
  const found = checkTypes.find((one) => one.type === type);
  assert.ok(found !== undefined);
  return found.schema;
};

const rows = [
  { type: "IMAP4", parameters: { username: "alice", password: "hunter2" }, secrets: ["hunter2"] },
  { type: "IMAP4", parameters: { password: 12_345 }, secrets: ["12345"] },
  { type: "IMAP4", parameters: { password: "" }, secrets: [] },
  { type: "IMAP4", parameters: {}, secrets: [] },
  { type: "HTTP", parameters: { target: "https://example.com/" }, secrets: [] },
  {
    type: "HTTP",
    parameters: { target: "https://al%40ice:s%3Acret@example.com/" },
    secrets: ["al@ice", "s:cret"],
  },
  { type: "HTTP", parameters: { target: "https://token@example.com/" }, secrets: ["token"] },
  {
    type: "HTTP",
    parameters: { target: "https://alice:100%@example.com/" },
    secrets: ["alice", "100%"],
  },
  {
    type: "HTTP",
    parameters: { target: "https://example.com/?apikey=s%2Bcret&page=2&sig=abc&q=two+words" },
    secrets: ["s+cret", "abc"],
  },
  {
    type: "HTTP",
    parameters: {
      target: "https://example.com/?u=9f86d081884c7d659a2feaa0&9f86d081884c7d659a2feaa1",
    },
    secrets: ["9f86d081884c7d659a2feaa0", "9f86d081884c7d659a2feaa1"],
  },
  {
    type: "HTTPPARSE",
    parameters: {
      sendheaders: { Accept: "text/html", "X-Api-Key": "abc", "X-TOKEN": 5, Cookie: null },
    },
    secrets: ["abc", "5"],
  },
  {
    type: "HTTPADV",
    parameters: { sendheaders: { Authorization: "Bearer abc-def-ghi" } },
    secrets: ["Bearer abc-def-ghi", "abc-def-ghi"],
  },
  {
    type: "HTTPADV",
    parameters: { sendheaders: { Cookie: 'a=1; session="0123456789"' } },
    secrets: ['a=1; session="0123456789"', "0123456789"],
  },
  {
    type: "HTTPADV",
    parameters: { data: { user: "alice", password: "hunter2" } },
    secrets: ["hunter2"],
  },
  { type: "HTTPADV", parameters: { postdata: "how is it?" }, secrets: ["how is it?"] },
  {
    type: "HTTPADV",
    parameters: { postdata: '{"login":{"user":"alice","secret":["a",{"b":"c"}]}}' },
    secrets: ['{"login":{"user":"alice","secret":["a",{"b":"c"}]}}', "a", "c"],
  },
  {
    type: "HTTPADV",
    parameters: { postdata: "user=alice&pass=a+b" },
    secrets: ["user=alice&pass=a+b", "a b"],
  },
  {
    type: "HTTPADV",
    parameters: { postdata: '<login key="1">abcdefgh</login>' },
    secrets: ['<login key="1">abcdefgh</login>'],
  },
  { type: "WEBSOCKET", parameters: { data: "ping" }, secrets: [] },
  { type: "WEBSOCKET", parameters: { data: '{"op":"hi","token":"abc"}' }, secrets: ["abc"] },
  { type: "WEBSOCKET", parameters: { data: { op: "hi", token: "abc" } }, secrets: ["abc"] },
  {
    type: "WEBSOCKET",
    parameters: { data: `{"a":${"[".repeat(40_000)}` },
    secrets: [],
  },
];

for (const { type, parameters, secrets } of rows) {
  test(`${type} with ${JSON.stringify(parameters).slice(0, 90)} keeps secret ${JSON.stringify(secrets)}`, () => {
    assert.deepEqual(secretValues(schemaOf(type), parameters), secrets);
  });
}

for (const { type, schema } of checkTypes) {
  test(`${type} keeps secret every parameter that its name calls so`, () => {
    const { full = {} } = samples[type] ?? {};
    for (const name of Object.keys(schema.shape).filter((name) => /pass|key|cert$/.test(name)))
      assert.notDeepEqual(secretValues(schema, { [name]: full[name] }), [], name);
  });
}
