import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../api-fixture.ts";
import { createResponseChecker } from "./response-checker.ts";
import type { RawResponse, Request } from "./raw-http.ts";

const request: Request = {
  operationId: "getChecks",
  verb: "GET",
  origin: "",
  url: "/api/1/checks?",
  user: undefined,
  contentType: undefined,
  body: "",
  isChunked: false,
  corruption: undefined,
};
const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
const well: RawResponse = { status: 200, head, body: "{}" };

const rows: readonly {
  readonly name: string;
  readonly asked?: Partial<Request>;
  readonly answered?: Partial<RawResponse>;
  readonly objection: RegExp | undefined;
}[] = [
  { name: "an answer as documented", objection: undefined },
  {
    name: "an error as documented",
    answered: { status: 404, body: '{"error":"no such check"}' },
    objection: undefined,
  },
  {
    name: "an error of our own",
    answered: { status: 500, body: '{"error":"reference 1"}' },
    objection: /a fault of our own/,
  },
  {
    name: "a secret in the body",
    answered: { body: '{"a":"the SECRET"}' },
    objection: /it shows "secret"/,
  },
  {
    name: "a secret in a header",
    answered: { head: `${head}\r\nx: secret` },
    objection: /it shows "secret"/,
  },
  {
    name: "a header that was sent",
    answered: { head: `${head}\r\nX-Injected: 1` },
    objection: /a header that was sent/,
  },
  { name: "nothing", answered: { body: "" }, objection: /nothing is said/ },
  {
    name: "nothing, to a HEAD",
    asked: { verb: "HEAD" },
    answered: { body: "" },
    objection: undefined,
  },
  {
    name: "nothing, to OPTIONS",
    asked: { verb: "OPTIONS" },
    answered: { status: 204, body: "" },
    objection: undefined,
  },
  {
    name: "JSON that is called text",
    answered: { head: "HTTP/1.1 200 OK\r\ncontent-type: text/plain" },
    objection: /not called JSON/,
  },
  {
    name: "a refusal without a sentence",
    answered: { status: 400, body: '{"message":"no"}' },
    objection: /not one error and nothing else/,
  },
  {
    name: "a refusal with more than a sentence",
    answered: { status: 400, body: '{"error":"no","stack":"x"}' },
    objection: /not one error and nothing else/,
  },
  {
    name: "an error that succeeds",
    answered: { body: '{"error":"no"}' },
    objection: /a status that says there is none/,
  },
  {
    name: "an error of two lines",
    answered: { status: 400, body: '{"error":"no\\nat x"}' },
    objection: /not one line/,
  },
  {
    name: "a stack in an error",
    answered: { status: 400, body: '{"error":"no at run (file.js:1:1)"}' },
    objection: /it tells "at run \("/,
  },
  {
    name: "a path of the machine in an error",
    answered: { status: 400, body: JSON.stringify({ error: `no ${import.meta.filename}` }) },
    objection: /it tells /,
  },
  {
    name: "a status that is not documented",
    answered: { status: 409, body: '{"error":"no"}' },
    objection: /not documented/,
  },
  { name: "a member too few", answered: { body: '{"x":{}}' }, objection: /must have required/ },
  {
    name: "what is documented, to a request that is no HTTP",
    asked: { corruption: { change: (text) => text } },
    objection: /must have required property 'error'/,
  },
  {
    name: "what is documented, to a head that is too long",
    asked: { url: `/api/1/checks?${"x".repeat(70_000)}` },
    objection: /must have required property 'error'/,
  },
];

await using cast = await createApiFixture();
const { body: document } = await cast.app.inject({ url: "/api/1/openapi.json" });
const judge = createResponseChecker(JSON.parse(document), { isLegacy: false });

for (const { name, asked, answered, objection } of rows) {
  test(`${name} is ${objection === undefined ? "taken" : "objected to"}`, () => {
    const found = judge({
      request: { ...request, ...asked },
      response: { ...well, ...answered },
      hidden: ["secret"],
    });
    if (objection === undefined) assert.equal(found, undefined);
    else assert.match(found ?? "", objection);
  });
}

test("an error that succeeds is what clients of the original expect", () => {
  const legacy = createResponseChecker(JSON.parse(document), { isLegacy: true });
  const response = { ...well, body: '{"error":"no"}' };
  assert.doesNotMatch(legacy({ request, response, hidden: [] }) ?? "", /a status that says/);
});
