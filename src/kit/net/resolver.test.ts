import assert from "node:assert/strict";
import { mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { waitFor } from "../../../test/time/wait-for.ts";
import { dnsPeer, type DnsAnswer, type DnsPeer } from "../../../test/peers/dns.ts";
import { createResolver, parseHosts, parseSearch, type Resolver } from "./resolver.ts";
import type { HasRoute } from "./route.ts";

const { signal } = new AbortController();

interface Installation extends AsyncDisposable {
  readonly resolver: Resolver;
  readonly dns: DnsPeer;
  readonly hostsFile: string;
}

/** A resolver with files and a DNS server of its own. */
async function installation(
  table: Readonly<Record<string, DnsAnswer>>,
  {
    hosts = "",
    resolv = "",
    hasRoute = () => Promise.resolve(true),
  }: { readonly hosts?: string; readonly resolv?: string; readonly hasRoute?: HasRoute } = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "resolve-"));
  const hostsFile = join(folder, "hosts");
  const resolvFile = join(folder, "resolv.conf");
  await writeFile(hostsFile, hosts);
  await writeFile(resolvFile, resolv);
  const dns = await dnsPeer(table);
  return {
    resolver: createResolver({ hostsFile, resolvFile, servers: [dns.server], hasRoute }),
    dns,
    hostsFile,
    async [Symbol.asyncDispose]() {
      await dns[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const zone = {
  "A both.test": ["192.0.2.1", "192.0.2.2"],
  "AAAA both.test": ["2001:db8::1"],
  "AAAA six.test": ["2001:db8::6"],
  "A four.test": ["192.0.2.4"],
  "TXT empty.test": [],
  "A failing.test": "failure",
  "A refusing.test": "refused",
  "A db.prod.test": ["192.0.2.9"],
  "A lone": ["192.0.2.10"],
} as const satisfies Record<string, DnsAnswer>;

const answers = [
  { name: "both.test", family: undefined, addresses: ["192.0.2.1", "192.0.2.2"] },
  { name: "both.test.", family: undefined, addresses: ["192.0.2.1", "192.0.2.2"] },
  { name: "both.test", family: 6, addresses: ["2001:db8::1"] },
  { name: "six.test", family: undefined, addresses: ["2001:db8::6"] },
  { name: "db", family: undefined, addresses: ["192.0.2.9"] },
  { name: "lone", family: undefined, addresses: ["192.0.2.10"] },
  { name: "listed", family: undefined, addresses: ["192.0.2.20"] },
  { name: "LISTED.", family: undefined, addresses: ["192.0.2.20"] },
  { name: "listed", family: 6, addresses: ["2001:db8::20"] },
  { name: "six.listed", family: undefined, addresses: ["2001:db8::21"] },
  { name: "localhost", family: undefined, addresses: ["127.0.0.1"] },
  { name: "app.localhost", family: 6, addresses: ["::1"] },
] as const;

const hosts =
  "192.0.2.20 listed also # a comment\n2001:db8::20\tlisted\n2001:db8::21 six.listed\n# 192.0.2.66 db\nnonsense here\n";
const resolv = "domain other.test\nsearch none.test prod.test. # here\noptions ndots:1\n";

for (const { name, family, addresses } of answers) {
  test(`the name ${name}${family === undefined ? "" : ` over IPv${family}`} has the addresses ${addresses.join(" and ")}`, async () => {
    await using here = await installation(zone, { hosts, resolv });
    assert.deepEqual(await here.resolver.resolve(name, { family, signal }), addresses);
  });
}

const failures = [
  { name: "nobody.test", family: undefined, message: "No DNS resolution for nobody.test" },
  { name: "empty.test", family: undefined, message: "No addresses found for empty.test" },
  { name: "four.test", family: 6, message: "No addresses found for four.test" },
  { name: "six.test", family: 4, message: "No addresses found for six.test" },
  {
    name: "failing.test",
    family: undefined,
    message: "Error resolving failing.test: the DNS server failed",
  },
  {
    name: "refusing.test",
    family: undefined,
    message: "Error resolving refusing.test: the DNS server refused",
  },
  {
    name: `${"a".repeat(64)}.test`,
    family: undefined,
    message: `Error resolving ${"a".repeat(64)}.test: it is not a valid name`,
  },
] as const;

for (const { name, family, message } of failures) {
  test(`resolving ${name}${family === undefined ? "" : ` over IPv${family}`} fails as ${message}`, async () => {
    await using here = await installation(zone, { hosts, resolv });
    await assert.rejects(here.resolver.resolve(name, { family, signal }), {
      code: "dns_failure",
      message,
    });
  });
}

test("names under invalid and localhost are never asked of a server", async () => {
  await using here = await installation({
    "A evil.localhost": ["192.0.2.66"],
    "A evil.invalid": ["192.0.2.66"],
  });
  assert.deepEqual(await here.resolver.resolve("evil.localhost", { signal }), ["127.0.0.1"]);
  await assert.rejects(here.resolver.resolve("evil.invalid", { signal }), {
    message: "No DNS resolution for evil.invalid",
  });
  assert.deepEqual(here.dns.questions, []);
});

test("every resolution asks again", async () => {
  await using here = await installation(zone);
  await here.resolver.resolve("four.test", { signal });
  await here.resolver.resolve("four.test", { signal });
  assert.deepEqual(here.dns.questions, ["A four.test", "A four.test"]);
});

test("a hosts file that was replaced or rewritten counts at once", async () => {
  await using here = await installation({}, { hosts: "192.0.2.20 listed\n" });
  assert.deepEqual(await here.resolver.resolve("listed", { signal }), ["192.0.2.20"]);
  await writeFile(`${here.hostsFile}.new`, "192.0.2.21 listed\n");
  await rename(`${here.hostsFile}.new`, here.hostsFile);
  assert.deepEqual(await here.resolver.resolve("listed", { signal }), ["192.0.2.21"]);
  await writeFile(here.hostsFile, "192.0.2.22 listed\n");
  await utimes(here.hostsFile, 1, 1);
  assert.deepEqual(await here.resolver.resolve("listed", { signal }), ["192.0.2.22"]);
});

test("missing files are empty ones", async () => {
  await using dns = await dnsPeer(zone);
  const resolver = createResolver({
    hostsFile: "/nowhere/hosts",
    resolvFile: "/nowhere/resolv.conf",
    servers: [dns.server],
  });
  assert.deepEqual(await resolver.resolve("lone", { signal }), ["192.0.2.10"]);
});

test("an abort ends a question that nobody answers", async () => {
  await using here = await installation({ "A silent.test": "silence" });
  const controller = new AbortController();
  const resolving = here.resolver.resolve("silent.test", { signal: controller.signal });
  await waitFor("a question", () => here.dns.questions.length > 0);
  controller.abort("over");
  await assert.rejects(resolving, (reason) => reason === "over");
});

test("a DNS server that cannot be reached is our trouble, not the name's", async () => {
  const dns = await dnsPeer({});
  await dns[Symbol.asyncDispose]();
  const resolver = createResolver({
    hostsFile: "/nowhere",
    resolvFile: "/nowhere",
    servers: [dns.server],
  });
  await assert.rejects(resolver.resolve("four.test", { signal }), {
    code: "dns_failure",
    unanswered: "silent",
  });
  assert.equal(await resolver.works("silent"), false);
});

for (const { name, family, addresses } of [
  { name: "both.test", family: undefined, addresses: ["2001:db8::1"] },
  { name: "both.test", family: 4, addresses: ["192.0.2.1", "192.0.2.2"] },
  { name: "four.test", family: undefined, addresses: ["192.0.2.4"] },
  { name: "six.test", family: undefined, addresses: ["2001:db8::6"] },
  { name: "listed", family: undefined, addresses: ["2001:db8::20"] },
  { name: "also", family: undefined, addresses: ["192.0.2.20"] },
  { name: "lone", family: undefined, addresses: ["192.0.2.10"] },
] as const) {
  test(`where no way leads to 192.0.2.0/24 but to .10, ${name}${family === undefined ? "" : ` over IPv${family}`} has the addresses ${addresses.join(" and ")}`, async () => {
    const hasRoute = (address: string) => Promise.resolve(address === "192.0.2.10");
    await using here = await installation(zone, { hosts, resolv, hasRoute });
    assert.deepEqual(await here.resolver.resolve(name, { family, signal }), addresses);
  });
}

test("the next DNS server is asked where one cannot or will not look up, and not where it knows", async () => {
  await using first = await dnsPeer({
    "A failing.test": "failure",
    "A refusing.test": "refused",
    "A known.test": ["192.0.2.1"],
    "A worst.test": "failure",
  });
  await using second = await dnsPeer({
    "A failing.test": ["192.0.2.2"],
    "A refusing.test": "refused",
    "A worst.test": "refused",
  });
  await using third = await dnsPeer({
    "A refusing.test": ["192.0.2.3"],
    "A worst.test": "failure",
  });
  const servers = [first, second, third].map(({ server }) => server);
  const resolver = createResolver({ hostsFile: "/nowhere", resolvFile: "/nowhere", servers });
  const addressOf = (name: string) => resolver.resolve(name, { signal });
  assert.deepEqual(await addressOf("failing.test"), ["192.0.2.2"]);
  assert.deepEqual(await addressOf("refusing.test"), ["192.0.2.3"]);
  assert.deepEqual(await addressOf("known.test"), ["192.0.2.1"]);
  await assert.rejects(addressOf("nobody.test"), { message: "No DNS resolution for nobody.test" });
  await assert.rejects(addressOf("worst.test"), { code: "dns_failure", message: /server failed$/ });
  assert.deepEqual(third.questions, ["A refusing.test", "A worst.test"]);
});

test("a hosts file gives each name all its addresses", () => {
  assert.deepEqual(
    [
      ...parseHosts(
        "127.0.0.1 localhost\r\n::1 LOCALHOST ip6-localhost\n\n#1.2.3.4 no\n1.2.3 no\n5.6.7.8#no\n",
      ),
    ],
    [
      ["localhost", ["127.0.0.1", "::1"]],
      ["ip6-localhost", ["::1"]],
    ],
  );
});

test("the last search or domain line counts", () => {
  assert.deepEqual(parseSearch("search a.test\ndomain b.test\n"), ["b.test"]);
  assert.deepEqual(
    parseSearch("domain b.test\n  search a.test. c.test ; more\nnameserver 127.0.0.1\n"),
    ["a.test", "c.test"],
  );
  assert.deepEqual(parseSearch("search .\n"), []);
  assert.deepEqual(parseSearch(""), []);
});
