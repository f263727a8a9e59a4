import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { InvalidInput } from "../../kit/errors.ts";
import { parseList, parseRecord } from "../../schema/json-values.ts";
import { parseRequest, type ParsedRequest, type RawRequest } from "./parse-request.ts";

const read = (request: Partial<RawRequest>): ParsedRequest =>
  parseRequest(
    { method: "PUT", url: "/api/1/checks", contentType: undefined, body: undefined, ...request },
    "/api/1",
  );

const FORM = "application/x-www-form-urlencoded";
const sample = { label: "a b+c&d=é", interval: "5" };
const query = new URLSearchParams(sample).toString();
const json = JSON.stringify(sample);

const forms: readonly { readonly name: string; readonly request: Partial<RawRequest> }[] = [
  { name: "the query", request: { url: `/api/1/checks?${query}` } },
  { name: "the query after a trailing slash", request: { url: `/api/1/checks/?${query}` } },
  { name: "a form", request: { contentType: FORM, body: query } },
  {
    name: "a form with a charset",
    request: { contentType: `${FORM}; charset=UTF-8`, body: query },
  },
  { name: "a form without a type", request: { body: query } },
  { name: "json in the query", request: { url: `/api/1/checks?json=${encodeURIComponent(json)}` } },
  {
    name: "json in a form",
    request: { contentType: FORM, body: `json=${encodeURIComponent(json)}` },
  },
  { name: "a JSON body", request: { contentType: "application/json", body: json } },
  {
    name: "json in a JSON body",
    request: { contentType: "application/json", body: `{"json":${json}}` },
  },
  {
    name: "json as text in a JSON body",
    request: { contentType: "application/json", body: JSON.stringify({ json }) },
  },
  {
    name: "a JSON body with a charset",
    request: { contentType: "application/json; charset=utf-8", body: json },
  },
  { name: "a JSON body without a type", request: { body: json } },
  {
    name: "a JSON body that calls itself a form",
    request: { contentType: FORM, body: ` ${json}\n` },
  },
  {
    name: "a JSON body that calls itself text",
    request: { contentType: "text/plain", body: json },
  },
  {
    name: "a JSON body of a GET",
    request: { method: "GET", contentType: "application/json", body: json },
  },
  {
    name: "a JSON body of a DELETE",
    request: { method: "DELETE", contentType: "application/json", body: json },
  },
];

for (const { name, request } of forms) {
  test(`parameters arrive by ${name}`, () => {
    assert.deepEqual(read(request).values, sample);
  });
}

// guard: precedence of parameters
test("what comes later wins: query, form, json in the query, json in the form, JSON body", () => {
  const inQuery = "/api/1/checks?a=query&b=query&c=query&json=%7B%22b%22%3A%22json%22%7D";
  assert.deepEqual(read({ url: inQuery, body: "c=form&b=form" }).values, {
    a: "query",
    b: "json",
    c: "form",
  });
  assert.deepEqual(read({ url: inQuery, body: 'json={"b":"form json"}' }).values, {
    a: "query",
    b: "form json",
    c: "query",
  });
  assert.deepEqual(read({ url: inQuery, body: '{"a":"body","b":"body","json":{"a":1}}' }).values, {
    a: "body",
    b: "body",
    c: "query",
  });
});

test("null is not sent, and neither is an empty id", () => {
  assert.deepEqual(
    read({ url: "/api/1/checks?id=5&label=x&customerid=", body: '{"id":"","label":null,"dep":""}' })
      .values,
    {
      id: "5",
      label: "x",
      dep: "",
    },
  );
});

test("customerid is understood in any case, and gives way to the one in small letters", () => {
  for (const name of ["customerId", "customerID", "CustomerId"])
    assert.deepEqual(read({ url: `/api/1/checks?${name}=A&label=x` }).values, {
      customerid: "A",
      label: "x",
    });
  assert.deepEqual(read({ url: "/api/1/checks?customerID=&label=x" }).values, { label: "x" });
  assert.deepEqual(read({ url: "/api/1/checks?customerId=A&customerid=B" }).values, {
    customerid: "B",
  });
});

test("the token and the action are no parameters of the operation", () => {
  const call = read({ url: "/api/1/checks?token=T&action=delete" });
  assert.deepEqual(call, { action: "DELETE", path: ["checks"], token: "T", values: {} });
});

test("a path loses its empty segments and is decoded segment by segment", () => {
  assert.deepEqual(read({ url: "/api/1//schedules/Mon%2FFri%20%C3%A9/" }).path, [
    "schedules",
    "Mon/Fri é",
  ]);
});

test("a path is what its letters mean, however they are written", () => {
  assert.deepEqual(read({ url: "/%61pi/%31/%63hecks/a" }).path, ["checks", "a"]);
});

const brackets: readonly (readonly [query: string, values: object])[] = [
  ["a[]=1&a[]=2", { a: ["1", "2"] }],
  ["a[0]=1&a[1]=2", { a: ["1", "2"] }],
  ["a[1]=2&a[0]=1", { a: ["1", "2"] }],
  ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
  ["a[3]=x&a[7]=y", { a: { 3: "x", 7: "y" } }],
  ["a[x][min]=1&a[x][max]=2&a[y][min]=3", { a: { x: { min: "1", max: "2" }, y: { min: "3" } } }],
  ["a[0][id][schedule]=All&a[0][id][delay]=5", { a: [{ id: { schedule: "All", delay: "5" } }] }],
  ["a%5B0%5D=1", { a: ["1"] }],
  ["a[b=1", { "a[b": "1" }],
  ["[a]=1", { "[a]": "1" }],
];

