import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";
import { samples } from "../../../../test/checks/samples.ts";
import type { CheckType } from "../../../checks/check-type.ts";
import { checkTypeOf, checkTypes } from "../../../checks/registry.ts";
import { commonParameters, mergeParameters } from "./merge-parameters.ts";

const merges: readonly {
  readonly name: string;
  readonly made: object;
  readonly sent: object;
  readonly becomes: object;
}[] = [
  {
    name: "keeps what is not sent",
    made: { follow: true, sens: 3 },
    sent: { label: "x" },
    becomes: { follow: true, sens: 3 },
  },
  {
    name: "keeps what is sent empty",
    made: { follow: true },
    sent: { follow: "", target: "", type: "", threshold: "" },
    becomes: { follow: true, threshold: 5 },
  },
  {
    name: "keeps what is sent as null",
    made: { follow: true },
    sent: { follow: null },
    becomes: { follow: true },
  },
  {
    name: "keeps what is sent as null among the parameters",
    made: { follow: true, sens: 3 },
    sent: { parameters: { follow: null, sens: null, threshold: null, target: null } },
    becomes: { follow: true, sens: 3 },
  },
  {
    name: "takes the words for a switch that the API takes elsewhere",
    made: { follow: "yes" },
    sent: { ipv6: "off" },
    becomes: { follow: true, ipv6: "off" },
  },
  {
    name: "stores false",
    made: { follow: true },
    sent: { follow: false },
    becomes: { follow: false },
  },
  {
    name: "clears a contentstring by empty text",
    made: { contentstring: "x" },
    sent: { contentstring: "" },
    becomes: {},
  },
  {
    name: "takes texts, words and numbers back by empty text",
    made: {
      type: "HTTPADV",
      contentstring: "x",
      method: "PUT",
      postdata: "a",
      statuscode: 200,
      regex: true,
      port: 80,
    },
    sent: {
      contentstring: "",
      method: "",
      postdata: "",
      statuscode: "",
      regex: "",
      port: "",
    },
    becomes: { regex: true },
  },
  {
    name: "takes the names and days of a certificate back by empty text",
    made: { type: "SSL", target: "h.example", servername: "a.example", warningdays: 14 },
    sent: { servername: "", warningdays: "", target: "" },
    becomes: {},
  },
  {
    name: "leaves a port alone that the type needs",
    made: { type: "PORT", target: "h.example", port: "80" },
    sent: { port: "" },
    becomes: { port: 80 },
  },
  {
    name: "lets a name server go by empty text",
    made: { type: "DNS", target: "ns.example" },
    sent: { target: "" },
    becomes: { target: undefined },
  },
  {
    name: "stores switches as false, in the form they come in",
    made: { type: "HTTPADV", regex: true, invert: "true", follow: 1, ipv6: "yes" },
    sent: { regex: false, invert: "false", follow: 0, ipv6: false },
    becomes: { regex: false, invert: "false", follow: false, ipv6: false },
  },
  {
    name: "merges headers by name, where null and empty text take back",
    made: { type: "HTTPADV", sendheaders: { a: "1", b: "2", c: "3" }, receiveheaders: { d: "4" } },
    sent: { sendheaders: { a: "5", b: null, c: "", e: null }, receiveheaders: { f: "6" } },
    becomes: { sendheaders: { a: "5" }, receiveheaders: { d: "4", f: "6" } },
  },
  {
    name: "leaves headers alone that are empty",
    made: {
      type: "HTTPADV",
      sendheaders: { a: "1" },
      data: { b: "2" },
      receiveheaders: { c: "3" },
    },
    sent: { sendheaders: {}, data: [], receiveheaders: "" },
    becomes: { sendheaders: { a: "1" }, data: { b: "2" }, receiveheaders: { c: "3" } },
  },
  {
    name: "keeps what was made empty when it is sent so again",
    made: { type: "HTTPADV", sendheaders: { Host: null }, data: { a: "", b: "1" } },
    sent: { sendheaders: { Host: null }, data: { a: "", b: "1" } },
    becomes: { sendheaders: { Host: null }, data: { a: "", b: "1" } },
  },
  {
    name: "merges the data of a form by name, also from JSON text",
    made: { type: "HTTPADV", data: { a: "1", b: 2 } },
    sent: { data: '{"b":"","c":true}' },
    becomes: { data: { a: "1", c: true } },
  },
  {
    name: "replaces a message by another",
    made: { type: "WEBSOCKET", target: "ws://h.example/", data: { op: "ping" } },
    sent: { data: '{"op":"pong"}' },
    becomes: { data: '{"op":"pong"}' },
  },
  {
    name: "takes a message back by empty text",
    made: { type: "WEBSOCKET", target: "ws://h.example/", data: "ping" },
    sent: { data: "" },
    becomes: {},
  },
  {
    name: "keeps parameters of the old type",
    made: { follow: true },
    sent: { type: "PORT", port: 80, target: "h.example" },
    becomes: { target: "h.example", follow: true, port: 80 },
  },
  {
    name: "does not ask of the new type what only the old one has, nor change it",
    made: { type: "SMTP", target: "h.example", email: "a@b.example", secure: "starttls" },
    sent: { type: "PING", email: "nobody", secure: "no way" },
    becomes: { email: "a@b.example", secure: "starttls" },
  },
  {
    name: "adds the slash to a new target",
    made: {},
    sent: { target: "https://Other.example" },
    becomes: { target: "https://Other.example/" },
  },
  {
    name: "merges fields by key and property",
    made: { type: "PUSH", fields: { a: { name: "a", min: 1, max: 2 }, b: { name: "b", max: 3 } } },
    sent: { fields: { a: { max: 9, min: null }, c: { name: "c", min: "" } } },
    becomes: {
      fields: { a: { name: "a", min: 0, max: 9 }, b: { name: "b", max: 3 }, c: { name: "c" } },
    },
  },
  {
    name: "takes a field back by null",
    made: { type: "PUSH", fields: { a: { name: "a" }, b: { name: "b" } } },
    sent: { fields: { a: null } },
    becomes: { fields: { b: { name: "b" } } },
  },
  {
    name: "leaves fields alone that are empty",
    made: { type: "PUSH", fields: { a: { name: "a" } } },
    sent: { fields: [] },
    becomes: { fields: { a: { name: "a" } } },
  },
];

