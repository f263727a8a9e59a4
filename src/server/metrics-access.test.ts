import assert from "node:assert/strict";
import { Socket } from "node:net";
import { hostname } from "node:os";
import { test } from "node:test";

import { Secret } from "../kit/crypto/secret.ts";
import { assertMayReadMetrics } from "./metrics-access.ts";

const token = new Secret("ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1");
const forwarded = { "x-forwarded-for": "192.0.2.1" };

for (const { name, from, headers = {}, set, may } of [
  { name: "this machine", from: "127.0.0.1", may: true },
  { name: "this machine by IPv6", from: "::1", may: true },
  { name: "this machine by an IPv4 address in IPv6", from: "::ffff:127.0.0.1", may: true },
  { name: "this machine by its name", from: "127.0.0.1", headers: { host: hostname() }, may: true },
  { name: "localhost", from: "::1", headers: { host: "LocalHost:4848" }, may: true },
  { name: "an address of this machine", from: "::1", headers: { host: "[::1]:4848" }, may: true },
  {
    name: "a page of another site whose name leads to this machine",
    from: "127.0.0.1",
    headers: { host: "rebound.example:4848" },
    may: false,
  },
  { name: "a Host that is none", from: "127.0.0.1", headers: { host: "a b" }, may: false },
  { name: "another machine", from: "192.0.2.1", may: false },
  {
    name: "another machine by a proxy on this one",
    from: "127.0.0.1",
    headers: forwarded,
    may: false,
  },
  { name: "whoever has no address any more", from: undefined, may: false },
  { name: "this machine without the token", from: "127.0.0.1", set: token, may: false },
  {
    name: "another machine with the token",
    from: "192.0.2.1",
    headers: { authorization: `Bearer ${token.reveal()}` },
    set: token,
    may: true,
  },
  {
    name: "another machine with another token",
    from: "192.0.2.1",
    headers: { authorization: `Bearer ${token.reveal()}1` },
    set: token,
    may: false,
  },
]) {
  // guard: names that are made to lead to this machine
  // guard: metrics through a proxy
  // guard: metrics for this machine alone
  test(`${name} ${may ? "reads" : "is refused"} the metrics`, () => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: from });
    const read = (): void => assertMayReadMetrics({ headers, socket }, set);
    if (may) read();
    else assert.throws(read, { code: "forbidden", message: /WATCHPOST_METRICS_TOKEN/ });
  });
}
