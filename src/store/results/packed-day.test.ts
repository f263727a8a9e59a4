import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

import * as fc from "fast-check";

import { aResult, minute, noon } from "../../../test/record-builders.ts";
import { reasons } from "../../domain/run/outcome.ts";
import type { Result } from "../../domain/run/result.ts";
import { createByteWriter } from "./bytes.ts";
import { columnNames, HEADER_BYTES, MAX_RESULTS, VERSION } from "./day-format.ts";
import { packDay } from "./pack-day.ts";
import { unpackDay } from "./unpack-day.ts";

const CHECK = 7;
const midnight = noon - 12 * 60 * minute;

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "200",
    "HTTP status returned: 503",
    "0 07 0.5 -12 1e9 123456789012345678",
    "\0 1",
  ),
  fc.tuple(fc.string(), fc.nat()).map(([words, number]) => `${words}${number} ms of ${number}`),
);
const ms = fc.oneof(
  fc.nat(60_000),
  fc.nat(600_000).map((tenths) => tenths / 10),
  fc.double({ min: 0, max: 60_000, noNaN: true }).filter((value) => !Object.is(value, -0)),
);
const timings = fc.option(
  fc.record(
    { dns: ms, connect: ms, tls: ms, firstByte: ms, total: ms },
    { requiredKeys: ["total"], noNullPrototype: true },
  ),
  { nil: undefined },
);
const at = fc.integer({ min: midnight - minute, max: midnight + 24 * 60 * minute });
const result = fc.record<Result>({
  checkNo: fc.constant(CHECK),
  revision: fc.nat(),
  tick: at,
  startedAt: at,
  endedAt: at,
  passed: fc.boolean(),
  reason: fc.constantFrom(...reasons),
  text,
  message: text,
  runtimeMs: fc.oneof(fc.nat(60_000), fc.integer()),
  location: fc.string({ maxLength: 8 }),
  earlierRuns: fc.array(fc.tuple(at, fc.string({ maxLength: 8 }), fc.boolean()), { maxLength: 40 }),
  timings,
});

test("any results come back as they were packed, in their order", () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 60 }), (results) => {
      assert.deepEqual(
        unpackDay(CHECK, packDay(results)),
        results.map((each) => ({ ...each })),
      );
    }),
  );
});

test("what is long or many comes back, and what no day has is refused", () => {
  const long = aResult(CHECK, midnight, { message: "0123456789 ä\ud83d\ude00 ".repeat(5000) });
  const earlierRuns = Array.from(
    { length: 1000 },
    (_, index) => [midnight + index, "ny", index % 2 === 0] as const,
  );
  const many = aResult(CHECK, midnight, { earlierRuns });
  const odd = [long, many, aResult(CHECK, 0), aResult(CHECK, 253_402_300_799_999)];
  assert.deepEqual(unpackDay(CHECK, packDay(odd)), odd);
  assert.deepEqual(unpackDay(CHECK, packDay([])), []);
  const tooMany = Array.from({ length: MAX_RESULTS + 1 }, (_, index) => aResult(CHECK, index));
  assert.throws(() => packDay(tooMany), /it has 20001 results, more than 20000/);
  assert.throws(
    () => packDay(Array(100).fill(long)),
    /its texts have more than 4194304 characters/,
  );
  for (const changes of [{ runtimeMs: 1.5 }, { startedAt: NaN }, { endedAt: 2 ** 60 }])
    assert.throws(() => packDay([aResult(CHECK, midnight, changes)]), /no integer/);
});

/** A day of a check that responds in about 150 ms, and fails at each eleventh minute. */
function aDay(): readonly Result[] {
  return Array.from({ length: 1440 }, (_, index) => {
    const tick = midnight + 17_345 + index * minute;
    const total = 150 + ((index * index) % 37);
    const startedAt = tick + ((index * 7) % 11);
    const known = { tick, runtimeMs: total, endedAt: startedAt + total };
    if (index % 11 === 0)
      return aResult(CHECK, startedAt, {
        ...known,
        passed: false,
        reason: "status",
        text: "503",
        message: "HTTP status returned: 503",
        location: "ny",
        earlierRuns: [[startedAt - 900, "ld", false]],
      });
    const timings = { dns: 2, connect: 22 + (index % 3), tls: 51, firstByte: total - 4, total };
    return aResult(CHECK, startedAt, { ...known, text: "200", message: "Success", timings });
  });
}

test("a day of minutes takes less than five bytes a result", () => {
  const packed = packDay(aDay());
  assert.deepEqual(unpackDay(CHECK, packed), aDay());
  assert.ok(packed.length < 5 * 1440, String(packed.length));
});

test("a day that is damaged anywhere is refused with a sentence", () => {
  const packed = packDay(aDay().slice(0, 50));
  const damaged = fc.tuple(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(damaged, ([position, bits]) => {
      const copy = packed.slice();
      copy[position] = (copy[position] ?? 0) ^ bits;
      assert.throws(() => unpackDay(CHECK, copy), /^InvalidInput: a packed day of check 7/);
    }),
  );
  for (let length = 0; length < packed.length; length += 1)
    assert.throws(() => unpackDay(CHECK, packed.subarray(0, length)), /a packed day of check 7/);
  assert.throws(
    () => unpackDay(CHECK, Uint8Array.of(3, 0, 0, 0, 0, 0)),
    /its version is 3, and this program reads 2/,
  );
});

