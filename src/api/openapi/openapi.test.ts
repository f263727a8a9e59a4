import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { Validator } from "@seriousme/openapi-schema-validator";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { operationOf } from "../../../test/openapi/openapi-validator.ts";
import { propertiesOf } from "../../../test/openapi/properties-of.ts";
import { compatibilityOf } from "../http/compatibility.ts";
import type { CompatibilityMode } from "../../domain/account/token.ts";
import { openApiOf } from "./openapi.ts";
import type { OpenApi, OperationObject } from "./document.ts";
import { createResources } from "../registry.ts";

await using cast = await createApiFixture();
const resources = createResources(cast.deps);
const documentFor = (mode: CompatibilityMode): OpenApi =>
  openApiOf(resources, { root: "/api/1", compatibility: compatibilityOf(mode) });
const document = documentFor("standard");

const verbs: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE"]);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
);
/** Operations of resources: without the document itself and the paths outside the API. */
const ofResources = operations.filter(({ operation }) => operation.security === undefined);

/** The names of all that an operation takes, wherever it takes it. */
function parametersOf({ parameters = [], requestBody }: OperationObject): readonly string[] {
  const { schema } = requestBody?.content["application/json"] ?? {};
  return [...parameters.map(({ name }) => name), ...Object.keys(inBody(schema))];
}

function inBody(schema: object | undefined): Readonly<Record<string, object>> {
  return propertiesOf(schema, document.components.schemas);
}

for (const mode of ["standard", "legacy"] as const) {
  test(`the document of ${mode} mode is valid OpenAPI 3.1, and everything it refers to is in it`, async () => {
    const made = documentFor(mode);
    const { valid, errors } = await new Validator().validate(structuredClone({ ...made }));
    assert.ok(valid, JSON.stringify(errors));
    const text = JSON.stringify(made);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = ""]) => to);
    assert.ok(references.length > 50);
    for (const to of new Set(references)) {
      const [root, ...keys] = to.split("/");
      assert.equal(root, "#");
      const found = keys.reduce<unknown>(
        (value, key) => new Map(Object.entries(value ?? {})).get(key),
        made,
      );
      assert.ok(found, to);
    }
  });
}

test("every operation of every resource is in the document with its parameters, and no other is", () => {
  const registered = resources.flatMap(({ name, operations }) =>
    Object.entries(operations).map(([action, { input, effect, extraParameters = {} }]) => {
      const path = verbs.has(action) ? `/${name}` : `/${name}/${action.toLowerCase()}`;
      const parameters = [...Object.keys(input.shape), ...Object.keys(extraParameters)];
      const named = effect === "write" ? "POST" : "GET";
      return [`${verbs.has(action) ? action : named} ${path}`, parameters.toSorted()];
    }),
  );
  // Operations on one record and on all.
  const documented = Map.groupBy(
    ofResources,
    ({ path, verb }) => `${verb} ${path.replace(/\/\{id\}$/, "")}`,
  )
    .entries()
    .map(([name, found]) => {
      const parameters = found.flatMap(({ operation }) => parametersOf(operation));
      // An account is named by the id in its path.
      if (name === "GET /accounts") parameters.push("customerid");
      return [name, [...new Set(parameters)].toSorted()];
    });
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(registered));
});

test("an operation that takes an id has a path with the id in it, and takes the same there", () => {
  for (const { path, verb, operation } of ofResources.filter(({ path }) => !path.endsWith("}"))) {
    const byId = document.paths[`${path}/{id}`]?.[verb.toLowerCase()];
    const parameters = parametersOf(operation);
    if (byId === undefined) {
      assert.ok(!parameters.includes("id"), `${verb} ${path}`);
      continue;
    }
    assert.ok(byId.parameters?.some(({ name, in: place }) => name === "id" && place === "path"));
    const own =
      path === "/accounts" ? parameters.filter((name) => name !== "customerid") : parameters;
    assert.deepEqual(new Set(parametersOf(byId)), new Set([...own, "id"]), `${verb} ${path}`);
  }
});

test("every operation has a name of its own, a summary and a tag, and every tag is explained", () => {
  const names = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(names).size, names.length);
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { operation } of operations) {
    assert.notEqual(operation.summary, "", operation.operationId);
    assert.ok(operation.description.length > operation.summary.length, operation.operationId);
    assert.ok(
      operation.tags.every((tag) => tags.get(tag)),
      operation.operationId,
    );
  }
});

test("every parameter is explained", () => {
  for (const { operation } of ofResources) {
    const { schema } = operation.requestBody?.content["application/json"] ?? {};
    const described: readonly { readonly description?: string }[] = [
      ...(operation.parameters ?? []),
      ...Object.values(inBody(schema)),
    ];
    for (const { description } of described) assert.ok(description, operation.operationId);
  }
});

test("the server knows every operation of the document, and refuses every other", async () => {
  await using cast = await createApiFixture();
  const paths = new Set([
    ...ofResources.map(({ path }) => path),
    ...resources.map(({ name }) => `/${name}`),
    "/nothing",
    "/nothing/{id}",
    "/checks/{id}/more",
    "/results/uptime/{id}/more",
  ]);
  for (const path of paths) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"] as const) {
      const url = `/api/1${path.replace("{id}", "x")}`;
      const { statusCode } = await cast.app.inject({ method, url });
      const request = { method, url, contentType: undefined, body: undefined };
      const isKnown = operationOf(document, request) !== undefined;
      // Only who asks for something known is asked for a token.
      assert.equal(statusCode === 403, isKnown, `${method} ${url} answered ${statusCode}`);
      assert.ok([403, 404, 405].includes(statusCode), `${method} ${url} answered ${statusCode}`);
    }
  }
});

test("the document is served to everybody, and again only where it has changed", async () => {
  await using cast = await createApiFixture();
  const first = await cast.app.inject({ url: "/api/1/openapi.json" });
  assert.equal(first.statusCode, 200);
  assert.equal(first.headers["content-type"], "application/json");
  assert.equal(first.headers["access-control-allow-origin"], "*");
  assert.deepEqual(first.json(), document);
  const small = await cast.app.inject({
    url: "/api/1/openapi.json",
    headers: { "accept-encoding": "gzip" },
  });
  assert.equal(small.headers["content-encoding"], "gzip");
  assert.ok(small.rawPayload.length < 60_000, `${small.rawPayload.length} bytes`);
  assert.deepEqual(JSON.parse(gunzipSync(small.rawPayload).toString("utf8")), document);
  const { etag } = first.headers;
  const headers = { "if-none-match": String(etag) };
  const again = await cast.app.inject({ url: "/api/1/openapi.json/", headers });
  assert.equal(again.statusCode, 304);
  assert.equal(again.headers.etag, etag);
});

test("the document of legacy mode knows the errors that answer with status 200", () => {
  const { paths } = documentFor("legacy");
  const { responses } = paths["/contacts/{id}"]?.get ?? {};
  assert.deepEqual(Object.keys(responses ?? {}), ["200", "403", "429", "500", "503"]);
  const shown = JSON.stringify(responses?.["200"]);
  assert.match(shown, /\{"const":\{\}\}/);
  assert.match(shown, /\{"\$ref":"#\/components\/schemas\/Error"\}/);
});
