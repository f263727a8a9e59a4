import assert from "node:assert/strict";
import type { RequestListener, ServerResponse } from "node:http";
import test, { after } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { TEST_DEADLINE_MS, waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { audio, SILENCE } from "../../../test/peers/audio.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { tcpPeer, type SocketHandler } from "../../../test/peers/tcp.ts";
import { icecast } from "../../../test/servers/icecast.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { audioCheck } from "./audio.ts";

checkParametersContract(audioCheck, {
  least: { target: "http://example.com/" },
  leastReads: { target: "http://example.com/", verifyvolume: false, volumemin: -45, ipv6: false },
  full: {
    target: "https://alice:secret@example.com/a?b=c",
    verifyvolume: "true",
    volumemin: "-30",
    ipv6: 1,
  },
  fullReads: {
    target: "https://alice:secret@example.com/a?b=c",
    verifyvolume: true,
    volumemin: -30,
    ipv6: true,
  },
});

const MP3 = "-c:a libmp3lame -b:a 128k -f mp3";
const tone = audio(MP3);
const silence = audio(MP3, SILENCE);
const segment = audio("-c:a aac -f mpegts");
const certificate = selfSigned();

function run(
  parameters: Readonly<Record<string, unknown>>,
  parts: Partial<RunContext> = {},
): Promise<Outcome> {
  return audioCheck.prepare(parameters).run(contextOf(parts));
}

/** Plays the tone for ever, as fast as it is taken. */
const playing: RequestListener = (_, response) => {
  response.writeHead(200, { "Content-Type": "audio/mpeg" });
  pour(response);
};

function pour(response: ServerResponse): void {
  const play = (): void => {
    while (!response.destroyed && response.write(tone));
  };
  response.on("drain", play);
  play();
}

/** Answers as SHOUTcast does, and then plays. */
function shoutcast(head: string): SocketHandler {
  return (socket) =>
    socket.once("data", () => socket.write(`${head}\r\n\r\n`) && socket.write(tone));
}

const ICY = "ICY 200 OK\r\nicy-name:Radio\r\nicy-br:128\r\ncontent-type:audio/mpeg";

for (const { name, scheme, healthy, tls } of [
  { name: "AUDIO", scheme: "http", healthy: () => httpPeer(playing), tls: false },
  {
    name: "AUDIO over TLS",
    scheme: "https",
    healthy: () => httpPeer(playing, certificate),
    tls: true,
  },
  {
    name: "AUDIO of SHOUTcast",
    scheme: "http",
    healthy: () => tcpPeer(shoutcast(ICY)),
    tls: false,
  },
]) {
  checkTypeContract(audioCheck, {
    name,
    healthy,
    parameters: ({ host, port }) => ({ target: `${scheme}://${host}:${port}/live` }),
    endings: {
      silence: "timeout",
      drip: tls ? "tls" : "timeout",
      garbage: tls ? "tls" : "protocol",
      reset: "protocol",
      close: "protocol",
      flood: tls ? "tls" : "protocol",
    },
  });
}

interface Answer {
  readonly status?: number;
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Row {
  readonly name: string;
  readonly parameters?: object;
  /** Responses by path; the first request is for `/`. */
  readonly answers: Readonly<Record<string, Answer>>;
  readonly ends: string;
}

const OK = "ok 200 Success";
const INVALID = "mismatch 200 Invalid audio stream";
const live = { type: "audio/mpeg", body: tone };
const m3u = (entry: string): Answer => ({ type: "audio/x-mpegurl", body: `${entry}\n` });

const rows: readonly Row[] = [
  { name: "a stream", answers: { "/": live }, ends: OK },
  {
    name: "a stream that is entered midway",
    answers: { "/": { ...live, body: tone.subarray(999) } },
    ends: OK,
  },
  {
    name: "a stream of no particular type",
    answers: { "/": { ...live, type: "application/octet-stream" } },
    ends: OK,
  },
  {
    name: "a stream with another good status",
    answers: { "/": { ...live, status: 206 } },
    ends: "ok 206 Success",
  },
  {
    name: "a stream that calls itself a page",
    answers: { "/": { ...live, type: "text/html" } },
    ends: INVALID,
  },
  {
    name: "a stream without a type",
    answers: { "/": { ...live, type: undefined } },
    ends: "mismatch 200 missing content-type header",
  },
  {
    name: "a stream that is none",
    answers: { "/": { ...live, body: Buffer.alloc(9000, 0xaa) } },
    ends: INVALID,
  },
  {
    name: "a stream in which nothing comes",
    answers: { "/": { ...live, body: "" } },
    ends: INVALID,
  },
  {
    name: "a page",
    answers: { "/": { type: "text/html", body: "<html>On air</html>" } },
    ends: INVALID,
  },
  {
    name: "a stream that is gone",
    answers: { "/": { ...live, status: 404 } },
    ends: "status 404 HTTP status returned: 404",
  },
  {
    name: "a station that is full",
    answers: { "/": { ...live, status: 503 } },
    ends: "status 503 HTTP status returned: 503",
  },
  {
    name: "a redirect to nowhere",
    answers: { "/": { ...live, status: 302 } },
    ends: "status 302 HTTP status returned: 302",
  },
  {
    name: "what was not changed",
    answers: { "/": { status: 304 } },
    ends: "status 304 HTTP status returned: 304",
  },
  {
    name: "a redirect",
    answers: { "/": { status: 302, headers: { Location: "/live" } }, "/live": live },
    ends: OK,
  },
  {
    name: "a redirect to a file",
    answers: { "/": { status: 302, headers: { Location: "file:///etc/passwd" } } },
    ends: "redirect Bad redirect Redirected to what is not a web address",
  },
  { name: "an M3U", answers: { "/": m3u("<url>/live"), "/live": live }, ends: OK },
  {
    name: "an M3U with a relative entry",
    answers: { "/": m3u("#EXTM3U\r\nlive"), "/live": live },
    ends: OK,
  },
  {
    name: "an M3U as text",
    answers: { "/": { type: "text/plain", body: "<url>/live" }, "/live": live },
    ends: OK,
  },
  {
    name: "a PLS",
    answers: {
      "/": { type: "audio/x-scpls", body: "[playlist]\nFile1=<url>/live\nFile2=<url>/no\n" },
      "/live": live,
    },
    ends: OK,
  },
  {
    name: "a playlist of what is gone",
    answers: { "/": m3u("/live") },
    ends: "status 404 HTTP status returned: 404 (after a redirect to <url>/live)",
  },
  {
    name: "a playlist of a page",
    answers: { "/": m3u("/live"), "/live": { type: "text/html", body: "<html>" } },
    ends: `${INVALID} (after a redirect to <url>/live)`,
  },
  {
    name: "a playlist of a file",
    answers: { "/": m3u("file:///etc/passwd") },
    ends: "redirect Bad redirect Redirected to what is not a web address",
  },
  {
    name: "a playlist of a cloud's secrets",
    answers: { "/": m3u("http://169.254.169.254/latest") },
    ends: 'blocked Blocked link-local and cloud metadata addresses are never contacted: "169.254.169.254" (after a redirect to http://169.254.169.254/latest)',
  },
  {
    name: "a playlist of itself",
    answers: { "/": m3u("/") },
    ends: "redirect Too many redirects Too many redirects (after a redirect to <url>/)",
  },
  {
    name: "a playlist with nothing in it",
    answers: { "/": { type: "audio/x-mpegurl", body: "" } },
    ends: INVALID,
  },
  {
    name: "a playlist that is gone",
    answers: { "/": { ...m3u("/live"), status: 404 }, "/live": live },
    ends: "status 404 HTTP status returned: 404",
  },
  {
    name: "HLS",
    answers: {
      "/": m3u("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=96000\nlow/index.m3u8"),
      "/low/index.m3u8": m3u("#EXTM3U\n#EXTINF:2,\n7.ts"),
      "/low/7.ts": { type: "video/mp2t", body: segment },
    },
    ends: OK,
  },
  {
    name: "a tone that is expected",
    parameters: { verifyvolume: true },
    answers: { "/": live },
    ends: OK,
  },
  {
    name: "a tone that is to be louder",
    parameters: { verifyvolume: "true", volumemin: "-10" },
    answers: { "/": live },
    ends: "mismatch 200 Volume too low: -21.6 dB (min -10 dB)",
  },
  { name: "silence", answers: { "/": { ...live, body: silence } }, ends: OK },
  {
    name: "silence that is expected",
    parameters: { verifyvolume: true },
    answers: { "/": { ...live, body: silence } },
    ends: "mismatch 200 Volume too low: -91 dB (min -45 dB)",
  },
  {
    name: "a transport stream that is expected",
    parameters: { verifyvolume: true },
    answers: { "/": { type: "video/mp2t", body: segment } },
    ends: OK,
  },
  {
    name: "what begins as audio and cannot be decoded",
    parameters: { verifyvolume: true },
    answers: { "/": { ...live, body: "OggS" } },
    ends: INVALID,
  },
];

for (const { name, parameters, answers, ends } of rows) {
  test(`${name}${parameters === undefined ? "" : ` with ${JSON.stringify(parameters)}`} ends as ${ends}`, async () => {
    await using peer = await httpPeer((request, response) => {
      const {
        status = 200,
        type,
        headers,
        body = "",
      } = answers[request.url ?? ""] ?? { status: 404 };
      response.writeHead(status, {
        ...(type !== undefined && { "Content-Type": type }),
        ...headers,
      });
      response.end(typeof body === "string" ? body.replaceAll("<url>", peer.url) : body);
    });
    const { reason, text, message, evidence } = await run({ target: peer.url, ...parameters });
    assert.equal(`${reason} ${text} ${message}`, ends.replace("<url>", peer.url));
    if (reason === "mismatch") assert.match(evidence ?? "", /^HTTP 200 OK\n/);
  });
}

for (const { head, ends } of [
  { head: ICY, ends: OK },
  { head: "ICY 200 OK\r\ncontent-type:audio/aacp\r\nicy-url:http://r\xe4dio.test", ends: OK },
  { head: "ICY 200 OK\r\nicy-br:128", ends: "mismatch 200 missing content-type header" },
  { head: "ICY 401 Service Unavailable", ends: "status 401 HTTP status returned: 401" },
  { head: "ICY 404 Resource Not Found", ends: "status 404 HTTP status returned: 404" },
]) {
  test(`${JSON.stringify(head)} ends as ${ends}`, async () => {
    await using peer = await tcpPeer(shoutcast(head));
    const { reason, text, message } = await run({ target: `http://127.0.0.1:${peer.port}/;` });
    assert.equal(`${reason} ${text} ${message}`, ends);
    await waitFor("nothing is left open", () => peer.open() === 0);
  });
}

test("the request says who asks, wants the stream as it is, and no titles in it", async () => {
  let received: unknown;
  await using peer = await httpPeer((request, response) => {
    received = request.headers;
    playing(request, response);
  });
  await run({ target: peer.url.replace("//", "//alice:s%3Acret@") });
  assert.deepEqual(received, {
    host: `127.0.0.1:${peer.port}`,
    connection: "close",
    "user-agent": "Watchpost",
    accept: "*/*",
    "accept-encoding": "identity",
    authorization: `Basic ${Buffer.from("alice:s:cret").toString("base64")}`,
  });
});

test("credentials go with a playlist to its own origin and no other", async () => {
  const seen: (string | undefined)[] = [];
  await using other = await httpPeer((request, response) => {
    seen.push(request.headers.authorization);
    playing(request, response);
  });
  await using peer = await httpPeer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(200, { "Content-Type": "audio/x-mpegurl" });
    response.end(request.url === "/" ? "/next" : `${other.url}/live`);
  });
  const { passed } = await run({ target: peer.url.replace("//", "//alice:secret@") });
  const basic = `Basic ${Buffer.from("alice:secret").toString("base64")}`;
  assert.deepEqual([passed, seen], [true, [basic, basic, undefined]]);
});

