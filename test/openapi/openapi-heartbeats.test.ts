import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { compatibilityOf } from "../../src/api/http/compatibility.ts";
import { openApiOf } from "../../src/api/openapi/openapi.ts";
import { Unavailable } from "../../src/kit/errors.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createPushHandler } from "../../src/push/handler.ts";
import type { Heartbeats } from "../../src/push/heartbeats.ts";
import { createOpenApiValidator } from "./openapi-validator.ts";
import { portOf } from "../peers/tcp.ts";
import { unlimited } from "../harnesses/unlimited.ts";

const document = openApiOf([], { root: "/api/1", compatibility: compatibilityOf("legacy") });
const objectionTo = createOpenApiValidator(document);

const heartbeat = "id=CHECK&checktoken=TOKEN";
const rows: readonly {
  readonly accept: Heartbeats["accept"];
  readonly query?: string;
  readonly body?: string;
  readonly status: number;
}[] = [
  { accept: async () => "accepted", status: 200 },
  { accept: async () => "accepted", query: "", status: 400 },
  { accept: async () => "unknown", status: 403 },
  { accept: async () => "disabled", status: 403 },
  { accept: async () => "throttled", status: 409 },
  { accept: async () => "accepted", body: "a".repeat(300_000), status: 413 },
  { accept: async () => "limited", status: 429 },
  { accept: () => Promise.reject(new Error("planted")), status: 500 },
  { accept: () => Promise.reject(new Unavailable("planted")), status: 503 },
];

test("every answer of the intake is in the document, and every status of the document is answered", async () => {
  const answered = new Set<string>();
  for (const { accept, query = heartbeat, body = "", status } of rows) {
    const found = await send(accept, { url: `/v1?${query}`, body });
    assert.equal(found.status, status);
    const request = { method: "POST", url: "/v1", contentType: undefined, body };
    assert.equal(objectionTo({ request, ...found }), undefined);
    answered.add(String(status));
  }
  assert.deepEqual(
    [...answered],
    Object.keys(document.paths["/v1"]?.post?.responses ?? {}).toSorted(),
  );
});

async function send(
  accept: Heartbeats["accept"],
  { url, body }: { readonly url: string; readonly body: string },
): Promise<{ readonly status: number; readonly answer: string }> {
  const heartbeats = { accept, isKnown: async () => true, prove: async () => {} };
  const quiet = { log: silentLog, meter: noMeter };
  const handler = createPushHandler({ ...unlimited, ...quiet, heartbeats });
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = `http://127.0.0.1:${portOf(server)}${url}`;
    const response = await fetch(address, { method: "POST", body });
    return { status: response.status, answer: await response.text() };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
