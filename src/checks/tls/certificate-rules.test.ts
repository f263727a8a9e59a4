import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { daysLeft } from "../../domain/run/outcome.ts";
import type { PeerCertificate } from "../../kit/net/peer-certificate.ts";
import { judgeCertificate, mailMessages, sslMessages } from "./certificate-rules.ts";
import type { TlsFacts } from "./handshake.ts";

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 10, 21, 12);

const own: PeerCertificate = {
  subject: "mail.test",
  issuer: "middle",
  validFrom: now - 10 * DAY_MS,
  validTo: now + 80 * DAY_MS,
};
const middle: PeerCertificate = { ...own, subject: "middle", issuer: "root" };
const facts: TlsFacts = {
  protocol: "TLSv1.3",
  names: ["mail.test"],
  matchesHost: true,
  chain: [own, middle],
};

const until = (validTo: number): TlsFacts => ({ ...facts, chain: [{ ...own, validTo }, middle] });

interface Row {
  readonly name: string;
  readonly facts: TlsFacts;
  readonly verify?: boolean;
  readonly warningDays?: number;
  readonly ssl: readonly [reason: string, text: string, message: string] | undefined;
  readonly mail?: readonly [reason: string, text: string, message: string];
}

const invalid = (problem: string): Pick<Row, "ssl" | "mail"> => ({
  ssl: ["certificate", "invalid", `Invalid cert: ${problem}`],
  mail: ["certificate", "TLS error", `SSL cert failed: ${problem}`],
});
const ends = (day: string): Pick<Row, "ssl" | "mail"> => ({
  ssl: ["certificate", `expires ${day}`, `Will expire ${day}`],
  mail: ["certificate", "Cert expires", `Certificate expires ${day}`],
});
const right = { ssl: undefined };

const rows: readonly Row[] = [
  { name: "nothing is wrong", facts, warningDays: 30, ...right },
  {
    name: "eleven days and a moment, warned at eleven",
    facts: until(now + 11 * DAY_MS + 1),
    warningDays: 11,
    ...right,
  },
  {
    name: "eleven days, warned at eleven",
    facts: until(now + 11 * DAY_MS),
    warningDays: 11,
    ...ends("2026-12-02"),
  },
  {
    name: "eleven days less a moment, warned at eleven",
    facts: until(now + 11 * DAY_MS - 1),
    warningDays: 11,
    ...ends("2026-12-02"),
  },
  {
    name: "eleven days, not verified",
    facts: until(now + 11 * DAY_MS),
    warningDays: 11,
    verify: false,
    ...ends("2026-12-02"),
  },
  {
    name: "a moment before its end, warned at none",
    facts: until(now + 1),
    warningDays: 0,
    ...right,
  },
  {
    name: "at its end, warned at none",
    facts: until(now),
    warningDays: 0,
    verify: false,
    ...invalid("expired on 2026-11-21"),
  },
  { name: "at its end", facts: until(now), ...invalid("expired on 2026-11-21") },
  { name: "past its end, and nobody minds", facts: until(now - 1), verify: false, ...right },
  {
    name: "an issuer that ends first",
    facts: { ...facts, chain: [own, { ...middle, validTo: now + DAY_MS }] },
    warningDays: 2,
    ...ends("2026-11-22: middle"),
  },
  {
    name: "an issuer that has ended",
    facts: { ...facts, chain: [own, { ...middle, validTo: now - DAY_MS }] },
    ...invalid("expired on 2026-11-20: middle"),
  },
  {
    name: "at its beginning",
    facts: { ...facts, chain: [{ ...own, validFrom: now }] },
    ...right,
  },
  {
    name: "before its beginning",
    facts: { ...facts, chain: [{ ...own, validFrom: now + 1 }, middle] },
    ...invalid("not valid before 2026-11-21"),
  },
  ...Object.entries({
    CERT_HAS_EXPIRED: "expired",
    CERT_NOT_YET_VALID: "not yet valid",
    DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
    SELF_SIGNED_CERT_IN_CHAIN: "untrusted issuer",
    UNABLE_TO_GET_ISSUER_CERT: "incomplete chain",
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted issuer",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "incomplete chain",
    INVALID_PURPOSE: "not meant for a server",
    PATH_LENGTH_EXCEEDED: "path length exceeded",
    UNSPECIFIED: "not trusted",
  }).map(([distrust, problem]) => ({
    name: distrust,
    facts: { ...facts, trustError: distrust },
    ...invalid(problem),
  })),
  {
    name: "another's name",
    facts: { ...facts, matchesHost: false, names: ["a.test", "b.test", "c.test", "d.test"] },
    ssl: ["certificate", "invalid", "Domain mismatch: a.test, b.test, c.test"],
    mail: ["certificate", "TLS error", "SSL cert failed: domain mismatch: a.test, b.test, c.test"],
  },
  {
    name: "weakness",
    facts: { ...facts, weakness: "a key of 512 bits" },
    ...invalid("a key of 512 bits"),
  },
  {
    name: "an old protocol",
    facts: { ...facts, protocol: "TLSv1.1" },
    ssl: ["tls", "TLS error", "TLS error: TLSv1.1 is too old"],
  },
  {
    name: "everything, and nobody minds",
    facts: {
      ...facts,
      protocol: "TLSv1",
      trustError: "CERT_UNTRUSTED",
      matchesHost: false,
      weakness: "a key of 512 bits",
    },
    verify: false,
    warningDays: 79,
    ...right,
  },
];

for (const { name, facts, verify = true, warningDays, ssl, mail = ssl } of rows) {
  test(`${name}: ${ssl?.[2] ?? "right"}`, () => {
    const judged = [sslMessages, mailMessages].map((messages) => {
      const outcome = judgeCertificate(facts, { verify, warningDays, messages, now });
      return outcome && [outcome.reason, outcome.text, outcome.message];
    });
    assert.deepEqual(judged, [ssl, mail]);
  });
}

test("a certificate warns from exactly its warning days before its end", () => {
  const days = fc.integer({ min: -400, max: 400 });
  const rest = fc.integer({ min: 0, max: DAY_MS - 1 });
  fc.assert(
    fc.property(days, rest, fc.nat(400), (days, rest, warningDays) => {
      const judged = { ...own, validTo: now + days * DAY_MS + rest };
      const rules = { verify: false, warningDays, messages: sslMessages, now };
      assert.equal(daysLeft(judged, now), days);
      assert.equal(
        judgeCertificate({ ...facts, chain: [judged] }, rules) === undefined,
        days > warningDays || (days === warningDays && rest > 0),
      );
    }),
  );
});
