import assert from "node:assert/strict";
import { test } from "node:test";

import type { AddressRefusal } from "../kit/errors.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { Secret } from "../kit/crypto/secret.ts";
import {
  channelContract,
  failureOf,
  sendBy,
  type ChannelHarness,
} from "../../test/contracts/channel.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { selfSigned } from "../../test/peers/certificates.ts";
import {
  headerOf,
  partOf,
  smtpPeer,
  type SmtpBehaviour,
  type SmtpPeer,
} from "../../test/peers/smtp.ts";
import { closedPort } from "../../test/peers/tcp.ts";
import { sampleNotice, sampleAlertContext } from "../../test/sample-alert.ts";
import { createEmailChannel } from "./email.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { createSenders } from "./mail/senders.ts";
import { createUnsubscribeLinks } from "./mail/unsubscribe.ts";

const ADDRESS = "alice@example.com";
const unsubscribing = createUnsubscribeLinks({
  sealer: createSealer(new Uint8Array(32)),
  url: "https://watch.example.org/",
});

function mailerAt(url: string): Mailer {
  return createMailer({
    url: new Secret(url),
    senders: createSenders({
      own: "Watchpost <watchpost@example.org>",
      domains: ["shop.example"],
    }),
  });
}

interface MailBench extends ChannelHarness {
  readonly server: SmtpPeer;
}

async function mailBench(manner: SmtpBehaviour = {}, options = ""): Promise<MailBench> {
  const server = await smtpPeer(manner);
  const channel = createEmailChannel({
    mailer: mailerAt(`${server.url}/${options}`),
    unsubscribing,
  });
  const manners: Readonly<Record<string, SmtpBehaviour>> = {
    take: {},
    refuse: { refuse: { rcpt: [550, "5.1.1 no such user here"] } },
    defer: { refuse: { rcpt: [450, "4.2.0 come back later"] } },
    hang: { hang: "data" },
    break: { drop: "data" },
  };
  let left = false;
  const leave = async (): Promise<void> => {
    channel.close();
    if (!left) await server[Symbol.asyncDispose]();
    left = true;
  };
  return {
    server,
    channel,
    address: ADDRESS,
    arrived: () =>
      [...server.mails, ...server.refusedMails].map(({ raw }) => ({
        id: headerOf(raw, "message-id") ?? "",
        words: [headerOf(raw, "subject"), partOf(raw, "text/plain"), partOf(raw, "text/html")].join(
          "\n",
        ),
      })),
    behave: (name) => server.behave(manners[name] ?? {}),
    async leave() {
      await server[Symbol.asyncDispose]();
      left = true;
    },
    [Symbol.asyncDispose]: leave,
  };
}

// guard: one mailbox = the address "alice@example.com, eve@example.com" is refused
channelContract("email", {
  harness: mailBench,
  goodAddresses: [
    ADDRESS,
    "a.b+c@mail.example.co.uk",
    "o'neil@example.com",
    "root@localhost",
    "jürgen@müller.example",
  ],
  badAddresses: [
    "",
    "alice",
    "alice@",
    "@example.com",
    "a@b@c",
    "a b@example.com",
    "alice@example.com, eve@example.com",
    "Alice <alice@example.com>",
    "alice@example.com\r\nBcc: eve@example.com",
    "alice@example.com\u0000",
    "alice@exam\u202Eple.com",
    ".alice@example.com",
    "alice@example..com",
    `${"a".repeat(65)}@example.com`,
    `alice@${"a".repeat(250)}.com`,
  ],
});

