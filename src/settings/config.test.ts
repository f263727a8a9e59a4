import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import * as fc from "fast-check";
import { fastify } from "fastify";

import { InvalidInput } from "../kit/errors.ts";
import { readConfig, type Config } from "./config.ts";
import { settings } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "watchpost-config-"));
after(() => rmSync(folder, { recursive: true }));
const empty = join(folder, "empty.env");
writeFileSync(empty, "");

type Given = Readonly<Record<string, string>>;

function read(given: Given): Config {
  return readConfig({ WATCHPOST_FILE: empty, ...given });
}

/** Every problem, a line each. */
function problemsOf(given: Given): readonly string[] {
  try {
    read(given);
  } catch (error) {
    assert.ok(error instanceof InvalidInput, String(error));
    return error.message.split("\n");
  }
  return [];
}

test("without settings it listens on this machine alone, from one location that counts everywhere", () => {
  const config = read({});
  assert.deepEqual(config.WATCHPOST_LISTEN, { host: "127.0.0.1", port: 4848 });
  assert.deepEqual(config.locations, [{ code: "local", region: undefined }]);
  assert.deepEqual(
    [config.WATCHPOST_EGRESS, config.WATCHPOST_COMPATIBILITY],
    ["private", "standard"],
  );
});

test("the environment wins over the file, and empty is not given", () => {
  const file = join(folder, "some.env");
  writeFileSync(file, "WATCHPOST_DATA=of the file\nWATCHPOST_EGRESS=public\nWATCHPOST_REGION=\n");
  const config = readConfig({
    WATCHPOST_FILE: file,
    WATCHPOST_DATA: "of the environment",
    WATCHPOST_EGRESS: "",
    HOME: "/root",
  });
  assert.deepEqual(
    [config.WATCHPOST_DATA, config.WATCHPOST_EGRESS],
    ["of the environment", "public"],
  );
});

test("a file that was named and cannot be read, or holds what is no setting, is refused", () => {
  const file = join(folder, "foreign.env");
  writeFileSync(file, "PATH=/bin\n");
  for (const [named, said] of [
    [
      join(folder, "missing.env"),
      /^WATCHPOST_FILE: cannot read ".*missing\.env": there is no such file/,
    ],
    [folder, /^WATCHPOST_FILE: cannot read ".*": it is a folder/],
    [file, /^PATH: unknown setting in ".*foreign\.env"$/],
  ] as const) {
    assert.match(problemsOf({ WATCHPOST_FILE: named }).join("\n"), said);
  }
});

const mail = { WATCHPOST_MAIL_FROM: "watch@example.com" };
const twilio = {
  WATCHPOST_TWILIO_ACCOUNT: `AC${"0123456789abcdef".repeat(2)}`,
  WATCHPOST_TWILIO_TOKEN: "s3cret",
  WATCHPOST_TWILIO_FROM: "+15550100",
};

const accepted: readonly (readonly [given: Given, kept: unknown])[] = [
  [{ WATCHPOST_LISTEN: "0.0.0.0:80" }, { host: "0.0.0.0", port: 80 }],
  [{ WATCHPOST_LISTEN: "[::1]:0" }, { host: "::1", port: 0 }],
  [{ WATCHPOST_LISTEN: "localhost:4848" }, { host: "localhost", port: 4848 }],
  [{ WATCHPOST_URL: "https://example.com" }, "https://example.com"],
  [{ WATCHPOST_URL: "https://Example.com:8443/watch/" }, "https://example.com:8443/watch"],
  [
    { WATCHPOST_TRUSTED_PROXIES: "10.0.0.0/8, ::1,2001:db8::/32" },
    ["10.0.0.0/8", "::1", "2001:db8::/32"],
  ],
  [{ WATCHPOST_OWNER_EMAIL: "root@localhost" }, "root@localhost"],
  [
    { WATCHPOST_CONNECTIVITY_PROBES: "192.0.2.1:443,[2001:db8::1]:53" },
    [
      { host: "192.0.2.1", port: 443 },
      { host: "2001:db8::1", port: 53 },
    ],
  ],
  [
    { WATCHPOST_LOCATIONS: "ny:nam, ld" },
    [
      { code: "ny", region: "nam" },
      { code: "ld", region: undefined },
    ],
  ],
  [{ WATCHPOST_MAIL_FROM: "Watch Post <watch@example.com>" }, "Watch Post <watch@example.com>"],
  [
    { WATCHPOST_MAIL_FROM_DOMAINS: "shop.example, müller.example" },
    ["shop.example", "müller.example"],
  ],
];

