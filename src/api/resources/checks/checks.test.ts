import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";
import { recordFlip } from "../../../store/transactions/record-flip.ts";
import { createApiServer } from "../../http/server.ts";
import { createIds } from "../../../kit/ids.ts";

const TOKEN = /^[A-Z0-9]{8}-[A-Z0-9]{4}-4[A-Z0-9]{3}-8[A-Z0-9]{3}-[A-Z0-9]{12}$/;

async function fail(cast: ApiFixture, id: string, since: number): Promise<void> {
  const found = await cast.store.checks.find(cast.alice.account.id, id);
  assert.ok(found);
  const { check } = found;
  const result = {
    checkNo: check.no,
    revision: check.runRevision,
    tick: since,
    startedAt: since,
    endedAt: since + 20,
    passed: false,
    reason: "refused",
    text: "Connection refused",
    message: "Connection refused",
    runtimeMs: 20.4,
    location: "fra",
    earlierRuns: [],
    timings: undefined,
  } as const;
  const { won } = await cast.store.write((tx) =>
    recordFlip(
      tx,
      {
        check,
        from: found.state.state,
        to: "failing",
        result,
        since,
        confirmations: [],
      },
      createIds(),
    ),
  );
  assert.ok(won);
}

test("a check made of type and target has every default, and its record the order that clients match", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    type: "http",
    target: "http://example.com",
  });
  const now = cast.clock.now();
  assert.match(body._id, new RegExp(`^${cast.alice.account.id}-[A-Z0-9]{8}$`));
  assert.match(body._rev, /^1-[0-9a-f]{32}$/);
  assert.match(body.queue, /^[0-9A-Z]{10}$/);
  assert.match(body.uuid, /^[a-z0-9]{8}-[a-z0-9]{4}-4[a-z0-9]{3}-8[a-z0-9]{3}-[a-z0-9]{12}$/);
  assert.deepEqual(body, {
    _id: body._id,
    _rev: body._rev,
    customer_id: cast.alice.account.id,
    label: "http://example.com/",
    interval: 15,
    intervalseconds: 900,
    notifications: [],
    type: "HTTP",
    status: "modified",
    modified: now,
    enable: "inactive",
    enabled: "inactive",
    public: false,
    parameters: { target: "http://example.com/", threshold: 5 },
    created: now,
    queue: body.queue,
    uuid: body.uuid,
    firstdown: false,
    runlocations: [],
    homeloc: false,
    dep: false,
    mute: false,
    autodiag: false,
    tags: [],
    description: "",
    suspacct: false,
    change: now,
    warning:
      "notifications: nobody is alerted of this check; enabled: the check is off, and runs only with enabled true",
  });
  const { text } = await cast.ask(cast.alice, `GET /checks/${body._id}`);
  assert.match(text, /_id.+label.+type/);
  assert.equal(JSON.parse(text).status, "assigned");
  assert.equal("state" in JSON.parse(text), false);
  assert.deepEqual(
    cast.changes.map(({ accountId }) => accountId),
    [cast.alice.account.id],
  );
});

test("numbers are numbers again, and other parameters of the type keep the JSON type they were sent in", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(
    cast.alice,
    "POST /checks?type=PORT&target=h.example&port=80&threshold=7&sens=0&interval=25&public=True&enabled=active",
    { invert: true },
  );
  assert.deepEqual(body.parameters, {
    target: "h.example",
    threshold: 7,
    sens: 0,
    port: 80,
    invert: true,
  });
  assert.deepEqual(
    [body.interval, body.public, body.enable, typeof body.queue],
    [25, true, "active", "string"],
  );
});

test("a label taken from the target holds no credentials", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    type: "HTTP",
    target: "http://user:pass@example.com/",
  });
  assert.equal(body.label, "http://example.com/");
  assert.equal(body.parameters.target, "http://user:pass@example.com/");
});

test("a PUSH check needs no target, gets its token from us, and a new one by reset alone", async () => {
  await using cast = await createApiFixture();
  const fields = { load: { name: "load.1min", min: "0", max: 4 } };
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    type: "PUSH",
    checktoken: "mine",
    oldresultfail: "true",
    fields,
  });
  assert.match(made.parameters.checktoken, TOKEN);
  assert.deepEqual(made.parameters.fields, fields);
  assert.deepEqual([made.label, made.parameters.oldresultfail], ["PUSH", "true"]);
  const kept = await cast.ask(cast.alice, `PUT /checks/${made._id}`, {
    checktoken: "mine",
    label: "x",
  });
  assert.equal(kept.body.parameters.checktoken, made.parameters.checktoken);
  const reset = await cast.ask(cast.alice, `PUT /checks/${made._id}`, { checktoken: "reset" });
  assert.match(reset.body.parameters.checktoken, TOKEN);
  assert.notEqual(reset.body.parameters.checktoken, made.parameters.checktoken);
});

