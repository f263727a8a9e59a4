import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createApiFixture, type ApiFixture } from "../../../../test/api-fixture.ts";

const mail = { address: "one@example.com", type: "email" };
const hook = { address: "https://hooks.example/{label}?e={event}", type: "webhook" };
const pushover = { address: "a1B2c3".repeat(5), type: "pushover" };
const shown = { status: "new", accountsuppressall: false };

interface Made {
  readonly id: string;
  readonly addressId: string;
  /** The address as it is shown once the entry was sent for it. */
  readonly put: (entry: object) => Promise<unknown>;
}

async function made(cast: ApiFixture, entry: object): Promise<Made> {
  const { body } = await cast.ask(cast.alice, "POST /contacts", { newaddresses: [entry] });
  const [addressId = ""] = Object.keys(body.addresses);
  return {
    id: body._id,
    addressId,
    async put(changes) {
      const parameters = { addresses: { [addressId]: changes } };
      const answer = await cast.ask(cast.alice, `PUT /contacts/${body._id}`, parameters);
      assert.equal(answer.status, 200, answer.text);
      return withoutSecrets(answer.body.addresses)[0];
    },
  };
}

/** The addresses in their order, as they were sent. */
function withoutSecrets(addresses: Readonly<Record<string, object>>): readonly object[] {
  return Object.values(addresses).map((address) => {
    const { secret: _, ...rest } = { secret: undefined, ...address };
    return rest;
  });
}

const noSms =
  "nothing can be sent to sms addresses: no provider of text messages is set: WATCHPOST_TWILIO_ACCOUNT";

for (const { type, address, warning, ...rest } of [
  { ...mail, warning: undefined },
  { ...hook, warning: undefined },
  {
    type: "twitter",
    address: "@ann@mastodon.example",
    warning:
      "nothing can be sent to twitter addresses: no account that writes messages is set: WATCHPOST_X_API_KEY, WATCHPOST_MASTODON_URL",
  },
  { type: "sms", address: "+44 20 7946-0000", warning: noSms },
  {
    type: "voice",
    address: "(020) 7946 0000",
    suppressup: true,
    suppressfirst: true,
    warning:
      "nothing can be sent to voice addresses: no provider of calls is set: WATCHPOST_TWILIO_ACCOUNT",
  },
  { type: "slack", address: "https://hooks.example/T0/B0/x", warning: undefined },
  { type: "pagerduty", address: "a1B2".repeat(8), warning: undefined },
  {
    ...pushover,
    warning:
      "nothing can be sent to pushover addresses: no application of Pushover is set: WATCHPOST_PUSHOVER_TOKEN",
    priority: 2,
  },
]) {
  test(`an address of type ${type} is kept, and ${warning === undefined ? "needs no warning" : "warns that nothing can be sent to it"}`, async () => {
    await using cast = await createApiFixture({ mails: true });
    const { body } = await cast.ask(cast.alice, "POST /contacts", {
      custrole: "notify",
      newaddresses: [{ type: type.toUpperCase(), address: ` ${address} ` }],
    });
    assert.deepEqual(withoutSecrets(body.addresses), [{ address, type, ...shown, ...rest }]);
    assert.equal(body.warning, warning);
    const again = await cast.ask(cast.alice, `PUT /contacts/${body._id}`, { name: "Ann" });
    assert.equal(again.body.warning, warning);
    const read = await cast.ask(cast.alice, `GET /contacts/${body._id}`);
    assert.equal("warning" in read.body, false);
  });
}

test("a warning names each kind once, mail without a mail server included", async () => {
  await using cast = await createApiFixture();
  const sms = { type: "sms", address: "12345" };
  const { body } = await cast.ask(cast.alice, "POST /contacts", {
    newaddresses: [mail, sms, hook, { ...sms, address: "123456" }],
  });
  assert.equal(
    body.warning,
    `nothing can be sent to email addresses: no mail server is set: WATCHPOST_SMTP_URL; ${noSms}`,
  );
});