for (const [given, kept] of accepted) {
  test(`${JSON.stringify(given)} is taken`, () => {
    const config: Readonly<Record<string, unknown>> = read(given);
    assert.deepEqual(config[Object.keys(given)[0] ?? ""], kept);
  });
}

test("a mail server may come with TLS, credentials, a port and options, which no message shows", () => {
  for (const url of [
    "smtp://mail.example.com",
    "smtps://mail.example.com:465",
    "SMTP://user%40example.com:p%40ss@[::1]:2525/?requireTLS=true",
  ]) {
    const { WATCHPOST_SMTP_URL: kept } = read({ WATCHPOST_SMTP_URL: url, ...mail });
    assert.equal(kept?.reveal(), url);
    assert.equal(JSON.stringify(kept), '"[redacted]"');
  }
});

const refused: readonly (readonly [given: Given, said: string])[] = [
  ...[
    "4848",
    ":4848",
    "::1:4848",
    "fe80::1",
    "[::1:80",
    "127.0.0.1:70000",
    "http://127.0.0.1:80",
  ].map(
    (listen) =>
      [
        { WATCHPOST_LISTEN: listen },
        `WATCHPOST_LISTEN: must be an address and a port, such as 127.0.0.1:4848 or [::1]:4848, not "${listen}"`,
      ] as const,
  ),
  [
    { WATCHPOST_CONNECTIVITY_PROBES: "192.0.2.1:443,192.0.2.2" },
    'WATCHPOST_CONNECTIVITY_PROBES: must be an address and a port, such as 127.0.0.1:4848 or [::1]:4848, not "192.0.2.2"',
  ],
  ...[
    "example.com",
    "http:example.com",
    "ftp://example.com",
    "https://",
    "https://a b",
    "https://user:secret@example.com/",
    "https://example.com/?a=b",
    "https://example.com/#a",
  ].map(
    (url) =>
      [
        { WATCHPOST_URL: url },
        "WATCHPOST_URL: must be a URL that begins with http:// or https://, without credentials, query and fragment",
      ] as const,
  ),
  ...[
    "mail.example.com",
    "http://mail.example.com",
    "smtp:mail",
    "smtp://",
    "smtp://:25",
    "smtp://h:99999",
  ].map(
    (url) =>
      [
        { WATCHPOST_SMTP_URL: url, ...mail },
        "WATCHPOST_SMTP_URL: must be a URL that begins with smtp:// or smtps:// and names a host",
      ] as const,
  ),
  [{ WATCHPOST_SMTP_URL: "smtp://h" }, "WATCHPOST_MAIL_FROM: required with WATCHPOST_SMTP_URL"],
  ...["nobody", "Watch <nobody>", "a@b.example, c@d.example", "a@b.example\nBcc: c@d.example"].map(
    (from) => [{ WATCHPOST_MAIL_FROM: from }, "WATCHPOST_MAIL_FROM: must be one mailbox"] as const,
  ),
  ...[
    "a@shop.example",
    "@shop.example",
    "https://shop.example",
    "shop.example:25",
    "*.shop example",
  ].map(
    (domain) =>
      [
        { WATCHPOST_MAIL_FROM_DOMAINS: `example.com,${domain}` },
        "WATCHPOST_MAIL_FROM_DOMAINS: must be domains such as example.com, separated by commas",
      ] as const,
  ),
  [{ WATCHPOST_OWNER_EMAIL: "nobody" }, "WATCHPOST_OWNER_EMAIL: must be one mailbox"],
  ...["short", "a".repeat(31), `${"a".repeat(29)}-`].map(
    (token) =>
      [
        { WATCHPOST_PUSHOVER_TOKEN: token },
        "WATCHPOST_PUSHOVER_TOKEN: must be an application token of 30 letters and digits",
      ] as const,
  ),
  [
    { ...twilio, WATCHPOST_TWILIO_ACCOUNT: "AC12" },
    "WATCHPOST_TWILIO_ACCOUNT: must be AC and 32 hexadecimal digits",
  ],
  ...["020 7946 0000", "+44 20 7946 0000", "+0123456"].map(
    (from) =>
      [
        { ...twilio, WATCHPOST_TWILIO_FROM: from },
        "WATCHPOST_TWILIO_FROM: must be a number with its country code, such as +15550100",
      ] as const,
  ),
  [
    { WATCHPOST_MASTODON_URL: "https://mastodon.example" },
    "WATCHPOST_MASTODON_TOKEN: required with WATCHPOST_MASTODON_URL",
  ],
  [
    { WATCHPOST_MASTODON_TOKEN: "t" },
    "WATCHPOST_MASTODON_URL: required with WATCHPOST_MASTODON_TOKEN",
  ],
  [
    { WATCHPOST_WELCOME_TEXT: "Welcome, {name}!" },
    "WATCHPOST_WELCOME_TEXT: must contain {password}",
  ],
  [
    { WATCHPOST_WELCOME_TEXT: "{user}: {password}" },
    "WATCHPOST_WELCOME_TEXT: must use no other variables than {name}, {email}, {password}, {url}",
  ],
  ...["short", "with a space in between", "user:0123456789abcdef", "ümläut0123456789"].map(
    (token) =>
      [
        { WATCHPOST_TOKEN: token },
        "WATCHPOST_TOKEN: must be 16 or more characters without spaces and colons",
      ] as const,
  ),
  ...[
    "nonsense",
    "10.0.0.0/33",
    "10.0.0.0/0",
    "10.0.0/8",
    "::1/129",
    "10.0.0.0/8/8",
    "10.0.0.0/",
  ].map(
    (proxies) =>
      [
        { WATCHPOST_TRUSTED_PROXIES: `::1,${proxies}` },
        "WATCHPOST_TRUSTED_PROXIES: must be IP addresses and ranges",
      ] as const,
  ),
  [{ WATCHPOST_REGION: "wlw" }, "WATCHPOST_REGION: must be one of nam, lam, eur, eao"],
  [{ WATCHPOST_LOCATION: "New York" }, "WATCHPOST_LOCATION: must be 1 to 20 lower-case letters"],
  [{ WATCHPOST_LOCATION: "nam" }, "WATCHPOST_LOCATION: must be 1 to 20 lower-case letters"],
  ...["ny:mars", "ny:nam:x", "wlw:eur", ":eur"].map(
    (location) =>
      [
        { WATCHPOST_LOCATIONS: `ld,${location}` },
        `WATCHPOST_LOCATIONS: must be codes with regions, such as "ny:nam,ld:eur", not "${location}"`,
      ] as const,
  ),
  [{ WATCHPOST_LOCATIONS: "ny,ny:nam" }, "WATCHPOST_LOCATIONS: each location is given once"],
  [
    { WATCHPOST_LOCATIONS: "ny", WATCHPOST_REGION: "nam" },
    "WATCHPOST_LOCATIONS: give either this, or WATCHPOST_LOCATION with WATCHPOST_REGION",
  ],
  [{ WATCHPOST_EGRESS: "Public" }, 'WATCHPOST_EGRESS: must be "private" or "public"'],
  [{ WATCHPOST_COMPATIBILITY: "old" }, 'WATCHPOST_COMPATIBILITY: must be "standard" or "legacy"'],
  [{ WATCHPOST_ZEBRA: "1" }, "WATCHPOST_ZEBRA: unknown setting"],
  [
    { WATCHPOST_SMPT_URL: "1" },
    "WATCHPOST_SMPT_URL: unknown setting, did you mean WATCHPOST_SMTP_URL?",
  ],
];

