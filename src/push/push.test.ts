import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { waitFor } from "../../test/time/wait-for.ts";
import { portOf } from "../../test/peers/tcp.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { aCheck, aContact, alice, minute } from "../../test/record-builders.ts";
import { quietBus } from "../../test/harnesses/quiet-bus.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import type { Account } from "../domain/account/account.ts";
import type { Check } from "../domain/check.ts";
import { createIds } from "../kit/ids.ts";
import { Unavailable } from "../kit/errors.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import type { Store, Transaction } from "../store/store.ts";
import { createPushHandler } from "./handler.ts";
import { createHeartbeats } from "./heartbeats.ts";
import { createStalenessWatcher } from "./staleness.ts";

const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";

function aPushCheck(changes: Partial<Check> = {}): Omit<Check, "no"> {
  const { parameters, ...rest } = changes;
  return aCheck(`${alice.id}-PUSHED`, {
    type: "PUSH",
    rechecks: 2,
    notifications: [{ CONTACT: "All" }],
    parameters: { checktoken: token, ...parameters },
    ...rest,
  });
}

async function startPush(
  changes: Partial<Check> = {},
  over: (store: Store) => Store = (store) => store,
) {
  const clock = fakeClock();
  const temp = await tempStore({ clock });
  const store = over(temp);
  const bus = quietBus(clock);
  const { no } = await temp.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.contacts.insert(aContact("CONTACT"));
    return tx.checks.insert(aPushCheck(changes));
  });
  let flips = 0;
  const flipped = (): void => {
    flips += 1;
  };
  const ids = createIds();
  const quiet = { log: silentLog, meter: noMeter };
  const heartbeats = createHeartbeats({ store, flipped, ids, clock, ...quiet });
  bus.changes.subscribe(heartbeats.invalidate);
  const staleness = createStalenessWatcher({ store, bus, heartbeats, clock, ...quiet });
  const server = createServer(createPushHandler({ heartbeats, ...quiet }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  let sockets = 0;
  server.on("connection", (socket) => {
    sockets += 1;
    socket.once("close", () => (sockets -= 1));
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  return {
    clock,
    store: temp,
    bus,
    no,
    port,
    open: () => sockets,
    flips: () => flips,
    /** Answers with the status and the body, as a client sees them. */
    async send(
      body?: string | object | Uint8Array<ArrayBuffer>,
      options: { query?: string; headers?: Record<string, string>; method?: string } = {},
    ) {
      const query = options.query ?? `id=${alice.id}-PUSHED&checktoken=${token}`;
      const response = await fetch(`http://127.0.0.1:${port}/v1?${query}`, {
        method: options.method ?? "POST",
        headers: options.headers ?? { "content-type": "application/json" },
        ...(body === undefined
          ? {}
          : {
              body:
                typeof body === "string" || body instanceof Uint8Array
                  ? body
                  : JSON.stringify(body),
            }),
      });
      return { status: response.status, body: await response.text() };
    },
    watch(): void {
      running = staleness.run(stopping.signal);
    },
    async results() {
      const found = [];
      for await (const page of temp.results.page({
        checkNo: no,
        from: 0,
        to: clock.now() + 1e9,
        limit: 1000,
        order: "oldest",
      }))
        found.push(...page);
      return found;
    },
    state: async () => (await temp.states.get(no)).state,
    async [Symbol.asyncDispose](): Promise<void> {
      stopping.abort();
      await clock.advance(100);
      await running;
      server.closeAllConnections();
      server.close();
      await temp[Symbol.asyncDispose]();
    },
  };
}

test("every accepted heartbeat is one stored result, and the first one sets the state", async () => {
  await using site = await startPush();
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
    await using site = await startPush();
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
  { name: "another verb", method: "PUT", status: 405, error: /POST/ },
];

for (const { name, query, body, method, status, error } of refusals) {
  test(`${name} is refused and keeps nothing`, async () => {
    await using site = await startPush();
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
  await using site = await startPush({ parameters: { fields: { a: { name: "a", min: 0 } } } });
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const answer = await site.send(gzipSync('{"data":{"a":1}}'), { headers });
  assert.equal(answer.status, 400);
  assert.match(answer.body, /compressed/);
  assert.deepEqual(await site.results(), []);
});

test("a heartbeat whose body is cut off keeps nothing and is no internal error", async () => {
  await using site = await startPush();
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
  await using site = await startPush({
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

test("the sixth heartbeat within a minute is throttled, and the next minute's is not", async () => {
  await using site = await startPush();
  for (let count = 0; count < 5; count += 1) assert.equal((await site.send()).status, 200);
  assert.equal((await site.send()).status, 409);
  assert.equal((await site.results()).length, 5);
  await site.clock.advance(minute);
  assert.equal((await site.send()).status, 200);
});

test("a disabled check takes no heartbeats, and an enabled one does again", async () => {
  await using site = await startPush();
  const switchTo = async (enabled: boolean, revision: number): Promise<void> => {
    const record = await site.store.checks.find(alice.id, `${alice.id}-PUSHED`);
    assert.ok(record);
    await site.store.write((tx) =>
      tx.checks.update({ ...record.check, enabled, revision }, site.clock.now()),
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
  await using site = await startPush();
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
  await using site = await startPush({}, (store) => ({
    ...store,
    changes: { ...store.changes, isCurrent: () => isCurrent },
  }));
  assert.equal((await site.send()).status, 200);
  const { check } = (await site.store.checks.findById(`${alice.id}-PUSHED`)) ?? assert.fail();
  await site.store.write((tx) =>
    tx.checks.update({ ...check, enabled: false, revision: 2 }, site.clock.now()),
  );
  assert.equal((await site.send()).status, 200, "nobody said so yet");
  isCurrent = false;
  assert.match((await site.send()).body, /Check is not assigned/);
});

test("heartbeats that arrive together are all stored, each with a start of its own, and the last one sets the state", async () => {
  await using site = await startPush({
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

test("a check without heartbeats for longer than the interval times the rechecks fails the check once, and a heartbeat passes it", async () => {
  await using site = await startPush({ parameters: { oldresultfail: true } });
  site.watch();
  await site.send();
  await site.clock.advance(2 * minute - 1000);
  assert.equal(await site.state(), "passing");
  await waitFor("the check is stale", async () => {
    await site.clock.advance(500);
    return (await site.state()) === "failing";
  });
  await site.clock.advance(10 * minute);
  const results = await site.results();
  assert.deepEqual(
    results.map(({ reason }) => reason),
    ["ok", "stale"],
  );
  assert.match(results[1]?.message ?? "", /^The last result is from 2026-01-05T12:00:00/);
  await site.send();
  assert.equal(await site.state(), "passing");
});

test("a check without the setting, or without a first result, never becomes stale", async () => {
  for (const { parameters, first } of [
    { parameters: {}, first: true },
    { parameters: { oldresultfail: true }, first: false },
  ]) {
    await using site = await startPush({ parameters });
    site.watch();
    if (first) await site.send();
    await site.clock.advance(10 * minute);
    assert.notEqual(await site.state(), "failing");
  }
});

test("a throttled heartbeat counts against staleness all the same", async () => {
  await using site = await startPush({ rechecks: 1, parameters: { oldresultfail: true } });
  site.watch();
  for (let count = 0; count < 5; count += 1) await site.send();
  await site.clock.advance(50_000);
  assert.equal((await site.send()).status, 409);
  await site.clock.advance(30_000);
  assert.equal(await site.state(), "passing");
});

test("while nothing can be stored a heartbeat is refused with 503, not lost, and that time does not count as staleness", async () => {
  let broken = false;
  const refuse = (): Promise<never> =>
    Promise.reject(new Unavailable("cannot store anything now: disk full"));
  await using site = await startPush(
    { rechecks: 1, parameters: { oldresultfail: true } },
    (store) => ({
      ...store,
      append: (result) => (broken ? refuse() : store.append(result)),
      write: (unit) => (broken ? refuse() : store.write(unit)),
    }),
  );
  site.watch();
  assert.equal((await site.send()).status, 200);
  await site.clock.advance(40_000);
  broken = true;
  assert.equal((await site.send()).status, 503);
  broken = false;
  await site.clock.advance(40_000);
  assert.equal(await site.state(), "passing");
  assert.equal((await site.results()).length, 1);
});
