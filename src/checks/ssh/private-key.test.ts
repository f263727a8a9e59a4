import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import test, { suite } from "node:test";

import * as fc from "fast-check";

import { sshKey } from "../../../test/peers/ssh-key.ts";
import { privateKey } from "./ssh.ts";

const { privateKey: ed25519, publicKey } = sshKey();
const isTaken = (value: unknown): boolean => privateKey.safeParse(value).success;

suite("a private key is taken", () => {
  const kinds = [
    ["-t", "ed25519"],
    ["-t", "rsa", "-b", "3072"],
    ["-t", "rsa", "-b", "2048", "-m", "PEM"],
    ["-t", "ecdsa", "-b", "256"],
    ["-t", "ecdsa", "-b", "521", "-m", "PEM"],
  ];
  for (const kind of kinds)
    test(`made by ssh-keygen ${kind.join(" ")}`, () => assert.ok(isTaken(sshKey(kind).privateKey)));

  test("as long as it may be", () => assert.ok(isTaken(rsaKey(8192))));

  test("with other ends of its lines, and blanks around it", () => {
    assert.ok(isTaken(ed25519.replaceAll("\n", "\r\n")));
    assert.ok(isTaken(`\n ${ed25519.trim()} \n`));
  });
});

suite("a private key is refused", () => {
  const [, first = "", second = ""] = ed25519.split("\n");
  const pkcs8 = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
  const rows = [
    { name: "that is public", key: publicKey },
    { name: "with a passphrase", key: sshKey(["-t", "ed25519"], "secret").privateKey },
    {
      name: "with a passphrase in PEM",
      key: sshKey(["-t", "rsa", "-b", "2048", "-m", "PEM"], "secret").privateKey,
    },
    { name: "that is cut", key: ed25519.replace(second, "") },
    { name: "without its end", key: ed25519.slice(0, 100) },
    {
      name: "that is another's",
      key: ed25519.replace(first, first.replace("b3BlbnNz", "AAAAAAAA")),
    },
    { name: "that holds none", key: holdingNone() },
    { name: "in a form that SSH does not know", key: pkcs8 },
    { name: "that would take the main thread for long", key: rsaKey(8200) },
  ];
  for (const { name, key } of rows) test(name, () => assert.ok(!isTaken(key)));
});

/** Returns a key of that length with invalid numbers, because generating real ones takes seconds. */
function rsaKey(bits: number): string {
  const number = derOf(0x02, Buffer.alloc(bits / 8 + 1, 0xff).fill(0, 0, 1));
  const numbers = Array.from({ length: 8 }, () => number);
  const key = derOf(0x30, Buffer.concat([Buffer.of(0x02, 1, 0), ...numbers]));
  return `-----BEGIN RSA PRIVATE KEY-----\n${key.toString("base64")}\n-----END RSA PRIVATE KEY-----\n`;
}

function derOf(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 0xff), content]);
}

/** In the form of OpenSSH, which counts its keys. */
function holdingNone(): string {
  const none = "\0\0\0\u{4}none\0\0\0\u{4}none\0\0\0\0\0\0\0\0";
  const body = Buffer.from(`openssh-key-v1\0${none}`).toString("base64");
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

test("whatever is done to a key, it is taken or refused", () => {
  const place = fc.nat({ max: ed25519.length });
  fc.assert(
    fc.property(place, fc.nat({ max: 80 }), fc.string(), (at, length, text) => {
      privateKey.safeParse(ed25519.slice(0, at) + text + ed25519.slice(at + length));
    }),
    { numRuns: 500 },
  );
});
