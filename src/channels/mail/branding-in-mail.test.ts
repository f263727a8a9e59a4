import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { Branding } from "../../domain/account/branding.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { sendBy } from "../../../test/contracts/channel.ts";
import {
  headerOf,
  partOf,
  smtpPeer,
  type ReceivedMail,
  type SmtpPeer,
} from "../../../test/peers/smtp.ts";
import { sampleNotice, sampleAlertContext } from "../../../test/sample-alert.ts";
import type { Channel, AlertContext } from "../channel.ts";
import { createEmailChannel } from "../email.ts";
import { createMailer } from "./mailer.ts";
import { createSenders } from "./senders.ts";
import { createUnsubscribeLinks } from "./unsubscribe.ts";

const ADDRESS = "alice@example.com";

interface Bench extends AsyncDisposable {
  readonly server: SmtpPeer;
  readonly channel: Channel;
  /** Returns the mail that the server received for an alert of an account with that branding. */
  readonly mailOf: (branding: Branding, context?: AlertContext) => Promise<ReceivedMail>;
}

async function bench(
  own = "Watchpost <watchpost@example.org>",
  domains: readonly string[] = ["shop.example"],
): Promise<Bench> {
  const server = await smtpPeer();
  const channel = createEmailChannel({
    mailer: createMailer({
      url: new Secret(server.url),
      senders: createSenders({ own, domains }),
    }),
    unsubscribing: createUnsubscribeLinks({
      sealer: createSealer(new Uint8Array(32)),
      url: "https://watch.example.org/",
    }),
  });
  return {
    server,
    channel,
    async mailOf(branding, context = sampleAlertContext("down")) {
      await sendBy({ channel, address: ADDRESS }, { ...context, branding });
      const mail = server.mails.at(-1);
      assert.ok(mail);
      return mail;
    },
    async [Symbol.asyncDispose]() {
      channel.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function labelled(label: string): AlertContext {
  return sampleAlertContext("down", { check: { ...sampleNotice("down").check, label } });
}

/** The text of a mail without the line that stops further ones. */
function ownTextIn(raw: string): string {
  const text = partOf(raw, "text/plain").replaceAll("\r\n", "\n");
  const [own = "", rest = ""] = text.split("\n\nSend no more alerts to this address: ");
  assert.match(rest, /^https:\/\/watch\.example\.org\/unsubscribe\?\S+\n*$/);
  return own;
}

/** The names of the headers, one for each line that is not folded. */
function headersOf({ raw }: ReceivedMail): readonly string[] {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replaceAll(/\r\n[ \t]/g, " ");
  return head.split("\r\n").map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
}

const words: Branding = {
  from: "Shop, Alerts <alerts@shop.example>",
  downSubject: "[shop] {label} ist {event}",
  downText: "{label} is gone since {checktime}:\n{m}\n\nSorry <b>& co</b>\n",
};

test("a mail in the account's own words has its sender, its subject and its text, and what else mails have", async () => {
  await using shop = await bench();
  const mail = await shop.mailOf(words);
  assert.equal(headerOf(mail.raw, "from"), '"Shop, Alerts" <alerts@shop.example>');
  assert.equal(headerOf(mail.raw, "sender"), "watchpost@example.org");
  assert.equal(mail.from, "watchpost@example.org");
  assert.deepEqual(mail.to, [ADDRESS]);
  assert.equal(headerOf(mail.raw, "subject"), "[shop] Shop ist down");
  assert.equal(
    ownTextIn(mail.raw),
    "Shop is gone since 2026-01-05 12:00:01 GMT:\nHTTP status returned: 503\n\nSorry <b>& co</b>",
  );
  assert.match(
    partOf(mail.raw, "text/html"),
    /<p>Shop is gone since 2026-01-05 12:00:01 GMT:<br>HTTP status returned: 503<\/p><p>Sorry &lt;b&gt;&amp; co&lt;\/b&gt;<\/p><p><small><a href="https:\/\/watch\.example\.org\/unsubscribe\?/,
  );
  const usual = await shop.mailOf({});
  for (const name of ["message-id", "in-reply-to", "list-unsubscribe", "list-unsubscribe-post"])
    assert.equal(headerOf(mail.raw, name), headerOf(usual.raw, name), name);
});

test("kinds without words of their own keep the usual ones, and a subject goes without a text", async () => {
  await using shop = await bench();
  const { raw } = await shop.mailOf({ upSubject: "{label} {downtime}" }, sampleAlertContext("up"));
  assert.equal(headerOf(raw, "subject"), "Shop 12");
  assert.match(partOf(raw, "text/plain"), /^UP after 12 min: Shop/);
  assert.match(partOf(raw, "text/html"), /UP after 12 min<\/div><h1[^>]*>Shop<\/h1>/);
  const other = await shop.mailOf({ upSubject: "{label}" });
  assert.equal(headerOf(other.raw, "subject"), "[DOWN] Shop");
});

for (const { name, from, own, domains, shown, sender } of [
  { name: "nobody", from: undefined, shown: "Watchpost <watchpost@example.org>" },
  { name: "a name", from: "Shop", shown: "Shop <watchpost@example.org>" },
  { name: "a name in other letters", from: "Späti 🙂", shown: "Späti 🙂 <watchpost@example.org>" },
  {
    name: "a mailbox of the same domain",
    from: "Shop <shop@example.org>",
    shown: "Shop <shop@example.org>",
    sender: "watchpost@example.org",
  },
  {
    name: "a mailbox alone",
    from: "alerts@shop.example",
    shown: "alerts@shop.example",
    sender: "watchpost@example.org",
  },
  {
    name: "the operator's own mailbox",
    from: "Shop <watchpost@example.org>",
    shown: "Shop <watchpost@example.org>",
  },
  {
    name: "a mailbox that is not allowed any more",
    from: "Shop <alerts@shop.example>",
    domains: [],
    shown: "Shop <watchpost@example.org>",
  },
  {
    name: "nobody, and the operator's own name is quoted",
    from: undefined,
    own: String.raw`"Watch, \"post\"" <watchpost@example.org>`,
    shown: String.raw`"Watch, \"post\"" <watchpost@example.org>`,
  },
  {
    name: "nobody, and the operator has no name",
    from: undefined,
    own: "w@example.org",
    shown: "w@example.org",
  },
])
  test(`a mail whose account wants as its sender ${name} is from ${shown}`, async () => {
    await using shop = await bench(own, domains);
    const { raw, from: envelope } = await shop.mailOf(from === undefined ? {} : { from });
    assert.equal(headerOf(raw, "from"), shown);
    assert.equal(headerOf(raw, "sender"), sender);
    assert.equal(envelope, (own ?? "watchpost@example.org").match(/[\w.]+@[\w.]+/)?.[0]);
  });

test("the sender in the notifications is the one that was sent", async () => {
  await using shop = await bench();
  const from = (wanted: string): string | undefined =>
    shop.channel.render({ ...sampleAlertContext("down"), branding: { from: wanted } }).from;
  assert.equal(from("Shop"), "Shop <watchpost@example.org>");
  assert.equal(from("Shop <alerts@shop.example>"), "Shop <alerts@shop.example>");
  assert.equal(from("Shop <alerts@bank.example>"), "Shop <watchpost@example.org>");
  assert.equal("from" in shop.channel.render(sampleAlertContext("down")), false);
});

test("words that cannot be filled in do not keep an alert from going out in the usual ones", async () => {
  await using shop = await bench();
  const { raw } = await shop.mailOf({ downSubject: "{if label}", downText: "{if nothing}a{/if}" });
  assert.equal(headerOf(raw, "subject"), "[DOWN] Shop");
  assert.match(partOf(raw, "text/plain"), /^DOWN: Shop\r\n/);
});

test("a long line, and any letters, come as they were written", async () => {
  await using shop = await bench();
  const downText = `${"ä🙂".repeat(3000)}\n.\n${"x".repeat(3000)} {label}`;
  const { raw } = await shop.mailOf({ downText });
  assert.equal(ownTextIn(raw), downText.replace("{label}", "Shop"));
  assert.ok(raw.split("\r\n").every((line) => Buffer.byteLength(line) <= 998));
});

// guard: encoded words in subjects
test("no label breaks a header of a mail in own words, adds a line to it, or is markup", async () => {
  await using shop = await bench();
  const usual = headersOf(await shop.mailOf(words));
  const evil = fc.constantFrom(
    "Shop\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>",
    "Shop\nState: all is well",
    "\u202Egnp.exe\u200B\u0000\u2028",
    '<img src=x onerror="alert(1)">',
    "=?utf-8?B?QmNjOiBldmVAZXhhbXBsZS5jb20=?=",
    "=?utf-8?Q?=0D=0ABcc:_eve@example.com?=",
    "{m}{if label}",
    "x".repeat(10_240),
    "ä🙂".repeat(2000),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(evil, fc.string({ unit: "binary" })), async (label) => {
      const mail = await shop.mailOf(words, labelled(label));
      assert.deepEqual(headersOf(mail), usual);
      assert.deepEqual(mail.to, [ADDRESS]);
      const subject = headerOf(mail.raw, "subject") ?? "";
      assert.match(subject, /^\[shop\] .* ?ist down$/u);
      assert.doesNotMatch(subject, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      assert.equal(
        ownTextIn(mail.raw)
          .trimEnd()
          .split(/[\n\r\u0085\u2028\u2029]/).length,
        4,
      );
      assert.doesNotMatch(partOf(mail.raw, "text/html"), /<(?:img|script)/);
    }),
    { numRuns: 60 },
  );
});

test("diagnostics that are finished stand after the account's own words, as text", async () => {
  await using shop = await bench();
  const findings = [{ tool: "page", about: "shop.example.com", text: "<b>  x" }] as const;
  const context = {
    ...sampleAlertContext("down"),
    diagnostics: { location: "fra", at: 0, findings },
  };
  const { raw } = await shop.mailOf(words, context);
  assert.match(
    ownTextIn(raw),
    /Sorry <b>& co<\/b>\n+Diagnostics:\n\nLooked from fra at .*:\n\nFetch of shop\.example\.com:\n> <b> {2}x$/,
  );
  assert.match(partOf(raw, "text/html"), /Fetch of shop\.example\.com:<br>&gt; &lt;b&gt; {2}x/);
});
