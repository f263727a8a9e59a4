import assert from "node:assert/strict";
import { Resolver } from "node:dns/promises";
import test from "node:test";

import * as fc from "fast-check";

import {
  ASKED,
  nameServer,
  pointer,
  replyTo,
  uint16,
  wireName,
  wireRecord,
} from "../../../test/peers/name-server.ts";
import { codeOf } from "../../kit/errors.ts";
import {
  parseResponse,
  decodeMessage,
  encodeQuery,
  recordsFor,
  type DnsQuestion,
} from "./message.ts";

const question = { name: "a.test", type: "A", recursive: true, extended: false } as const;
const query = encodeQuery(0x1234, question);
const text = (words: string): Buffer =>
  Buffer.concat([Buffer.from([Buffer.byteLength(words)]), Buffer.from(words)]);
const numbers = (...values: readonly number[]): Buffer =>
  uint16(...values.flatMap((value) => [Math.floor(value / 65_536), value % 65_536]));

const records = [
  { type: "A", number: 1, data: Buffer.from([192, 0, 2, 1]), read: "192.0.2.1" },
  {
    type: "AAAA",
    number: 28,
    data: Buffer.from("20010db8000000000000000000000001", "hex"),
    read: "2001:db8::1",
  },
  {
    type: "CNAME",
    number: 5,
    data: Buffer.concat([Buffer.from("\u0003www"), pointer(12)]),
    read: "www.a.test",
  },
  { type: "NS", number: 2, data: wireName("ns.test"), read: "ns.test" },
  { type: "PTR", number: 12, data: wireName("host.test"), read: "host.test" },
  {
    type: "MX",
    number: 15,
    data: Buffer.concat([uint16(10), wireName("mail.test")]),
    read: "10 mail.test",
  },
  { type: "MX", number: 15, data: Buffer.concat([uint16(0), wireName("")]), read: "0 ." },
  {
    type: "TXT",
    number: 16,
    data: Buffer.concat([text("v=spf1 "), text("-all €")]),
    read: "v=spf1 -all €",
  },
  {
    type: "TXT",
    number: 16,
    data: Buffer.concat([Buffer.from([1, 0xe2]), Buffer.from([2, 0x82, 0xac])]),
    read: "€",
  },
  {
    type: "SRV",
    number: 33,
    data: Buffer.concat([uint16(1, 2, 5060), wireName("sip.test")]),
    read: "1 2 5060 sip.test",
  },
  {
    type: "SOA",
    number: 6,
    data: Buffer.concat([
      wireName("ns.test"),
      pointer(12),
      numbers(2_026_112_101, 7200, 3600, 1_209_600, 300),
    ]),
    read: "ns.test a.test 2026112101 7200 3600 1209600 300",
  },
  { type: "TYPE257", number: 257, data: Buffer.from([1, 2, 255]), read: String.raw`\# 3 0102ff` },
  {
    type: "OPT",
    number: 41,
    data: Buffer.concat([uint16(3, 2), Buffer.from("n1"), uint16(10, 0)]),
    read: "3:n1 10:",
  },
];

for (const { type, number, data, read } of records) {
  test(`a record of type ${type} reads ${JSON.stringify(read)}`, () => {
    const reply = replyTo(query, { answer: [wireRecord(ASKED, number, data)] });
    assert.deepEqual(parseResponse(query, reply)?.answer, [
      { name: "a.test", type, ttl: 60, data: read },
    ]);
  });
}

test("each section has its records", () => {
  const record = (last: number): Buffer => wireRecord(ASKED, 1, Buffer.from([192, 0, 2, last]));
  const reply = replyTo(query, {
    answer: [record(1), record(2)],
    authority: [record(3)],
    additional: [record(4)],
  });
  const { answer = [], authority = [], additional = [] } = parseResponse(query, reply) ?? {};
  const read = [answer, authority, additional].map((part) => part.map(({ data }) => data));
  assert.deepEqual(read, [["192.0.2.1", "192.0.2.2"], ["192.0.2.3"], ["192.0.2.4"]]);
});

for (const [code, name] of [
  "NOERROR",
  "FORMERR",
  "SERVFAIL",
  "NXDOMAIN",
  "NOTIMP",
  "REFUSED",
  "RCODE6",
].entries()) {
  test(`the code ${code} is ${name}`, () => {
    const message = parseResponse(query, replyTo(query, { flags: 0x8000 | code }));
    assert.deepEqual([message?.code, message?.truncated], [name, false]);
  });
}

