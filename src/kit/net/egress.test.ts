import assert from "node:assert/strict";
import { isIP } from "node:net";
import test from "node:test";

import * as fc from "fast-check";

import { createEgress, type EgressMode } from "./egress.ts";
import { DnsFailure, type Resolver } from "./resolver.ts";

const { signal } = new AbortController();

function answering(...addresses: readonly string[]): Pick<Resolver, "resolve"> {
  return { resolve: () => Promise.resolve(addresses) };
}

const unasked: Pick<Resolver, "resolve"> = {
  resolve: (name) => Promise.reject(new Error(`asked for ${name}`)),
};

/** Modes that allow an address: `all` of them, `private` only, or `none`. */
const literals = [
  { host: "93.184.216.34", by: "all" },
  { host: "2606:4700::6810:85e5", by: "all" },
  { host: "[2606:4700::6810:85e5]", by: "all" },
  { host: "::ffff:93.184.216.34", by: "all" },
  { host: "64:ff9b::5db8:d822", by: "all" },
  { host: "2002:5db8:d822::1", by: "all" },

  { host: "127.0.0.1", by: "private" },
  { host: "127.255.255.254", by: "private" },
  { host: "::1", by: "private" },
  { host: "10.0.0.1", by: "private" },
  { host: "172.16.0.1", by: "private" },
  { host: "172.31.255.255", by: "private" },
  { host: "192.168.1.1", by: "private" },
  { host: "100.64.0.1", by: "private" },
  { host: "100.127.255.255", by: "private" },
  { host: "0.0.0.0", by: "private" },
  { host: "0.1.2.3", by: "private" },
  { host: "::", by: "private" },
  { host: "192.0.2.1", by: "private" },
  { host: "198.51.100.1", by: "private" },
  { host: "203.0.113.1", by: "private" },
  { host: "198.18.0.1", by: "private" },
  { host: "198.19.255.255", by: "private" },
  { host: "192.0.0.1", by: "private" },
  { host: "192.88.99.1", by: "private" },
  { host: "224.0.0.1", by: "private" },
  { host: "239.255.255.255", by: "private" },
  { host: "240.0.0.1", by: "private" },
  { host: "255.255.255.255", by: "private" },
  { host: "fc00::1", by: "private" },
  { host: "fd12:3456::1", by: "private" },
  { host: "fec0::1", by: "private" },
  { host: "ff02::1", by: "private" },
  { host: "2001:db8::1", by: "private" },
  { host: "3fff::1", by: "private" },
  { host: "2001:2::1", by: "private" },
  { host: "100::1", by: "private" },
  { host: "5f00::1", by: "private" },
  { host: "4000::1", by: "private" },

  { host: "0177.0.0.1", by: "private" },
  { host: "2130706433", by: "private" },
  { host: "0x7f.1", by: "private" },
  { host: "127.1", by: "private" },
  { host: "127.0.0.1.", by: "private" },
  { host: "①②⑦.0.0.1", by: "private" },
  { host: "[::ffff:127.0.0.1]", by: "private" },
  { host: "::ffff:7f00:1", by: "private" },
  { host: "0:0:0:0:0:ffff:7f00:0001", by: "private" },
  { host: "::127.0.0.1", by: "private" },
  { host: "::ffff:0:127.0.0.1", by: "private" },
  { host: "64:ff9b::7f00:1", by: "private" },
  { host: "64:ff9b:1::5db8:d822", by: "private" },
  { host: "2002:7f00:1::", by: "private" },
  { host: "2002:a00:1::1", by: "private" },
  { host: "2001:0:5db8:d822::a247:27dd", by: "private" },

  { host: "169.254.169.254", by: "none" },
  { host: "169.254.170.2", by: "none" },
  { host: "169.254.0.1", by: "none" },
  { host: "2852039166", by: "none" },
  { host: "0xa9fea9fe", by: "none" },
  { host: "0251.0376.0251.0376", by: "none" },
  { host: "169.254.43518", by: "none" },
  { host: "169.254.169.254.", by: "none" },
  { host: "::ffff:169.254.169.254", by: "none" },
  { host: "[::ffff:a9fe:a9fe]", by: "none" },
  { host: "::169.254.169.254", by: "none" },
  { host: "::ffff:0:169.254.169.254", by: "none" },
  { host: "64:ff9b::a9fe:a9fe", by: "none" },
  { host: "64:ff9b:1::a9fe:a9fe", by: "none" },
  { host: "2002:a9fe:a9fe::1", by: "none" },
  { host: "2001:0:1::5601:5601", by: "none" },
  { host: "fe80::1", by: "none" },
  { host: "febf::1", by: "none" },
  { host: "fe80::1%eth0", by: "none" },
  { host: "fd00:ec2::254", by: "none" },
  { host: "fd00:ec2::254%eth0", by: "none" },
  { host: "fd20:ce::254", by: "none" },
  { host: "fd00:c1::a9fe:a9fe", by: "none" },
  { host: "fd00:42::42", by: "none" },
  { host: "100.100.100.200", by: "none" },
  { host: "192.0.0.192", by: "none" },
  { host: "168.63.129.16", by: "none" },
] as const;