test("what py1 sends as a full set of defaults makes a plain check", async () => {
  await using cast = await createApiFixture();
  const { status, body } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    label: "",
    dep: "",
    notifications: "",
    fields: "",
    runlocations: null,
    checktoken: "reset",
    homeloc: false,
    mute: false,
    statuscode: 200,
    interval: 15,
    enabled: "False",
    public: "False",
    follow: false,
    ipv6: false,
    invert: false,
  });
  assert.equal(status, 200);
  assert.deepEqual(body.parameters, {
    target: plainCheck.target,
    threshold: 5,
    follow: false,
    ipv6: false,
    invert: false,
  });
});

test("fields arrive as JSON text or in brackets as well", async () => {
  await using cast = await createApiFixture();
  const fields = { a: { name: "x.y", min: "1", max: "2" } };
  const asText = await cast.ask(
    cast.alice,
    `POST /checks?type=PUSH&fields=${encodeURIComponent(JSON.stringify(fields))}`,
  );
  const bracketed = await cast.ask(
    cast.alice,
    "POST /checks?type=PUSH&fields[a][name]=x.y&fields[a][min]=1&fields[a][max]=2",
  );
  assert.deepEqual(
    [asText.body.parameters.fields, bracketed.body.parameters.fields],
    [fields, fields],
  );
});

test("modified moves on with every PUT, also within one millisecond, and the revision with it", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  const first = await cast.ask(cast.alice, `PUT /checks/${made._id}`);
  const second = await cast.ask(cast.alice, `PUT /checks/${made._id}`);
  assert.deepEqual(
    [first.body.modified, second.body.modified],
    [made.modified + 1, made.modified + 2],
  );
  assert.match(second.body._rev, /^3-/);
  assert.equal(second.body.created, made.created);
});

test("a record that is sent back whole changes nothing", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
    runlocations: "NAM",
    sens: 4,
    notifications: [{ [cast.alice.contact.id]: { schedule: "Days", delay: 5 } }],
  });
  const { body: read } = await cast.ask(cast.alice, `GET /checks/${made._id}`);
  const { body: back } = await cast.ask(cast.alice, "PUT /checks", { ...read, id: read._id });
  const ours = new Set(["_rev", "status", "modified", "change"]);
  const rest = (record: object): object =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !ours.has(name)));
  assert.deepEqual(rest(back), rest(read));
});

test("a PUT without an id creates where a type is sent, and is refused otherwise", async () => {
  await using cast = await createApiFixture();
  const made = await cast.ask(cast.alice, "PUT /checks", plainCheck);
  assert.equal(made.body.created, cast.clock.now());
  const refused = await cast.ask(cast.alice, "PUT /checks", { label: "x" });
  assert.deepEqual([refused.status, refused.body], [400, { error: "id: required" }]);
});

// guard: ids that the service makes
test("an id sent with a POST is ignored, as is everything that only we set", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    id: "x",
    _id: "y",
    customer_id: cast.carol.account.id,
    state: 1,
    queue: "q",
    uuid: "u",
    created: 1,
  });
  assert.equal(body.customer_id, cast.alice.account.id);
  assert.deepEqual([body.state, body.created], [undefined, cast.clock.now()]);
  assert.notEqual(body.queue, "q");
  assert.notEqual(body.uuid, "u");
});

test("parameters may come nested, and give way to those beside them", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    type: "HTTP",
    enable: "active",
    target: "http://a.example/",
    parameters: { target: "http://b.example/", threshold: 9, sensitivity: 4 },
  });
  assert.deepEqual(body.parameters, { target: "http://a.example/", threshold: 9, sens: 4 });
  assert.equal(body.enable, "active");
});