for (const [text, values] of brackets) {
  test(`the query ${text} reads as ${JSON.stringify(values)}`, () => {
    assert.deepEqual(read({ url: `/api/1/checks?${text}` }).values, values);
  });
}

const refused: readonly {
  readonly name: string;
  readonly request: Partial<RawRequest>;
  readonly message: RegExp;
}[] = [
  {
    name: "malformed JSON",
    request: { contentType: "application/json", body: "{" },
    message: /^body: malformed JSON$/,
  },
  {
    name: "malformed json",
    request: { url: "/api/1/checks?json={" },
    message: /^json: malformed JSON$/,
  },
  {
    name: "a list as body",
    request: { contentType: "application/json", body: "[]" },
    message: /^body: must be a JSON object$/,
  },
  {
    name: "a list as json",
    request: { url: "/api/1/checks?json=[1]" },
    message: /^json: must be a JSON object$/,
  },
  {
    name: "a multipart body",
    request: { contentType: "multipart/form-data; boundary=x", body: "--x" },
    message: /^body: must be JSON/,
  },
  {
    name: "a prototype in brackets",
    request: { url: "/api/1/checks?a[__proto__][b]=1" },
    message: /^a: key not allowed "__proto__"$/,
  },
  {
    name: "a prototype as name",
    request: { url: "/api/1/checks?__proto__=1" },
    message: /key not allowed "__proto__"$/,
  },
  {
    name: "a prototype in JSON",
    request: { body: '{"a":{"constructor":{}}}' },
    message: /key not allowed "constructor"$/,
  },
  {
    name: "a value that is also a structure",
    request: { url: "/api/1/checks?a=1&a[b]=2" },
    message: /^a: given both/,
  },
  {
    name: "a structure that is also a value",
    request: { url: "/api/1/checks?a[b]=2&a=1" },
    message: /^a: given both/,
  },
  {
    name: "deep brackets",
    request: { url: `/api/1/checks?a${"[b]".repeat(30)}=1` },
    message: /^a: nested deeper/,
  },
  {
    name: "10,001 parameters",
    request: { body: Array.from({ length: 10_001 }, (_, n) => `p${n}=`).join("&") },
    message: /more than 10000/,
  },
  { name: "a NUL in the path", request: { url: "/api/1/schedules/%00" }, message: /NUL/ },
  { name: "a NUL", request: { url: "/api/1/checks?a=%00" }, message: /NUL/ },
  {
    name: "two actions",
    request: { url: "/api/1/checks?action=GET&action=PUT" },
    message: /^action: must be text$/,
  },
  {
    name: "a path that is not percent-encoded",
    request: { url: "/api/1/checks/%zz" },
    message: /^path: /,
  },
];

for (const { name, request, message } of refused) {
  // guard: one value or its parts
  // guard: depth of forms
  // guard: keys of prototypes in forms
  test(`${name} is refused`, () => {
    assert.throws(
      () => read(request),
      (error) => error instanceof InvalidInput && message.test(error.message),
    );
  });
}

const name = fc
  .stringMatching(/^[a-z]{1,8}$/)
  .filter((text) => !["id", "json", "token", "action"].includes(text));
const scalar = fc.string().map((text) => `${text.replaceAll("\0", "")}x`);
const nested = fc.oneof(
  fc.array(scalar, { minLength: 1, maxLength: 4 }),
  fc.dictionary(name, scalar, { minKeys: 1, maxKeys: 4 }),
);

function inBrackets(prefix: string, value: unknown): [string, string][] {
  return typeof value === "string"
    ? [[prefix, value]]
    : Object.entries(value ?? {}).flatMap(([key, member]) =>
        inBrackets(`${prefix}[${key}]`, member),
      );
}

test("every form of the same parameters yields the same input", () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.oneof(scalar, nested), { maxKeys: 6 }), (sent) => {
      const text = JSON.stringify(sent);
      const bracketed = new URLSearchParams(
        Object.entries(sent).flatMap(([key, value]) => inBrackets(key, value)),
      ).toString();
      const asText = new URLSearchParams(
        Object.entries(sent).map(([key, value]) => [
          key,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      ).toString();
      const expected: Record<string, unknown> = JSON.parse(text);
      for (const request of [
        { url: `/api/1/checks?json=${encodeURIComponent(text)}` },
        { body: `json=${encodeURIComponent(text)}` },
        { body: text },
        { url: `/api/1/checks?${bracketed}` },
        { body: bracketed },
      ]) {
        assert.deepEqual(read(request).values, expected);
      }
      for (const [key, value] of Object.entries(read({ url: `/api/1/checks?${asText}` }).values)) {
        const wanted = expected[key];
        if (typeof wanted === "string") assert.equal(value, wanted);
        else
          assert.deepEqual(
            Array.isArray(wanted) ? parseList(value, 100) : parseRecord(value),
            wanted,
          );
      }
    }),
  );
});

test("random requests are read or refused, and never break", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      fc.option(fc.string(), { nil: undefined }),
      (tail, body, contentType) => {
        try {
          read({ url: `/api/1/checks?${tail}`, body, contentType });
        } catch (error) {
          assert.ok(error instanceof InvalidInput, String(error));
        }
      },
    ),
  );
});