const request = {
  action: "PuT",
  headers: { Authorization: "Bearer s3cret", "X-Title": "{label}" },
  querystrings: { id: "{_id}", token: "" },
  data: { text: "{label} is {event}", list: [1, null, true, { "{label}": "{m}" }] },
};

test("a webhook keeps its request as it was sent, in every way of sending it", async () => {
  await using cast = await createApiFixture();
  const entry = { ...hook, ...request };
  const asText = {
    ...entry,
    headers: JSON.stringify(request.headers),
    querystrings: JSON.stringify(request.querystrings),
  };
  const brackets = new URLSearchParams(
    Object.entries(asText).flatMap(([name, value]) =>
      typeof value === "string" ? [[`newaddresses[0][${name}]`, value]] : [],
    ),
  );
  brackets.set("newaddresses[0][data][text]", request.data.text);
  for (const [query, body, data] of [
    ["", { newaddresses: [entry] }, request.data],
    ["", { newaddresses: JSON.stringify([entry]) }, request.data],
    ["", { newaddresses: [JSON.stringify(entry)] }, request.data],
    ["", { newaddresses: [asText] }, request.data],
    [`?${brackets.toString()}`, {}, { text: request.data.text }],
  ] as const) {
    const answer = await cast.ask(cast.alice, `POST /contacts${query}`, body);
    const expected = { ...hook, ...shown, ...request, data };
    assert.deepEqual(withoutSecrets(answer.body.addresses), [expected]);
    const read = await cast.ask(cast.alice, `GET /contacts/${answer.body._id}`);
    assert.deepEqual(withoutSecrets(read.body.addresses), [expected]);
  }
});

for (const data of [
  '{"text":"{label}"}',
  "[{event}] {label}",
  "{if m}{m}{else}fine{/if}",
  ["{label}"],
]) {
  test(`the body ${JSON.stringify(data)} is kept as it was sent`, async () => {
    await using cast = await createApiFixture();
    const { put } = await made(cast, { ...hook, data });
    assert.deepEqual(await put({}), { ...hook, ...shown, data });
  });
}

for (const { name, sent, becomes } of [
  { name: "nothing", sent: {}, becomes: {} },
  {
    name: "null",
    sent: { action: null, headers: null, querystrings: null, data: null },
    becomes: {},
  },
  {
    name: "empty text",
    sent: { address: "", action: "", headers: "", querystrings: "", data: "" },
    becomes: {},
  },
  { name: "headers", sent: { headers: { "X-One": "1" } }, becomes: { headers: { "X-One": "1" } } },
  { name: "no headers", sent: { headers: {} }, becomes: { headers: {} } },
  { name: "the empty list of headers", sent: { headers: [] }, becomes: { headers: {} } },
  {
    name: "headers as numbers, switches and null",
    sent: { headers: { a: 5, b: true, c: null } },
    becomes: { headers: { a: "5", b: "true" } },
  },
  { name: "no query strings", sent: { querystrings: {} }, becomes: { querystrings: {} } },
  { name: "another body", sent: { data: "{label}" }, becomes: { data: "{label}" } },
  ...[false, 0, {}, []].map((data) => ({
    name: `a body of ${JSON.stringify(data)}`,
    sent: { data },
    becomes: {},
  })),
  { name: "another method", sent: { action: " get " }, becomes: { action: "get" } },
  {
    name: "another type",
    sent: { type: "email", status: "old", accountsuppressall: true, id: "X" },
    becomes: {},
  },
  { name: "an urgency", sent: { priority: 0 }, becomes: {} },
]) {
  test(`a webhook that is sent ${name} keeps all else`, async () => {
    await using cast = await createApiFixture();
    const { put } = await made(cast, { ...hook, ...request });
    assert.deepEqual(await put(sent), { ...hook, ...shown, ...request, ...becomes });
  });
}

