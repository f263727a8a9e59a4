import assert from "node:assert/strict";
import type { Socket } from "node:net";
import test from "node:test";
import { gzipSync } from "node:zlib";

import { contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { certificateFacts, selfSigned } from "../../../test/peers/certificates.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { tcpPeer } from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { httpCheck } from "./http.ts";

const certificate = selfSigned();

const HEAD = "HTTP/1.1 500 Oh\r\n";
const STATUS_LINE = "HTTP 500 Internal Server Error";
const zipped = gzipSync("all is lost");
const evidence: readonly {
  readonly name: string;
  /** In packets of their own. */
  readonly packets: readonly (string | Uint8Array)[];
  readonly expected: string | undefined;
}[] = [
  {
    name: "the head and what came along with it",
    packets: [`${HEAD}Server: peer\r\nVary: A\r\nVary: B\r\n\r\nall is lost`],
    expected: `${STATUS_LINE}\nserver: peer\nvary: A, B\n\nall is lost`,
  },
  {
    name: "a body that comes after the head",
    packets: [`${HEAD}\r\n`, "all is", " lost"],
    expected: `${STATUS_LINE}\n\nall is lost`,
  },
  {
    name: "no cookie",
    packets: [
      `${HEAD}Set-Cookie: a=b\r\nX-One: 1\r\nSET-COOKIE: c=d\r\nAuthentication-Info: e\r\n\r\n`,
    ],
    expected: `${STATUS_LINE}\nx-one: 1`,
  },
  {
    name: "its beginning",
    packets: [`${HEAD}\r\n${"x".repeat(9000)}`],
    expected: `${STATUS_LINE}\n\n`.padEnd(4096, "x"),
  },
  {
    name: "the beginning of a head",
    packets: [`${HEAD}X-Much: ${"x".repeat(9000)}\r\n\r\nbody`],
    expected: `${STATUS_LINE}\nx-much: `.padEnd(4096, "x"),
  },
  {
    name: "how much it is that is no text",
    packets: [Buffer.concat([Buffer.from(`${HEAD}Content-Encoding: gzip\r\n\r\n`), zipped])],
    expected: `${STATUS_LINE}\ncontent-encoding: gzip\n\n(${zipped.length} bytes that are no text)`,
  },
  {
    name: "what is beyond ASCII",
    packets: [`${HEAD}X-One: grün\r\n\r\n<h1>größer</h1>`],
    expected: `${STATUS_LINE}\nx-one: grün\n\n<h1>größer</h1>`,
  },
  {
    name: "a body in its charset",
    packets: [
      Buffer.from(`${HEAD}Content-Type: text/plain; charset=latin1\r\n\r\ngrößer`, "latin1"),
    ],
    expected: `${STATUS_LINE}\ncontent-type: text/plain; charset=latin1\n\ngrößer`,
  },
  {
    name: "what stands in place of HTTP",
    packets: ["220 mail.test ready\r\n"],
    expected: "220 mail.test ready\r\n",
  },
  {
    name: "no cookie of a head that breaks",
    packets: ["HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nX One: 1\r\n\r\n"],
    expected: "HTTP/1.1 200 OK\r\nX One: 1\r\n\r\n",
  },
  {
    name: "how much it is that is no text in place of HTTP",
    packets: [Buffer.from([0xff, 0, 1])],
    expected: "(3 bytes that are no text)",
  },
  { name: "nothing where nothing was said", packets: [""], expected: undefined },
];

for (const { name, packets, expected } of evidence) {
  test(`the evidence has ${name}`, async () => {
    const answer = async (socket: Socket): Promise<void> => {
      socket.setNoDelay();
      for (const packet of packets) {
        socket.write(packet);
        await drainEventLoop(3);
      }
      socket.end();
    };
    await using peer = await tcpPeer((socket) => socket.once("data", () => void answer(socket)));
    const outcome = await httpCheck
      .prepare({ target: `http://127.0.0.1:${peer.port}/` })
      .run(contextOf());
    assert.deepEqual([outcome.passed, outcome.evidence], [false, expected]);
  });
}

test("the evidence has what came of a body that does not end, as soon as that took too long", async () => {
  await using peer = await tcpPeer((socket) =>
    socket.once("data", () => socket.write(`${HEAD}\r\n`)),
  );
  const waits: number[] = [];
  const outcome = await httpCheck.prepare({ target: `http://127.0.0.1:${peer.port}/` }).run(
    contextOf({
      setTimer(run, ms) {
        waits.push(ms);
        setImmediate(run);
        return { cancel() {} };
      },
    }),
  );
  assert.deepEqual([outcome.text, outcome.evidence, waits], ["500", STATUS_LINE, [300]]);
});

test("a run whose time is over while it waits for the page of a bad status still fails for that status", async () => {
  const controller = new AbortController();
  await using peer = await tcpPeer((socket) =>
    socket.once("data", () => socket.write(`${HEAD}\r\n`)),
  );
  const running = httpCheck.prepare({ target: `http://127.0.0.1:${peer.port}/` }).run(
    contextOf({
      signal: controller.signal,
      setTimer() {
        setImmediate(() => controller.abort("over"));
        return { cancel() {} };
      },
    }),
  );
  const { reason, text } = await running;
  assert.deepEqual([reason, text], ["status", "500"]);
});

test("the evidence is of the last that was asked", async () => {
  await using other = await httpPeer((_, response) =>
    response.writeHead(503, { "X-Host": "other" }).end(),
  );
  await using peer = await httpPeer((request, response) => {
    const next = request.url === "/round" ? "/round" : other.url;
    response.writeHead(302, { Location: next, "X-Host": "peer" }).end();
  });
  const hosts = ["/round", "/", "/away"].map(async (path) => {
    const target = `${peer.url}${path}`;
    const { evidence } = await httpCheck.prepare({ target, follow: true }).run(contextOf());
    return /^x-host: (.*)/m.exec(evidence ?? "")?.[1];
  });
  assert.deepEqual(await Promise.all(hosts), ["peer", "other", "other"]);
});

// guard: secrets in evidence
test("no evidence holds the credentials of the target, however they are repeated", async () => {
  await using peer = await httpPeer((request, response) => {
    const { authorization = "" } = request.headers;
    const login = Buffer.from(authorization.split(" ")[1] ?? "", "base64").toString();
    response.writeHead(401, { "X-Login": encodeURIComponent(login) }).end(`${authorization}!`);
  });
  const { evidence = "" } = await httpCheck
    .prepare({ target: peer.url.replace("//", "//alice:s%20cret@") })
    .run(contextOf());
  assert.match(evidence, /^x-login: \(hidden\)%3A\(hidden\)$/m);
  assert.match(evidence, /\n\nBasic \(hidden\)!$/);
});

for (const status of [200, 500]) {
  test(`a ${status} over TLS has the facts of the certificate`, async () => {
    await using peer = await httpPeer(
      (_, response) => response.writeHead(status).end(),
      certificate,
    );
    const outcome = await httpCheck.prepare({ target: peer.url }).run(contextOf());
    assert.deepEqual(
      [outcome.text, outcome.certificate],
      [String(status), certificateFacts(certificate)],
    );
  });
}

test("a server that is silent once there is TLS has shown its certificate", async () => {
  let isSecret = false;
  await using peer = await tlsPeer(certificate, () => {
    isSecret = true;
  });
  const controller = new AbortController();
  const running = httpCheck
    .prepare({ target: `https://127.0.0.1:${peer.port}/` })
    .run(contextOf({ signal: controller.signal }));
  await waitFor("the handshake", () => isSecret);
  await drainEventLoop();
  controller.abort("over");
  const { message, evidence, ...outcome } = await running;
  assert.deepEqual([message, evidence], ["Timeout waiting for the answer", undefined]);
  assert.deepEqual(outcome.certificate, certificateFacts(certificate));
  assert.deepEqual(Object.keys(outcome.timings ?? {}), ["dns", "connect", "tls", "total"]);
});