for (const { name, begin } of [
  { name: "its head", begin: "" },
  { name: "a little audio", begin: tone.subarray(0, 4000) },
]) {
  test(`a stream that stalls after ${name} is ended by the signal`, async () => {
    await using peer = await httpPeer((_, response) => {
      response.writeHead(200, { "Content-Type": "audio/mpeg" });
      response.flushHeaders();
      response.write(begin);
    });
    const controller = new AbortController();
    const running = run({ target: peer.url }, { signal: controller.signal });
    await waitFor("a connection", () => peer.accepted() > 0);
    await drainEventLoop(20);
    controller.abort("over");
    const { reason, message, timings = {} } = await running;
    assert.deepEqual([reason, message], ["timeout", "Timeout reading the body"]);
    assert.deepEqual(Object.keys(timings), ["dns", "connect", "firstByte", "total"]);
    await waitFor("nothing is left open", () => peer.open() === 0);
  });
}

test(
  "a stream that comes slowly is read for half of the timeout, and judged by that",
  { timeout: TEST_DEADLINE_MS },
  async () => {
    let now = 0;
    await using peer = await httpPeer((_, response) => {
      response.writeHead(200, { "Content-Type": "audio/mpeg" });
      response.flushHeaders();
      const [early, late] = [tone.subarray(0, 400), tone.subarray(400, 4000)];
      void drainEventLoop(20).then(async () => {
        response.write(early);
        await drainEventLoop(20);
        now = 500;
        response.write(late);
      });
    });
    const outcome = await run({ target: peer.url }, { monotonic: () => now, timeoutMs: 1000 });
    assert.equal(outcome.message, "Success");
    assert.equal(outcome.timings?.total, 500);
  },
);

