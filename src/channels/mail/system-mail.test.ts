import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { Branding } from "../../domain/account/branding.ts";
import type {
  DiagnosticsMail,
  OutageReport,
  SystemMail,
  PasswordMail,
} from "../../domain/system-mail.ts";
import { DeliveryFailed } from "../../kit/errors.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { aWelcome, noon } from "../../../test/record-builders.ts";
import { createSystemMailSender, defaultWelcomeText } from "./system-mail.ts";
import type { Mail } from "./mailer.ts";
import { createSenders } from "./senders.ts";
import { confirmableMs, createConfirmLinks } from "./confirm.ts";
import { createUnsubscribeLinks } from "./unsubscribe.ts";
import { createPageLinks } from "../page-links.ts";

const url = "https://watch.example.org/base";
const sealer = createSealer(new Uint8Array(32));
const unsubscribing = createUnsubscribeLinks({ sealer, url });
const confirming = createConfirmLinks({ sealer, url });
const pageLinks = createPageLinks({ sealer, url, days: 30 });
const links = { unsubscribing, confirming, pageLinks };

async function sent(
  systemMail: SystemMail,
  welcomeText = defaultWelcomeText,
  branding?: Branding,
): Promise<Mail> {
  const mails: Mail[] = [];
  const mailer = {
    senders: createSenders({ own: "Watchpost <watchpost@example.org>", domains: [] }),
    async send(mail: Mail) {
      mails.push(mail);
      return "250 taken";
    },
    close() {},
  };
  await createSystemMailSender({ mailer, url, welcomeText, ...links }).send(
    systemMail,
    AbortSignal.abort(),
    branding,
  );
  const [mail] = mails;
  assert.ok(mail);
  return mail;
}

function mailOf(changes: Partial<PasswordMail>, welcomeText?: string): Promise<Mail> {
  const untried = aWelcome("ann", { name: "Ann", to: "ann@example.com", password: "open" });
  return sent({ ...untried, ...changes, attempts: 1 }, welcomeText);
}

test("a welcome says who can sign in where, and with what", async () => {
  const mail = await mailOf({});
  assert.equal(mail.to, "ann@example.com");
  assert.equal(mail.subject, "Your access to Watchpost (watch.example.org)");
  assert.equal(
    mail.text,
    `Hello Ann,

you have access to Watchpost, the uptime monitoring at https://watch.example.org/base

Sign in with: ann@example.com
Password: open

If you did not expect this, somebody took your address for theirs. You can ignore this mail.
`,
  );
});

test("a name that is shown as a link is not in a mail to somebody who may not expect it", async () => {
  const mail = await mailOf({ name: "Urgent: https://bank.example/login" });
  assert.match(mail.text, /^Hello ann@example\.com,\n/);
  assert.ok(!mail.text.includes("bank.example"));
});

test("a reset says that the old password is over, whatever a welcome is set to say", async () => {
  const mail = await mailOf({ kind: "reset" }, "Welcome: {password}");
  assert.equal(mail.subject, "Your new password for Watchpost (watch.example.org)");
  assert.match(mail.text, /^Hello Ann,\n/);
  assert.match(mail.text, /\nSign in with: ann@example\.com\nPassword: open\n/);
  assert.match(mail.text, /Your old password is no longer valid\./);
});

test("a welcome text is filled in at every variable, and braces around anything else stay", async () => {
  const { text, html } = await mailOf(
    {},
    "{name} {email} {password} {url}\n\n{ name } {} {other}\r\n{name}",
  );
  assert.equal(
    text,
    "Ann ann@example.com open https://watch.example.org/base\n\n{ name } {} {other}\r\nAnn",
  );
  assert.match(html ?? "", /base<\/p><p>\{ name \} \{\} \{other\}\s*<br>Ann<\/p>/);
});

test("a contact without a name is greeted by the address", async () => {
  assert.match((await mailOf({ name: " \u200B" })).text, /^Hello ann@example\.com,/);
});

test("every attempt carries one id and one date", async () => {
  const { headers, date } = await mailOf({});
  assert.equal(headers["Message-ID"], "<welcome-to-ann@watch.example.org>");
  assert.equal(headers["Auto-Submitted"], "auto-generated");
  assert.equal(date.getTime(), noon);
});

