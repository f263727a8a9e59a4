import assert from "node:assert/strict";
import { test } from "node:test";

import { apiCast, plainCheck } from "../../test/api-cast.ts";

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
    becomes: { follow: "yes", ipv6: "off" },
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
    name: "keeps parameters of the old type",
    made: { follow: true },
    sent: { type: "PORT", port: 80, target: "h.example" },
    becomes: { target: "h.example", follow: true, port: 80 },
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
    await using cast = await apiCast();
    const { body: before } = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, ...made });
    const { status, body: after } = await cast.ask(cast.alice, `PUT /checks/${before._id}`, sent);
    assert.equal(status, 200, JSON.stringify(after));
    const { target, threshold } = before.parameters;
    const { checktoken, ...parameters } = after.parameters;
    assert.deepEqual(parameters, {
      ...(target === undefined ? {} : { target }),
      threshold,
      ...becomes,
    });
    assert.deepEqual((await cast.ask(cast.alice, `GET /checks/${before._id}`)).body.parameters, {
      ...parameters,
      ...(checktoken === undefined ? {} : { checktoken }),
    });
  });
}
