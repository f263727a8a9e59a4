import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";

import { compatibilityOf } from "../../src/api/http/compatibility.ts";
import { openApiOf } from "../../src/api/openapi/openapi.ts";
import { createResources } from "../../src/api/registry.ts";
import { createApiFixture } from "../api-fixture.ts";
import { createOpenApiValidator } from "./openapi-validator.ts";

const rows: readonly {
  readonly name: string;
  readonly request: string;
  readonly parameters?: object;
  readonly status?: number;
  readonly answer: unknown;
  readonly objection: RegExp | undefined;
}[] = [
  { name: "an answer as documented", request: "GET /checks", answer: {}, objection: undefined },
  {
    name: "a record under an id",
    request: "GET /results/current",
    answer: { x: { type: "down", label: "", t: 1 } },
    objection: undefined,
  },
  {
    name: "a wrong member",
    request: "GET /results/current",
    answer: { x: { type: "down", label: "", t: "1" } },
    objection: /results~1current\/get.*t must be integer/,
  },
  {
    name: "a missing member",
    request: "GET /results/current",
    answer: { x: { type: "down", t: 1 } },
    objection: /must have required property 'label'/,
  },
  {
    name: "a member too many",
    request: "DELETE /checks/x",
    answer: { ok: true, id: "x", more: 1 },
    objection: /must NOT have additional properties/,
  },
  {
    name: "a member too many, where the parameter action names the operation",
    request: "GET /results",
    parameters: { action: "current" },
    answer: { x: { type: "down", label: "", t: 1, more: 1 } },
    objection: /must NOT have additional properties/,
  },
  {
    name: "a member too many, where a named operation is posted",
    request: "POST /results/current",
    answer: { x: { type: "down", label: "", t: 1, more: 1 } },
    objection: /must NOT have additional properties/,
  },
  {
    name: "an error",
    request: "GET /checks/x",
    status: 404,
    answer: { error: "Error fetching check." },
    objection: undefined,
  },
  {
    name: "an error with more than its sentence",
    request: "GET /checks/x",
    status: 404,
    answer: { error: "Error fetching check.", code: 1 },
    objection: /must NOT have additional properties/,
  },
  {
    name: "an error in place of an answer",
    request: "GET /results/current",
    answer: { error: "" },
    objection: /must be object/,
  },
  {
    name: "a status that is not documented",
    request: "GET /checks/x",
    status: 409,
    answer: { error: "" },
    objection: /this status is not documented/,
  },
  {
    name: "an answer where there is no operation",
    request: "GET /planted",
    answer: {},
    objection: /must have required property 'error'/,
  },
  {
    name: "an answer to a verb that the path does not have",
    request: "DELETE /results/x",
    answer: [],
    objection: /must be object/,
  },
  {
    name: "a refusal where there is no operation",
    request: "DELETE /results/x",
    status: 405,
    answer: { error: "" },
    objection: undefined,
  },
];

await using cast = await createApiFixture();
const objectionTo = createOpenApiValidator(
  openApiOf(createResources(cast.deps), {
    root: "/api/1",
    compatibility: compatibilityOf("standard"),
  }),
);

for (const { name, request, parameters, status = 200, answer, objection } of rows) {
  test(`${name} is ${objection === undefined ? "documented" : "objected to"}`, () => {
    const [method = "", path = ""] = request.split(" ");
    const found = objectionTo({
      request: {
        method,
        url: `/api/1${path}`,
        contentType: undefined,
        body: parameters === undefined ? undefined : JSON.stringify(parameters),
      },
      status,
      answer: JSON.stringify(answer),
    });
    if (objection === undefined) assert.equal(found, undefined);
    else assert.match(found ?? "", objection);
  });
}

const planted: readonly { readonly name: string; readonly answer: () => Buffer | Readable }[] = [
  { name: "in one piece", answer: () => Buffer.from("{}") },
  { name: "in several pieces", answer: () => Readable.from(["{", "}"]) },
];

for (const { name, answer } of planted) {
  test(`an answer ${name} that the document does not know fails the test that asks for it`, async () => {
    const cast = await createApiFixture();
    cast.app.get("/api/1/planted", (_, reply) => reply.send(answer()));
    await assert.rejects(cast.ask(cast.alice, "GET /planted"), /GET \/api\/1\/planted/);
    await cast[Symbol.asyncDispose]();
  });

  test(`an answer ${name} that the document does not know fails the test that injects`, async () => {
    const cast = await createApiFixture();
    cast.app.get("/api/1/planted", (_, reply) => reply.send(answer()));
    await cast.app.inject({ url: "/api/1/planted" });
    await assert.rejects(async () => cast[Symbol.asyncDispose](), /GET \/api\/1\/planted/);
  });
}
