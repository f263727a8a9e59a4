import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import test, { after } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { receiverPeer, type ReceivedRequest } from "../../../test/peers/webhook-receiver.ts";
import { listen, type Peer } from "../../../test/peers/tcp.ts";
import { nginx } from "../../../test/servers/nginx.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { httpAdvCheck } from "./httpadv.ts";

const certificate = selfSigned();
const clientcert = `${certificate.cert}${certificate.key}`;

checkParametersContract(httpAdvCheck, {
  least: { target: "http://example.com/" },
  leastReads: {
    target: "http://example.com/",
    method: "GET",
    regex: false,
    invert: false,
    follow: false,
    ipv6: false,
    verify: false,
  },
  full: {
    target: "https://alice:secret@example.com/a?b=c",
    method: "POST",
    sendheaders: { "X-Token": "a b\tc", "X-Count": 5, Host: null },
    data: { name: "Grüße", empty: "", on: true, nothing: null },
    postdata: '{"a":1}',
    statuscode: "404",
    receiveheaders: { "content-type": "text/html" },
    contentstring: "^a+\n{",
    regex: "true",
    invert: false,
    fields: { load: { name: "load.1min", min: "0", max: 4.5 } },
    follow: true,
    ipv6: false,
    verify: "yes",
    warningdays: "14",
    clientcert,
  },
  fullReads: {
    target: "https://alice:secret@example.com/a?b=c",
    method: "POST",
    sendheaders: { "X-Token": "a b\tc", "X-Count": "5" },
    data: { name: "Grüße", empty: "", on: "true" },
    postdata: '{"a":1}',
    statuscode: 404,
    receiveheaders: { "content-type": "text/html" },
    contentstring: "^a+\n{",
    regex: true,
    invert: false,
    fields: [{ path: "load.1min", min: 0, max: 4.5 }],
    follow: true,
    ipv6: false,
    verify: true,
    warningdays: 14,
    clientcert,
  },
});

type Parameters = Readonly<Record<string, unknown>>;

/** Opens no tunnel, and says that it has. */
function proxyPeer(asked: IncomingHttpHeaders[] = []): Promise<Peer> {
  const server = createServer().on("connect", ({ url, headers }, socket) => {
    asked.push({ ...headers, target: url });
    socket.on("end", () => socket.end());
    socket.write("HTTP/1.1 200 Connection established\r\nX-Via: proxy\r\n\r\n");
  });
  return listen(server);
}

const endings = {
  silence: "timeout",
  drip: "timeout",
  garbage: "protocol",
  reset: "protocol",
  close: "protocol",
  flood: "protocol",
} as const;

checkTypeContract(httpAdvCheck, {
  healthy: () => httpPeer((_, response) => response.writeHead(201).end("all is well")),
  parameters: ({ host, port }) => ({
    target: `http://${host}:${port}/`,
    method: "POST",
    postdata: "how is it?",
    statuscode: 201,
    contentstring: "well",
  }),
  endings,
});

checkTypeContract(httpAdvCheck, {
  name: "HTTPADV by CONNECT",
  healthy: () => proxyPeer(),
  parameters: ({ host, port }) => ({ target: `http://${host}:${port}/`, method: "CONNECT" }),
  endings,
});

function run(parameters: Parameters): Promise<Outcome> {
  return httpAdvCheck.prepare(parameters).run(contextOf());
}

async function verdict(parameters: Parameters): Promise<string> {
  const { reason, text, message } = await run(parameters);
  return `${reason} ${text} ${message}`;
}

/** Returns the request as received. */
async function sent(parameters: Parameters): Promise<ReceivedRequest> {
  await using peer = await receiverPeer();
  const outcome = await run({ target: `${peer.url}/a?b`, ...parameters });
  assert.equal(outcome.passed, true, outcome.message);
  const [request] = peer.requests;
  assert.ok(request);
  return request;
}