for (const [given, said] of refused) {
  test(`${JSON.stringify(given)} is refused with one line`, () => {
    const problems = problemsOf(given);
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.equal(problems[0]?.slice(0, said.length), said);
  });
}

test("every wrong setting has its line", () => {
  const names = problemsOf({
    WATCHPOST_LISTEN: "x",
    WATCHPOST_URL: "x",
    WATCHPOST_EGRESS: "x",
    WATCHPOST_ZEBRA: "x",
  }).map((line) => line.split(":")[0]);
  assert.deepEqual(names, [
    "WATCHPOST_LISTEN",
    "WATCHPOST_URL",
    "WATCHPOST_EGRESS",
    "WATCHPOST_ZEBRA",
  ]);
});

test("proxies that were taken are understood where they are used", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
      fc.option(fc.integer({ min: -1, max: 200 })),
      (address, bits) => {
        const proxies = bits === null ? address : `${address}/${bits}`;
        if (problemsOf({ WATCHPOST_TRUSTED_PROXIES: proxies }).length > 0) return;
        fastify({
          trustProxy: [...read({ WATCHPOST_TRUSTED_PROXIES: proxies }).WATCHPOST_TRUSTED_PROXIES],
        });
      },
    ),
  );
});

test("no text at all breaks the reading of a setting", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(settings.shape)),
      fc.string({ unit: "binary" }),
      (name, text) => {
        problemsOf({ [name]: text });
      },
    ),
  );
});