const places: readonly (readonly [sent: unknown, stored: unknown])[] = [
  ["nam", ["nam"]],
  ["NAM", ["nam"]],
  ["nam,eur", ["nam", "eur"]],
  [
    ["eur", "nam", "eur"],
    ["eur", "nam"],
  ],
  ['["fra"]', ["fra"]],
  ["", []],
  [false, []],
  [[], []],
  [null, ["wlw"]],
];

for (const [sent, stored] of places) {
  test(`runlocations ${JSON.stringify(sent)} are kept as ${JSON.stringify(stored)}`, async () => {
    await using cast = await createApiFixture();
    const { body: made } = await cast.ask(cast.alice, "POST /checks", {
      ...plainCheck,
      runlocations: "wlw",
    });
    const { body } = await cast.ask(cast.alice, `PUT /checks/${made._id}`, { runlocations: sent });
    assert.deepEqual(body.runlocations, stored);
  });
}

test("disableall ignores all else, spares what is off already, and is undone by itself alone", async () => {
  await using cast = await createApiFixture();
  const { body: on } = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, enabled: true });
  const { body: off } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  const { body: bobs } = await cast.ask(cast.bob, "POST /checks", { ...plainCheck, enabled: true });
  const disabled = await cast.ask(cast.alice, "PUT /checks?disableall=True", {
    id: on._id,
    interval: "nonsense",
    description: "x",
  });
  assert.deepEqual(
    [disabled.status, disabled.body],
    [
      200,
      {
        disableall: 1,
        disabled: 2,
        enabled: 0,
        active: 0,
        warning:
          "disableall: means all checks of the account, so id, interval and description were ignored",
      },
    ],
  );
  assert.deepEqual(cast.changes.at(-1), { accountId: cast.alice.account.id, checkNo: undefined });
  const { body: list } = await cast.ask(cast.alice, "GET /checks");
  assert.deepEqual(
    [list[on._id].enable, list[off._id].enable, list[on._id].description],
    ["inactive", "inactive", on.description],
  );
  const echoed = await cast.ask(cast.alice, "PUT /checks", { ...list[on._id], id: on._id });
  assert.equal(echoed.body.enable, "inactive");
  const enabled = await cast.ask(cast.alice, "PUT /checks", { disableall: "false" });
  assert.deepEqual(enabled.body, { disableall: 1, disabled: 1, enabled: 1, active: 1 });
  const { body: after } = await cast.ask(cast.alice, "GET /checks");
  assert.deepEqual([after[on._id].enable, after[off._id].enable], ["active", "inactive"]);
  assert.equal((await cast.ask(cast.bob, `GET /checks/${bobs._id}`)).body.enable, "active");
});

test("a check that is switched off while disableall holds stays off after it", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
  });
  await cast.ask(cast.alice, "PUT /checks", { disableall: true });
  await cast.ask(cast.alice, `PUT /checks/${made._id}`, { enabled: "false" });
  await cast.ask(cast.alice, "PUT /checks", { disableall: false });
  assert.equal((await cast.ask(cast.alice, `GET /checks/${made._id}`)).body.enable, "inactive");
});

test("of thousands of ids only those that are there are read one by one", async () => {
  await using cast = await createApiFixture();
  const { store, alice } = cast;
  const { body: made } = await cast.ask(alice, "POST /checks", plainCheck);
  const read: string[] = [];
  const find: typeof store.checks.find = (accountId, id) => {
    read.push(id);
    return store.checks.find(accountId, id);
  };
  const counting = { ...store, checks: { ...store.checks, find } };
  await using app = createApiServer({ ...cast.deps, store: counting });
  const id = [...Array.from({ length: 3000 }, (_, index) => `id-${index}`), made._id];
  const answer = await app.inject({
    method: "GET",
    url: "/api/1/checks",
    headers: { authorization: `Basic ${btoa(`${alice.token}:`)}` },
    body: { id },
  });
  assert.deepEqual(Object.keys(answer.json()), [made._id]);
  assert.deepEqual(read, [made._id]);
});

