import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { httpPeer } from "../../../test/peers/http.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { stepUntil, waitFor } from "../../../test/time/wait-for.ts";
import { Secret } from "../crypto/secret.ts";
import { silentLog } from "../log.ts";
import { createOtlpTracer } from "./otlp-tracer.ts";
import { spanIdOf, traceIdOf, type TraceSpan } from "./tracer.ts";

const span = (name: string): TraceSpan => ({
  traceId: traceIdOf(name),
  id: spanIdOf(name),
  name,
  startedAt: 1_795_000_000_000,
  endedAt: 1_795_000_000_012.5,
  attributes: { text: "a", whole: 3, part: 0.5, yes: true, none: undefined },
});

function tracerAt(url: string, sampleRatio = 1) {
  const clock = fakeClock();
  const counts: Record<string, number> = {};
  const tracer = createOtlpTracer({
    url,
    headers: new Secret("authorization=Basic YTpi, x-tenant=one"),
    sampleRatio,
    resource: { "service.name": "watchpost" },
    clock,
    log: silentLog,
    meter: {
      count: (event, _labels, by = 1) => void (counts[event] = (counts[event] ?? 0) + by),
      observe() {},
    },
  });
  return { clock, counts, tracer };
}

suite("traces by OTLP", () => {
  test("spans are sent together, as OTLP has them, with the headers", async () => {
    const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
    await using peer = await httpPeer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body });
        response.end("{}");
      });
    });
    const { tracer, clock, counts } = tracerAt(`${peer.url}/v1/traces`);
    tracer.record([
      span("one"),
      { ...span("two"), parentId: spanIdOf("one"), kind: "client", error: "timeout" },
    ]);
    await clock.advance(2000);
    await waitFor("they are sent", () => counts["app.spans_sent"] === 2);
    const [request] = received;
    assert.equal(request?.headers.authorization, "Basic YTpi");
    assert.equal(request?.headers["x-tenant"], "one");
    const sent = JSON.parse(request?.body ?? "").resourceSpans[0];
    assert.deepEqual(sent.resource.attributes, [
      { key: "service.name", value: { stringValue: "watchpost" } },
    ]);
    assert.deepEqual(sent.scopeSpans[0].spans, [
      {
        traceId: traceIdOf("one"),
        spanId: spanIdOf("one"),
        name: "one",
        kind: 1,
        startTimeUnixNano: "1795000000000000000",
        endTimeUnixNano: "1795000000012500000",
        attributes: [
          { key: "text", value: { stringValue: "a" } },
          { key: "whole", value: { intValue: "3" } },
          { key: "part", value: { doubleValue: 0.5 } },
          { key: "yes", value: { boolValue: true } },
        ],
      },
      {
        ...sent.scopeSpans[0].spans[1],
        traceId: traceIdOf("two"),
        parentSpanId: spanIdOf("one"),
        kind: 3,
        status: { code: 2, message: "timeout" },
      },
    ]);
    assert.match(traceIdOf("one"), /^[\da-f]{32}$/);
    assert.match(spanIdOf("one"), /^[\da-f]{16}$/);
  });

  for (const [manner, answer] of [
    ["hangs", () => {}],
    ["refuses", (response: ServerResponse) => response.writeHead(503).end()],
  ] as const)
    test(`a receiver that ${manner} costs its spans, and no more than are kept`, async () => {
      let requests = 0;
      await using peer = await httpPeer((request, response) => {
        requests += 1;
        request.resume();
        answer(response);
      });
      const { tracer, clock, counts } = tracerAt(peer.url);
      tracer.record(Array.from({ length: 20_000 }, (_, index) => span(String(index))));
      assert.equal(counts["app.spans_dropped"], 20_000 - 8192);
      await clock.advance(2000);
      await waitFor("the first is asked for", () => requests === 1);
      await stepUntil("it is given up", async () => {
        await clock.advance(1000);
        return (counts["app.spans_dropped"] ?? 0) > 20_000 - 8192;
      });
      assert.equal(counts["app.spans_sent"], undefined);
    });

  test("what is left is sent at the end, and nothing after that", async () => {
    let requests = 0;
    await using peer = await httpPeer((request, response) => {
      requests += 1;
      request.resume();
      response.end();
    });
    const { tracer, counts } = tracerAt(peer.url);
    tracer.record([span("last")]);
    await tracer.close();
    tracer.record([span("late")]);
    assert.equal(requests, 1);
    assert.deepEqual(counts, { "app.spans_sent": 1, "app.spans_dropped": 1 });
  });

  test("of all traces it takes the share that is wanted, each with all of its spans", () => {
    const { tracer } = tracerAt("http://127.0.0.1:9", 0.25);
    const ids = Array.from({ length: 2000 }, (_, index) => traceIdOf(String(index)));
    const taken = ids.filter(tracer.takes).length;
    assert.ok(taken > 400 && taken < 600, String(taken));
    const [none, all] = [tracerAt("http://127.0.0.1:9", 0), tracerAt("http://127.0.0.1:9")];
    assert.equal(ids.filter(none.tracer.takes).length, 0);
    assert.equal(ids.filter(all.tracer.takes).length, ids.length);
  });
});
