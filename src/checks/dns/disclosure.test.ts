import assert from "node:assert/strict";
import dns from "node:dns";
import { after, before, test } from "node:test";

import { contextOf } from "../../../test/contracts/check-type.ts";
import {
  ASKED,
  nameServer,
  replyTo,
  wireName,
  wireRecord,
  type NameServer,
} from "../../../test/peers/name-server.ts";
import { createEgress, type EgressMode } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { runDiagnostics } from "../diagnostics.ts";
import { dnsCheck } from "./dns.ts";
import { createRblCheck } from "./rbl.ts";
import { querySystemDns } from "./system-dns.ts";

/** The name server of a location: it knows a private name, and a public one. */
let names: NameServer;
const usual = dns.getServers();

before(async () => {
  const inside = wireRecord(ASKED, 1, Buffer.from([10, 1, 2, 3]));
  const outside = wireRecord(ASKED, 1, Buffer.from([93, 184, 216, 34]));
  const server = wireRecord(ASKED, 2, wireName("ns.corp.example"));
  const ofServer = wireRecord(wireName("ns.corp.example"), 1, Buffer.from([10, 1, 2, 4]));
  names = await nameServer((query) => {
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1);
    if (query.includes(wireName("db.corp.example")))
      return [
        replyTo(
          query,
          type === 2 ? { answer: [server], additional: [ofServer] } : { answer: [inside] },
        ),
      ];
    return [replyTo(query, { answer: type === 1 ? [outside] : [] })];
  });
  dns.setServers([`127.0.0.1:${names.port}`]);
});
after(async () => {
  dns.setServers(usual);
  await names[Symbol.asyncDispose]();
});

const contextFor = (mode: EgressMode) =>
  contextOf({ egress: createEgress({ mode, resolver: createResolver() }) });

const withheld = (name: string): string =>
  `what leads to an address that is refused here is not looked up: "${name}"`;

for (const { dnstoresolve, ...parameters } of [
  { dnstoresolve: "db.corp.example" },
  { dnstoresolve: "db.corp.example", contentstring: "10.1.2.3" },
  { dnstoresolve: "db.corp.example", contentstring: "10.9.9.9" },
  { dnstoresolve: "db.corp.example", dnstype: "NS", contentstring: "ns.corp.example" },
  { dnstoresolve: "db.corp.example", dnstype: "ANY", transport: "tcp" },
  { dnstoresolve: "printer.local", dnstype: "TXT" },
  { dnstoresolve: "wiki.internal." },
]) {
  const shown = JSON.stringify({ dnstoresolve, ...parameters });
  test(`under public egress a DNS check without a target discloses nothing of ${shown}`, async () => {
    const check = dnsCheck.prepare({ dnstoresolve, ...parameters });
    const { timings: _, ...outcome } = await check.run(contextFor("public"));
    assert.deepEqual(outcome, {
      passed: false,
      reason: "blocked",
      text: "Blocked",
      message: withheld(dnstoresolve),
    });
  });
}

for (const [address, name] of [
  ["10.1.2.3", "3.2.1.10.in-addr.arpa"],
  ["fd00::7", `7.${"0.".repeat(29)}d.f.ip6.arpa`],
]) {
  test(`the name of ${address} is not disclosed either`, async () => {
    const before = names.queries.length;
    const check = dnsCheck.prepare({ dnstoresolve: address, dnstype: "PTR" });
    assert.equal((await check.run(contextFor("public"))).message, withheld(String(name)));
    assert.equal(names.queries.length, before);
  });
}

test("what is public is disclosed, without the address of the location's name server", async () => {
  const check = dnsCheck.prepare({ dnstoresolve: "www.example", contentstring: "93.184.216.34" });
  const outcome = await check.run(contextFor("public"));
  assert.deepEqual([outcome.message, outcome.address], ["Domain found", undefined]);
  const [finding] = await lookUp("www.example", "public");
  assert.match(
    finding?.text ?? "",
    /^A: NOERROR from the name server of this location in \d+ ms\n {2}www\.example 60 A 93\.184\.216\.34\nAAAA/,
  );
});

test("where private addresses are allowed, all is disclosed", async () => {
  const check = dnsCheck.prepare({ dnstoresolve: "db.corp.example", contentstring: "10.1.2.3" });
  const outcome = await check.run(contextFor("private"));
  assert.deepEqual([outcome.message, outcome.address], ["Domain found", "127.0.0.1"]);
  const [finding] = await lookUp("db.corp.example", "private");
  assert.match(finding?.text ?? "", /A 10\.1\.2\.3/);
});

for (const [target, name] of [
  ["db.corp.example", "db.corp.example"],
  ["10.1.2.3", "3.2.1.10.in-addr.arpa"],
])
  test(`dig discloses nothing of ${target} under public egress`, async () => {
    const [finding] = await lookUp(String(target), "public");
    assert.equal(finding?.text, withheld(String(name)));
  });

// guard: what names lead to
test("the refusal of a block list does not tell what a name leads to", async () => {
  const lists = [{ zone: "one.test", families: [4] }] as const;
  const check = createRblCheck(lists, querySystemDns).prepare({ target: "db.corp.example" });
  const outcome = await check.run(contextFor("public"));
  assert.deepEqual([outcome.reason, outcome.message], ["blocked", withheld("db.corp.example")]);
});

function lookUp(target: string, mode: EgressMode) {
  return runDiagnostics(
    { type: "PING", parameters: { target }, tools: ["lookup"] },
    contextFor(mode),
  );
}