test("a mail says what is down, since when, what was seen, and from where it was confirmed", async () => {
  await using bench = await mailBench();
  await sendBy(bench, { ...sampleAlertContext("down"), timeZone: "+05:45" });
  const [mail] = bench.server.mails;
  assert.equal(headerOf(mail?.raw ?? "", "subject"), "[DOWN] Shop");
  for (const part of [
    partOf(mail?.raw ?? "", "text/plain"),
    partOf(mail?.raw ?? "", "text/html"),
  ]) {
    assert.match(part, /DOWN/);
    assert.match(part, /2026-01-05 17:45:00 GMT\+5:45/);
    assert.equal(part.match(/HTTP status returned: 503/g)?.length, part.startsWith("DOWN") ? 1 : 2);
    assert.match(part, /fra 17:45:00, nyc 17:45:01/);
    assert.match(part, /17:44:00 from fra: 200, 118 ms/);
    assert.match(part, /https:\/\/watch\.example\.org\//);
    assert.match(part, /https:\/\/shop\.example\.com\//);
  }
});

test("a mail of a failure shows what the target answered, and its certificate", async () => {
  await using bench = await mailBench();
  const { result } = sampleNotice("down");
  const day = 86_400_000;
  const seen = {
    ...result,
    evidence: `HTTP 503 Service Unavailable\r\nserver: <b>\u202Enginx\n\n${"sorry\n".repeat(40)}`,
    certificate: {
      subject: "shop.example.com",
      issuer: "An authority",
      validTo: result.startedAt + 12 * day + 1,
    },
  };
  await sendBy(bench, sampleAlertContext("down", { result: seen }));
  const raw = bench.server.mails[0]?.raw ?? "";
  const text = partOf(raw, "text/plain").replaceAll("\r\n", "\n");
  assert.match(
    text,
    /\nCertificate: +shop\.example\.com by An authority, ends 2026-01-17 \(12 days\)\n/,
  );
  assert.match(
    text,
    /\nIt answered:\n> HTTP 503 Service Unavailable\n> server: <b>nginx\n> \n(> sorry\n){27}> and 13 more lines\n/,
  );
  assert.match(partOf(raw, "text/html"), /server: &lt;b&gt;nginx/);
});

test("a mail of a recovery says how long the outage lasted", async () => {
  await using bench = await mailBench();
  await sendBy(bench, sampleAlertContext("up"));
  const [mail] = bench.server.mails;
  assert.equal(headerOf(mail?.raw ?? "", "subject"), "[UP after 12 min] Shop");
  assert.match(
    partOf(mail?.raw ?? "", "text/plain"),
    /^UP after 12 min: Shop\r\n\r\nWent down: +2026-01-05 12:00:00 GMT\r\nUp since: +12:12:00\r\nResult: +200\r\n/,
  );
});

/** Returns the part of a subject that mail programs compare (RFC 5256, 2.1). */
function baseSubject(subject: string): string {
  return subject.replace(/^(?:\[[^\]]*\]\s*|re:\s*|fwd?:\s*)+/i, "");
}

test("mails of one outage are one conversation, and no robot answers them", async () => {
  await using bench = await mailBench();
  await sendBy(bench, sampleAlertContext("down"));
  await sendBy(bench, sampleAlertContext("up"));
  const heads = bench.server.mails.map(({ raw }) =>
    ["message-id", "in-reply-to", "references", "auto-submitted", "x-auto-response-suppress"].map(
      (name) => headerOf(raw, name),
    ),
  );
  const thread = "<outage00000000000001.outage@watch.example.org>";
  assert.deepEqual(heads, [
    ["<alert0000000000000down0@watch.example.org>", undefined, thread, "auto-generated", "All"],
    ["<alert0000000000000up000@watch.example.org>", thread, thread, "auto-generated", "All"],
  ]);
  const subjects = bench.server.mails.map(({ raw }) => headerOf(raw, "subject") ?? "");
  assert.deepEqual(subjects, ["[DOWN] Shop", "[UP after 12 min] Shop"]);
  assert.deepEqual(subjects.map(baseSubject), ["Shop", "Shop"]);
});

test("a mail can be stopped with one click, by a link that the notifications do not show", async () => {
  await using bench = await mailBench();
  await sendBy(bench, sampleAlertContext("down"));
  const raw = bench.server.mails[0]?.raw ?? "";
  const [, link = ""] = /^<(\S+)>$/.exec(headerOf(raw, "list-unsubscribe") ?? "") ?? [];
  assert.match(link, /^https:\/\/watch\.example\.org\/unsubscribe\?/);
  assert.equal(headerOf(raw, "list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  const { alert, to } = sampleAlertContext("down");
  const { searchParams } = new URL(link);
  assert.deepEqual(await unsubscribing.verify(searchParams, async () => ADDRESS), {
    accountId: alert.accountId,
    contactId: alert.contactId,
    addressId: to.id,
    mailbox: ADDRESS,
  });
  assert.ok(partOf(raw, "text/html").includes(link.replaceAll("&", "&amp;")));
  assert.ok(
    partOf(raw, "text/plain").trimEnd().endsWith(`Send no more alerts to this address: ${link}`),
  );
  assert.doesNotMatch(bench.channel.render(sampleAlertContext("down")).body, /unsubscribe/);
});

// guard: HTML of strangers
// guard: invisible characters and directions
test("a label can add neither a header, a recipient nor markup", async () => {
  await using bench = await mailBench();
  const { check } = sampleNotice("down");
  const label = `Shop\r\nBcc: eve@example.com\r\n\r\n<img src=x onerror="alert('1')">&amp;\u202E\u200Bäöü`;
  await sendBy(
    bench,
    sampleAlertContext("down", { check: { ...check, label, target: "https://x/?a=<b>" } }),
  );
  const [mail] = bench.server.mails;
  assert.deepEqual(mail?.to, [ADDRESS]);
  assert.equal(headerOf(mail?.raw ?? "", "bcc"), undefined);
  assert.equal(
    headerOf(mail?.raw ?? "", "subject"),
    `[DOWN] Shop Bcc: eve@example.com <img src=x onerror="alert('1')">&amp;äöü`,
  );
  const html = partOf(mail?.raw ?? "", "text/html");
  assert.doesNotMatch(html, /<img|<b>/);
  assert.match(html, /&lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt;&amp;amp;äöü/);
});

interface Ending {
  readonly name: string;
  readonly manner: SmtpBehaviour;
  readonly message?: string;
  readonly retryable: boolean;
  readonly mayHaveArrived?: boolean;
  readonly address?: AddressRefusal;
}

const endings: readonly Ending[] = [
  {
    name: "refuses the recipient",
    manner: { refuse: { rcpt: [550, "5.1.1 no such user"] } },
    message: "550 5.1.1 no such user",
    retryable: false,
    address: "gone",
  },
  {
    name: "defers the recipient",
    manner: { refuse: { rcpt: [451, "4.7.1 greylisted"] } },
    message: "451 4.7.1 greylisted",
    retryable: true,
  },
  {
    name: "refuses the whole mail",
    manner: { refuse: { data: [554, "5.7.1 looks like spam"] } },
    message: "554 5.7.1 looks like spam",
    retryable: false,
  },
  {
    name: "defers the whole mail",
    manner: { refuse: { data: [452, "4.3.1 disk full"] } },
    message: "452 4.3.1 disk full",
    retryable: true,
  },
  {
    name: "closes with 421 after the mail",
    manner: { refuse: { data: [421, "4.3.2 shutting down"] } },
    message: "421 4.3.2 shutting down",
    retryable: true,
  },
  {
    name: "refuses our sender, which the operator can mend",
    manner: { refuse: { mail: [550, "5.7.1 who are you"] } },
    message: "550 5.7.1 who are you",
    retryable: true,
  },
  {
    name: "refuses us at the door",
    manner: { refuse: { connect: [554, "5.3.2 go away"] } },
    message: "554 5.3.2 go away",
    retryable: true,
  },
  {
    name: "finds the commands out of order",
    manner: { refuse: { rcpt: [503, "5.5.1 bad sequence"] } },
    message: "503 5.5.1 bad sequence",
    retryable: true,
  },
  { name: "breaks off at the recipient", manner: { drop: "rcpt" }, retryable: true },
  {
    name: "breaks off after the mail",
    manner: { drop: "data" },
    retryable: true,
    mayHaveArrived: true,
  },
  { name: "breaks off at the door", manner: { drop: "connect" }, retryable: true },
];

for (const { name, manner, message, retryable, mayHaveArrived = false, address } of endings) {
  test(`a mail server that ${name}: retryable ${retryable}, may have arrived ${mayHaveArrived}, address ${address}`, async () => {
    await using bench = await mailBench(manner);
    const failure = await failureOf(sendBy(bench, sampleAlertContext("down")));
    assert.deepEqual(
      {
        retryable: failure.retryable,
        mayHaveArrived: failure.mayHaveArrived,
        address: failure.address,
      },
      { retryable, mayHaveArrived, address },
    );
    if (message !== undefined) assert.equal(failure.message, message);
    assert.deepEqual(bench.server.mails, []);
  });
}

for (const [code, text, address] of [
  [550, "5.1.1 no such user", "gone"],
  [550, "5.1.10 null MX", "gone"],
  [551, "5.1.6 moved away", "gone"],
  [553, "5.1.3 bad address syntax", "gone"],
  [554, "5.1.2 bad host", "gone"],
  [550, "no such user here", "refused"],
  [550, "5.1.8 bad sender", "refused"],
  [550, "5.1.11 something new", "refused"],
  [550, "5.7.1 relay access denied", "refused"],
  [552, "5.2.2 mailbox full", "refused"],
] as const) {
  test(`a recipient that is refused with ${code} ${text} is ${address}`, async () => {
    await using bench = await mailBench({ refuse: { rcpt: [code, text] } });
    const failure = await failureOf(sendBy(bench, sampleAlertContext("down")));
    assert.deepEqual(
      [failure.message, failure.retryable, failure.address],
      [`${code} ${text}`, false, address],
    );
  });
}

for (const step of ["connect", "mail", "rcpt"] as const) {
  test(`a mail server that hangs at ${step} surely did not take the mail`, async () => {
    await using bench = await mailBench({ hang: step });
    const deadline = new AbortController();
    const failure = failureOf(
      sendBy(bench, sampleAlertContext("down"), { signal: deadline.signal }),
    );
    await waitFor(`the server is asked for ${step}`, () => bench.server.reached.includes(step));
    deadline.abort();
    assert.equal((await failure).mayHaveArrived, false);
    await waitFor("the connection is closed", () => bench.server.open() === 0);
  });
}

test("the refusal of an LMTP server after the mail is read", async () => {
  await using bench = await mailBench(
    { lmtp: true, refuse: { data: [550, "5.2.2 mailbox full"] } },
    "?lmtp=true",
  );
  const failure = await failureOf(sendBy(bench, sampleAlertContext("down")));
  assert.equal(failure.retryable, false);
  assert.match(failure.message, /^550 5\.2\.2 mailbox full/);
});

test("few connections carry many mails", async () => {
  await using bench = await mailBench();
  await Promise.all(Array.from({ length: 30 }, () => sendBy(bench, sampleAlertContext("down"))));
  assert.equal(bench.server.mails.length, 30);
  assert.ok(bench.server.connections() <= 4, `${bench.server.connections()} connections`);
});

test("a kept connection that the server dropped meanwhile costs no mail", async () => {
  await using bench = await mailBench();
  await sendBy(bench, sampleAlertContext("down"));
  bench.server.hangUp();
  await sendBy(bench, sampleAlertContext("up"));
  assert.equal(bench.server.mails.length, 2);
});

test("smtp:// takes STARTTLS where it is offered, and does not trust a certificate unasked", async () => {
  const certificate = selfSigned();
  await using trusting = await mailBench({ certificate }, "?tls.rejectUnauthorized=false");
  await sendBy(trusting, sampleAlertContext("down"));
  assert.equal(trusting.server.mails[0]?.encrypted, true);
  await using strict = await mailBench({ certificate });
  const failure = await failureOf(sendBy(strict, sampleAlertContext("down")));
  assert.deepEqual(
    { retryable: failure.retryable, mayHaveArrived: failure.mayHaveArrived },
    { retryable: true, mayHaveArrived: false },
  );
  assert.deepEqual(strict.server.mails, []);
});

test("requireTLS sends nothing to a server that has no STARTTLS", async () => {
  await using bench = await mailBench({}, "?requireTLS=true");
  const failure = await failureOf(sendBy(bench, sampleAlertContext("down")));
  assert.equal(failure.retryable, true);
  assert.equal(bench.server.reached.includes("mail"), false);
});

test("smtps:// speaks TLS from the first byte", async () => {
  await using bench = await mailBench(
    { certificate: selfSigned(), secure: true },
    "?tls.rejectUnauthorized=false",
  );
  await sendBy(bench, sampleAlertContext("down"));
  assert.equal(bench.server.mails[0]?.encrypted, true);
});

test("the settings' user signs in, and a refused password is never shown", async () => {
  await using server = await smtpPeer({});
  const channel = createEmailChannel({
    unsubscribing,
    mailer: mailerAt(server.url.replace("//", "//bob:s%40cret@")),
  });
  await sendBy({ channel, address: ADDRESS }, sampleAlertContext("down"));
  assert.equal(server.mails[0]?.user, "bob");
  channel.close();

  await using strict = await smtpPeer({ refuse: { auth: [535, "5.7.8 wrong password"] } });
  const refused = createEmailChannel({
    unsubscribing,
    mailer: mailerAt(strict.url.replace("//", "//bob:s%40cret@")),
  });
  const failure = await failureOf(
    sendBy({ channel: refused, address: ADDRESS }, sampleAlertContext("down")),
  );
  assert.deepEqual([failure.message, failure.retryable], ["535 5.7.8 wrong password", true]);
  refused.close();
});

test("without a mail server a mail fails for good, and says which setting is missing", async () => {
  const channel = createEmailChannel({ mailer: undefined, unsubscribing });
  const failure = await failureOf(
    sendBy({ channel, address: ADDRESS }, sampleAlertContext("down")),
  );
  assert.deepEqual(
    [failure.message, failure.retryable],
    ["no mail server is set: WATCHPOST_SMTP_URL", false],
  );
  channel.close();
});

test("a mail server that is not there is distinguished from one that may have the mail", async () => {
  const channel = createEmailChannel({
    unsubscribing,
    mailer: mailerAt(`smtp://127.0.0.1:${await closedPort()}`),
  });
  const failure = await failureOf(
    sendBy({ channel, address: ADDRESS }, sampleAlertContext("down")),
  );
  assert.match(failure.message, /ECONNREFUSED/);
  assert.equal(failure.mayHaveArrived, false);
  channel.close();
});