test("what has no type and is a mailbox is one, and nothing else is guessed", async () => {
  await using cast = await createApiFixture();
  const { put } = await made(cast, { address: mail.address });
  assert.deepEqual(await put({}), { ...mail, ...shown });
  for (const address of [hook.address, pushover.address, "+44 20 7946-0000", "@ann@b.example"]) {
    const { status, body } = await cast.ask(cast.alice, "POST /contacts", {
      newaddresses: [{ address }],
    });
    assert.deepEqual([status, body], [400, { error: "newaddresses.0.type: required" }]);
  }
});

test("a webhook shows what its signatures are verified with, the same whatever becomes of it", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /contacts", {
    newaddresses: [hook, hook, mail],
  });
  const secrets = (record: typeof body): unknown =>
    Object.values<{ secret?: string }>(record.addresses).map(({ secret }) => secret);
  const [first, second, none] = Object.values<{ secret?: string }>(body.addresses);
  assert.match(first?.secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(first?.secret, second?.secret);
  assert.equal(none !== undefined && "secret" in none, false);
  const [id = "", ...others] = Object.keys(body.addresses);
  const forged = { address: "https://other.example/", secret: "whsec_AAAA" };
  const changed = await cast.ask(cast.alice, `PUT /contacts/${body._id}`, {
    addresses: { [id]: forged, ...Object.fromEntries(others.map((id) => [id, {}])) },
  });
  assert.deepEqual(secrets(changed.body), secrets(body));
  const stranger = await cast.ask(cast.carol, `GET /contacts/${body._id}`);
  assert.equal(stranger.text.includes("whsec_"), false);
});

test("a call is only made for what goes down, unless the address says otherwise", async () => {
  await using cast = await createApiFixture();
  const voice = { type: "voice", address: "+442079460000" };
  const usual = { suppressup: true, suppressfirst: true };
  const quiet = await made(cast, voice);
  assert.deepEqual(await quiet.put({}), { ...voice, ...shown, ...usual });
  assert.deepEqual(await quiet.put({ suppressup: false }), {
    ...voice,
    ...shown,
    suppressfirst: true,
  });
  const eager = await made(cast, { ...voice, suppressup: false, suppressfirst: false });
  assert.deepEqual(await eager.put({}), { ...voice, ...shown });
});

test("switches and silence stay until they are sent as false", async () => {
  await using cast = await createApiFixture();
  const names = [
    "suppressup",
    "suppressdown",
    "suppressfirst",
    "suppressdiag",
    "suppressall",
    "mute",
  ];
  const all = Object.fromEntries(names.map((name) => [name, true]));
  const { put } = await made(cast, { ...mail, ...all });
  assert.deepEqual(await put({}), { ...mail, ...shown, ...all });
  for (const name of names) {
    const rest = Object.fromEntries(
      names.filter((each) => each !== name).map((each) => [each, true]),
    );
    assert.deepEqual(await put({ [name]: "false" }), { ...mail, ...shown, ...rest });
    await put({ [name]: "1" });
  }
  assert.deepEqual(await put({ mute: "1893456000000" }), {
    ...mail,
    ...shown,
    ...all,
    mute: 1_893_456_000_000,
  });
});

test("an urgency is 2 unless given, and belongs to a kind that knows it", async () => {
  await using cast = await createApiFixture();
  const urgent = await made(cast, pushover);
  assert.deepEqual(await urgent.put({ priority: "-2" }), { ...pushover, ...shown, priority: -2 });
  assert.deepEqual(await urgent.put({ priority: null, data: "{m}" }), {
    ...pushover,
    ...shown,
    priority: -2,
  });
  const zero = await made(cast, { ...pushover, priority: 0 });
  assert.deepEqual(await zero.put({}), { ...pushover, ...shown, priority: 0 });
  const plain = await made(cast, { ...mail, ...request, priority: 0 });
  assert.deepEqual(await plain.put({ ...request, priority: 1 }), { ...mail, ...shown });
});

