import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { compatibilityOf } from "../../src/api/http/compatibility.ts";
import { openApiOf } from "../../src/api/openapi/openapi.ts";
import { Unavailable } from "../../src/kit/errors.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createPushHandler } from "../../src/heartbeats/handler.ts";
import type { Heartbeats } from "../../src/heartbeats/heartbeats.ts";
import { createOpenApiValidator, operationOf } from "./openapi-validator.ts";
import { portOf } from "../peers/tcp.ts";
import { unlimited } from "../harnesses/unlimited.ts";

const document = openApiOf([], { root: "/api/1", compatibility: compatibilityOf("legacy") });
const objectionTo = createOpenApiValidator(document);

const byQuery = "/v1?id=CHECK&checktoken=TOKEN";
const byPath = "/v1/CHECK/TOKEN";
const rows: readonly {
  readonly accept: Heartbeats["accept"];
  readonly query?: string;
  readonly body?: string;
  readonly status: number;
}[] = [
  { accept: async () => "accepted", status: 200 },
  { accept: async () => "accepted", query: "ping=soon", status: 400 },
  { accept: async () => "unknown", status: 403 },
  { accept: async () => "disabled", status: 403 },
  { accept: async () => "throttled", status: 409 },
  { accept: async () => "accepted", body: `{"data":{"a":"${"a".repeat(300_000)}`, status: 413 },
  { accept: async () => "limited", status: 429 },
  { accept: () => Promise.reject(new Error("planted")), status: 500 },
  { accept: () => Promise.reject(new Unavailable("planted")), status: 503 },
];

for (const [path, address] of [
  ["/v1", byQuery],
  ["/v1/{id}/{checktoken}", byPath],
  ["/v1/{id}/{checktoken}/{signal}", `${byPath}/start`],
] as const) {
  test(`every answer at ${path} is in the document, and every status of the document is answered`, async () => {
    const answered = new Set<string>();
    for (const { accept, query = "", body = "", status } of rows) {
      const url = `${address}${address.includes("?") ? "&" : "?"}${query}`;
      const found = await send(accept, { method: "POST", url, body });
      assert.equal(found.status, status);
      const request = { method: "POST", url, contentType: undefined, body };
      assert.equal(objectionTo({ request, ...found }), undefined);
      answered.add(String(status));
    }
    const { post } = document.paths[path] ?? {};
    assert.deepEqual([...answered], Object.keys(post?.responses ?? {}).toSorted());
  });
}

for (const method of ["GET", "POST", "PUT", "HEAD", "DELETE"]) {
  const isDocumented = method !== "DELETE";
  test(`${method} is ${isDocumented ? "" : "not "}documented, as the intake has it`, async () => {
    for (const url of [byQuery, byPath, `${byPath}/fail`, `${byPath}/255`]) {
      const { status, answer } = await send(async () => "accepted", { method, url, body: "" });
      assert.equal(status, isDocumented ? 200 : 405);
      const request = { method, url, contentType: undefined, body: undefined };
      const operation = operationOf(document, request);
      assert.equal(operation?.verb, isDocumented ? method.toLowerCase() : undefined);
      if (method !== "HEAD") assert.equal(objectionTo({ request, status, answer }), undefined);
    }
  });
}

test("what is no address of a heartbeat is none of the document", async () => {
  for (const url of ["/v1/CHECK", `${byPath}/soon`, `${byPath}/256`, `${byPath}/start/1`]) {
    const { status, answer } = await send(async () => "accepted", { method: "GET", url, body: "" });
    assert.ok(status === 404 || status === 400, answer);
    const request = { method: "GET", url, contentType: undefined, body: undefined };
    assert.equal(operationOf(document, request), undefined);
  }
});

async function send(
  accept: Heartbeats["accept"],
  { method, url, body }: Readonly<Record<"method" | "url" | "body", string>>,
): Promise<{ readonly status: number; readonly answer: string }> {
  const heartbeats = {
    accept,
    isKnown: async () => true,
    prove: async () => {},
    sendersOfAlias: async () => [],
  };
  const quiet = { log: silentLog, meter: noMeter };
  const handler = createPushHandler({ ...unlimited, ...quiet, heartbeats });
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = `http://127.0.0.1:${portOf(server)}${url}`;
    const hasBody = method === "POST" || method === "PUT";
    const response = await fetch(address, { method, ...(hasBody ? { body } : {}) });
    return { status: response.status, answer: await response.text() };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