test("an answer that was truncated says so, wherever it ends", () => {
  const record = wireRecord(ASKED, 1, Buffer.from([192, 0, 2, 1]));
  const whole = replyTo(query, { flags: 0x8380, answer: [record, record] });
  for (let cut = 0; cut <= 2 * record.length; cut += 1) {
    const message = parseResponse(query, whole.subarray(0, whole.length - cut));
    assert.deepEqual([message?.truncated, message?.answer], [true, []]);
  }
});

test("a query has its question, its wish for recursion and its extension, or not", () => {
  assert.equal(query.toString("hex"), "123401000001000000000000016104746573740000010001");
  const plain = encodeQuery(1, { ...question, recursive: false });
  assert.equal(plain.readUInt16BE(2), 0);
  const extended = decodeMessage(encodeQuery(1, { ...question, extended: true }));
  assert.deepEqual(extended.additional, [{ name: ".", type: "OPT", ttl: 0, data: "3:" }]);
});

const foreign = [
  { name: "another id", reply: replyTo(encodeQuery(0x1235, question), {}) },
  { name: "a query", reply: query },
  {
    name: "another name",
    reply: replyTo(encodeQuery(0x1234, { ...question, name: "b.test" }), {}),
  },
  { name: "another type", reply: replyTo(encodeQuery(0x1234, { ...question, type: "MX" }), {}) },
  { name: "no question, and no error", reply: Buffer.from("123480000000000000000000", "hex") },
  { name: "less than a head", reply: query.subarray(0, 11) },
  { name: "nothing", reply: Buffer.alloc(0) },
];

for (const { name, reply } of foreign) {
  test(`a packet with ${name} is no answer`, () => {
    assert.equal(parseResponse(query, reply), undefined);
  });
}

test("an answer may spell the name in its own case, and an error may leave it out", () => {
  const loud = encodeQuery(0x1234, { ...question, name: "A.TEST" });
  assert.equal(parseResponse(query, replyTo(loud, {}))?.code, "NOERROR");
  const error = Buffer.from("123480010000000000000000", "hex");
  assert.equal(parseResponse(query, error)?.code, "FORMERR");
});

const malformed = [
  { name: "an address of three bytes", answer: wireRecord(ASKED, 1, Buffer.from([1, 2, 3])) },
  { name: "an address of sixteen bytes as an A", answer: wireRecord(ASKED, 1, Buffer.alloc(16)) },
  { name: "an address of four bytes as an AAAA", answer: wireRecord(ASKED, 28, Buffer.alloc(4)) },
  { name: "data beyond the end", answer: wireRecord(ASKED, 257, Buffer.alloc(9)).subarray(0, -1) },
  { name: "text beyond its data", answer: wireRecord(ASKED, 16, Buffer.from([5, 65])) },
  { name: "an option beyond its data", answer: wireRecord(ASKED, 41, uint16(3, 9)) },
  { name: "a name beyond its data", answer: wireRecord(ASKED, 2, Buffer.from([1])) },
  { name: "an empty MX", answer: wireRecord(ASKED, 15, Buffer.alloc(0)) },
  { name: "half a SOA", answer: wireRecord(ASKED, 6, Buffer.alloc(10)) },
  { name: "a name that points to itself", answer: wireRecord(pointer(24), 1, Buffer.alloc(4)) },
  { name: "half a head", answer: ASKED },
];

for (const { name, answer } of malformed) {
  test(`a message with ${name} is malformed`, () => {
    assert.throws(() => parseResponse(query, replyTo(query, { answer: [answer] })), {
      code: "protocol_error",
    });
  });
}

test("a message with two questions is malformed", () => {
  const reply = replyTo(query, {});
  reply.writeUInt16BE(2, 4);
  assert.throws(() => parseResponse(query, reply), { code: "protocol_error" });
});

