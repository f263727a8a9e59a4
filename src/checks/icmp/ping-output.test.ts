import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { readPingLine } from "./ping-program.ts";

const unreachable = { unreachable: true };
const rows = [
  { line: "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.028 ms", says: { ms: 0.028 } },
  { line: "64 bytes from fd77::2: icmp_seq=3 ttl=64 time=1204 ms", says: { ms: 1204 } },
  { line: "64 bytes from 10.77.0.2: seq=0 ttl=64 time=0.037 ms", says: { ms: 0.037 } },
  { line: "64 bytes from 10.77.0.5: icmp_seq=1 ttl=64 time=0.09 ms (DIFFERENT ADDRESS!)" },
  { line: "64 bytes from 10.77.0.2: icmp_seq=1 ttl=64" },
  { line: "From 10.77.0.1 icmp_seq=1 Destination Host Unreachable", says: unreachable },
  { line: "From 10.77.0.2 icmp_seq=1 Destination Net Unreachable", says: unreachable },
  { line: "From 10.77.0.2 icmp_seq=1 Packet filtered", says: unreachable },
  { line: "From 10.77.0.2 icmp_seq=2 Time to live exceeded", says: unreachable },
  {
    line: "From fd77::1 icmp_seq=1 Destination unreachable: Address unreachable",
    says: unreachable,
  },
  { line: "From 10.77.0.2 icmp_seq=1 Redirect Host(New nexthop: 10.77.0.9)" },
  { line: "From 10.77.0.2: icmp_seq=1 Redirect Host(New nexthop: 10.77.0.9)" },
  { line: "From 10.77.0.2 icmp_seq=1 Source Quench" },
  { line: "ping: connect: Network is unreachable", says: unreachable },
  { line: "ping: connect: No route to host", says: unreachable },
  { line: "ping: sendmsg: Network is unreachable", says: unreachable },
  { line: "ping: sendto: Network unreachable", says: unreachable },
  {
    line: "ping: sendmsg: Operation not permitted",
    says: { trouble: "ping: sendmsg: Operation not permitted" },
  },
  { line: "ping: connect: Invalid argument" },
  { line: "ping: socktype: SOCK_RAW" },
  { line: "PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data." },
  { line: "rtt min/avg/max/mdev = 0.028/0.064/0.101/0.036 ms" },
  { line: "" },
];

for (const { line, says } of rows) {
  test(`${JSON.stringify(line)} says ${says === undefined ? "nothing" : JSON.stringify(says)}`, () => {
    assert.deepEqual(readPingLine(line), says);
  });
}

test("no other line is a reply", () => {
  fc.assert(
    fc.property(fc.string(), (line) => {
      assert.equal(readPingLine(line), undefined);
    }),
  );
});
