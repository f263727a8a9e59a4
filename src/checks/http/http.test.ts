import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import test, { after } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { closedPort, silent, tcpPeer } from "../../../test/peers/tcp.ts";
import { nginx } from "../../../test/servers/nginx.ts";
import type { Egress } from "../../kit/net/egress.ts";
import { Blocked } from "../../kit/errors.ts";
import { httpCheck } from "./http.ts";

checkParametersContract(httpCheck, {
  least: { target: "http://example.com/" },
  leastReads: { target: "http://example.com/", follow: false, ipv6: false, verify: false },
  full: {
    target: "https://alice:secret@example.com/a?b=c",
    follow: "yes",
    ipv6: "off",
    verify: "yes",
    warningdays: "14",
  },
  fullReads: {
    target: "https://alice:secret@example.com/a?b=c",
    follow: true,
    ipv6: false,
    verify: true,
    warningdays: 14,
  },
});

const certificate = selfSigned();
const ok: RequestListener = (_, response) => response.end("hello");

checkTypeContract(httpCheck, {
  healthy: () => httpPeer(ok),
  parameters: ({ host, port }) => ({ target: `http://${host}:${port}/` }),
  endings: {
    silence: "timeout",
    drip: "timeout",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

checkTypeContract(httpCheck, {
  name: "HTTP over TLS",
  healthy: () => httpPeer(ok, certificate),
  parameters: ({ host, port }) => ({ target: `https://${host}:${port}/` }),
  endings: {
    silence: "timeout",
    drip: "tls",
    garbage: "tls",
    reset: "protocol",
    close: "protocol",
    flood: "tls",
  },
});

const statuses = [
  { status: 200 },
  { status: 204 },
  { status: 301 },
  { status: 399 },
  { status: 400, statusLine: "400 Bad Request" },
  { status: 401, statusLine: "401 Unauthorized" },
  { status: 404, statusLine: "404 Not Found" },
  { status: 500, statusLine: "500 Internal Server Error" },
  { status: 999, statusLine: "999" },
];

for (const { status, statusLine } of statuses) {
  test(`the status ${status} ${statusLine === undefined ? "passes" : "fails"}`, async () => {
    await using peer = await tcpPeer((socket) =>
      socket.end(`HTTP/1.1 ${status} Some\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n`),
    );
    const outcome = await httpCheck
      .prepare({ target: `http://127.0.0.1:${peer.port}/` })
      .run(contextOf());
    const { timings, ...rest } = outcome;
    assert.deepEqual(
      rest,
      statusLine === undefined
        ? {
            passed: true,
            reason: "ok",
            text: String(status),
            message: "Success",
            address: "127.0.0.1",
          }
        : {
            passed: false,
            reason: "status",
            text: String(status),
            message: `HTTP status returned: ${status}`,
            address: "127.0.0.1",
            evidence: `HTTP ${statusLine}\nlocation: /elsewhere\ncontent-length: 0`,
          },
    );
    assert.deepEqual(Object.keys(timings ?? {}), ["dns", "connect", "firstByte", "total"]);
  });
}

for (const { scheme, message } of [
  { scheme: "http", message: "Timeout waiting for the answer" },
  { scheme: "https", message: "Timeout in the TLS handshake" },
]) {
  test(`a target that accepts and is silent over ${scheme} ends as ${message}`, async () => {
    await using peer = await tcpPeer(silent);
    const controller = new AbortController();
    const running = httpCheck
      .prepare({ target: `${scheme}://127.0.0.1:${peer.port}/` })
      .run(contextOf({ signal: controller.signal }));
    await waitFor("a connection", () => peer.accepted() > 0);
    await drainEventLoop();
    controller.abort("over");
    const { timings = {}, ...rest } = await running;
    assert.deepEqual(rest, {
      passed: false,
      reason: "timeout",
      text: "Timeout",
      message,
      address: "127.0.0.1",
    });
    assert.deepEqual(Object.keys(timings), ["dns", "connect", "total"]);
  });
}

test("the request says who asks", async () => {
  await using peer = await httpPeer((request, response) => {
    const { "user-agent": agent, accept } = request.headers;
    response
      .writeHead(agent === "Watchpost" && accept === "*/*" && request.method === "GET" ? 200 : 400)
      .end();
  });
  assert.equal((await httpCheck.prepare({ target: peer.url }).run(contextOf())).text, "200");
});

/** Redirects `/n` to `/n-1` down to `/0`. */
const countdown: RequestListener = (request, response) => {
  const left = Number(request.url?.slice(1));
  if (left > 0) response.writeHead(302, { Location: String(left - 1) });
  response.end();
};

/* guard: redirects */ test("four redirects are followed, and the fifth is one too many", async () => {
  await using peer = await httpPeer(countdown);
  const run = (path: string): ReturnType<ReturnType<typeof httpCheck.prepare>["run"]> =>
    httpCheck.prepare({ target: `${peer.url}${path}`, follow: true }).run(contextOf());
  assert.deepEqual([(await run("/4")).text, peer.accepted()], ["200", 5]);
  const { passed, reason, text, message } = await run("/5");
  assert.deepEqual([passed, reason, text], [false, "redirect", "Too many redirects"]);
  assert.equal(message, `Too many redirects (after a redirect to ${peer.url}/1)`);
});

test("a failure after redirects names the last address, without its query and credentials", async () => {
  const hops: Readonly<Record<string, string>> = {
    "/": "/middle?token=s3cret",
    "/middle?token=s3cret": "http://bob:hunter2@<host>/last?key=s3cret#part",
    "/long": `/${"x".repeat(2000)}`,
  };
  await using peer = await httpPeer((request, response) => {
    const location = hops[request.url ?? ""]?.replace("<host>", request.headers.host ?? "");
    if (location === undefined) response.writeHead(503).end();
    else response.writeHead(302, { Location: location }).end();
  });
  const run = async (path: string): Promise<string> => {
    const target = `${peer.url.replace("//", "//alice:pa55@")}${path}`;
    return (await httpCheck.prepare({ target, follow: true }).run(contextOf())).message;
  };
  const last = `${peer.url}/last`;
  assert.equal(await run("/"), `HTTP status returned: 503 (after a redirect to ${last})`);
  assert.equal(await run("/other"), "HTTP status returned: 503");
  assert.ok((await run("/long")).length < 400);
});

test("a redirect is not followed unasked", async () => {
  await using peer = await httpPeer(countdown);
  assert.equal(
    (await httpCheck.prepare({ target: `${peer.url}/4`, follow: "false" }).run(contextOf())).text,
    "302",
  );
});

const locations: readonly {
  readonly status: number;
  readonly location: string | undefined;
  readonly encoding?: "latin1";
  readonly text: string;
}[] = [
  { status: 301, location: "/end", text: "200" },
  { status: 303, location: "end?a=b#c", text: "200" },
  { status: 307, location: "//127.0.0.1:PORT/end", text: "200" },
  { status: 308, location: "http://127.0.0.1:PORT/end", text: "200" },
  { status: 302, location: "/%65nd", text: "404" },
  { status: 302, location: "/gr\u00fc\u00dfe", text: "201" },
  { status: 302, location: "/gr\u00fc\u00dfe", encoding: "latin1", text: "202" },
  { status: 302, location: "//gr\u00fc\u00dfe.localhost:PORT/end", text: "200" },
  { status: 302, location: undefined, text: "302" },
  { status: 302, location: "", text: "302" },
  { status: 304, location: "/end", text: "304" },
  { status: 300, location: "/end", text: "300" },
  { status: 302, location: "file:///etc/passwd", text: "Bad redirect" },
  { status: 302, location: "ftp://127.0.0.1/", text: "Bad redirect" },
  { status: 302, location: "javascript:alert(1)", text: "Bad redirect" },
  { status: 302, location: "http://", text: "Bad redirect" },
  { status: 302, location: "http://a b/", text: "Bad redirect" },
];

for (const { status, location, encoding, text } of locations) {
  test(`a ${status} to ${location ?? "nowhere"} in ${encoding ?? "UTF-8"} ends as ${text}`, async () => {
    await using peer = await httpPeer((request, response) => {
      const path = request.url?.split("?")[0] ?? "";
      if (path === "/end") response.writeHead(200).end();
      else if (path === "/gr%C3%BC%C3%9Fe") response.writeHead(201).end();
      else if (path === "/gr%FC%DFe") response.writeHead(202).end();
      else if (path !== "/start") response.writeHead(404).end();
      else {
        const raw =
          location === undefined
            ? undefined
            : Buffer.from(location.replace("PORT", String(peer.port)), encoding).toString("latin1");
        response.writeHead(status, raw === undefined ? {} : { Location: raw }).end();
      }
    });
    const outcome = await httpCheck
      .prepare({ target: `${peer.url}/start`, follow: 1 })
      .run(contextOf());
    assert.equal(outcome.text, text);
    if (text === "Bad redirect") assert.equal(outcome.reason, "redirect");
  });
}

test("credentials go along within their origin and not beyond it", async () => {
  const seen: (readonly [string, string | undefined])[] = [];
  await using other = await httpPeer((request, response) => {
    seen.push(["other", request.headers.authorization]);
    response.end();
  });
  await using peer = await httpPeer((request, response) => {
    seen.push([request.url ?? "", request.headers.authorization]);
    const next = request.url === "/start" ? `${peer.url}/next` : `${other.url}/`;
    response.writeHead(302, { Location: next, "Set-Cookie": "a=b" }).end();
  });
  await httpCheck
    .prepare({ target: `${peer.url.replace("//", "//alice:s%3Acret@")}/start`, follow: true })
    .run(contextOf());
  const basic = `Basic ${Buffer.from("alice:s:cret").toString("base64")}`;
  assert.deepEqual(seen, [
    ["/start", basic],
    ["/next", basic],
    ["other", undefined],
  ]);
});

// guard: egress of connections
test("a redirect to a refused address is blocked, not followed and not a failure of its own", async () => {
  for (const host of [
    "169.254.169.254",
    "[::ffff:a9fe:a9fe]",
    "0xa9fea9fe",
    "good@169.254.169.254",
  ]) {
    await using peer = await httpPeer((_, response) =>
      response.writeHead(302, { Location: `http://${host}/latest/meta-data/` }).end(),
    );
    const outcome = await httpCheck.prepare({ target: peer.url, follow: true }).run(contextOf());
    assert.equal(outcome.reason, "blocked", host);
  }
});

test("each redirect is judged by egress, under the address of that moment", async () => {
  await using peer = await httpPeer((_, response) =>
    response.writeHead(302, { Location: "/again" }).end(),
  );
  let asked = 0;
  const rebinding: Egress = {
    resolve(host) {
      asked += 1;
      return asked === 1
        ? Promise.resolve({ address: "127.0.0.1", family: 4 })
        : Promise.reject(new Blocked(`refused: ${JSON.stringify(host)}`));
    },
    isPublic: () => false,
  };
  const outcome = await httpCheck
    .prepare({ target: `http://rebinding.test:${peer.port}/`, follow: true })
    .run(contextOf({ egress: rebinding }));
  assert.deepEqual([outcome.reason, asked], ["blocked", 2]);
});

test("no message holds the credentials of the target", async () => {
  await using peer = await tcpPeer((socket) => socket.end("nonsense\r\n\r\n"));
  const outcome = await httpCheck
    .prepare({ target: `http://alice:secret@127.0.0.1:${peer.port}/` })
    .run(contextOf());
  assert.doesNotMatch(JSON.stringify(outcome), /alice|secret/);
});

test("the timings of a run that was redirected count from its start", async () => {
  let now = 0;
  await using peer = await httpPeer((request, response) => {
    now += 100;
    countdown(request, response);
  });
  const outcome = await httpCheck
    .prepare({ target: `${peer.url}/2`, follow: true })
    .run(contextOf({ monotonic: () => now }));
  assert.deepEqual(outcome.timings, { dns: 200, connect: 200, firstByte: 300, total: 300 });
});

test("a redirect to where nobody listens has the timings of how far it came", async () => {
  const port = await closedPort();
  await using peer = await httpPeer((_, response) =>
    response.writeHead(302, { Location: `http://127.0.0.1:${port}/` }).end(),
  );
  const { reason, address, timings } = await httpCheck
    .prepare({ target: peer.url, follow: true })
    .run(contextOf({ monotonic: () => 100 }));
  assert.deepEqual([reason, address, timings], ["refused", "127.0.0.1", { dns: 0, total: 0 }]);
});

const web = await nginx({
  rules: `
    location = /ok { return 200; }
    location = /gone { return 410; }
    location = /moved { return 302 /ok; }
    location = /round { return 302 /round; }
  `,
});
after(() => web[Symbol.asyncDispose]());

for (const { path, follow, text } of [
  { path: "/ok", follow: false, text: "200" },
  { path: "/gone", follow: false, text: "410" },
  { path: "/nowhere", follow: false, text: "404" },
  { path: "/moved", follow: false, text: "302" },
  { path: "/moved", follow: true, text: "200" },
  { path: "/round", follow: true, text: "Too many redirects" },
]) {
  for (const url of [web.url, web.secureUrl]) {
    test(`the page ${path} of a real server at ${url.split(":")[0]} ends as ${text}, followed: ${follow}`, async () => {
      const target = `${url}${path}`;
      const outcome = await httpCheck.prepare({ target, follow }).run(contextOf());
      assert.deepEqual([outcome.text, outcome.address], [text, "127.0.0.1"]);
    });
  }
}

test("IPv6 is used where it is asked for", async () => {
  await using peer = await httpPeer(ok);
  const outcome = await httpCheck.prepare({ target: peer.url, ipv6: "true" }).run(contextOf());
  assert.deepEqual([outcome.reason, outcome.message], ["dns", "No addresses found for 127.0.0.1"]);
});

const badUrls = [
  "",
  "example.com",
  "ftp://example.com/",
  "file:///etc/passwd",
  "http://",
  "http:///",
  "http://exa mple.com/",
  "http://a\nb/",
  " http://a/",
  "http://a:99999/",
  "http:\\\\a",
  5,
  null,
  undefined,
];

for (const target of badUrls) {
  test(`the target ${JSON.stringify(target)} is refused`, () => {
    assert.throws(() => httpCheck.prepare({ target }), {
      code: "invalid_input",
      message:
        "target: Invalid URL, must be one that begins with http:// or https://, of at most 8000 characters",
    });
  });
}

const flags = [
  { written: [true, "True", "1", 1, "yes", "on"], reads: true },
  { written: [false, "False", "0", 0, "no", "off", undefined], reads: false },
];

for (const { written, reads } of flags) {
  for (const follow of written) {
    test(`the flag ${JSON.stringify(follow)} reads as ${reads}`, () => {
      assert.equal(httpCheck.schema.parse({ target: "http://example.com", follow }).follow, reads);
    });
  }
}

test("what is no flag is refused", () => {
  for (const follow of ["maybe", "", 2, null, {}, []]) {
    assert.throws(() => httpCheck.prepare({ target: "http://example.com", follow }), {
      code: "invalid_input",
      message: "follow: must be true or false",
    });
  }
});
