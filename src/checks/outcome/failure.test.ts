import assert from "node:assert/strict";
import test from "node:test";

import { ProtocolError } from "../../kit/protocol-error.ts";
import { Interrupted } from "../../kit/net/dial.ts";
import { Blocked, Unavailable } from "../../kit/errors.ts";
import { DnsFailure } from "../../kit/net/resolver.ts";
import { failureOf } from "./failure.ts";

function systemError(
  code: string,
  fields: object = { syscall: "connect", address: "192.0.2.1" },
): Error {
  return Object.assign(new Error(`connect ${code} 192.0.2.1:80`), { code, ...fields });
}

const read = { syscall: "read" };

const failures = [
  {
    error: systemError("ECONNREFUSED"),
    reason: "refused",
    text: "Connection refused",
    message: "Connection refused: 192.0.2.1",
    address: "192.0.2.1",
  },
  {
    error: systemError("EHOSTUNREACH"),
    reason: "unreachable",
    text: "No route to host",
    message: "No route to host: 192.0.2.1",
    address: "192.0.2.1",
  },
  {
    error: systemError("ENETUNREACH"),
    reason: "unreachable",
    text: "No route to host",
    message: "No route to host: 192.0.2.1",
    address: "192.0.2.1",
  },
  ...["ENOPROTOOPT", "ENONET"].map((code) => ({
    error: systemError(code),
    reason: "unreachable",
    text: "No route to host",
    message: "No route to host: 192.0.2.1",
    address: "192.0.2.1",
  })),
  {
    error: systemError("EACCES", { syscall: "connect", address: "2001:db8::1" }),
    reason: "unreachable",
    text: "No route to host",
    message: "No route to host: 2001:db8::1",
    address: "2001:db8::1",
  },
  {
    error: systemError("ETIMEDOUT"),
    reason: "timeout",
    text: "Timeout",
    message: "Timeout: 192.0.2.1",
    address: "192.0.2.1",
  },
  {
    error: systemError("ECONNRESET", read),
    reason: "protocol",
    text: "Connection reset",
    message: "Connection reset while waiting for the answer",
  },
  {
    error: systemError("EPIPE", read),
    reason: "protocol",
    text: "Connection reset",
    message: "Connection reset while waiting for the answer",
  },
  {
    error: systemError("ECONNRESET", {}),
    reason: "protocol",
    text: "Connection closed",
    message: "Connection closed while waiting for the answer",
  },
  {
    error: systemError("ECONNRESET", { phase: "connect" }),
    reason: "protocol",
    text: "Connection closed",
    message: "Connection closed while connecting",
  },
  {
    error: systemError("ECONNRESET", { phase: "tls" }),
    reason: "protocol",
    text: "Connection closed",
    message: "Connection closed in the TLS handshake",
  },
  {
    error: systemError("ECONNRESET", { ...read, phase: "body" }),
    reason: "protocol",
    text: "Connection reset",
    message: "Connection reset while reading the body",
  },
  {
    error: systemError("EPROTO"),
    reason: "tls",
    text: "TLS error",
    message: "TLS error: handshake failed",
  },
  {
    error: systemError("ERR_SSL_WRONG_VERSION_NUMBER"),
    reason: "tls",
    text: "TLS error",
    message: "TLS error: wrong version number",
  },
  {
    error: new Interrupted("dns"),
    reason: "timeout",
    text: "Timeout",
    message: "Timeout looking up the name",
    unanswered: "silent",
  },
  {
    error: new Interrupted("connect", "192.0.2.1"),
    reason: "timeout",
    text: "Timeout",
    message: "Timeout connecting",
    address: "192.0.2.1",
  },
  {
    error: new Interrupted("tls", "192.0.2.1"),
    reason: "timeout",
    text: "Timeout",
    message: "Timeout in the TLS handshake",
    address: "192.0.2.1",
  },
  {
    error: new Interrupted("answer", "192.0.2.1"),
    reason: "timeout",
    text: "Timeout",
    message: "Timeout waiting for the answer",
    address: "192.0.2.1",
  },
  {
    error: new Interrupted("body", "192.0.2.1"),
    reason: "timeout",
    text: "Timeout",
    message: "Timeout reading the body",
    address: "192.0.2.1",
  },
  {
    error: new DnsFailure("No DNS resolution for a.test"),
    reason: "dns",
    text: "Error",
    message: "No DNS resolution for a.test",
  },
  {
    error: new ProtocolError("odd"),
    reason: "protocol",
    text: "Protocol error",
    message: "Protocol error: odd",
  },
  {
    error: new ProtocolError("odd", { received: Buffer.from("HTTP/1.0 odd\r\n") }),
    reason: "protocol",
    text: "Protocol error",
    message: "Protocol error: odd",
    evidence: "HTTP/1.0 odd\r\n",
  },
  {
    error: new Blocked('refused: "a"'),
    reason: "blocked",
    text: "Blocked",
    message: 'refused: "a"',
  },
];

for (const { error, ...outcome } of failures) {
  test(`${error.name} ${JSON.stringify(error.message)} says ${outcome.reason}: ${outcome.message}`, () => {
    assert.deepEqual(failureOf(error), { passed: false, ...outcome });
  });
}

const ours = [
  ...["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EADDRNOTAVAIL", "EPERM", "EACCES"].map((code) =>
    systemError(code),
  ),
  new Unavailable("no DNS server can be reached"),
  new TypeError("a mistake of ours"),
];

for (const error of ours) {
  test(`${error.name} ${JSON.stringify(error.message)} says nothing of the target`, () => {
    assert.throws(() => failureOf(error), error);
  });
}