for (const { name, made, sent, becomes } of merges) {
  test(`a PUT ${name}`, async () => {
    await using cast = await createApiFixture();
    const { body: before } = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, ...made });
    const { status, body: after } = await cast.ask(cast.alice, `PUT /checks/${before._id}`, sent);
    assert.equal(status, 200, JSON.stringify(after));
    const { target, threshold } = before.parameters;
    const { checktoken, ...parameters } = after.parameters;
    assert.deepEqual(parameters, JSON.parse(JSON.stringify({ target, threshold, ...becomes })));
    assert.deepEqual((await cast.ask(cast.alice, `GET /checks/${before._id}`)).body.parameters, {
      ...parameters,
      ...(checktoken === undefined ? {} : { checktoken }),
    });
  });
}

test("a new type asks for what it needs of what the old one left", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    type: "SMTP",
    target: "h.example",
    secure: "starttls",
  });
  const refused = await cast.ask(cast.alice, `PUT /checks/${body._id}`, { type: "MYSQL" });
  assert.deepEqual(
    [refused.status, refused.body],
    [400, { error: "secure: must be one of false, ssl" }],
  );
});

test("a record of any type that is sent back whole changes nothing but when it was", async () => {
  await using cast = await createApiFixture();
  for (const { type } of checkTypes) {
    const { body: made } = await cast.ask(cast.alice, "POST /checks", {
      type,
      ...samples[type]?.full,
    });
    const { body: record } = await cast.ask(cast.alice, `GET /checks/${made._id}`);
    const { status, text } = await cast.ask(cast.alice, `PUT /checks/${made._id}`, record);
    assert.equal(status, 200, text);
    const { body: after } = await cast.ask(cast.alice, `GET /checks/${made._id}`);
    const { _rev, modified } = after;
    assert.deepEqual(after, { ...record, _rev, modified }, type);
    assert.ok(modified > record.modified);
  }
});

/** The name of a type, and some of its parameters. */
const typed = fc.constantFrom(...checkTypes.map(({ type }) => type)).chain((name) =>
  fc.record({
    name: fc.constant(name),
    parameters: fc
      .subarray(Object.entries(samples[name]?.full ?? {}))
      .map((entries): Readonly<Record<string, unknown>> => Object.fromEntries(entries)),
  }),
);

function typeNamed(name: string): CheckType {
  const type = checkTypeOf(name);
  assert.ok(type);
  return type;
}

test("merging nothing changes nothing, nor does merging the same again", () => {
  fc.assert(
    fc.property(typed, ({ name, parameters }) => {
      const type = typeNamed(name);
      const stored = mergeParameters(type, {}, parameters);
      assert.deepEqual(stored, parameters);
      assert.deepEqual(mergeParameters(type, stored, {}), stored);
      assert.deepEqual(mergeParameters(type, stored, stored), stored);
    }),
  );
});

test("parameters of another type stay, and are not taken", () => {
  fc.assert(
    fc.property(typed, typed, (old, { name, parameters }) => {
      const type = typeNamed(name);
      const merged = mergeParameters(type, old.parameters, parameters);
      const taken = mergeParameters(type, {}, old.parameters);
      for (const [foreign, value] of Object.entries(old.parameters)) {
        if (foreign in type.schema.shape) continue;
        assert.deepEqual(merged[foreign], value);
        assert.equal(foreign in taken, commonParameters.includes(foreign));
      }
    }),
  );
});

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom(null, ""));
const pairs = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { noNullPrototype: true });

test("pairs merge by name, each with the JSON type it came in", () => {
  const httpAdv = typeNamed("HTTPADV");
  fc.assert(
    fc.property(pairs, pairs, (data, sent) => {
      const stored = mergeParameters(httpAdv, {}, { data });
      assert.deepEqual(stored, { data });
      const merged = mergeParameters(httpAdv, stored, { data: sent });
      const expected = Object.entries({ ...data, ...sent }).filter(
        ([name, value]) => (value !== null && value !== "") || value === data[name],
      );
      assert.deepEqual(merged, { data: Object.fromEntries(expected) });
      assert.deepEqual(mergeParameters(httpAdv, merged, { data: sent }), merged);
      assert.deepEqual(mergeParameters(httpAdv, merged, merged), merged);
    }),
  );
});

test("fields under the keys 0 and 1 may arrive as a list, which brackets make of them", async () => {
  await using cast = await createApiFixture();
  const [one, other] = [{ name: "x", min: "1" }, { name: "y" }];
  const bracketed = "POST /checks?type=PUSH&fields[0][name]=x&fields[0][min]=1&fields[1][name]=y";
  const { body } = await cast.ask(cast.alice, bracketed);
  assert.deepEqual(body.parameters.fields, { 0: one, 1: other });
  const { body: changed } = await cast.ask(cast.alice, `PUT /checks/${body._id}`, {
    fields: [{ max: 3 }],
  });
  assert.deepEqual(changed.parameters.fields, { 0: { ...one, max: 3 }, 1: other });
});