test("a provider of OpenID Connect has an id and a secret for us, and TLS unless it is on this machine", () => {
  const client = { WATCHPOST_OIDC_CLIENT_ID: "watchpost", WATCHPOST_OIDC_CLIENT_SECRET: "secret" };
  for (const issuer of [
    "https://id.example.com/application/o/watchpost/",
    "http://localhost:8080/realms/x",
    "http://127.0.0.1:1",
    "http://[::1]:1",
  ])
    assert.equal(read({ ...client, WATCHPOST_OIDC_ISSUER: issuer }).WATCHPOST_OIDC_ISSUER, issuer);
  for (const issuer of [
    "http://id.example.com",
    "http://127.0.0.1.example.com",
    "http://10.0.0.1",
    "https://user:password@id.example.com",
    "https://id.example.com/?x",
    "id.example.com",
    "ftp://localhost",
  ])
    assert.match(
      problemsOf({ ...client, WATCHPOST_OIDC_ISSUER: issuer }).join("\n"),
      /^WATCHPOST_OIDC_ISSUER: must be the URL of the issuer[^\n]*$/,
      issuer,
    );
  assert.deepEqual(problemsOf({ WATCHPOST_OIDC_ISSUER: "https://id.example.com" }), [
    "WATCHPOST_OIDC_CLIENT_ID: required with WATCHPOST_OIDC_ISSUER",
    "WATCHPOST_OIDC_CLIENT_SECRET: required with WATCHPOST_OIDC_ISSUER",
  ]);
  for (const label of ["x".repeat(61), "a\nb", "\u202Ex"])
    assert.match(problemsOf({ WATCHPOST_OIDC_LABEL: label }).join(), /1 to 60 characters/);
});

test("what is refused is shown without its login, whatever the setting", () => {
  const wanted = Object.keys(settings.shape).filter((name) => name !== "WATCHPOST_FILE");
  assert.ok(wanted.length > 80, String(wanted.length));
  for (const scheme of ["https", "s3"])
    for (const name of wanted) {
      const said = problemsOf({ [name]: `${scheme}://ann:s3cr3t-l0gin@bucket.example/x y` }).join();
      assert.doesNotMatch(said, /s3cr3t/, name);
    }
});
