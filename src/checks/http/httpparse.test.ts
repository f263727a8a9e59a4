import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import test, { after } from "node:test";
import { gzipSync } from "node:zlib";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { fieldsOfManyWays, manyWays } from "../../../test/many-ways.ts";
import { nginx } from "../../../test/servers/nginx.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { httpParseCheck } from "./httpparse.ts";

checkParametersContract(httpParseCheck, {
  least: { target: "http://example.com/" },
  leastReads: { target: "http://example.com/", follow: false, ipv6: false, verify: false },
  full: {
    target: "https://alice:secret@example.com/a?b=c",
    fields: { a: { name: "a.b", min: -1.5, max: 1 }, b: { name: "c" } },
    sendheaders: { Accept: "application/json" },
    follow: true,
    ipv6: true,
    verify: "yes",
    warningdays: "14",
  },
  fullReads: {
    target: "https://alice:secret@example.com/a?b=c",
    fields: [{ path: "a.b", min: -1.5, max: 1 }, { path: "c" }],
    sendheaders: { Accept: "application/json" },
    follow: true,
    ipv6: true,
    verify: true,
    warningdays: 14,
  },
});

const load = { name: "load", min: 0, max: 4 };

checkTypeContract(httpParseCheck, {
  healthy: () => httpPeer((_, response) => response.end('{"load":1}')),
  parameters: ({ host, port }) => ({ target: `http://${host}:${port}/`, fields: { load } }),
  endings: {
    silence: "timeout",
    drip: "timeout",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

type Parameters = Readonly<Record<string, unknown>>;

function run(parameters: Parameters): Promise<Outcome> {
  return httpParseCheck.prepare(parameters).run(contextOf());
}

async function verdict(answer: RequestListener, parameters: Parameters): Promise<string> {
  await using peer = await httpPeer(answer);
  const { reason, text, message } = await run({ target: peer.url, ...parameters });
  return `${reason} ${text} ${message}`;
}

const fine = "ok 200 All fields within parameters";
const disks = {
  a: { name: "disks.0.free", min: 10 },
  b: { name: "disks.1.free", min: 10 },
  c: { name: "load.1min", max: "4.5" },
};
const answers: readonly {
  readonly body: string;
  readonly fields: Parameters | undefined;
  readonly ends: string;
}[] = [
  { body: '{"load":4}', fields: { load }, ends: fine },
  { body: '{"load":"4"}', fields: { load }, ends: fine },
  { body: '{"load":5}', fields: { load }, ends: "metric 200 load:5 (max 4)" },
  { body: '{"load":-1}', fields: { load }, ends: "metric 200 load:-1 (min 0)" },
  { body: '{"load":"high"}', fields: { load }, ends: "metric 200 load:absent" },
  { body: '{"load":1e999}', fields: { load }, ends: "metric 200 load:absent" },
  { body: '{"other":1}', fields: { load }, ends: "metric 200 load:absent" },
  { body: '{"__proto__":{"load":1}}', fields: { load }, ends: "metric 200 load:absent" },
  { body: '{"disks":[{"free":20},{"free":30}],"load":{"1min":0.5}}', fields: disks, ends: fine },
  {
    body: '{"disks":[{"free":5}],"load.1min":9}',
    fields: disks,
    ends: "metric 200 disks.0.free:5 (min 10). disks.1.free:absent. load.1min:9 (max 4.5)",
  },
  { body: "up: 12 load: 0.5", fields: { load }, ends: fine },
  { body: "load: 7", fields: { load }, ends: "metric 200 load:7 (max 4)" },
  { body: "up and running", fields: { load }, ends: "metric 200 No fields found in response" },
  { body: "", fields: { load }, ends: "metric 200 No fields found in response" },
  { body: "{}", fields: { load }, ends: "metric 200 No fields found in response" },
  { body: '{"load":', fields: { load }, ends: "metric 200 No fields found in response" },
  {
    body: "[".repeat(100_000),
    fields: { load },
    ends: "metric 200 No fields found in response: nested deeper than 100 levels",
  },
  {
    body: `{"load":1,"a":[${'{"a":1},'.repeat(10_000)}1]}`,
    fields: { load },
    ends: "metric 200 No fields found in response: more than 10000 keys",
  },
  {
    body: JSON.stringify(manyWays(15)),
    fields: fieldsOfManyWays,
    ends: "metric 200 No fields found in response: more than 20000 keys to look up for the fields",
  },
  {
    body: `{"load":1}${" ".repeat(2 ** 22)}`,
    fields: { load },
    ends: "mismatch 413 3MB file size exceeded",
  },
  { body: "load: 7", fields: {}, ends: "ok 200 Success" },
  { body: "load: 7", fields: undefined, ends: "ok 200 Success" },
];

for (const { body, fields, ends } of answers) {
  const title = `${JSON.stringify(fields)?.slice(0, 200)} in ${JSON.stringify(body.slice(0, 60))}`;
  test(`${title} ends as ${ends}`, async () => {
    assert.equal(await verdict((_, response) => response.end(body), { fields }), ends);
  });
}

test("a bad status is the reason, whatever the body says", async () => {
  const answer: RequestListener = (_, response) => response.writeHead(503).end('{"load":1}');
  assert.equal(await verdict(answer, { fields: { load } }), "status 503 HTTP return status: 503");
});

test("numbers are found in what was packed, in any charset", async () => {
  const answer: RequestListener = (_, response) =>
    response
      .writeHead(200, {
        "Content-Encoding": "gzip",
        "Content-Type": "text/plain; charset=utf-16le",
      })
      .end(gzipSync(Buffer.from("load: 1", "utf16le")));
  assert.equal(await verdict(answer, { fields: { load } }), fine);
});

const web = await nginx({
  files: { "health.json": '{"queue":{"length":3},"workers":[{"busy":0.25}]}' },
  rules: `
    location = /status { stub_status; }
    location = /moved { return 301 /health.json; }
    location = /private {
      if ($http_x_token != "a b") { return 403; }
      try_files /health.json =404;
    }
  `,
});
after(() => web[Symbol.asyncDispose]());

const queue = { q: { name: "queue.length", min: 0, max: 10 } };
const short = { q: { name: "queue.length", max: 2 }, w: { name: "workers.0.busy", max: 0.5 } };
const sendheaders = { "X-Token": "a b" };
const sites: readonly {
  readonly path: string;
  readonly ends: string;
  readonly parameters: Parameters;
}[] = [
  { path: "/health.json", parameters: { fields: queue }, ends: fine },
  {
    path: "/health.json",
    parameters: { fields: short },
    ends: "metric 200 queue.length:3 (max 2)",
  },
  {
    path: "/status",
    parameters: { fields: { c: { name: "connections", min: 1, max: 9 } } },
    ends: fine,
  },
  {
    path: "/status",
    parameters: { fields: { w: { name: "Writing", max: 0 } } },
    ends: "metric 200 Writing:1 (max 0)",
  },
  { path: "/private", parameters: { fields: queue }, ends: "status 403 HTTP return status: 403" },
  { path: "/private", parameters: { fields: queue, sendheaders }, ends: fine },
  { path: "/moved", parameters: { fields: queue }, ends: "metric 301 No fields found in response" },
  { path: "/moved", parameters: { fields: queue, follow: true }, ends: fine },
];

for (const { path, parameters, ends } of sites) {
  test(`a real server's ${path} with ${JSON.stringify(parameters)} ends as ${ends}`, async () => {
    const { reason, text, message } = await run({ target: `${web.url}${path}`, ...parameters });
    assert.equal(`${reason} ${text} ${message}`, ends);
  });
}