test("whatever comes is a message or malformed, and neither takes long", () => {
  const whole = replyTo(query, {
    answer: records.map(({ number, data }) => wireRecord(ASKED, number, data)),
  });
  const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 8,
  });
  const broken = fc.tuple(flips, fc.nat(whole.length)).map(([flips, cut]) => {
    const bytes = Buffer.from(whole);
    for (const [at, value] of flips) bytes[at] = value;
    return cut % 3 === 0 ? bytes.subarray(0, cut) : bytes;
  });
  const noise = fc
    .uint8Array({ maxLength: 600 })
    .map((bytes) => Buffer.concat([query.subarray(0, 2), bytes]));
  fc.assert(
    fc.property(fc.oneof(broken, noise), (packet) => {
      try {
        parseResponse(query, packet);
      } catch (error) {
        assert.equal(codeOf(error), "protocol_error", String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

const alias = (name: string, to: string) => ({ name, type: "CNAME", ttl: 60, data: to });
const address = (name: string, data = "192.0.2.1") => ({ name, type: "A", ttl: 60, data });
const wanted = { name: "www.test.", type: "A" } as const;

const chains = [
  { name: "nothing", answer: [], found: [] },
  { name: "the record itself", answer: [address("WWW.test")], found: ["192.0.2.1"] },
  {
    name: "two records",
    answer: [address("www.test"), address("www.test", "192.0.2.2")],
    found: ["192.0.2.1", "192.0.2.2"],
  },
  { name: "another's record", answer: [address("other.test")], found: [] },
  {
    name: "an alias",
    answer: [alias("www.test", "a.test"), address("a.test")],
    found: ["192.0.2.1"],
  },
  {
    name: "three aliases in any order",
    answer: [
      address("c.test"),
      alias("b.test", "C.test"),
      alias("www.test", "a.test"),
      alias("a.test", "b.test"),
    ],
    found: ["192.0.2.1"],
  },
  { name: "an alias that leads nowhere", answer: [alias("www.test", "a.test")], found: [] },
  { name: "an alias of itself", answer: [alias("www.test", "www.test")], found: [] },
  {
    name: "aliases in a loop",
    answer: [alias("www.test", "a.test"), alias("a.test", "www.test")],
    found: [],
  },
];

for (const { name, answer, found } of chains) {
  test(`${name} leads to ${found.length === 0 ? "nothing" : found.join(", ")}`, () => {
    assert.deepEqual(
      recordsFor({ answer }, wanted).map(({ data }) => data),
      found,
    );
  });
}

test("an alias is found where aliases are asked for, and whatever there is where anything is", () => {
  const answer = [alias("www.test", "a.test"), address("a.test")];
  const dataFor = (type: DnsQuestion["type"]): readonly string[] =>
    recordsFor({ answer }, { ...wanted, type }).map(({ data }) => data);
  assert.deepEqual(dataFor("CNAME"), ["a.test"]);
  assert.deepEqual(dataFor("ANY"), ["a.test"]);
});

test("another resolver reads the same in those bytes", async () => {
  const byType = new Map(records.map((record) => [record.number, record]));
  await using server = await nameServer((query) => {
    const { data, number } = byType.get(query.readUInt16BE(query.indexOf(0, 12) + 1)) ?? {};
    const answer =
      data === undefined || number === undefined ? [] : [wireRecord(ASKED, number, data)];
    return [replyTo(query, { answer })];
  });
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.port}`]);
  const mx = await resolver.resolveMx("a.test");
  const srv = await resolver.resolveSrv("a.test");
  const soa = await resolver.resolveSoa("a.test");
  const theirs = {
    A: await resolver.resolve4("a.test"),
    AAAA: await resolver.resolve6("a.test"),
    CNAME: await resolver.resolveCname("a.test"),
    NS: await resolver.resolveNs("a.test"),
    PTR: await resolver.resolvePtr("a.test"),
    MX: mx.map(({ priority, exchange }) => `${priority} ${exchange === "" ? "." : exchange}`),
    SRV: srv.map(({ priority, weight, port, name }) => `${priority} ${weight} ${port} ${name}`),
    SOA: [
      `${soa.nsname} ${soa.hostmaster} ${soa.serial} ${soa.refresh} ${soa.retry} ${soa.expire} ${soa.minttl}`,
    ],
  };
  for (const [type, read] of Object.entries(theirs))
    assert.deepEqual(
      read,
      records
        .filter((record) => record.type === type)
        .slice(-1)
        .map(({ read }) => read),
    );
});