const modes: readonly EgressMode[] = ["private", "public"];

for (const { host, by } of literals) {
  for (const mode of modes) {
    const allowed = by === "all" || by === mode;
    // guard: IPv4 addresses in IPv6
    // guard: hosts in one spelling
    // guard: link-local and metadata addresses
    // guard: private addresses
    test(`${mode} egress ${allowed ? "dials" : "refuses"} ${host}`, async () => {
      const resolving = createEgress({ mode, resolver: unasked }).resolve(host, { signal });
      if (allowed) await resolving;
      else await assert.rejects(resolving, { code: "blocked" });
    });
  }
}

for (const { host, by } of literals.filter(({ host }) => isIP(host) !== 0)) {
  test(`${host} is ${by === "all" ? "" : "not "}a public address`, () => {
    assert.equal(createEgress({ mode: "private", resolver: unasked }).isPublic(host), by === "all");
  });
}

const names = [
  {
    name: /* guard: all addresses of a name */ "one refused address among the answers refuses the name",
    mode: "public",
    answers: ["93.184.216.34", "127.0.0.1"],
    code: "blocked",
  },
  {
    name: "metadata among the answers refuses the name in private mode too",
    mode: "private",
    answers: ["10.0.0.1", "169.254.169.254"],
    code: "blocked",
  },
  {
    name: "a name that leads to a mapped private address is refused",
    mode: "public",
    answers: ["::ffff:10.0.0.1"],
    code: "blocked",
  },
] as const;

for (const { name, mode, answers, code } of names) {
  test(name, async () => {
    const egress = createEgress({ mode, resolver: answering(...answers) });
    await assert.rejects(egress.resolve("target.test", { signal }), { code });
  });
}

test("the first of a name's addresses is dialled", async () => {
  const egress = createEgress({
    mode: "public",
    resolver: answering("93.184.216.34", "93.184.216.35"),
  });
  assert.deepEqual(await egress.resolve("target.test", { signal }), {
    address: "93.184.216.34",
    family: 4,
  });
});

test("a name is judged anew each time, whatever it led to before", async () => {
  const turns = [["93.184.216.34"], ["127.0.0.1"]];
  const egress = createEgress({
    mode: "public",
    resolver: { resolve: () => Promise.resolve(turns.shift() ?? []) },
  });
  await egress.resolve("rebinding.test", { signal });
  await assert.rejects(egress.resolve("rebinding.test", { signal }), { code: "blocked" });
});

test("a refusal names the host, and not the address behind its name", async () => {
  const egress = createEgress({ mode: "public", resolver: answering("10.1.2.3") });
  await assert.rejects(egress.resolve("db.test", { signal }), {
    message: 'only public addresses are contacted from here: "db.test"',
  });
});

test("an address of the other family than was asked for is no address", async () => {
  const egress = createEgress({ mode: "private", resolver: unasked });
  await assert.rejects(egress.resolve("127.0.0.1", { family: 6, signal }), {
    code: "dns_failure",
    message: "No addresses found for 127.0.0.1",
  });
  assert.deepEqual(await egress.resolve("[::1]", { family: 6, signal }), {
    address: "::1",
    family: 6,
  });
});

for (const host of [
  "",
  "a b",
  "good@169.254.169.254",
  "169.254.169.254#good",
  "169.254.169.254\\good",
  "example.com:80",
]) {
  // guard: hosts without user info
  test(`what is no host is never resolved: ${JSON.stringify(host)}`, async () => {
    await assert.rejects(
      createEgress({ mode: "private", resolver: unasked }).resolve(host, { signal }),
      DnsFailure,
    );
  });
}

test("no way to write a private IPv4 address gets it past public egress", async () => {
  const bytes = fc.constantFrom(
    [10, 1, 2, 3],
    [127, 0, 0, 1],
    [192, 168, 0, 9],
    [169, 254, 169, 254],
    [172, 20, 1, 1],
  );
  const spellings: readonly ((bytes: readonly number[]) => string)[] = [
    (parts) => parts.join("."),
    (parts) => parts.map((part) => `0x${part.toString(16)}`).join("."),
    (parts) => parts.map((part) => `0${part.toString(8)}`).join("."),
    (parts) => String(numberOf(parts)),
    (parts) => `0x${numberOf(parts).toString(16)}`,
    (parts) => `${parts[0]}.${numberOf(parts) % 2 ** 24}`,
    (parts) => `[::ffff:${parts.join(".")}]`,
    (parts) => `64:ff9b::${parts.join(".")}`,
    (parts) => `2002:${groups(parts)}::1`,
    (parts) => `0:0:0:0:0:ffff:${groups(parts)}`,
  ];
  const egress = createEgress({ mode: "public", resolver: unasked });
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom(...spellings), (parts, spell) =>
      assert.rejects(egress.resolve(spell(parts), { signal }), { code: "blocked" }),
    ),
  );
});

function numberOf(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

function groups(parts: readonly number[]): string {
  const number = numberOf(parts);
  return `${Math.floor(number / 2 ** 16).toString(16)}:${(number % 2 ** 16).toString(16)}`;
}
