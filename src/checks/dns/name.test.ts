import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";
import ipaddr from "ipaddr.js";

import { addressOfReverseName, encodeName, readName, reverseName, sameName } from "./name.ts";

const names = [
  { name: ".", wire: "00" },
  { name: "a", wire: "016100" },
  { name: "a.", plain: "a", wire: "016100" },
  { name: "_sip._tcp.a.test", wire: "045f736970045f7463700161047465737400" },
  { name: "0/25.2.test", wire: "04302f32350132047465737400" },
];

for (const { name, plain = name, wire } of names) {
  test(`${name} is ${wire} on the wire`, () => {
    assert.equal(encodeName(name).toString("hex"), wire);
    assert.deepEqual(readName(Buffer.from(wire, "hex"), 0), { name: plain, end: wire.length / 2 });
  });
}

const longest = ["a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61)].join(".");

test("a name of 255 bytes is the longest", () => {
  assert.equal(encodeName(longest).length, 255);
  assert.equal(readName(encodeName(longest), 0).name, longest);
});

for (const name of ["", "..", "a..b", ".a", "a".repeat(64), `${longest}e`]) {
  test(`${JSON.stringify(name).slice(0, 20)} is no name`, () => {
    assert.throws(() => encodeName(name), { code: "invalid_input" });
  });
}

const messages = [
  { name: "a pointer", hex: "0161 00 0162 c000", start: 3, read: "b.a", end: 7 },
  { name: "a pointer to a pointer", hex: "0161 00 c000 c003", start: 5, read: "a", end: 7 },
  { name: "a pointer to the root", hex: "00 0161 c000", start: 1, read: "a", end: 5 },
  { name: "a dot", hex: "03 612e62 00", start: 0, read: String.raw`a\.b`, end: 5 },
  { name: "a backslash", hex: "03 615c62 00", start: 0, read: String.raw`a\\b`, end: 5 },
  { name: "odd letters", hex: "04 2e5c00ff 00", start: 0, read: String.raw`\.\\\000\255`, end: 6 },
];

for (const { name, hex, start, read, end } of messages) {
  test(`${name} in a name is read`, () => {
    const message = Buffer.from(hex.replaceAll(" ", ""), "hex");
    assert.deepEqual(readName(message, start), { name: read, end });
  });
}

const hostile = [
  { name: "a pointer to itself", hex: "c000", start: 0 },
  { name: "a pointer forwards", hex: "c002 0161 00", start: 0 },
  { name: "two pointers in a loop", hex: "c002 c000", start: 2 },
  { name: "a pointer to a loop before it", hex: "c000 c000", start: 2 },
  { name: "a pointer into its own name", hex: "0161 c000", start: 0 },
  { name: "a pointer to a name that leads back", hex: "0161 0162 c000", start: 2 },
  { name: "a label of 64 bytes", hex: `40${"61".repeat(64)}00`, start: 0 },
  { name: "a reserved kind of label", hex: "80 00", start: 0 },
  {
    name: "a name of 256 bytes",
    hex: `${`3f${"61".repeat(63)}`.repeat(3)}3e${"61".repeat(62)}00`,
    start: 0,
  },
];

for (const { name, hex, start } of hostile) {
  test(`${name} is refused`, () => {
    const message = Buffer.from(hex.replaceAll(" ", ""), "hex");
    assert.throws(() => readName(message, start), { code: "protocol_error" });
  });
}

const label = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const name = fc.array(label, { minLength: 1, maxLength: 8 }).map((labels) => labels.join("."));

test("a name is read as it was written, at any place", () => {
  fc.assert(
    fc.property(name, fc.uint8Array(), (name, before) => {
      const message = Buffer.concat([before, encodeName(name), Buffer.from("after")]);
      const end = message.length - 5;
      assert.deepEqual(readName(message, before.length), { name, end });
    }),
  );
});

test("whatever is read as a name comes to an end, within 255 bytes or not at all", () => {
  const bytes = fc.array(fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0xc0)), { maxLength: 600 });
  fc.assert(
    fc.property(bytes, fc.nat(600), (bytes, start) => {
      try {
        const { name, end } = readName(Buffer.from(bytes), start);
        assert.ok(end > start && end <= bytes.length);
        assert.ok(name.length <= 4 * 255);
      } catch (error) {
        assert.ok(
          error instanceof RangeError ||
            (error instanceof Error && "code" in error && error.code === "protocol_error"),
        );
      }
    }),
    { numRuns: 2000 },
  );
});

test("names are the same whatever their case and the dot at their end", () => {
  assert.ok(sameName("A.Test.", "a.tEST"));
  assert.ok(sameName(".", "."));
  assert.ok(!sameName("a.test", "b.test"));
  assert.ok(!sameName(String.raw`a\.test`, "a.test"));
});

const reversals = [
  { address: "192.0.2.1", reversed: "1.2.0.192.in-addr.arpa" },
  {
    address: "2001:db8::1",
    reversed: `1.${"0.".repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`,
  },
];

for (const { address, reversed } of reversals) {
  test(`the name of ${address} is ${reversed}`, () => {
    assert.equal(reverseName(address), reversed);
  });
}

for (const { name, address } of [
  ...reversals.map(({ address, reversed }) => ({ name: reversed, address })),
  { name: "1.2.0.192.IN-ADDR.ARPA.", address: "192.0.2.1" },
  { name: "10.in-addr.arpa", address: "10.0.0.0" },
  { name: "1.0/25.2.0.192.in-addr.arpa", address: "192.0.2.0" },
  { name: "5.4.3.2.1.0.192.in-addr.arpa", address: "192.0.1.2" },
  { name: "d.f.ip6.arpa", address: "fd00::" },
  { name: "in-addr.arpa", address: undefined },
  { name: "256.in-addr.arpa", address: undefined },
  { name: "x.ip6.arpa", address: undefined },
  { name: "zen.test", address: undefined },
])
  test(`${name} is the name of ${address ?? "no address"}`, () => {
    const found = addressOfReverseName(name);
    assert.equal(
      found && ipaddr.parse(found).toString(),
      address && ipaddr.parse(address).toString(),
    );
  });

test("an address has a name in a block list, too", () => {
  assert.equal(reverseName("127.0.0.2", "zen.test"), "2.0.0.127.zen.test");
});
