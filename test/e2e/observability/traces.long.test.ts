import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { z } from "zod";

import { httpPeer } from "../../peers/http.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import { waitFor } from "../../time/wait-for.ts";
import { start, temporaryFolder } from "../process.ts";

const value = z.object({ stringValue: z.string().optional(), intValue: z.string().optional() });
const span = z.object({
  traceId: z.string().regex(/^[\da-f]{32}$/),
  spanId: z.string().regex(/^[\da-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: z.array(z.object({ key: z.string(), value })),
  status: z.object({ code: z.literal(2), message: z.string() }).optional(),
});
const request = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});
type Span = z.infer<typeof span>;

const caller = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };

suite("traces", () => {
  test("a check, its alert and the delivery are one trace, a request is of its caller's, and neither has secrets", async () => {
    const spans: Span[] = [];
    let received = "";
    await using collector = await httpPeer((asked, response) => {
      void text(asked).then((body) => {
        assert.equal(asked.url, "/v1/traces");
        received += body;
        const { resourceSpans } = request.parse(JSON.parse(body));
        spans.push(
          ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
        );
        response.end("{}");
      });
    });
    await using target = await httpPeer((_, response) =>
      response.writeHead(500).end("oh-no-answer"),
    );
    await using hook = await receiverPeer();
    await using folder = await temporaryFolder();
    await using site = await start(folder.path, {
      WATCHPOST_EGRESS: "private",
      WATCHPOST_OTLP_URL: collector.url,
    });
    const contact = await site.api("POST contacts", {
      name: "Hook",
      custrole: "notify",
      newaddresses: [{ address: `${hook.url}/hook-secret`, type: "webhook" }],
    });
    const check = await site.api("POST checks", {
      type: "HTTP",
      target: `${target.url.replace("//", "//user:target-secret@")}/?key=target-secret`,
      sens: 0,
      enabled: true,
      notifications: [{ [contact._id]: "All" }],
    });
    await fetch(`${site.base}/api/1/checks/${check._id}?token=${site.token}`, {
      headers: { traceparent: `00-${caller.trace}-${caller.span}-01` },
    });
    const delivery = await waitFor("the delivery is traced", () =>
      spans.find(({ name }) => name === "delivery"),
    );
    const named = (name: string): Span =>
      spans.find((each) => each.name === name && each.traceId === delivery.traceId) ??
      assert.fail(`there is no span ${name} in ${spans.map((each) => each.name).join()}`);
    const alert = await waitFor("the alert is traced", () =>
      spans.find(({ name }) => name === "alert"),
    );
    await waitFor("the check is traced", () =>
      spans.some(({ traceId, name }) => traceId === delivery.traceId && name === "check"),
    );
    const [root, job] = [named("check"), named("job")];
    assert.equal(root.parentSpanId, undefined);
    assert.deepEqual(
      [delivery.parentSpanId, alert.parentSpanId, job.parentSpanId],
      [alert.spanId, root.spanId, root.spanId],
    );
    assert.deepEqual(
      [named("schedule").parentSpanId, named("verdict").parentSpanId],
      [root.spanId, root.spanId],
    );
    assert.equal(job.status?.message, "status");
    const verdict = root.attributes.find(({ key }) => key === "watchpost.verdict");
    assert.equal(verdict?.value.stringValue, "flip to failing");
    const asked = await waitFor("the request is traced", () =>
      spans.find(({ traceId }) => traceId === caller.trace),
    );
    assert.deepEqual([asked.name, asked.parentSpanId], ["GET /api/1/checks", caller.span]);
    for (const secret of ["target-secret", "hook-secret", "oh-no-answer", site.token])
      assert.ok(!received.includes(secret), secret);
  });
});