test("a name brings neither markup nor lines, and is no template", async () => {
  const ours = /<!doctype html>|<html[^>]*>|<body [^>]*>|<p>|<br>|<\/p>|<\/body>|<\/html>/g;
  const plain = await mailOf({ name: "plain" });
  const lines = plain.text.split("\n").length;
  const evil = fc.constantFrom(
    '<img src=x onerror="alert(1)">',
    "</p><script>",
    "&lt;b&gt;",
    "{password}",
    "{url}{email}",
    "Ann\r\nBcc: eve@example.com",
    "\u2028\u2029\n\n",
    "$&$1$`",
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(evil, fc.string({ unit: "binary" })), async (name) => {
      const { text, html = "", subject, headers } = await mailOf({ name });
      assert.doesNotMatch(html.replaceAll(ours, ""), /[<>"]/);
      assert.equal(html.match(ours)?.length, plain.html?.match(ours)?.length);
      assert.equal(text.split(/[\n\r\u2028\u2029]/).length, lines);
      assert.equal(text.split("open").length, 2);
      assert.deepEqual([subject, headers], [plain.subject, plain.headers]);
    }),
  );
});

test("a welcome is in the account's own words, and a reset in ours, both from its own sender", async () => {
  const branding = { from: "Shop", welcome: "Hi {name} {who}: {password}\n\n<b>{url}" };
  const systemMail = { ...aWelcome("ann", { name: "Ann", password: "{url}" }), attempts: 1 };
  const welcome = await sent(systemMail, "ours: {password}", branding);
  const [words, why] = welcome.text.split("\n\n--\n");
  assert.equal(words, `Hi Ann {who}: {url}\n\n<b>${url}`);
  assert.match(why ?? "", /^You get this mail because somebody entered your address/);
  assert.match(welcome.html ?? "", /<p>Hi Ann \{who\}: \{url\}<\/p><p>&lt;b&gt;https:/);
  assert.equal(welcome.subject, "Your access to Watchpost (watch.example.org)");
  const reset = await sent({ ...systemMail, kind: "reset" }, "ours: {password}", branding);
  assert.match(reset.text, /^Hello Ann,\n\na new password was made/);
  assert.deepEqual([welcome.from, reset.from], ["Shop", "Shop"]);
  const usual = await sent(systemMail, "ours: {password}", { downText: "down" });
  assert.deepEqual([usual.text, usual.from], ["ours: {url}", undefined]);
});

test("without a mail server a mail waits for one, and says which setting is missing", async () => {
  const sender = createSystemMailSender({
    mailer: undefined,
    url,
    welcomeText: defaultWelcomeText,
    ...links,
  });
  await assert.rejects(
    sender.send({ ...aWelcome("ann"), attempts: 1 }, AbortSignal.abort()),
    (error: unknown) =>
      error instanceof DeliveryFailed &&
      error.retryable &&
      error.message === "no mail server is set: WATCHPOST_SMTP_URL",
  );
});

const shop: OutageReport = {
  outage: "flip",
  checkId: "SHOP",
  label: "Shop\r\nBcc: eve@example.com",
  target: "https://shop.example.com/",
  downSince: noon - 5000,
  location: "fra",
  at: noon,
  findings: [
    { tool: "route", about: "192.0.2.1", text: "hop 1\nhop 2" },
    { tool: "page", about: "https://shop.example.com/", text: "<script>\u202E" },
  ],
};

const diagnosis: DiagnosticsMail = {
  id: "diagnosis",
  accountId: "alice",
  contactId: "ann",
  addressId: "mail",
  kind: "diagnosis",
  to: "ann@example.com",
  createdAt: noon,
  attempts: 1,
  follows: "bundle",
  timeZone: "+01:00",
  reports: [shop],
};

/** The headings of the boxes, with their text. */
function boxesIn({ html = "" }: Mail): readonly (readonly (string | undefined)[])[] {
  return [...html.matchAll(/<h2[^>]*>([^<]*)<\/h2><pre[^>]*>(.*?)<\/pre>/g)].map(
    ([, title, lines = ""]) => [
      title,
      lines
        .split(/<[^>]*>/)
        .filter((line) => line !== "")
        .join("\n"),
    ],
  );
}

test("diagnostics say what each tool found, in the thread of their outage, with a link to the check, whatever a stranger wrote", async () => {
  const mail = await sent(diagnosis);
  assert.equal(mail.subject, "[Diagnostics] Shop Bcc: eve@example.com");
  const [opened = ""] = /https:\S+\/check\S+/.exec(mail.text) ?? [];
  assert.equal(
    mail.text.replace(/https:\S+unsubscribe\S+/, "LINK").replace(opened, "PAGE"),
    `Diagnostics: Shop Bcc: eve@example.com

Looked from fra at 2026-01-05 13:00:00 GMT+1:

Route to 192.0.2.1:
> hop 1
> hop 2

Fetch of https://shop.example.com/:
> <script>

Open: PAGE

Send no more alerts to this address: LINK
`,
  );
  const { about } =
    (await pageLinks.verify(new URL(opened).searchParams, async () => diagnosis.to)) ?? {};
  assert.deepEqual(about, { checkId: "SHOP", at: noon - 5000 });
  assert.deepEqual(boxesIn(mail), [
    ["Route to 192.0.2.1", "hop 1\nhop 2"],
    ["Fetch of https://shop.example.com/", "&lt;script&gt;"],
  ]);
  assert.equal(mail.headers["In-Reply-To"], "<flip.outage@watch.example.org>");
  assert.equal(mail.headers["Message-ID"], "<diagnosis@watch.example.org>");
});

test("diagnostics of several checks are one mail in the thread of all, by host, each finding once and each check with its link", async () => {
  const reports = [
    shop,
    { ...shop, outage: "two", checkId: "CART", label: "Cart" },
    { ...shop, outage: "three", checkId: "MAIL", label: "Mail", target: "mail.example.com" },
  ];
  const mail = await sent({ ...diagnosis, reports });
  assert.equal(mail.subject, "[Diagnostics] 2 checks of shop.example.com, Mail");
  assert.equal(boxesIn(mail).length, 4);
  for (const body of [mail.text, (mail.html ?? "").replaceAll("&amp;", "&")])
    for (const { checkId } of reports)
      assert.match(body, new RegExp(`/check\\?\\S+check=${checkId}&\\S+proof=`));
  assert.deepEqual(mail.headers.References?.split(" ").length, 3);
});

test("diagnostics of very many checks are bounded, and say how many are missing", async () => {
  const text = Array.from({ length: 500 }, () => "&".repeat(500)).join("\n");
  const reports = Array.from({ length: 200 }, (_, index) => ({
    ...shop,
    outage: `outage ${index}`,
    label: `Check ${index}`,
    target: `host${index}.example.com`,
    findings: [{ tool: "page", about: `host${index}`, text } as const],
  }));
  const { html = "", text: plain } = await sent({ ...diagnosis, reports });
  assert.ok(Buffer.byteLength(html) < 102_000, `${Buffer.byteLength(html)} bytes`);
  const shown = html.match(/<h3/g)?.length ?? 0;
  assert.ok(shown > 0);
  for (const body of [html, plain]) assert.ok(body.includes(`and those of ${200 - shown} more`));
});

test("diagnostics can be stopped with one click as alerts can", async () => {
  const { headers, html = "" } = await sent(diagnosis);
  const [, link = ""] = /^<(\S+)>$/.exec(headers["List-Unsubscribe"] ?? "") ?? [];
  const { searchParams } = new URL(link);
  assert.deepEqual(await unsubscribing.verify(searchParams, async () => diagnosis.to), {
    accountId: "alice",
    contactId: "ann",
    addressId: "mail",
    mailbox: "ann@example.com",
  });
  assert.equal(headers["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
  assert.ok(html.includes(`<a href="${escapeHtml(link)}"`));

  const password = await mailOf({});
  assert.equal(password.headers["List-Unsubscribe"], undefined);
  assert.doesNotMatch(password.html ?? "", /unsubscribe/);
});

test("a request to confirm a mailbox says who asks, in no words of an account but its name", async () => {
  const branding = { from: "Win now <shop@watch.example.org>", welcome: "Win {password}" };
  const asked = (accountName: string): Promise<Mail> => {
    const { id, accountId, contactId, createdAt } = aWelcome("ann");
    const of = { id, accountId, contactId, createdAt, attempts: 1, addressId: "mail" };
    const mail = { ...of, kind: "confirmation", to: "ann@example.com", accountName } as const;
    return sent(mail, defaultWelcomeText, branding);
  };
  const { subject, text, html = "", headers, from } = await asked("Acme <b>Ltd</b>");
  assert.equal(subject, "Do you want alerts at this address? (watch.example.org)");
  assert.equal(from, undefined);
  assert.match(text, /alerts of the account "Acme <b>Ltd<\/b>" to be sent to ann@example\.com/);
  assert.match(html, /&quot;Acme &lt;b&gt;Ltd&lt;\/b&gt;&quot;/);
  const [link = ""] = /https:\S+\/confirm\?\S+/.exec(text) ?? [];
  const verified = await confirming.verify(
    new URL(link).searchParams,
    async () => "ann@example.com",
  );
  assert.equal(verified?.until, aWelcome("ann").createdAt + confirmableMs);
  assert.match(String(headers["List-Unsubscribe"]), /\/unsubscribe\?/);
  for (const name of ["win at evil.example/x", "https://evil.example", "x".repeat(400)]) {
    const { text: bounded } = await asked(name);
    assert.equal(bounded.includes("evil") || bounded.includes("x".repeat(60)), false, name);
    assert.equal(bounded.includes("Win"), false);
  }
});

test("a link for a forgotten password says who asks, and that nothing changes without it", async () => {
  const mailed = (accountName: string): Promise<Mail> => {
    const { id, accountId, contactId, createdAt } = aWelcome("ann");
    const of = { id, accountId, contactId, createdAt, attempts: 1, secret: "ABC-123" };
    return sent({ ...of, kind: "link", to: "ann@example.com", accountName }, defaultWelcomeText);
  };
  const { subject, text, html = "" } = await mailed("Acme <b>Ltd</b>");
  assert.equal(subject, "Choose a new password for Watchpost (watch.example.org)");
  assert.match(text, /for ann@example\.com, in the account "Acme <b>Ltd<\/b>"/);
  assert.match(text, /: https:\/\/watch\.example\.org\/base\/start\?link=ABC-123\n/);
  assert.match(text, /your password stays as it is/);
  assert.match(html, /href="https:\/\/watch\.example\.org\/base\/start\?link=ABC-123"/);
  assert.match(html, /&quot;Acme &lt;b&gt;Ltd&lt;\/b&gt;&quot;/);
  assert.ok(!(await mailed("win at evil.example/x")).text.includes("evil"));
});

test("a mail about a change of the sign-in says what, when and from where, and what to do", async () => {
  const mailed = (changes: { readonly client: string; readonly accountName: string }) => {
    const { id, accountId, contactId, createdAt } = aWelcome("ann");
    const of = { id, accountId, contactId, createdAt, attempts: 1, to: "ann@example.com" };
    const said = { kind: "access", change: "factor removed", timeZone: "Europe/Berlin" } as const;
    return sent({ ...of, ...said, ...changes }, defaultWelcomeText);
  };
  const { subject, text } = await mailed({ client: "192.0.2.7", accountName: "Acme" });
  assert.equal(subject, "A second factor was removed from your sign-in (watch.example.org)");
  assert.match(text, /Account: "Acme"\nTime: 20\d\d-.*Europe\/Berlin\nFrom: 192\.0\.2\.7\n/);
  assert.match(text, /choose a new password: https:\/\/watch\.example\.org\/base\/forgot/);
  const other = await mailed({ client: "", accountName: "win at evil.example/x" });
  assert.doesNotMatch(other.text, /evil|From:/);
});

test("an invitation names the account and who invites, and has a link in the place of a password", async () => {
  const mailed = (
    names: { readonly name?: string; readonly by?: string; readonly accountName?: string },
    ...words: readonly [welcomeText?: string, branding?: Branding]
  ): Promise<Mail> => {
    const { id, accountId, contactId, createdAt } = aWelcome("ann");
    const { name = "Ann", by = "Dana", accountName = "Shop" } = names;
    const of = { id, accountId, contactId, createdAt, attempts: 1, secret: "ABC-123" };
    const mail = { ...of, kind: "link", to: "ann@example.com", accountName } as const;
    return sent({ ...mail, invitation: { name, by } }, ...words);
  };
  const { subject, text, html = "" } = await mailed({});
  assert.equal(subject, "Your invitation to Watchpost (watch.example.org)");
  assert.equal(
    text,
    `Hello Ann,

Dana invited you to the account "Shop" of Watchpost, the uptime monitoring at https://watch.example.org/base.

Sign in with: ann@example.com
Choose a password: https://watch.example.org/base/start?link=ABC-123

The link lets you choose a password. It works once, for 7 days; after that, get another one at https://watch.example.org/base/forgot.
If you did not expect this, somebody took your address for theirs. You can ignore this mail.
`,
  );
  assert.match(html, /Dana invited you/);
  const evil = "win at evil.example/x";
  const strange = await mailed({ name: evil, by: evil, accountName: evil });
  assert.match(strange.text, /^Hello ann@example\.com,\n\nYou are invited to the account \w+ of/);
  assert.doesNotMatch(strange.text, /evil/);
  const welcome = "Hallo {name}, Passwort: {password}";
  for (const own of [await mailed({}, welcome), await mailed({}, undefined, { welcome })])
    assert.match(
      own.text,
      /^Hallo Ann, Passwort: https:\/\/watch\.example\.org\/base\/start\?link=ABC-123\n\n--\nDana invited you to the account "Shop"/,
    );
});
