import assert from "node:assert/strict";
import dns from "node:dns";
import test, { after, before, suite } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import {
  ASKED,
  nameServer,
  replyTo,
  wireName,
  wireRecord,
  type NameServer,
  type DnsHandler,
} from "../../../test/peers/name-server.ts";
import { closedPort } from "../../../test/peers/tcp.ts";
import { bind, type Bind } from "../../../test/servers/bind.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { createEgress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { dnsCheck } from "./dns.ts";

checkParametersContract(dnsCheck, {
  least: {},
  leastReads: {
    port: 53,
    transport: "udp",
    dnstype: "A",
    dnsrd: true,
    dnssection: "answer",
    ipv6: false,
  },
  full: {
    target: "NS1.example.com.",
    port: "5353",
    transport: "tcp",
    dnstype: "SRV",
    dnstoresolve: "_sip._tcp.bücher.example",
    dnsrd: 0,
    dnssection: "authority",
    contentstring: "192.0.2.1",
    ipv6: "false",
  },
  fullReads: {
    target: "ns1.example.com.",
    port: 5353,
    transport: "tcp",
    dnstype: "SRV",
    dnstoresolve: "_sip._tcp.xn--bcher-kva.example",
    dnsrd: false,
    dnssection: "authority",
    contentstring: "192.0.2.1",
    ipv6: false,
  },
});

const a = wireRecord(ASKED, 1, Buffer.from([192, 0, 2, 1]));
const alias = wireRecord(ASKED, 5, wireName("other.test"));
const ofAlias = wireRecord(wireName("other.test"), 1, Buffer.from([192, 0, 2, 7]));
const text = wireRecord(ASKED, 16, Buffer.from("\u0004v=sp\u0002f1", "latin1"));
const bytes = wireRecord(ASKED, 16, Buffer.from("\u0002\0x", "latin1"));
const authority = wireRecord(wireName("test"), 2, wireName("ns.test"));
/** RFC 6891, 6.1.2, with the server's name (RFC 5001). */
const option = Buffer.concat([
  Buffer.from([0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 7, 0, 3, 0, 3]),
  Buffer.from("ns7"),
]);