/** With a checksum that is right. */
function withChecksum(body: Uint8Array): Uint8Array {
  const deflated = deflateRawSync(body);
  const packed = new Uint8Array(5 + deflated.length);
  packed[0] = VERSION;
  new DataView(packed.buffer).setUint32(1, crc32(deflated));
  packed.set(deflated, 5);
  return packed;
}

function bodyOf(count: number, column: Uint8Array, strings: string): Uint8Array {
  const body = createByteWriter();
  for (const number of [count, 1]) body.unsigned(number);
  for (const block of [...columnNames.map(() => column), Buffer.from(strings)]) {
    body.unsigned(block.length);
    body.bytes(block);
  }
  return body.written();
}

test("a day that somebody made up is refused, and takes no more memory than a day may", () => {
  const template = JSON.stringify(["\0".repeat(1_000_000)]);
  const bombs: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(64 * 1024 * 1024), /larger than 8388608 bytes/],
    [bodyOf(1e9, new Uint8Array(9), "[]"), /it has 1000000000 results/],
    [bodyOf(9999, new Uint8Array(9_999), template), /ends within a number|more than 4194304/],
    [
      bodyOf(1, Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0x7f), '[""]'),
      /outcome|string|4194304/,
    ],
    [bodyOf(1, new Uint8Array(9).fill(0xff), '[""]'), /a number in it is too long/],
    [bodyOf(1, new Uint8Array(1), '[""]'), /more than its results/],
    [bodyOf(1, new Uint8Array(1), "[1]"), /its strings are none/],
    [bodyOf(1, new Uint8Array(1), "["), /JSON/],
  ];
  for (const [body, sentence] of bombs)
    assert.throws(() => unpackDay(CHECK, withChecksum(body)), sentence);
  const noise = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(noise, (body) => {
      assert.throws(() => unpackDay(CHECK, withChecksum(body)), /a packed day of check 7/);
    }),
  );
});

/** Packed by the first version. */
const VERSION_1 =
  "AbA2syRj5uJteLBg+8e0/dtmbv+YxsDMxsDArMEgwMzIKMLMxMTIzMDAwszAIMDCICDIyijH9ImJaQoz0xRBRi9mJhYmlhdM91iYWdh4mI6xMzMwMLFc4L/Az8TOUBitlJOipKMUU2pgYGCgpKMUXJqcnFpcrKSjlJyfl5eaXJIKks6rVNJRqo5RKskvScyJUbIyNNIzNjGtVdJR8ggJCVAoLkksKS1WKEotKS3KS02xUoAYp/CoYbLC4TlJqUU5icUlSjpKxelKsQA=";

/** Packed by this version. */
const VERSION_2 =
  "AtFftnNj5uJteLBg+8e0/dtmbv+YxsDMxsDArMEgwMzIKMLMxMTIzMDAwszAIMDCICDIyijH9ImJaQoz0xRBRi9mJhYmlhdM91iYWdh4mI6xMzMwMLFc4L/Az8TOwMTIUBitlJOipKMUU2pgYGCgpKMUXJqcnFpcrKSjlJyfl5eaXJIKks6rVNJRqo5RKskvScyJUbIyNNIzNjGtVdJR8ggJCVAoLkksKS1WKEotKS3KS02xUoAYp/CoYbLC4TlJqUU5icUlSjpKxelKsQA=";

test("days are packed as before, and days that the first version packed are read", () => {
  const resultsWith = (sgPassed: boolean) => [
    aResult(CHECK, midnight + 3, { tick: midnight, text: "200", message: "Success" }),
    aResult(CHECK, midnight + minute, {
      revision: 2,
      endedAt: midnight + minute + 154,
      runtimeMs: 154,
      timings: { dns: 1.5, connect: 20, tls: 40.2, firstByte: 150, total: 153.7 },
    }),
    aResult(CHECK, midnight + 2 * minute, {
      passed: false,
      reason: "status",
      text: "503",
      message: "HTTP status returned: 503 – Überlast",
      location: "ny",
      earlierRuns: [
        [midnight + 2 * minute - 2000, "ld", false],
        [midnight + 2 * minute - 1000, "sg", sgPassed],
      ],
      timings: { total: 12.345 },
    }),
  ];
  assert.deepEqual(unpackDay(CHECK, Buffer.from(VERSION_1, "base64")), resultsWith(false));
  const packed = Buffer.from(VERSION_2, "base64");
  const results = resultsWith(true);
  assert.deepEqual(unpackDay(CHECK, packed), results);
  // Other builds of zlib may deflate the same to other bytes.
  const bodyIn = (day: Uint8Array): Buffer => inflateRawSync(day.subarray(HEADER_BYTES));
  assert.deepEqual(bodyIn(packDay(results)), bodyIn(packed), "a change needs another version");
});
