import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";

import * as fc from "fast-check";

import { leastCost, type Cost } from "../hostile-inputs/cost.ts";
import { waitFor } from "../time/wait-for.ts";
import { start, temporaryFolder, type CheckRecord, type RunningInstallation } from "./process.ts";

/** Maximum CPU time of the main thread for any request. */
const MAX_DURATION_MS = 50;
const MEBIBYTE = 2 ** 20;
const HEARTBEAT_BYTES = 256 * 1024;
/** The head of a request has at most 64 KiB. */
const HEAD_BYTES = 60_000;

/** Text repeated to the size of a body, query, or header. */
const repeated = [
  ..."a& & a=& =& a=b& %61& + % %25 %ff %C3%A9 a[b]=1& a[][]=1& [ [b] x[ é".split(" "),
  ...'{"a": [ [] {}, [], 1, "", "\\u0041 "a":1, \\ " 1 - 1e9 a true, 😀'.split(" "),
  " ",
  "\n",
  "\0",
  "--x\r\n",
] as const;
/** Text before and after it. */
const frames = [
  ["", ""],
  ["json=", ""],
  ['{"data":', "}"],
  ['{"data":[', "1]}"],
  ['{"token":"', '"}'],
  ["a", "=1"],
  ['{"fields":{', '"x":1}}'],
] as const;
const framings = ["whole", "whole", "chunks", "bytes"] as const;

interface Shape {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly framing: (typeof framings)[number];
}

function filled([before, after]: readonly [string, string], piece: string, bytes: number): Buffer {
  const times = (bytes - before.length - after.length) / Buffer.byteLength(piece);
  return Buffer.from(before + piece.repeat(Math.max(0, Math.floor(times))) + after);
}

function inUrl(piece: string): string {
  return /^[!-"$-~]+$/.test(piece) ? piece : encodeURIComponent(piece.toWellFormed());
}

function bytesOf({ line, headers, body, framing }: Shape): Buffer {
  const size = { whole: 0, chunks: 500, bytes: 1 }[framing];
  const length = size > 0 ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
  const head = [`${line} HTTP/1.1`, "Host: x", "Connection: close", length, ...headers, "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n")), size > 0 ? inChunks(body, size) : body]);
}

function inChunks(body: Buffer, size: number): Buffer {
  const head = Buffer.from(`${size.toString(16)}\r\n`);
  const whole = Math.floor(body.length / size);
  const step = head.length + size + 2;
  const bytes = Buffer.alloc(whole * step, "\r\n");
  for (let chunk = 0; chunk < whole; chunk += 1) {
    head.copy(bytes, chunk * step);
    body.copy(bytes, chunk * step + head.length, chunk * size, (chunk + 1) * size);
    bytes.write("\r\n", chunk * step + head.length + size);
  }
  return Buffer.concat([bytes, Buffer.from("0\r\n\r\n")]);
}

/** The processor time that the main thread of a process has had, in ms. */
function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

/** Sends a request on a connection of its own, which the server ends; what is answered. */
async function send({ base }: RunningInstallation, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = "";
  let isOver = false;
  socket
    .on("data", (piece: Buffer) => (answer += piece.toString("latin1", 0, 100)))
    .on("error", () => {})
    .on("close", () => (isOver = true));
  socket.write(bytes);
  await waitFor("the end of the connection", () => isOver);
  return answer;
}

/** The least that a request costs in some attempts: other work of the process falls into some of them. */
async function costOf(site: RunningInstallation, shape: Shape): Promise<number> {
  const bytes = bytesOf(shape);
  const measure = async (): Promise<Cost> => {
    const before = mainThreadMs(site.pid);
    const answer = await send(site, bytes);
    assert.doesNotMatch(answer, /^HTTP\/1.1 500/);
    return { ms: mainThreadMs(site.pid) - before, bytes: 0 };
  };
  return (await leastCost(measure, { ms: MAX_DURATION_MS, bytes: 0 })).ms;
}

test("no request costs the main thread more than 50 ms, whatever its shape", async (context) => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path, {
    WATCHPOST_UNKNOWN_TOKEN_RATE: "0",
    WATCHPOST_HEARTBEAT_RATE: "0",
  });
  const fields = { load: { name: "load.1min", min: 0, max: 4 } };
  const { _id: id, parameters }: CheckRecord = await site.api("POST checks", {
    type: "PUSH",
    fields,
  });
  const known = `id=${id}&checktoken=${parameters.checktoken}`;
  const paths = [
    { path: `/api/1/checks?token=${site.token}`, most: MEBIBYTE },
    { path: "/api/1/checks?x", most: MEBIBYTE },
    { path: `/v1?${known}`, most: HEARTBEAT_BYTES },
    { path: "/v1?x", most: HEARTBEAT_BYTES },
    { path: "/nothing?x", most: MEBIBYTE },
    { path: "/unsubscribe?x", most: MEBIBYTE },
    { path: `/api/1/contacts/${"a/".repeat(100)}?token=${site.token}`, most: MEBIBYTE },
  ] as const;

  const shapes = fc.record({
    at: fc.constantFrom(...paths),
    method: fc.constantFrom("POST", "PUT", "GET", "DELETE", "HEAD", "OPTIONS"),
    piece: fc.constantFrom(...repeated),
    frame: fc.constantFrom(...frames),
    framing: fc.constantFrom(...framings),
    place: fc.constantFrom("body", "body", "body", "query", "path", "headers"),
  });
  const shapeOf = ({
    at,
    method,
    piece,
    frame,
    framing,
    place,
  }: typeof shapes extends fc.Arbitrary<infer Value> ? Value : never): Shape => {
    const many = (written: string, bytes: number): string =>
      written.repeat(Math.floor(bytes / written.length));
    const verb = at.path.startsWith("/v1") ? "POST" : method;
    const [path = "", query = ""] = at.path.split("?");
    const line = {
      body: `${verb} ${at.path}`,
      headers: `${verb} ${at.path}`,
      query: `${verb} ${at.path}&${many(inUrl(piece), HEAD_BYTES)}`,
      path: `${verb} ${path}/${many(inUrl(piece).replace("?", ""), HEAD_BYTES)}?${query}`,
    }[place];
    const headers =
      place === "headers"
        ? many("x:1\n", HEAD_BYTES / 2)
            .trim()
            .split("\n")
        : ["Content-Type: text/plain"];
    return {
      line,
      headers,
      framing,
      body: place === "body" ? filled(frame, piece, at.most) : Buffer.alloc(0),
    };
  };
  // The code must be compiled before it is measured.
  for (const sample of fc.sample(shapes, { numRuns: 10, seed: 1 }))
    await send(site, bytesOf(shapeOf(sample)));
  const seed = Number(process.env.SEED ?? Date.UTC(2026) ^ process.pid);
  context.diagnostic(`SEED=${seed}`);
  await fc.assert(
    fc.asyncProperty(shapes, async (drawn) => {
      const cost = await costOf(site, shapeOf(drawn));
      assert.ok(cost <= MAX_DURATION_MS, `SEED=${seed}: ${cost} ms`);
    }),
    { numRuns: 60, seed, endOnFailure: true },
  );
});
