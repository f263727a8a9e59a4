import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { httpServer } from "../../../test/harnesses/http-server.ts";
import { aCheck, aFlip, aResult, minute } from "../../../test/record-builders.ts";
import type { Check } from "../../domain/check.ts";

const uuid = "4pybhg6m-4v1y-4enn-8tz5-tvywydu6h04k";

/** Creates Alice's public check with three results, the last of which failed, and its current outage. */
async function withReport(changes: Partial<Check> = {}, publicPerMinute = 0) {
  const fixture = await createApiFixture();
  const { store, clock, alice } = fixture;
  const check = await store.write((tx) =>
    tx.checks.insert(
      aCheck("shop", {
        accountId: alice.account.id,
        id: `${alice.account.id}-PRIVATE1`,
        type: "HTTP",
        label: "Shop <b>",
        description: "private words",
        tags: ["private-tag"],
        parameters: { target: "https://user:private-key@private.example/path?key=private" },
        public: true,
        uuid,
        createdAt: clock.now(),
        ...changes,
      }),
    ),
  );
  for (const passed of [true, true, false]) {
    await clock.advance(minute);
    const text = passed ? "200" : "private text";
    await store.append(
      aResult(check.no, clock.now(), {
        passed,
        text,
        message: "private message",
        runtimeMs: 119.6,
        location: "privateplace",
      }),
    );
  }
  await store.write((tx) =>
    tx.states.flip(
      aFlip(check.no, { at: clock.now(), since: clock.now(), message: "private outage" }),
    ),
  );
  await clock.advance(minute);
  const server = httpServer({ deps: fixture.deps, publicPerMinute });
  return {
    fixture,
    check,
    open: (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers }),
  };
}

const paths = [
  `/reports/checks/${uuid}`,
  `/reports/results/${uuid}`,
  `/reports/results/${uuid}/2`,
  `/reports/results/${uuid}/1?format=json`,
  `/reports/results/${uuid}/1/results.csv?format=csv`,
  `/reports/uptime/${uuid}?format=json&interval=days&start=2026-01-01`,
  `/reports/uptime/${uuid}/uptime.csv?format=csv&interval=months`,
  ...["state", "uptime", "time"].flatMap((kind) =>
    ["svg", "json"].map((format) => `/reports/badges/${uuid}/${kind}.${format}`),
  ),
];

test("a public check is reported at every path without a token, and nothing of it is shown but its name and how it is", async () => {
  const { fixture, open } = await withReport();
  await using _ = fixture;
  for (const path of paths) {
    const { statusCode, body, headers } = await open(path);
    assert.equal(statusCode, 200, path);
    const { alice } = fixture;
    for (const word of ["private", "PRIVATE", alice.account.id, alice.account.name])
      assert.ok(!body.includes(word), `${path} has ${word}`);
    if (!path.endsWith("json")) assert.doesNotMatch(body, /<b>/);
    assert.equal(headers["cache-control"], "public, max-age=10");
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.equal(headers["x-content-type-options"], "nosniff");
  }
});

for (const { name, change } of [
  { name: "that is not public", change: { public: false } },
  { name: "of another uuid", change: { uuid: uuid.replace("4pyb", "5pyb") } },
] as const) {
  // guard: public checks alone
  test(`a check ${name} is reported nowhere, exactly as one that does not exist`, async () => {
    const { fixture, open } = await withReport(change);
    await using _ = fixture;
    const unknown = await open("/reports/checks/00000000-0000-4000-8000-000000000000");
    assert.equal(unknown.statusCode, 404);
    for (const path of paths) {
      const { statusCode, body, headers } = await open(path);
      assert.deepEqual([statusCode, body], [404, unknown.body], path);
      assert.equal(headers["cache-control"], "private, no-store");
    }
  });
}

for (const path of [
  "/reports",
  "/reports/checks",
  `/reports/checks/${uuid}/more`,
  `/reports/results/${uuid}/1/a/b`,
  `/reports/badges/${uuid}/secret.svg`,
  `/reports/badges/${uuid}/constructor.svg`,
  "/reports/checks/..%2f..%2fetc",
  "/reports/__proto__/x",
]) {
  test(`there is no report at ${path}`, async () => {
    const { fixture, open } = await withReport();
    await using _ = fixture;
    assert.equal((await open(path)).statusCode, 404);
  });
}

