import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { column, countOf, end, error, ok, result, rowOf } from "../../../test/peers/mysql.ts";
import type { MysqlConnection } from "./packet.ts";
import { runQuery } from "./query.ts";

interface ScriptedConnection extends MysqlConnection {
  readonly commands: readonly string[];
  /** How many packets nobody has read. */
  readonly left: () => number;
}

function talkOf(packets: readonly Buffer[]): ScriptedConnection {
  const left = packets.values().toArray();
  const commands: string[] = [];
  const unexpected = (): never => assert.fail("this is not asked for in a query");
  return {
    commands,
    left: () => left.length,
    read: async () => left.shift() ?? assert.fail("there is nothing more to read"),
    command: (payload) => void commands.push(Buffer.from(payload).toString()),
    write: unexpected,
    startTls: unexpected,
  };
}

const failure = error(1064, "You have an error in your SQL syntax", "#42000");
const refusal = { error: { code: 1064, text: "You have an error in your SQL syntax" } };
const long = "x".repeat(70_000);
const oneInEightBytes = Buffer.from([0xfe, 1, 0, 0, 0, 0, 0, 0, 0]);
const manyRows = Array.from({ length: 99 }, () => rowOf("1"));

for (const { name, packets, answer } of [
  { name: "what gives no result", packets: [ok], answer: { row: {} } },
  { name: "an error", packets: [failure], answer: refusal },
  { name: "a result without rows", packets: result(["a"]), answer: { row: {} } },
  {
    name: "a row",
    packets: result(["a", "b", "c"], rowOf("1", undefined, "")),
    answer: { row: { a: "1", b: undefined, c: "" } },
  },
  { name: "two rows", packets: result(["a"], rowOf("1"), rowOf("2")), answer: { row: { a: "1" } } },
  { name: "a long value", packets: result(["a"], rowOf(long)), answer: { row: { a: long } } },
  {
    name: "a value that counts itself at length",
    packets: result(["a"], Buffer.concat([oneInEightBytes, Buffer.from("x")])),
    answer: { row: { a: "x" } },
  },
  {
    name: "names of the prototype",
    packets: result(["__proto__", "constructor"], rowOf("1", "2")),
    answer: {
      row: Object.fromEntries([
        ["__proto__", "1"],
        ["constructor", "2"],
      ]),
    },
  },
  {
    name: "names beyond ASCII",
    packets: result(["größe", "a.b"], rowOf("é", "2")),
    answer: { row: { größe: "é", "a.b": "2" } },
  },
  {
    name: "an error after a row",
    packets: [...result(["a"], rowOf("1")).slice(0, -1), failure],
    answer: refusal,
  },
  {
    name: "an error after the columns",
    packets: [...result(["a"]).slice(0, -1), failure],
    answer: refusal,
  },
  {
    name: "as many rows as are read, and an error",
    packets: [...result(["a"], rowOf("1"), ...manyRows).slice(0, -1), failure],
    answer: { row: { a: "1" } },
  },
]) {
  test(`a query is answered with ${name}`, async () => {
    const talk = talkOf(packets);
    assert.deepEqual(await runQuery(talk, "select 1\n, '€'"), answer);
    assert.deepEqual(talk.commands, ["\u0003select 1\n, '€'"]);
  });
}

test("no more than a hundred rows are waited for", async () => {
  const talk = talkOf(result(["a"], ...manyRows, ...manyRows));
  await runQuery(talk, "select a");
  assert.equal(talk.left(), 99);
});

const noEnd = "more columns than were announced";
const cut = "a packet that is cut off";
for (const { name, packets, message } of [
  {
    name: "a request for a file",
    packets: [Buffer.from("\xfb/etc/passwd", "latin1")],
    message: "a request for a file of ours",
  },
  { name: "nothing", packets: [Buffer.alloc(0)], message: cut },
  { name: "too many columns", packets: [countOf(4097)], message: "a result of 4097 columns" },
  {
    name: "a number of columns beyond all numbers",
    packets: [Buffer.alloc(9, 0xfe)],
    message: "a result of 18374403900871475000 columns",
  },
  { name: "an empty column", packets: [countOf(1), Buffer.alloc(0)], message: cut },
  {
    name: "half a column",
    packets: [countOf(1), column("a").subarray(0, 30)],
    message: cut,
  },
  {
    name: "an end before all columns",
    packets: [countOf(2), column("a"), end],
    message: cut,
  },
  { name: "more columns", packets: [countOf(1), column("a"), column("b")], message: noEnd },
  { name: "a short row", packets: result(["a", "b"], rowOf("1")), message: cut },
  { name: "an empty row", packets: result(["a"], Buffer.alloc(0)), message: cut },
]) {
  test(`a query that is answered with ${name} is answered badly`, async () => {
    const talk = talkOf(packets);
    await assert.rejects(runQuery(talk, "select 1"), { code: "protocol_error", message });
    assert.equal(talk.commands.length, 1);
  });
}

test("every row is read as it was written", async () => {
  const value = fc.option(fc.string({ unit: "grapheme", maxLength: 300 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ unit: "grapheme" }), value), async (row) => {
      fc.pre(Object.keys(row).length > 0);
      const packets = result(Object.keys(row), rowOf(...Object.values(row)));
      assert.deepEqual(await runQuery(talkOf(packets), "select"), { row: { ...row } });
    }),
  );
});
