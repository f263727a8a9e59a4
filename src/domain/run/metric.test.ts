import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { fieldsOfManyWays, manyWays } from "../../../test/many-ways.ts";
import { evaluateMetrics, metricsIn } from "./metric.ts";

const rows: readonly { readonly text: string; readonly holds: object | undefined }[] = [
  {
    text: '{"load":{"1min":0.5},"disks":[10,20]}',
    holds: { load: { "1min": 0.5 }, disks: [10, 20] },
  },
  { text: "[1,2]", holds: [1, 2] },
  { text: '{"load":', holds: undefined },
  { text: "load: 0.5", holds: { load: "0.5" } },
  { text: "load:1\nfree :2\r\nused\t:\t3", holds: { load: "1", free: "2", used: "3" } },
  { text: "load: 1, free: 2; used: 3", holds: { load: "1", free: "2", used: "3" } },
  {
    text: "a: -1 b: +2 c: .5 d: 1. e: 1e3 f: -2.5E-2",
    holds: { a: "-1", b: "+2", c: ".5", d: "1.", e: "1e3", f: "-2.5E-2" },
  },
  { text: "Total Accesses: 12\nCPULoad: .0138", holds: { Accesses: "12", CPULoad: ".0138" } },
  { text: "load.1min: 1 disk/: 2 größe: 3", holds: { "load.1min": "1", "disk/": "2", größe: "3" } },
  { text: "<p>load: 5</p> <b>used: 12%</b>", holds: { load: "5", used: "12" } },
  { text: 'answer({"load": 5})', holds: { load: "5" } },
  { text: "load: 1\nload: 2", holds: { load: "2" } },
  { text: "__proto__: 1", holds: JSON.parse('{"__proto__":"1"}') },
  { text: "version: 1.2.3 size: 12GB day: 2026-11-21 sum: 12,345 hex: 0x1f", holds: undefined },
  { text: "up and running", holds: undefined },
  ...["", "5", "null", "true", '"load: 5"', "{}", "[]"].map((text) => ({ text, holds: undefined })),
];

for (const { text, holds } of rows) {
  test(`${JSON.stringify(text)} holds ${JSON.stringify(holds)}`, () => {
    assert.deepEqual(metricsIn(text), holds ?? "No fields found in response");
  });
}

test("what is written as pairs is judged as what is written as JSON", () => {
  const words = fc.stringMatching(/^[a-zé_][\w./-]{0,8}$/);
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.dictionary(words, numbers, { minKeys: 1 }), (metrics) => {
      const pairs = Object.entries(metrics).map(([word, number]) => `${word}: ${number}`);
      const fields = Object.keys(metrics).map((path) => ({ path, min: 0, max: 10 }));
      assert.deepEqual(
        evaluateMetrics(metricsIn(pairs.join("\n")), fields),
        evaluateMetrics(metricsIn(JSON.stringify(metrics)), fields),
      );
    }),
  );
});

const MIB = 1_048_576;

const excessive: readonly { readonly name: string; readonly text: string; readonly why: string }[] =
  [
    { name: "deep JSON", text: "[".repeat(101), why: "nested deeper than 100 levels" },
    {
      name: "JSON of many values",
      text: `[${'{"a":1},'.repeat(10_001)}1]`,
      why: "more than 10000 keys",
    },
    {
      name: "a text of many pairs",
      text: "a:1 ".repeat(10_001),
      why: "more than 10000 pairs",
    },
    {
      name: "a long text",
      text: "a ".repeat(MIB / 2 + 1),
      why: "longer than 1048576 characters, and not JSON",
    },
  ];

for (const { name, text, why } of excessive) {
  test(`no fields are looked for in ${name}`, () => {
    assert.equal(metricsIn(text), `No fields found in response: ${why}`);
  });
}

test("what is within the limits is searched", () => {
  assert.equal(typeof metricsIn(`${"[".repeat(100)}1${"]".repeat(100)}`), "object");
  assert.equal(typeof metricsIn(JSON.stringify(Array.from({ length: 10_000 }, () => 1))), "object");
  assert.equal(typeof metricsIn(`a:1${" ".repeat(MIB - 3)}`), "object");
  assert.equal(typeof metricsIn(`{"a":"${"[".repeat(3 * MIB)}"}`), "object");
});

for (const start of ["a:", "a:.", "a:1e"]) {
  test(`a long number after ${JSON.stringify(start)} is no metric`, () => {
    assert.equal(metricsIn(`${start}${"1".repeat(MIB / 2)}x`), "No fields found in response");
  });
}

// guard: lookups of metrics
test("fields that very many ways lead to are not looked up to the end", () => {
  const fields = Object.values(fieldsOfManyWays).map(({ name }) => ({
    path: name,
    min: undefined,
    max: undefined,
  }));
  assert.equal(evaluateMetrics(manyWays(15), fields), undefined);
});

test("100 fields of ten parts each that are absent are looked up to the end", () => {
  const parts = Array.from({ length: 10 }, (_, part) => `p${part}`);
  const data = parts.reduceRight<object>((inner, part) => ({ [part]: inner }), {});
  const fields = Array.from({ length: 100 }, () => ({
    path: `${parts.join(".")}.absent`,
    min: 0,
    max: undefined,
  }));
  assert.match(evaluateMetrics(data, fields)?.message ?? "", /absent$/);
});