function run(
  { port }: Pick<NameServer, "port">,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<Outcome> {
  return dnsCheck
    .prepare({ target: "127.0.0.1", port, dnstoresolve: "a.test", ...parameters })
    .run(contextOf());
}

const answers =
  (reply: Parameters<typeof replyTo>[1]): DnsHandler =>
  (query) => [replyTo(query, reply)];

const found = ["ok", "Success", "Domain found"];
const none = ["mismatch", "Failed", "No Resolution"];
const rows = [
  { name: "an address", reply: { answer: [a] }, says: found },
  {
    name: "the address that is looked for",
    reply: { answer: [a] },
    parameters: { contentstring: "192.0.2.1" },
    says: found,
  },
  {
    name: "another address",
    reply: { answer: [a] },
    parameters: { contentstring: "192.0.2.2" },
    says: ["mismatch", "Failure", "DNS does not match: 192.0.2.2"],
  },
  {
    name: "an alias with its address",
    reply: { answer: [alias, ofAlias] },
    parameters: { contentstring: "192.0.2.7" },
    says: found,
  },
  { name: "an alias that leads nowhere", reply: { answer: [alias] }, says: none },
  {
    name: "the alias itself",
    reply: { answer: [alias] },
    parameters: { dnstype: "cname", contentstring: "other.test" },
    says: found,
  },
  {
    name: "a text in two parts",
    reply: { answer: [text] },
    parameters: { dnstype: "TXT", contentstring: "v=spf1" },
    says: found,
  },
  { name: "records of another type", reply: { answer: [text] }, says: none },
  { name: "nothing", reply: {}, says: none },
  {
    name: "no such name",
    reply: { flags: 0x8183 },
    says: ["status", "Fail", "Domain not found"],
  },
  {
    name: "its own failure",
    reply: { flags: 0x8182 },
    says: ["status", "Failed", "No Resolution: SERVFAIL"],
  },
  {
    name: "a refusal",
    reply: { flags: 0x8185 },
    says: ["status", "Failed", "No Resolution: REFUSED"],
  },
  {
    name: "a refusal, where any answer passes",
    reply: { flags: 0x8185 },
    parameters: { dnstoresolve: "" },
    says: ["ok", "Success", "Server Responded: REFUSED"],
  },
  {
    name: "an authority, which is looked at",
    reply: { authority: [authority] },
    parameters: { dnssection: "authority", contentstring: "ns.test" },
    says: found,
  },
  {
    name: "an additional record, which is looked at",
    reply: { additional: [a] },
    parameters: { dnssection: "additional", contentstring: "192.0.2.1" },
    says: found,
  },
  {
    name: "an option, where additional records are looked at",
    reply: { additional: [option] },
    parameters: { dnssection: "additional" },
    says: none,
  },
  {
    name: "an option, which is looked at",
    reply: { answer: [a], additional: [option] },
    parameters: { dnssection: "edns_options", contentstring: "ns7" },
    says: found,
  },
];

for (const { name, reply, parameters, says } of rows) {
  test(`a server that answers with ${name}: ${says.join(", ")}`, async () => {
    await using server = await nameServer(answers(reply));
    const { reason, text, message, address, timings } = await run(server, parameters);
    assert.deepEqual([reason, text, message, address], [...says, "127.0.0.1"]);
    assert.ok(timings !== undefined && timings.total >= 0);
  });
}

test("the evidence of a failure is what was answered, in each section", async () => {
  const reply = { answer: [text, bytes], authority: [authority], additional: [option] };
  await using server = await nameServer(answers(reply));
  const { evidence } = await run(server);
  assert.deepEqual(evidence?.split("\n"), [
    "status: NOERROR",
    "answer: a.test 60 TXT v=spf1",
    "answer: a.test 60 TXT (2 bytes that are no text)",
    "authority: test 60 NS ns.test",
    "additional: . 0 OPT 3:ns7",
  ]);
});

test("the question is of the type, the transport and the wish to look further that were asked for", async () => {
  await using server = await nameServer(answers({ answer: [a] }));
  await run(server, { transport: "tcp", dnstype: "MX", dnsrd: false });
  await run(server);
  const [first, second] = server.queries;
  assert.deepEqual([first?.transport, second?.transport], ["tcp", "udp"]);
  assert.deepEqual([first?.query.readUInt16BE(2), second?.query.readUInt16BE(2)], [0, 0x0100]);
  assert.deepEqual([first?.query.at(-3), second?.query.at(-3)], [15, 1]);
});

test("the address of a PTR is asked for the wrong way round", async () => {
  await using server = await nameServer(answers({}));
  await run(server, { dnstype: "PTR", dnstoresolve: "192.0.2.9" });
  const wanted = wireName("9.2.0.192.in-addr.arpa");
  assert.ok(server.queries[0]?.query.includes(wanted));
});

test("nobody at the port is refused, and a packet that is cut off is a protocol error", async () => {
  assert.equal((await run({ port: await closedPort() })).reason, "refused");
  await using server = await nameServer((query) => [
    replyTo(query, { answer: [a] }).subarray(0, -2),
  ]);
  assert.equal((await run(server)).reason, "protocol");
});

test("a server that says nothing is ended by the signal", async () => {
  await using server = await nameServer(() => []);
  const controller = new AbortController();
  const check = dnsCheck.prepare({
    target: "127.0.0.1",
    port: server.port,
    dnstoresolve: "a.test",
  });
  const running = check.run(contextOf({ signal: controller.signal }));
  await waitFor("the question", () => server.queries.length > 0);
  controller.abort("over");
  assert.equal((await running).reason, "timeout");
});

test("a server that policy refuses is not asked, but the system's own may be anywhere", async () => {
  const egress = createEgress({ mode: "public", resolver: createResolver() });
  const anywhere = wireRecord(ASKED, 1, Buffer.from([93, 184, 216, 34]));
  await using server = await nameServer(answers({ answer: [anywhere] }));
  const question = { dnstoresolve: "a.test", contentstring: "93.184.216.34" };
  const named = dnsCheck.prepare({ ...question, target: "127.0.0.1", port: server.port });
  assert.equal((await named.run(contextOf({ egress }))).reason, "blocked");
  assert.equal(server.queries.length, 0);
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${server.port}`]);
  try {
    const outcome = await dnsCheck.prepare(question).run(contextOf({ egress }));
    assert.deepEqual([outcome.message, outcome.address], ["Domain found", undefined]);
  } finally {
    dns.setServers(before);
  }
});

suite("BIND", () => {
  let server: Bind;
  before(async () => {
    server = await bind({
      zones: {
        "zone.test": [
          "@ A 192.0.2.1",
          "@ AAAA 2001:db8::1",
          "@ MX 10 mail",
          '@ TXT "v=spf1 " "-all"',
          "www CNAME a",
          "a CNAME b",
          "b CNAME c",
          "c A 192.0.2.7",
          "loop CNAME back",
          "back CNAME loop",
          "dangling CNAME nowhere",
          "text TXT x",
          "xn--bcher-kva A 192.0.2.8",
          "_sip._tcp SRV 1 2 5060 sip",
          ...Array.from({ length: 200 }, (_, index) => `big TXT "number ${index}"`),
        ],
        "2.0.192.in-addr.arpa": ["1 PTR www.zone.test."],
        "broken.test": [],
      },
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const failure = (code: string) => ["status", "Failed", `No Resolution: ${code}`];
  const unknown = ["status", "Fail", "Domain not found"];
  const asked: readonly [type: string, name: string, content: string, says: readonly string[]][] = [
    ["A", "zone.test", "192.0.2.1", found],
    ["A", "ZONE.test.", "192.0.2.1", found],
    ["A", "zone.test", "192.0.2.9", ["mismatch", "Failure", "DNS does not match: 192.0.2.9"]],
    ["AAAA", "zone.test", "2001:db8::1", found],
    ["AAAA", "zone.test", "2001:DB8::1", found],
    ["MX", "zone.test", "10 mail.zone.test", found],
    ["MX", "zone.test", "Mail.Zone.test.", found],
    [
      "MX",
      "zone.test",
      "mail.zone.test.example",
      ["mismatch", "Failure", "DNS does not match: mail.zone.test.example"],
    ],
    ["NS", "zone.test", "ns.zone.test", found],
    ["SOA", "zone.test", "admin.zone.test 1 3600 600 86400 300", found],
    ["SOA", "zone.test", "NS.zone.test. admin.zone.test. 1", found],
    ["TXT", "zone.test", "v=spf1 -all", found],
    ["TXT", "zone.test", "V=SPF1", ["mismatch", "Failure", "DNS does not match: V=SPF1"]],
    ["SRV", "_sip._tcp.zone.test", "1 2 5060 sip.zone.test", found],
    ["PTR", "192.0.2.1", "www.zone.test", found],
    ["ANY", "zone.test", "v=spf1 -all", found],
    ["ANY", "zone.test", "10 mail.zone.test", found],
    ["TXT", "big.zone.test", "number 199", found],
    ["A", "bücher.zone.test", "192.0.2.8", found],
    ["A", "www.zone.test", "192.0.2.7", found],
    ["CNAME", "www.zone.test", "a.zone.test", found],
    ["A", "loop.zone.test", "", failure("SERVFAIL")],
    ["A", "dangling.zone.test", "", unknown],
    ["A", "text.zone.test", "", none],
    ["A", "nobody.zone.test", "", unknown],
    ["A", "broken.test", "", failure("SERVFAIL")],
    ["A", "elsewhere.test", "", failure("REFUSED")],
  ];

  for (const [dnstype, dnstoresolve, contentstring, says] of asked) {
    for (const transport of ["udp", "tcp"]) {
      test(`${dnstype} of ${dnstoresolve} over ${transport} with ${contentstring || "anything"}: ${says.join(", ")}`, async () => {
        const parameters = { dnstype, dnstoresolve, contentstring, transport };
        const { reason, text, message, address } = await run(server, parameters);
        assert.deepEqual([reason, text, message, address], [...says, "127.0.0.1"]);
      });
    }
  }

  for (const [dnssection, contentstring] of [
    ["authority", "ns.zone.test"],
    ["additional", "127.0.0.1"],
    ["edns_options", "own"],
  ]) {
    test(`its ${dnssection} is looked at`, async () => {
      const parameters = { dnstoresolve: "zone.test", dnssection, contentstring };
      assert.equal((await run(server, parameters)).message, "Domain found");
    });
  }

  test("it answers over IPv6, where only that will do", async () => {
    const parameters = { target: "a.localhost", ipv6: true, dnstoresolve: "zone.test" };
    const { message, address } = await run(server, parameters);
    assert.deepEqual([message, address], ["Domain found", "::1"]);
  });

  test("any answer passes where nothing is looked for", async () => {
    const { text, message } = await run(server, { dnstoresolve: "" });
    assert.deepEqual([text, message], ["Success", "Server Responded: REFUSED"]);
  });
});
