import assert from "node:assert/strict";
import { test } from "node:test";

import { outgoingOf } from "../../../test/contracts/channel.ts";
import { systemClock } from "../../kit/clock.ts";
import { createEgress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { headerOf, partOf, smtpPeer } from "../../../test/peers/smtp.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import type { AlertContext } from "../channel.ts";
import { createEmailChannel } from "../email.ts";
import { createMailer } from "./mailer.ts";
import { createSenders } from "./senders.ts";
import { createUnsubscribeLinks } from "./unsubscribe.ts";

const url = "https://watch.example.org/";

function alertOf(id: string, kind: "down" | "up" | "first" | "missed", label = id): AlertContext {
  const context = sampleAlertContext(kind, {}, { address: "ann@example.com" });
  const { alert } = context;
  const check = { ...alert.notice.check, label };
  return {
    ...context,
    alert: { ...alert, id, outage: `outage-${id}`, notice: { ...alert.notice, check } },
  };
}

/** The mail as it arrives. */
async function sent(head: AlertContext, ...rest: readonly AlertContext[]): Promise<string> {
  await using server = await smtpPeer();
  const senders = createSenders({ own: "Watchpost <watchpost@example.org>", domains: [] });
  const channel = createEmailChannel({
    mailer: createMailer({ url: new Secret(`${server.url}/`), senders }),
    unsubscribing: createUnsubscribeLinks({ sealer: createSealer(new Uint8Array(32)), url }),
  });
  const message = channel.renderDigest?.([head, ...rest], "bundle1");
  assert.ok(message !== undefined);
  await channel.send(outgoingOf(head, message), {
    signal: new AbortController().signal,
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    clock: systemClock,
    attempt: 1,
  });
  channel.close();
  return server.mails[0]?.raw ?? "";
}

function textOf(raw: string): string {
  return partOf(raw, "text/plain").replaceAll("\r\n", "\n");
}

test("a mail of several alerts has an id of its own, names each alert, and belongs to each of their outages", async () => {
  const raw = await sent(alertOf("one", "down"), alertOf("two", "up"), alertOf("three", "first"));
  assert.equal(headerOf(raw, "message-id"), "<bundle1@watch.example.org>");
  assert.equal(headerOf(raw, "x-watchpost-alerts"), "one, two, three");
  assert.equal(headerOf(raw, "in-reply-to"), undefined);
  assert.equal(
    headerOf(raw, "references"),
    "<outage-one.outage@watch.example.org> <outage-two.outage@watch.example.org> <outage-three.outage@watch.example.org>",
  );
  assert.match(headerOf(raw, "list-unsubscribe") ?? "", /^<https:\/\/watch\.example\.org\/unsub/);
  assert.equal(headerOf(raw, "auto-submitted"), "auto-generated");
  assert.equal(headerOf(raw, "subject"), "DOWN: one; First result down: three; UP: two");
});

test("both its bodies say first what became of which check, by host and reason, and each thing once", async () => {
  const at = (id: string, kind: "down" | "up", target: string): AlertContext => {
    const context = alertOf(id, kind);
    const { alert } = context;
    const check = { ...alert.notice.check, target };
    return { ...context, alert: { ...alert, notice: { ...alert.notice, check } } };
  };
  const raw = await sent(
    at("one", "up", "https://one.example.com/"),
    at("two", "down", "https://db.example.com/a"),
    at("other", "down", "https://other.example.com/"),
    at("three", "down", "https://db.example.com/b"),
  );
  const text = textOf(raw);
  const group = "2 checks of db.example.com: HTTP status returned: 503";
  assert.ok(
    text.startsWith(
      `3 checks are down, 1 check is up again.

DOWN:
${group}
- two: since 12:00:00; seen from fra 12:00:00, nyc 12:00:01; https://db.example.com/a
  https://watch.example.org/#202601051200ALICE-SHOP0001
- three: `,
    ),
    text,
  );
  assert.match(text, /\n\n- other: HTTP status returned: 503; since 12:00:00; seen from /);
  assert.match(text, /\n\nUP:\n- one: since 12:12:00, after 12 min; seen from /);
  assert.match(text, /\n\nTimes without a day are of 2026-01-05, GMT\.\n/);
  assert.match(text, /\n\nSend no more alerts to this address: https:\S+unsubscribe\S+\n*$/);
  const html = partOf(raw, "text/html");
  for (const part of [text, html]) {
    assert.equal(part.split(group).length, 2);
    assert.equal(part.match(/HTTP status returned: 503/g)?.length, part === text ? 2 : 3);
    assert.equal(part.match(/nyc 12:00:01/g)?.length, 3);
    assert.equal(part.match(/nyc 12:12:01/g)?.length, 1);
    assert.ok(part.includes(url));
  }
  assert.match(html, /▼ DOWN<\/h2>[^]*▲ UP<\/h2>/);
  assert.match(html, /Send no more alerts to this address/);
});

test("a digest of checks of one host has the subject of the one that says that they are up again", async () => {
  const subjects = await Promise.all(
    (["down", "up"] as const).map(async (kind) =>
      headerOf(await sent(alertOf("one", kind), alertOf("two", kind)), "subject"),
    ),
  );
  assert.deepEqual(subjects, [
    "[DOWN] 2 checks of shop.example.com",
    "[UP] 2 checks of shop.example.com",
  ]);
});

test("an account's own words stand in it for each alert", async () => {
  const branding = {
    downSubject: "{label} broke",
    downText: "Sorry & goodbye:\n{label} <{message}>",
  };
  const raw = await sent(
    { ...alertOf("one", "down"), branding },
    { ...alertOf("two", "up"), branding },
  );
  assert.match(textOf(raw), /\n- one broke: Sorry & goodbye:\none <HTTP[^]*\n- two: since/);
  assert.match(
    partOf(raw, "text/html"),
    /<a href="[^"]+#202601051200ALICE-SHOP0001"[^>]*>one broke<\/a><div[^>]*><p>Sorry &amp; goodbye:<br>one &lt;HTTP/,
  );
});

