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

function alertOf(id: string, kind: "down" | "up" | "first", label = id): AlertContext {
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
  for (const name of ["references", "in-reply-to"])
    assert.equal(
      headerOf(raw, name),
      "<outage-one.outage@watch.example.org> <outage-two.outage@watch.example.org> <outage-three.outage@watch.example.org>",
    );
  assert.match(headerOf(raw, "list-unsubscribe") ?? "", /^<https:\/\/watch\.example\.org\/unsub/);
  assert.equal(headerOf(raw, "auto-submitted"), "auto-generated");
  assert.equal(headerOf(raw, "subject"), "DOWN: one; First result down: three; UP: two");
});

test("both its bodies say first what became of which check, and then what is to be said of each", async () => {
  const raw = await sent(alertOf("one", "up"), alertOf("two", "down"), alertOf("three", "down"));
  const text = textOf(raw);
  assert.match(
    text,
    /^2 checks are down, 1 check is up again\.\n\n- DOWN: two\n- DOWN: three\n- UP: one after 12 min\n/,
  );
  const html = partOf(raw, "text/html");
  assert.match(html, /<li>DOWN: two<\/li><li>DOWN: three<\/li><li>UP: one after 12 min<\/li>/);
  for (const part of [text, html]) {
    assert.equal(part.match(/503: HTTP status returned: 503/g)?.length, 2);
    assert.equal(part.match(/12:00:01 GMT nyc: failed/g)?.length, 2);
    assert.equal(part.match(/12:12:01 GMT nyc: passed/g)?.length, 1);
    assert.ok(part.includes(url));
  }
  assert.match(html, /Send no more alerts to this address/);
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
  assert.match(textOf(raw), /- one broke\n- UP: two[^]*Sorry & goodbye:\none <HTTP/);
  assert.match(
    partOf(raw, "text/html"),
    /<h3><a href="[^"]+#202601051200ALICE-SHOP0001">one broke<\/a><\/h3><p>Sorry &amp; goodbye:<br>one &lt;HTTP/,
  );
});

test("a hundred alerts with hostile labels make a mail whose lines are short and whose markup is ours", async () => {
  const label = `a\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>\u202E${"x".repeat(5000)}`;
  const [head, ...rest] = Array.from({ length: 100 }, (_, index) =>
    alertOf(`alert0000000000000${String(index).padStart(3, "0")}`, "down", label),
  );
  assert.ok(head !== undefined);
  const raw = await sent(head, ...rest);
  assert.ok(raw.split("\r\n").every((line) => line.length <= 998));
  assert.equal(headerOf(raw, "bcc"), undefined);
  assert.equal(headerOf(raw, "x-watchpost-alerts")?.split(", ").length, 100);
  assert.match(headerOf(raw, "subject") ?? "", /^DOWN: a Bcc: .* and 99 more$/);
  assert.doesNotMatch(partOf(raw, "text/html"), /<script/);
  assert.ok(raw.length < 500_000, `${raw.length} bytes`);
});