for (const { verifyvolume, most } of [
  { verifyvolume: false, most: 8 * 2 ** 10 },
  { verifyvolume: true, most: 512 * 2 ** 10 },
]) {
  test(`of an endless stream ${most} bytes are kept, verifyvolume: ${verifyvolume}`, async () => {
    await using peer = await httpPeer((_, response) => {
      response.writeHead(200, { "Content-Type": "audio/mpeg" });
      pour(response);
    });
    const outcome = await run({ target: peer.url, verifyvolume, volumemin: 0 });
    assert.equal(outcome.passed, !verifyvolume);
    if (verifyvolume) assert.match(outcome.evidence ?? "", new RegExp(`\\(${most} bytes`));
  });
}

test("where there is no ffmpeg nothing is decided, and those who need none do not care", async () => {
  await using peer = await httpPeer(playing);
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    await assert.rejects(run({ target: peer.url, verifyvolume: true }), { code: "unavailable" });
    assert.equal((await run({ target: peer.url })).passed, true);
  } finally {
    process.env.PATH = PATH;
  }
});

const radio = await icecast();
after(() => radio[Symbol.asyncDispose]());

for (const { path, parameters = {}, ends } of [
  { path: "tone.mp3", ends: OK },
  { path: "tone.ogg", ends: OK },
  { path: "tone.aac", ends: OK },
  { path: "silence.mp3", ends: OK },
  { path: "tone.mp3.m3u", ends: OK },
  { path: "tone.ogg.xspf", ends: OK },
  { path: "status.xsl", ends: INVALID },
  { path: "nothing.mp3", ends: "status 404 HTTP status returned: 404" },
  { path: "tone.mp3", parameters: { verifyvolume: true }, ends: OK },
  {
    path: "silence.mp3",
    parameters: { verifyvolume: true },
    ends: "mismatch 200 Volume too low: -91 dB (min -45 dB)",
  },
]) {
  test(`a real station's ${path} with ${JSON.stringify(parameters)} ends as ${ends}`, async () => {
    const target = `${radio.url}/${path}`;
    const outcome = await run({ target, ...parameters }, { timeoutMs: 1000 });
    const { reason, text, message, address, timings = {} } = outcome;
    assert.equal(`${reason} ${text} ${message}`, ends);
    assert.equal(address, "127.0.0.1");
    assert.deepEqual(Object.keys(timings), ["dns", "connect", "firstByte", "total"]);
  });
}

test("a station that goes off the air is refused, and passes again at the same port", async () => {
  await radio[Symbol.asyncDispose]();
  const target = `${radio.url}/tone.mp3`;
  assert.equal((await run({ target })).reason, "refused");
  await using back = await icecast({ port: radio.port });
  assert.equal((await run({ target: `${back.url}/tone.mp3` })).message, "Success");
});