const FORM = "application/x-www-form-urlencoded";
const postdata = '{"a":"é"}';
const data = { name: "a b&c", on: true, nothing: null };
const requests: readonly {
  readonly parameters: Parameters;
  readonly body?: string;
  readonly type?: string;
}[] = [
  { parameters: {} },
  { parameters: { method: "get" } },
  { parameters: { method: "HEAD" } },
  { parameters: { method: "TRACE" } },
  { parameters: { method: "TRACE", postdata, data } },
  { parameters: { method: "DELETE" } },
  { parameters: { method: "POST" } },
  { parameters: { method: "PUT", postdata }, body: postdata, type: FORM },
  { parameters: { method: "DELETE", postdata }, body: postdata, type: FORM },
  { parameters: { postdata }, body: postdata, type: FORM },
  { parameters: { method: "POST", data }, body: "name=a+b%26c&on=true", type: FORM },
  { parameters: { method: "POST", data, postdata }, body: "name=a+b%26c&on=true", type: FORM },
  { parameters: { method: "POST", data: { a: null }, postdata }, body: postdata, type: FORM },
  {
    parameters: { method: "POST", postdata, sendheaders: { "content-TYPE": "application/json" } },
    body: postdata,
    type: "application/json",
  },
];

for (const { parameters, body = "", type } of requests) {
  test(`${JSON.stringify(parameters)} sends ${JSON.stringify(body)} as ${type}`, async () => {
    const request = await sent(parameters);
    const { method = "GET" } = parameters;
    assert.deepEqual([request.method, request.path], [String(method).toUpperCase(), "/a?b"]);
    assert.deepEqual([request.body, request.headers["content-type"]], [body, type]);
    assert.equal(request.headers["user-agent"], "Watchpost");
  });
}

test("headers go out as they are given, and before those that are usual", async () => {
  const { headers } = await sent({
    sendheaders: {
      "USER-agent": "Mine",
      host: "shop.test",
      "X-One": "a\tb",
      "X-Two": 2,
      Accept: null,
    },
  });
  const { connection, accept, host, "user-agent": agent, "x-one": one, "x-two": two } = headers;
  assert.deepEqual([connection, accept, host], ["close", "*/*", "shop.test"]);
  assert.deepEqual([agent, one, two], ["Mine", "a\tb", "2"]);
});

// guard: tunnels lead to the target alone
test("a tunnel is asked for to the target itself, with no body", async () => {
  const asked: IncomingHttpHeaders[] = [];
  await using proxy = await proxyPeer(asked);
  const target = `http://alice:secret@${proxy.host}:${proxy.port}/169.254.169.254:80`;
  const outcome = await run({
    target,
    method: "CONNECT",
    postdata,
    receiveheaders: { "X-Via": "PROXY" },
  });
  assert.deepEqual([outcome.passed, outcome.text], [true, "200"]);
  const [{ target: authority, host, authorization, "content-length": length } = {}] = asked;
  const itself = `127.0.0.1:${proxy.port}`;
  assert.deepEqual([authority, host, length], [itself, itself, undefined]);
  assert.equal(authorization, `Basic ${Buffer.from("alice:secret").toString("base64")}`);
});

const page: RequestListener = (_, response) =>
  response
    .writeHead(404, { "X-Kind": "Teapot", "Set-Cookie": ["a=1", "b=2"] })
    .end("load: 3, all is well");

