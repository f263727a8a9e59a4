import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { fieldsOfManyWays, manyWays } from "../../test/many-ways.ts";
import { pushHarness, token } from "../../test/harnesses/push-harness.ts";
import { alice, minute } from "../../test/record-builders.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import type { Account } from "../domain/account/account.ts";
import type { Transaction } from "../store/store.ts";

test("a heartbeat whose metrics take too many lookups is refused, and the next one is taken", async () => {
  await using site = await pushHarness({ parameters: { fields: fieldsOfManyWays } });
  assert.deepEqual(await site.send({ data: manyWays(15) }), {
    status: 400,
    body: '{"error":"data: more than 20000 keys to look up for the fields"}',
  });
  assert.deepEqual(await site.results(), []);
  assert.equal((await site.send({ data: {} })).status, 200);
  assert.equal((await site.results()).length, 1);
});

test("every accepted heartbeat is one stored result, and the first one sets the state", async () => {
  await using site = await pushHarness();
  assert.deepEqual(await site.send(), { status: 200, body: '{"success":true}' });
  await site.clock.advance(minute);
  assert.deepEqual(await site.send({ data: {} }), { status: 200, body: '{"success":true}' });
  const results = await site.results();
  assert.deepEqual(
    results.map(({ passed, location, runtimeMs }) => [passed, location, runtimeMs]),
    [
      [true, "push", 0],
      [true, "push", 0],
    ],
  );
  assert.equal(await site.state(), "passing");
  assert.equal(site.flips(), 1);
});

const forms: readonly { name: string; query: string; body: string | undefined; type: string }[] = [
  {
    name: "in the query",
    query: `id=${alice.id}-PUSHED&checktoken=${token}`,
    body: undefined,
    type: "application/json",
  },
  {
    name: "in the JSON body",
    query: "",
    body: JSON.stringify({ id: `${alice.id}-PUSHED`, checktoken: token }),
    type: "application/json",
  },
  {
    name: "in a form",
    query: "",
    body: `id=${alice.id}-PUSHED&checktoken=${token}`,
    type: "application/x-www-form-urlencoded",
  },
  {
    name: "in the query, beside an empty body",
    query: `id=${alice.id}-PUSHED&checktoken=${token}`,
    body: "",
    type: "text/plain",
  },
  {
    name: "in the query, beside an empty form",
    query: `id=${alice.id}-PUSHED&checktoken=${token}`,
    body: "x=1",
    type: "application/x-www-form-urlencoded",
  },
];

for (const { name, query, body, type } of forms) {
  test(`id and token are taken ${name}`, async () => {
    await using site = await pushHarness();
    assert.equal((await site.send(body, { query, headers: { "content-type": type } })).status, 200);
  });
}

const refusals: readonly {
  name: string;
  query?: string;
  body?: string;
  method?: string;
  status: number;
  error: RegExp;
}[] = [
  {
    name: "a wrong token",
    query: `id=${alice.id}-PUSHED&checktoken=NO`,
    status: 403,
    error: /^No check found with that ID and checktoken$/,
  },
  {
    name: "an unknown id",
    query: `id=${alice.id}-OTHER&checktoken=${token}`,
    status: 403,
    error: /^No check found with that ID and checktoken$/,
  },
  { name: "no id", query: `checktoken=${token}`, status: 400, error: /^id: required/ },
  { name: "no token", query: `id=${alice.id}-PUSHED`, status: 400, error: /^checktoken: required/ },
  { name: "malformed JSON", body: '{"data":', status: 400, error: /^body: malformed JSON/ },
  {
    name: "a list where the object belongs",
    body: "[1]",
    status: 400,
    error: /^body: must be a JSON object/,
  },
  {
    name: "data that is no object",
    body: '{"data":7}',
    status: 400,
    error: /^data: must be an object/,
  },
  {
    name: "a key that reaches a prototype",
    body: '{"data":{"a":{"__proto__":{"x":1}}}}',
    status: 400,
    error: /__proto__/,
  },
  {
    name: "a number beyond all numbers",
    body: '{"data":{"a":1e999}}',
    status: 400,
    error: /finite/,
  },
  {
    name: "nesting without end",
    body: `{"data":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`,
    status: 400,
    error: /nested/,
  },
  {
    name: "metrics without end",
    body: JSON.stringify({
      data: Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`m${index}`, 1])),
    }),
    status: 400,
    error: /keys/,
  },
  {
    name: "a body that is too large",
    body: JSON.stringify({ data: { a: "x".repeat(300_000) } }),
    status: 413,
    error: /larger than/,
  },
  { name: "another verb", method: "DELETE", status: 405, error: /GET, HEAD, POST or PUT/ },
];