test("hundreds of alerts with hostile labels make a mail that is shown whole, whose lines are short and whose markup is ours", async () => {
  const label = `a\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>\u202E${"x".repeat(5000)}`;
  const [head, ...rest] = Array.from({ length: 500 }, (_, index) =>
    alertOf(`alert0000000000000${String(index).padStart(3, "0")}`, "down", label),
  );
  assert.ok(head !== undefined);
  const raw = await sent(head, ...rest);
  assert.ok(raw.split("\r\n").every((line) => line.length <= 998));
  assert.equal(headerOf(raw, "bcc"), undefined);
  assert.equal(headerOf(raw, "x-watchpost-alerts")?.split(", ").length, 500);
  assert.equal(headerOf(raw, "subject"), "[DOWN] 500 checks of shop.example.com");
  const html = partOf(raw, "text/html");
  assert.doesNotMatch(html, /<script/);
  assert.ok(Buffer.byteLength(html) < 102_000, `${html.length} bytes`);
  const named = html.match(/class="line"/g)?.length ?? 0;
  assert.ok(named > 100, String(named));
  for (const part of [html, textOf(raw)]) assert.ok(part.includes(`and ${500 - named} more`));
});

test("diagnostics that are finished are in the mail, by host and once, as text, and within its bounds", async () => {
  const found = (id: string, about: string, text: string): AlertContext => {
    const context = alertOf(id, "down");
    const { notice } = context.alert;
    const check = { ...notice.check, target: `https://${about}/${id}` };
    const findings = [{ tool: "page", about, text } as const];
    return {
      ...context,
      alert: { ...context.alert, notice: { ...notice, check } },
      diagnostics: { location: "fra", at: notice.since + 9000, findings },
      pageUrl: `${url}check?of=${id.replace(" ", "")}`,
    };
  };
  const raw = await sent(
    found("one", "db.example.com", "<script>alert(1)</script>"),
    found("two", "db.example.com", "<script>alert(1)</script>"),
    alertOf("three", "down"),
  );
  const html = partOf(raw, "text/html");
  assert.equal(html.match(/Fetch of db\.example\.com/g)?.length, 1);
  assert.equal(html.includes("<script>"), false);
  assert.match(html, /&lt;script&gt;alert\(1\)/);
  assert.match(
    textOf(raw),
    /\nDiagnostics:\n\n2 checks of db\.example\.com:\nLooked from fra at 12:00:09:\n- one\n .*\n- two\n .*\n\nFetch of db\.example\.com:\n> <script>/,
  );
  const long = Array.from({ length: 60 }, () => "<".repeat(300)).join("\n");
  const [first, ...others] = Array.from({ length: 100 }, (_, index) =>
    found(`check ${index}`, `host${index}.example.com`, long),
  );
  assert.ok(first !== undefined);
  const many = partOf(await sent(first, ...others), "text/html");
  assert.ok(Buffer.byteLength(many) < 102_000, `${Buffer.byteLength(many)} bytes`);
  assert.match(many, /and those of \d+ more/);
  for (let index = 0; index < 100; index += 1)
    assert.ok(many.includes(`<a href="${url}check?of=check${index}"`), `check ${index}`);
});

test("a line of a mail says why its Down is late, and from when to when an outage that was missed lasted", async () => {
  const late = alertOf("late", "down");
  const text = textOf(
    await sent(
      { ...late, alert: { ...late.alert, waitedFor: "check_muted" } },
      alertOf("gone", "missed"),
    ),
  );
  assert.match(text, /^1 check is down, 1 outage could not be alerted in time\.$/m);
  assert.match(
    text,
    /^- late: HTTP status returned: 503; since 12:00:00; the check was muted until now;/m,
  );
  assert.match(
    text,
    /^- gone: from 12:00:00 to 12:12:00; it was over before this could be delivered;/m,
  );
});