const found = { statuscode: 404 };
const load = { name: "load", max: 2 };
const rules: readonly { readonly parameters: Parameters; readonly ends: string }[] = [
  { parameters: {}, ends: "status 404 HTTP status returned: 404" },
  { parameters: found, ends: "ok 404 Success" },
  { parameters: { statuscode: 200 }, ends: "status 404 HTTP status received: 404 expected: 200" },
  { parameters: { ...found, receiveheaders: { "x-kind": "TEAPOT" } }, ends: "ok 404 Success" },
  { parameters: { ...found, receiveheaders: { "set-cookie": "b=2" } }, ends: "ok 404 Success" },
  { parameters: { ...found, receiveheaders: { "X-Kind": " teapot " } }, ends: "ok 404 Success" },
  { parameters: { ...found, receiveheaders: { "X-Kind": null } }, ends: "ok 404 Success" },
  {
    parameters: {
      ...found,
      receiveheaders: { "X-Kind": "pot", "X-Other": "", "Set-Cookie": "c=3" },
    },
    ends: "mismatch 404 HTTP header X-Kind mismatch: Teapot. HTTP header missing: X-Other. HTTP header Set-Cookie mismatch: a=1, b=2",
  },
  { parameters: { ...found, contentstring: "well" }, ends: "ok 404 Success" },
  { parameters: { ...found, contentstring: "w[ae]ll$", regex: true }, ends: "ok 404 Success" },
  { parameters: { ...found, contentstring: "ill" }, ends: 'mismatch 404 Text not found: "ill"' },
  { parameters: { ...found, contentstring: "ill", invert: true }, ends: "ok 404 Success" },
  {
    parameters: { ...found, contentstring: "well", invert: true },
    ends: 'mismatch 404 Forbidden text found: "well"',
  },
  {
    parameters: { ...found, contentstring: "well", method: "HEAD" },
    ends: 'mismatch 404 Text not found: "well"',
  },
  { parameters: { ...found, fields: { load } }, ends: "metric 404 load:3 (max 2)" },
  {
    parameters: { ...found, contentstring: "well", fields: { load: { ...load, max: 3 } } },
    ends: "ok 404 All fields within parameters",
  },
  {
    parameters: {
      ...found,
      receiveheaders: { "X-Other": "" },
      contentstring: "ill",
      fields: { load },
    },
    ends: "mismatch 404 HTTP header missing: X-Other",
  },
];

for (const { parameters, ends } of rules) {
  test(`${JSON.stringify(parameters)} of a 404 ends as ${ends}`, async () => {
    await using peer = await httpPeer(page);
    assert.equal(await verdict({ target: peer.url, ...parameters }), ends);
  });
}

test("a long header is not shown at length", async () => {
  await using peer = await httpPeer((_, response) =>
    response.writeHead(200, { "X-Long": "x".repeat(10_000) }).end(),
  );
  const { message } = await run({ target: peer.url, receiveheaders: { "X-Long": "y" } });
  assert.equal(message, `HTTP header X-Long mismatch: ${"x".repeat(80)}`);
});

test("no evidence holds what was sent in secret, and the rest stays", async () => {
  await using peer = await httpPeer((request, response) => {
    request.setEncoding("utf8").once("data", (body: string) => {
      const { authorization = "", "x-request": id } = request.headers;
      const [, token] = authorization.split(" ");
      response.writeHead(500).end(JSON.stringify({ token, id, body }));
    });
  });
  const { evidence } = await run({
    target: peer.url,
    method: "POST",
    sendheaders: { Authorization: "Bearer abc-def-ghi", "X-Request": "abc" },
    data: { user: "alice", password: "a b/c" },
  });
  assert.equal(
    evidence?.split("\n\n")[1],
    '{"token":"(hidden)","id":"abc","body":"user=alice&password=(hidden)"}',
  );
});

test("only GET is sent on to where a redirect leads", async () => {
  for (const method of ["GET", "POST", "PUT", "HEAD", "DELETE", "TRACE"]) {
    await using peer = await httpPeer(({ url }, response) =>
      response.writeHead(url === "/" ? 302 : 204, { Location: "/next" }).end(),
    );
    const { text } = await run({ target: peer.url, method, follow: true });
    assert.equal(text, method === "GET" ? "204" : "302", method);
  }
});