test("what is switched off, or belongs to a suspended account, is gone with the change", async () => {
  const { fixture, check, open } = await withReport();
  await using _ = fixture;
  const [path = ""] = paths;
  assert.equal((await open(path)).statusCode, 200);
  await fixture.ask(fixture.alice, `PUT /checks/${check.id}`, { public: false });
  assert.equal((await open(path)).statusCode, 404);
  await fixture.ask(fixture.alice, `PUT /checks/${check.id}`, { public: true });
  assert.equal((await open(path)).statusCode, 200);
  await fixture.ask(fixture.alice, `DELETE /checks/${check.id}`);
  assert.equal((await open(path)).statusCode, 404);
});

test("badge services read whether the last result passed, and the uptime of the last row", async () => {
  const { fixture, open } = await withReport();
  await using _ = fixture;
  const results = (await open(`/reports/results/${uuid}/1?format=json`)).json();
  assert.deepEqual([results.length, results[0].su, results[0].rt], [1, false, 120]);
  const uptime = (
    await open(`/reports/uptime/${uuid}?format=json&interval=days&start=2026-01-01`)
  ).json();
  // Enabled for four minutes, and down in the last of them.
  assert.deepEqual(uptime.at(-1), {
    period: "total",
    enabled: 4 * minute,
    down: minute,
    uptime: 75,
  });
  const badge = (await open(`/reports/badges/${uuid}/state.json`)).json();
  assert.deepEqual(badge, {
    schemaVersion: 1,
    label: "Shop <b>",
    message: "Down",
    color: "#b91c1c",
    isError: true,
    cacheSeconds: 60,
  });
});

test("the table of results for a spreadsheet has no cell that could be a formula", async () => {
  const { fixture, open } = await withReport({ label: "=cmd()" });
  await using _ = fixture;
  const { body, headers } = await open(`/reports/results/${uuid}/1?format=csv`);
  assert.match(body, /^start,result,ms\r\n2026-01-05T12:03:00.000Z,Down,120\r\n$/);
  assert.equal(headers["content-disposition"], "attachment");
});

// guard: names in place of targets
test("a report whose label is the target shows the type in its place", async () => {
  const { fixture, open } = await withReport({ label: "https://private.example/path" });
  await using _ = fixture;
  const { body } = await open(`/reports/checks/${uuid}`);
  assert.match(body, /<h1>HTTP check<\/h1>/);
});

test("a report is sent compressed to who takes that, and not again to who has it", async () => {
  const { fixture, open } = await withReport();
  await using _ = fixture;
  const [path = ""] = paths;
  const plain = await open(path);
  const brotli = await open(path, { "accept-encoding": "gzip, br" });
  const gzip = await open(path, { "accept-encoding": "gzip, br;q=0" });
  assert.equal(brotli.headers["content-encoding"], "br");
  assert.equal(gzip.headers["content-encoding"], "gzip");
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body);
  assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body);
  const etag = String(plain.headers.etag);
  const again = await open(path, { "if-none-match": etag });
  assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, "", etag]);
});

test("a report cannot run scripts, nor styles but its own, and may be framed", async () => {
  const { fixture, open } = await withReport();
  await using _ = fixture;
  const { headers, body } = await open(`/reports/checks/${uuid}`);
  const policy = String(headers["content-security-policy"]);
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'/);
  assert.match(policy, /frame-ancestors \*/);
  assert.doesNotMatch(policy, /unsafe|script-src/);
  assert.doesNotMatch(body, /<script| style=| on\w+=/);
});

test("bad parameters are named, and longer ranges are cut", async () => {
  const { fixture, open } = await withReport();
  await using _ = fixture;
  const bad = await open(`/reports/uptime/${uuid}?format=json&start=yesterday`);
  assert.equal(bad.statusCode, 400);
  assert.match(bad.json().error, /^start: must be/);
  const long = await open(`/reports/uptime/${uuid}?format=json&interval=days&start=1990-01-01`);
  assert.equal(long.json().length, 2);
  assert.equal((await open(`/reports/results/${uuid}/999999?format=json`)).json().length, 3);
});

// guard: rate of public pages
test("one client address may ask so often, and others still may", async () => {
  const { fixture, open } = await withReport({}, 2);
  await using _ = fixture;
  const [path = ""] = paths;
  const statuses = [];
  for (let times = 0; times < 3; times += 1) statuses.push((await open(path)).statusCode);
  assert.deepEqual(statuses, [200, 200, 429]);
});

test("a result is shown within ten seconds", async () => {
  const { fixture, check, open } = await withReport();
  await using _ = fixture;
  const { clock, store } = fixture;
  const [path = ""] = paths;
  const { body } = await open(path);
  await store.append(aResult(check.no, clock.now(), { runtimeMs: 77 }));
  assert.equal((await open(path)).body, body);
  await clock.advance(10_000);
  assert.match((await open(path)).body, /77 ms/);
});
