import assert from "node:assert/strict";
import { once } from "node:events";
import test from "node:test";
import { connect } from "node:tls";

import { issue } from "../../../test/peers/certificate-authority.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { namesOf, peerCertificate, readCertificate } from "./peer-certificate.ts";

const DAY_MS = 86_400_000;

test("a certificate has its subject, its issuer and its time", async () => {
  const issuer = issue({ subject: "an authority", authority: true });
  const certificate = issue({ subject: "localhost", names: "DNS:localhost", issuer, toDay: 60 });
  await using peer = await tlsPeer(certificate);
  const socket = connect({ host: peer.host, port: peer.port, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const shown = peerCertificate(socket);
  socket.destroy();
  assert.deepEqual([shown?.subject, shown?.issuer], ["localhost", "an authority"]);
  const { validFrom = 0, validTo = 0 } = shown ?? {};
  assert.equal(Math.round((validTo - validFrom) / DAY_MS), 61);
});

const read = {
  subject: { CN: "a.test" },
  issuer: { O: "An Authority" },
  valid_from: "Nov 21 12:00:00 2026 GMT",
  valid_to: "Dec 31 23:59:59 9999 GMT",
};
const validFrom = Date.UTC(2026, 10, 21, 12);
const validTo = Date.UTC(9999, 11, 31, 23, 59, 59);
const facts = { subject: "a.test", issuer: "An Authority", validFrom, validTo };

const rows = [
  { name: "that has no end to speak of", certificate: read, expected: facts },
  {
    name: "of one with several names",
    certificate: { ...read, subject: { CN: ["a.test", "b.test"], O: "x" } },
    expected: { ...facts, subject: "a.test, b.test" },
  },
  {
    name: "of nobody, for a host",
    certificate: { ...read, subject: {}, subjectaltname: "DNS:c.test, DNS:d.test" },
    expected: { ...facts, subject: "c.test" },
  },
  {
    name: "of nobody, for nobody, by nobody",
    certificate: { ...read, subject: {}, issuer: {} },
    expected: { ...facts, subject: "", issuer: "" },
  },
  {
    name: "with times that are none",
    certificate: { ...read, valid_from: "", valid_to: "Bad time value" },
    expected: { ...facts, validFrom: 0, validTo: 0 },
  },
];

for (const { name, certificate, expected } of rows) {
  test(`a certificate ${name} is read`, () => {
    assert.deepEqual(readCertificate(certificate), expected);
  });
}

const names = [
  { shown: {}, names: ["a.test"] },
  { shown: { subjectaltname: "DNS:b.test, IP Address:127.0.0.1" }, names: ["b.test", "127.0.0.1"] },
  { shown: { subjectaltname: "URI:http://b.test, DNS:c.test" }, names: ["c.test"] },
  { shown: { subjectaltname: 'DNS:"a.test, DNS:b.test", DNS:c.test' }, names: ["c.test"] },
  { shown: { subjectaltname: "" }, names: [] },
];

for (const { shown, names: wanted } of names) {
  test(`${JSON.stringify(shown)} names ${wanted.join(" and ") || "nobody"}`, () => {
    assert.deepEqual(namesOf({ ...read, ...shown }), wanted);
  });
}