// guard: credentials stay within their origin
test("what is secret goes along within its origin and not beyond it", async () => {
  const certificate = selfSigned();
  await using other = await receiverPeer(certificate);
  await using peer = await receiverPeer();
  const sendheaders = {
    Authorization: "Bearer s",
    COOKIE: "s",
    "Proxy-Authorization": "s",
    Host: "h",
    "X-Own": "1",
  };
  const parameters = { target: peer.url, postdata, sendheaders, follow: true };
  peer.reply({ status: 307, headers: { Location: "/" } });
  assert.equal((await run(parameters)).reason, "redirect");
  const secrets = ["Bearer s", "s", "s", "h", "1", postdata];
  assert.deepEqual(
    peer.requests.map(secretsOf),
    Array.from({ length: 5 }, () => secrets),
  );
  peer.reply({ status: 307, headers: { Location: other.url } });
  assert.equal((await run(parameters)).text, "200");
  const host = other.url.slice("https://".length);
  assert.deepEqual(other.requests.map(secretsOf), [
    [undefined, undefined, undefined, host, "1", ""],
  ]);
});

function secretsOf({ headers, body }: ReceivedRequest): readonly unknown[] {
  const { authorization, cookie, host } = headers;
  return [authorization, cookie, headers["proxy-authorization"], host, headers["x-own"], body];
}

const web = await nginx({
  rules: `
    ssl_verify_client optional_no_ca;
    location = /echo {
      add_header X-Method $request_method always;
      echo_read_request_body;
      echo_request_body;
    }
    location = /who { return 200 "$ssl_client_s_dn"; }
    location = /abroad { return 302 https://localhost:$server_port/who; }
    location = /home { return 302 https://127.0.0.1:$server_port/who; }
    location = /refused { return 403; }
  `,
});
after(() => web[Symbol.asyncDispose]());

const sites: readonly {
  readonly url: string;
  readonly parameters: Parameters;
  readonly ends: string;
}[] = [
  ...["GET", "POST", "PUT", "HEAD", "DELETE"].map((method) => ({
    url: `${web.url}/echo`,
    parameters: { method, receiveheaders: { "X-Method": method } },
    ends: "ok 200 Success",
  })),
  ...["POST", "PUT", "DELETE", "GET"].map((method) => ({
    url: `${web.secureUrl}/echo`,
    parameters: { method, data: { a: "b c" }, contentstring: "^a=b\\+c$", regex: true },
    ends: "ok 200 Success",
  })),
  {
    url: `${web.url}/echo`,
    parameters: { method: "TRACE", statuscode: 405 },
    ends: "ok 405 Success",
  },
  { url: web.url, parameters: { method: "CONNECT", statuscode: 400 }, ends: "ok 400 Success" },
  { url: `${web.url}/refused`, parameters: { statuscode: 403 }, ends: "ok 403 Success" },
  {
    url: `${web.secureUrl}/who`,
    parameters: { contentstring: "CN=" },
    ends: 'mismatch 200 Text not found: "CN="',
  },
  {
    url: `${web.secureUrl}/who`,
    parameters: { contentstring: "CN=localhost", clientcert },
    ends: "ok 200 Success",
  },
  {
    url: `${web.secureUrl}/home`,
    parameters: { contentstring: "CN=localhost", clientcert, follow: true },
    ends: "ok 200 Success",
  },
  {
    url: `${web.secureUrl}/abroad`,
    parameters: { contentstring: "CN=localhost", clientcert, follow: true },
    ends: `mismatch 200 Text not found: "CN=localhost" (after a redirect to https://localhost:${new URL(web.secureUrl).port}/who)`,
  },
];

for (const { url, parameters, ends } of sites) {
  const { clientcert: shown, ...rest } = parameters;
  const who = shown === undefined ? "a stranger" : "somebody known";
  test(`${JSON.stringify(rest)} by ${who} at ${new URL(url).pathname} of a real server ends as ${ends}`, async () => {
    assert.equal(await verdict({ target: url, ...parameters }), ends);
  });
}