for (const { name, query, body, method, status, error } of refusals) {
  // guard: check tokens
  // guard: one answer for a wrong id and a wrong token
  // guard: size of heartbeats
  // guard: keys of heartbeats
  test(`${name} is refused and keeps nothing`, async () => {
    await using site = await pushHarness();
    const answer = await site.send(body, {
      ...(query === undefined ? {} : { query }),
      ...(method === undefined ? {} : { method }),
    });
    assert.equal(answer.status, status);
    assert.match(JSON.parse(answer.body).error, error);
    assert.deepEqual(await site.results(), []);
  });
}

test("a body that is compressed is refused: read as it is it would have no metrics", async () => {
  await using site = await pushHarness({ parameters: { fields: { a: { name: "a", min: 0 } } } });
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const answer = await site.send(gzipSync('{"data":{"a":1}}'), { headers });
  assert.equal(answer.status, 400);
  assert.match(answer.body, /compressed/);
  assert.deepEqual(await site.results(), []);
});

test("a heartbeat whose body is cut off keeps nothing and is no internal error", async () => {
  await using site = await pushHarness();
  const socket = connect({ port: site.port, host: "127.0.0.1" });
  const path = `/v1?id=${alice.id}-PUSHED&checktoken=${token}`;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"data":`);
  await waitFor("it is read", () => site.open() === 1);
  socket.destroy();
  await waitFor("it is gone", () => site.open() === 0);
  assert.deepEqual(await site.results(), []);
  assert.equal((await site.send()).status, 200);
});

test("a metric out of its range, or absent, fails the check at once, and its return passes it", async () => {
  await using site = await pushHarness({
    parameters: {
      fields: { a: { name: "load.1min", min: 0, max: "4" }, b: { name: "disks.0.free", min: 1 } },
    },
  });
  const sent = [
    { load: { "1min": 2 }, disks: [{ free: 5 }] },
    { load: { "1min": 9 }, disks: [{ free: 0 }] },
    { load: { "1min": 3 } },
    { load: { "1min": "3.5" }, disks: [{ free: "2" }] },
  ];
  for (const data of sent) {
    assert.equal((await site.send({ data })).status, 200);
    await site.clock.advance(minute);
  }
  assert.deepEqual(
    (await site.results()).map(({ passed, reason, message }) => [passed, reason, message]),
    [
      [true, "ok", "All fields within parameters"],
      [false, "metric", "load.1min:9 (max 4). disks.0.free:0 (min 1)"],
      [false, "metric", "disks.0.free:absent"],
      [true, "ok", "All fields within parameters"],
    ],
  );
  assert.equal(site.flips(), 3);
});

// guard: rate of heartbeats
test("the sixth heartbeat within a minute is throttled, and the next minute's is not", async () => {
  await using site = await pushHarness();
  for (let count = 0; count < 5; count += 1) assert.equal((await site.send()).status, 200);
  assert.equal((await site.send()).status, 409);
  assert.equal((await site.results()).length, 5);
  await site.clock.advance(minute);
  assert.equal((await site.send()).status, 200);
});

for (const [name, through] of [
  ["a change", [{ intervalMinutes: 2 }]],
  ["being disabled", [{ enabled: false }, { enabled: true }]],
  ["being of another type", [{ type: "PING" }, { type: "PUSH" }]],
] as const) {
  // guard: rate of heartbeats over changes
  test(`${name} does not let a check take more heartbeats within a minute`, async () => {
    await using site = await pushHarness();
    for (let count = 0; count < 5; count += 1) assert.equal((await site.send()).status, 200);
    for (const [index, change] of through.entries()) {
      const record = await site.store.checks.find(alice.id, `${alice.id}-PUSHED`);
      assert.ok(record);
      const check = { ...record.check, ...change, revision: index + 2, runRevision: index + 2 };
      await site.store.write((tx) => tx.checks.update(check, site.clock.now()));
      site.bus.changes.publish({ accountId: alice.id, checkNo: site.no });
      const status = index === through.length - 1 ? 409 : 403;
      assert.equal((await site.send()).status, status);
    }
    assert.equal((await site.results()).length, 5);
  });
}

test("a disabled check takes no heartbeats, and an enabled one does again", async () => {
  await using site = await pushHarness();
  const switchTo = async (enabled: boolean, revision: number): Promise<void> => {
    const record = await site.store.checks.find(alice.id, `${alice.id}-PUSHED`);
    assert.ok(record);
    await site.store.write((tx) =>
      tx.checks.update(
        { ...record.check, enabled, revision, runRevision: revision },
        site.clock.now(),
      ),
    );
    site.bus.changes.publish({ accountId: alice.id, checkNo: site.no });
  };
  assert.equal((await site.send()).status, 200);
  await switchTo(false, 2);
  assert.match((await site.send()).body, /Check is not assigned/);
  await switchTo(true, 3);
  assert.equal((await site.send()).status, 200);
});

test("a check of a suspended account takes no heartbeats and says why to those who know its token, and takes them again once the account is active", async () => {
  await using site = await pushHarness();
  const change = async (write: (tx: Transaction) => Promise<void>): Promise<void> => {
    await site.store.write(write);
    site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
  };
  const switchTo = (status: Account["status"]): Promise<void> =>
    change((tx) => tx.accounts.update({ ...alice, status }, site.clock.now()));
  assert.equal((await site.send()).status, 200);
  await switchTo("suspended");
  assert.deepEqual(await site.send(), {
    status: 403,
    body: '{"error":"Check is not assigned: its account is suspended"}',
  });
  const guessed = await site.send(undefined, { query: `id=${alice.id}-PUSHED&checktoken=NO` });
  assert.match(guessed.body, /No check found/);
  await switchTo("active");
  assert.equal((await site.send()).status, 200);
  await change((tx) => tx.accounts.remove(alice.id, site.clock.now()));
  assert.match((await site.send()).body, /No check found/);
  assert.equal((await site.results()).length, 2);
});

test("a check that another process disabled takes no heartbeats, though this one has not read that change", async () => {
  let isCurrent = true;
  await using site = await pushHarness({}, (store) => ({
    ...store,
    changes: { ...store.changes, isCurrent: () => isCurrent },
  }));
  assert.equal((await site.send()).status, 200);
  const { check } = (await site.store.checks.findById(`${alice.id}-PUSHED`)) ?? assert.fail();
  await site.store.write((tx) =>
    tx.checks.update({ ...check, enabled: false, revision: 2, runRevision: 2 }, site.clock.now()),
  );
  assert.equal((await site.send()).status, 200, "nobody said so yet");
  isCurrent = false;
  assert.match((await site.send()).body, /Check is not assigned/);
});

test("heartbeats that arrive together are all stored, each with a start of its own, and the last one sets the state", async () => {
  await using site = await pushHarness({
    parameters: { fields: { a: { name: "a", min: 0, max: 1 } } },
  });
  const answers = await Promise.all(
    [{ a: 5 }, { a: 0 }, { a: 5 }, { a: 0 }, { a: 5 }].map((data) => site.send({ data })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const results = await site.results();
  assert.equal(new Set(results.map(({ startedAt }) => startedAt)).size, 5);
  assert.equal(results.length, 5);
  assert.equal(await site.state(), results.at(-1)?.passed === true ? "passing" : "failing");
});

const ranged = { parameters: { fields: { a: { name: "a", min: 0, max: 1 } } } };

test("a heartbeat that meets a change of its check is judged by the check as it is now, and stored once", async () => {
  await using site = await pushHarness(ranged);
  await site.send({ data: { a: 1 } });
  await site.put({ label: "other" }, false);
  assert.equal((await site.send({ data: { a: 5 } })).status, 200);
  assert.equal(await site.state(), "failing");
  assert.equal(site.flips(), 2);
  const { parameters } = ranged;
  const wider = { ...parameters.fields.a, max: 9 };
  await site.put({ parameters: { checktoken: token, fields: { a: wider } } }, false);
  assert.equal((await site.send({ data: { a: 5 } })).status, 200);
  assert.equal(await site.state(), "failing", "by the old range, for it agrees with the state");
  assert.equal((await site.send({ data: { a: 0 } })).status, 200);
  assert.equal(await site.state(), "passing");
  await site.put({ parameters: { checktoken: token } }, false);
  assert.equal((await site.send({ data: { a: 5 } })).status, 200);
  assert.equal(await site.state(), "passing", "it has no ranges any more");
  assert.deepEqual(
    (await site.results()).map(({ passed }) => passed),
    [true, false, false, true, true],
  );
});

test("a heartbeat whose check was disabled before it could be stored is refused, and keeps nothing", async () => {
  await using site = await pushHarness(ranged);
  await site.send({ data: { a: 1 } });
  await site.put({ enabled: false }, false);
  assert.match((await site.send({ data: { a: 5 } })).body, /it is disabled/);
  assert.equal((await site.results()).length, 1);
});

test("an outage after the clock was set back has its true length, and its results their true times", async () => {
  await using site = await pushHarness(ranged);
  site.clock.step(60 * minute);
  for (let count = 0; count < 3; count += 1) {
    await site.send({ data: { a: 1 } });
    await site.clock.advance(minute);
  }
  site.clock.step(-60 * minute);
  const [from, to] = [site.clock.now(), site.clock.now() + 4 * minute];
  await site.send({ data: { a: 5 } });
  await site.send({ data: { a: 6 } });
  await site.clock.advance(4 * minute);
  await site.send({ data: { a: 1 } });
  const [span] = await site.store.states.listDownSpans(site.no, 0, to + 1);
  assert.deepEqual([span?.start, span?.end], [from, to]);
  const starts = (await site.results()).map(({ startedAt }) => startedAt - from);
  assert.deepEqual(starts.slice(0, 3), [0, 1, 4 * minute]);
});
