import assert from "node:assert/strict";
import dns from "node:dns";
import { after, before, test } from "node:test";

import { trustedCertificate } from "../../test/peers/trusted-certificate.ts";
import { contextOf } from "../../test/contracts/check-type.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { httpPeer } from "../../test/peers/http.ts";
import { nameServer, type NameServer } from "../../test/peers/name-server.ts";
import { closedPort } from "../../test/peers/tcp.ts";
import { tlsPeer } from "../../test/peers/tls.ts";
import type { DiagnosticTool, DiagnosticsFinding } from "../domain/diagnostics.ts";
import { createEgress } from "../kit/net/egress.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { runDiagnostics } from "./diagnostics.ts";

let names: NameServer;
const usual = dns.getServers();

before(async () => {
  // An answer without records: the question with the bit of an answer set.
  names = await nameServer((query) => {
    const answer = Buffer.from(query);
    answer.writeUInt8(answer.readUInt8(2) | 0x80, 2);
    answer.writeUInt16BE(0, 10);
    return [answer];
  });
  dns.setServers([`127.0.0.1:${names.port}`]);
});
after(async () => {
  dns.setServers(usual);
  await names[Symbol.asyncDispose]();
});

async function found(
  parameters: Readonly<Record<string, unknown>>,
  options: {
    type?: string;
    tools?: readonly DiagnosticTool[];
    context?: Parameters<typeof contextOf>[0];
  } = {},
): Promise<Readonly<Record<string, DiagnosticsFinding>>> {
  const { type = "HTTP", tools, context } = options;
  const findings = await runDiagnostics(
    { type, parameters, tools },
    contextOf({ timeoutMs: 30_000, ...context }),
  );
  return Object.fromEntries(findings.map((finding) => [finding.tool, finding]));
}

test("a web page is looked up, routed to and fetched, and what it says is shown without our password", async () => {
  await using peer = await httpPeer((_, response) => {
    response.writeHead(503, { "Set-Cookie": "session=1", "X-Reason": "s3cret/word is wrong" });
    response.end("Out of order");
  });
  const target = `http://user:s3cret%2Fword@127.0.0.1:${peer.port}/shop?item=1`;
  const { lookup, route, page } = await found({ target });
  assert.match(lookup?.text ?? "", /^PTR: NOERROR from 127\.0\.0\.1 in \d+ ms$/);
  assert.equal(route?.about, "127.0.0.1");
  assert.match(route?.text ?? "", /\n {2}1 {2}127\.0\.0\.1 +0%( +\d+\.\d){3}$/);
  assert.equal(page?.about, `http://127.0.0.1:${peer.port}/shop`);
  assert.match(page?.text ?? "", /^connected to 127\.0\.0\.1\ndns \d+ ms, connect \d+ ms/);
  assert.match(page?.text ?? "", /HTTP 503 Service Unavailable\nx-reason: \(hidden\) is wrong\n/);
  assert.match(page?.text ?? "", /\n\nOut of order$/);
  assert.doesNotMatch(JSON.stringify({ lookup, route, page }), /s3cret|session=/);
});

test("a page over TLS is shown with its certificate", async () => {
  await using peer = await tlsPeer(trustedCertificate(), (socket) =>
    socket.end("HTTP/1.1 204 Fine\r\n\r\n"),
  );
  const { page } = await found({ target: `https://127.0.0.1:${peer.port}/` }, { tools: ["page"] });
  assert.match(page?.text ?? "", /\ncertificate of localhost by an authority, 59 days left\n/);
});

test("a name is looked up in three ways, and where there is no page none is fetched", async () => {
  const { lookup, page } = await found(
    { target: "localhost", port: await closedPort() },
    { type: "PORT", tools: ["lookup", "page"] },
  );
  assert.deepEqual(
    lookup?.text.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")),
    ["A: NOERROR", "AAAA: NOERROR", "NS: NOERROR"],
  );
  assert.equal(page?.text, "the target is no web page");
});

test("where nobody listens the page says so", async () => {
  const { page } = await found(
    { target: `http://127.0.0.1:${await closedPort()}/` },
    { tools: ["page"] },
  );
  assert.match(page?.text ?? "", /\n\nConnection refused: 127\.0\.0\.1$/);
});

// guard: egress of diagnostics
test("what policy refuses is not looked at", async () => {
  await using peer = await httpPeer((_, response) => response.end());
  const egress = createEgress({ mode: "public", resolver: createResolver() });
  const { route, page } = await found(
    { target: `http://127.0.0.1:${peer.port}/` },
    { context: { egress } },
  );
  assert.match(route?.text ?? "", /^only public addresses are contacted from here/);
  assert.match(page?.text ?? "", /\n\nonly public addresses are contacted from here/);
  assert.equal(peer.accepted(), 0);
});

test("routers whose addresses checks may not see are not shown", async () => {
  const egress = createEgress({ mode: "private", resolver: createResolver() });
  let asked = 0;
  const hiding = {
    ...egress,
    // The target itself is asked for first.
    resolve: (...call: Parameters<typeof egress.resolve>) =>
      (asked += 1) === 1 ? egress.resolve(...call) : Promise.reject(new Error("blocked")),
  };
  const { route } = await found(
    { target: "127.0.0.1", port: 1 },
    { type: "PORT", tools: ["route"], context: { egress: hiding } },
  );
  assert.match(route?.text ?? "", /\n {2}1 {2}\(not public\) +0%/);
});

test("it ends with the signal, and no program goes on", async () => {
  const signal = AbortSignal.abort("over");
  const { route, lookup, page } = await found(
    { target: "http://127.0.0.1:1/" },
    { context: { signal } },
  );
  assert.ok(route !== undefined && lookup !== undefined && page !== undefined);
  await waitFor(
    "no program goes on",
    () => !process.getActiveResourcesInfo().includes("ProcessWrap"),
  );
});

for (const { name, type, parameters } of [
  { name: "a check without a target", type: "PUSH", parameters: {} },
  { name: "a check of the system's own name server", type: "DNS", parameters: {} },
  { name: "a type that is not known here", type: "NONE", parameters: { target: "127.0.0.1" } },
]) {
  test(`${name} has nothing to look at`, async () => {
    assert.deepEqual(await runDiagnostics({ type, parameters }, contextOf()), []);
  });
}