test("a contact has at most a hundred addresses, those it had included", async () => {
  await using cast = await createApiFixture();
  const many = Array.from({ length: 60 }, () => mail);
  const { body } = await cast.ask(cast.alice, "POST /contacts", { newaddresses: many });
  const put = (parameters: object) => cast.ask(cast.alice, `PUT /contacts/${body._id}`, parameters);
  const { status, body: refused } = await put({ newaddresses: many });
  assert.deepEqual(
    [status, refused],
    [400, { error: "newaddresses: more than 100 addresses of one contact" }],
  );
  const [kept = ""] = Object.keys(body.addresses);
  assert.equal((await put({ addresses: { [kept]: {} }, newaddresses: many })).status, 200);
});

test("parameters that older clients send beside the addresses are ignored", async () => {
  await using cast = await createApiFixture({ mails: true });
  const { status, body } = await cast.ask(cast.alice, "POST /contacts", {
    ...mail,
    addresses: { X: mail },
    newaddresses: [{ ...mail, id: "X", status: "old" }],
  });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.type, Object.values(body.addresses)],
    ["contact", [{ ...mail, ...shown }]],
  );
});

const switches = fc.record(
  {
    suppressup: fc.boolean(),
    suppressdown: fc.boolean(),
    suppressfirst: fc.boolean(),
    suppressdiag: fc.boolean(),
    suppressall: fc.boolean(),
    mute: fc.oneof(
      fc.boolean(),
      // One that is over would be warned of.
      fc.nat({ max: 1e12 }).map((later) => 2e12 + later),
    ),
  },
  { requiredKeys: [] },
);
const plainText = fc
  .string({ unit: "grapheme", maxLength: 20 })
  .map((text) => text.replaceAll(/[{}\0]/g, ""));
const name = fc.stringMatching(/^x-[a-z]{1,8}$/);
const texts = fc.dictionary(
  name,
  plainText.map((text) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "")),
  { noNullPrototype: true },
);
const entry = fc.oneof(
  switches.map((rest) => ({ ...mail, ...rest })),
  fc
    .record({ priority: fc.integer({ min: -2, max: 2 }) })
    .map((rest) => ({ ...pushover, ...rest })),
  fc
    .tuple(
      switches,
      fc.record(
        {
          action: fc.constantFrom("get", "PUT", "Post", "head", "delete"),
          headers: texts,
          querystrings: texts,
          data: fc.oneof(
            plainText.filter((text) => text !== ""),
            fc.array(plainText, { minLength: 1 }),
            fc.dictionary(name, fc.oneof(plainText, fc.integer(), fc.constant(null)), {
              minKeys: 1,
              noNullPrototype: true,
            }),
          ),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([rest, parts]) => ({ ...hook, ...rest, ...parts })),
);

test("a record that is sent back whole changes nothing, and shows what was sent", async () => {
  await using cast = await createApiFixture({ mails: true });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 4 }), async (newaddresses) => {
      const parameters = { custrole: "notify", newaddresses };
      const { body } = await cast.ask(cast.alice, "POST /contacts", parameters);
      const sent = newaddresses.map((each) =>
        Object.fromEntries(Object.entries(each).filter(([, value]) => value !== false)),
      );
      assert.deepEqual(
        withoutSecrets(body.addresses),
        sent.map((each) => ({ ...each, ...shown })),
      );
      const again = await cast.ask(cast.alice, `PUT /contacts/${body._id}`, body);
      assert.deepEqual(again.body, body);
      const withIds = Object.fromEntries(
        Object.entries<object>(body.addresses).map(([id, each]) => [id, { id, ...each }]),
      );
      const third = await cast.ask(cast.alice, `PUT /contacts?id=${body._id}`, {
        ...body,
        addresses: withIds,
        newaddresses: [],
      });
      assert.deepEqual(third.body, body);
    }),
    { numRuns: 60 },
  );
});