test("several ids give an object of those there are, one gives the bare record", async () => {
  await using cast = await createApiFixture();
  const [one, two] = [
    (await cast.ask(cast.alice, "POST /checks", plainCheck)).body,
    (await cast.ask(cast.alice, "POST /checks", plainCheck)).body,
  ];
  await cast.ask(cast.alice, "POST /checks", plainCheck);
  const both = [one._id, two._id];
  assert.deepEqual(
    Object.keys((await cast.ask(cast.alice, `GET /checks?id=${both.join(",")},missing`)).body),
    both,
  );
  assert.deepEqual(
    Object.keys((await cast.ask(cast.alice, `GET /checks/${both.join(",")}`)).body),
    both,
  );
  assert.deepEqual(
    Object.keys((await cast.ask(cast.alice, "GET /checks", { id: both })).body),
    both,
  );
  assert.deepEqual(
    Object.keys((await cast.ask(cast.alice, `GET /checks?id=${both[0]}&id=${both[1]}`)).body),
    both,
  );
  assert.deepEqual(
    Object.keys((await cast.ask(cast.alice, "GET /checks", { id: [one._id] })).body),
    [one._id],
  );
  assert.equal((await cast.ask(cast.alice, `GET /checks/?id=${one._id}`)).body._id, one._id);
  assert.equal((await cast.ask(cast.carol, "GET /checks", { id: both })).text, "{}");
});

test("a failing check shows its state, since when, its last result and its event", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
  });
  const { body: idle } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    label: "idle",
  });
  const since = cast.clock.now() + 1000;
  await cast.clock.advance(2000);
  await fail(cast, made._id, since);
  const { body } = await cast.ask(cast.alice, `GET /checks/${made._id}?lastresult=1`);
  assert.deepEqual([body.state, body.firstdown], [0, since]);
  assert.deepEqual(
    [body.lastresult._id, body.lastresult.su, body.lastresult.rt],
    [`${made._id}-${since}`, false, 20],
  );
  const { body: list } = await cast.ask(cast.alice, "GET /checks?current=true");
  assert.deepEqual(list[made._id].events, [{ type: "down", label: made.label, t: since }]);
  assert.deepEqual(list[idle._id].events, [{ type: "disabled", label: "idle", t: idle.created }]);
  assert.equal("events" in (await cast.ask(cast.alice, "GET /checks")).body[made._id], false);
});

test("trouble of ours is shown on the check, and only while there is some", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
  });
  const found = await cast.store.checks.find(cast.alice.account.id, made._id);
  assert.ok(found);
  const trouble = {
    kind: "undecided",
    reason: "blocked",
    message: "refused",
    firstTick: 1,
    lastTick: 2,
    ticks: 2,
  } as const;
  await cast.store.write((tx) => tx.states.recordGap(found.check.no, trouble));
  const { body } = await cast.ask(cast.alice, `GET /checks/${made._id}`);
  assert.deepEqual(body.trouble, {
    kind: "undecided",
    reason: "blocked",
    message: "refused",
    since: 1,
    last: 2,
    count: 2,
  });
});

test("a target that the egress policy refuses is stored, and the answer warns of it", async () => {
  await using cast = await createApiFixture();
  const { status, body } = await cast.ask(cast.alice, "POST /checks", {
    type: "HTTP",
    target: "http://169.254.169.254/",
  });
  assert.equal(status, 200);
  assert.match(body.warning, /never contacted/);
  const harmless = await cast.ask(cast.alice, `PUT /checks/${body._id}`, {
    target: "http://example.com/",
  });
  assert.equal("warning" in harmless.body, false);
  const literal = await cast.ask(cast.alice, `PUT /checks/${body._id}`, {
    type: "PORT",
    target: "127.0.0.1",
    port: 25,
  });
  assert.match(literal.body.warning, /only public addresses/);
});

test("a deleted check is gone, and missing ones answer with the sentences that clients know", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  assert.equal(
    (await cast.ask(cast.alice, `DELETE /checks/${made._id}`)).text,
    JSON.stringify({ ok: true, id: made._id }),
  );
  const answers = await Promise.all(
    ["GET", "PUT", "DELETE"].map((verb) => cast.ask(cast.alice, `${verb} /checks/${made._id}`)),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error]),
    [
      [404, "Error fetching check."],
      [404, "Unable to load check."],
      [404, "Unable to find that check"],
    ],
  );
  assert.equal((await cast.ask(cast.alice, "GET /checks")).text, "{}");
});

test("a label that was made of a long target can be sent back", async () => {
  await using cast = await createApiFixture();
  const target = `http://a.example/${"x".repeat(5000)}`;
  const { body: made } = await cast.ask(cast.alice, "POST /checks", { type: "HTTP", target });
  assert.equal(made.label, target.slice(0, 1000));
  const { status } = await cast.ask(cast.alice, `PUT /checks/${made._id}`, made);
  assert.equal(status, 200);
});
