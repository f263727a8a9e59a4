import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { issue } from "../../../test/peers/certificate-authority.ts";
import { readConfig } from "../../settings/config.ts";
import { natsAccessOf } from "./nats-access.ts";

const one = issue({ subject: "one" });
const another = issue({ subject: "another" });
const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "watchpost-nats-"));
  const texts = {
    "one.crt": one.cert,
    "one.key": one.key,
    "another.key": another.key,
    broken,
    text: "hello",
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
});
after(() => rmSync(folder, { recursive: true }));

type Files = Readonly<Record<"CA" | "CERT" | "CERT_KEY", string>>;

function accessBy(files: Partial<Files>): ReturnType<typeof natsAccessOf> {
  const given = Object.entries(files).map(([name, file]) => [
    `WATCHPOST_NATS_${name}`,
    join(folder, file),
  ]);
  return natsAccessOf(
    readConfig({
      WATCHPOST_FILE: "/dev/null",
      WATCHPOST_NATS_URL: "tls://x",
      ...Object.fromEntries(given),
    }),
  );
}

test("authority, certificate and key are read from their files, and the key is not shown", () => {
  const access = accessBy({ CA: "one.crt", CERT: "one.crt", CERT_KEY: "one.key" });
  assert.deepEqual([access?.ca, access?.certificate?.chain], [one.cert, one.cert]);
  assert.equal(access?.certificate?.key.reveal(), one.key);
  assert.doesNotMatch(JSON.stringify(access), /PRIVATE/);
});

const refused: readonly (readonly [string, Partial<Files>, RegExp])[] = [
  [
    "a missing file",
    { CA: "none" },
    /^WATCHPOST_NATS_CA: cannot read ".*none": there is no such file/,
  ],
  ["text", { CA: "text" }, /^WATCHPOST_NATS_CA: cannot read ".*text": it is not in PEM/],
  ["a broken authority", { CA: "broken" }, /^WATCHPOST_NATS_CA: cannot be used: /],
  [
    "a broken certificate",
    { CERT: "broken", CERT_KEY: "one.key" },
    /^WATCHPOST_NATS_CERT: cannot be used: /,
  ],
  [
    "a key of another certificate",
    { CERT: "one.crt", CERT_KEY: "another.key" },
    /^WATCHPOST_NATS_CERT_KEY: cannot be used: .*mismatch/,
  ],
  ["a certificate without its key", { CERT: "one.crt" }, /^WATCHPOST_NATS_CERT_KEY: required with/],
];

for (const [name, files, said] of refused) {
  test(`${name} is refused with a sentence that names the setting`, () => {
    assert.throws(() => accessBy(files), { code: "invalid_input", message: said });
  });
}
