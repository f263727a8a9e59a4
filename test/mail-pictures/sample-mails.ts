import type { AlertContext, AlertContexts, Channel } from "../../src/channels/channel.ts";
import { createEmailChannel } from "../../src/channels/email.ts";
import { createPageLinks } from "../../src/channels/page-links.ts";
import { createSystemMailSender } from "../../src/channels/mail/system-mail.ts";
import { createUnsubscribeLinks } from "../../src/channels/mail/unsubscribe.ts";
import { createConfirmLinks } from "../../src/channels/mail/confirm.ts";
import type { Alert, AlertKind, Notice } from "../../src/domain/alert/alert.ts";
import type { DiagnosticsFinding } from "../../src/domain/diagnostics.ts";
import { hostOfTarget } from "../../src/domain/target.ts";
import type { Reason } from "../../src/domain/run/outcome.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { sampleAcknowledgeLinks, sampleAlertContext, sampleNotice } from "../sample-alert.ts";

/** A mail as it is sent, and what a glance at it must show. */
export interface SampleMail {
  readonly name: string;
  readonly html: string;
  /** In the words of its head. */
  readonly state: RegExp;
  readonly color: "red" | "green" | "neutral";
  /** The one button. */
  readonly button: string;
}

const url = "https://watch.example.org/";
const timeZone = "Europe/Berlin";
const links = { sealer: createSealer(new Uint8Array(32)), url };
const pageLinks = createPageLinks({ ...links, days: 30 });
const unsubscribing = createUnsubscribeLinks(links);
const address = "ann@example.com";
const minute = 60_000;
const day = 24 * 60 * minute;
/** Noon in Berlin. */
const wentDown = Date.UTC(2026, 0, 5, 11, 42, 7);

function aMail(kind: AlertKind, changes: Partial<Notice>, of: Partial<Alert> = {}): AlertContext {
  const context = sampleAlertContext(kind, changes, { address });
  const alert = { ...context.alert, ...of, checkId: context.alert.notice.check.id };
  const acknowledgeUrl =
    kind === "up" ? undefined : sampleAcknowledgeLinks.linkOf(alert, context.to);
  return {
    ...context,
    alert,
    timeZone,
    url,
    pageUrl: pageLinks.linkOf(alert, context.to),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
  };
}

const message = "HTTP status returned: 503";
const shopDown = sampleNotice("down", {
  account: { id: "202601051200ALICE", name: "Alice's shops" },
  check: {
    id: "202601051200ALICE-SHOP0001",
    label: "Shop, check-out",
    type: "HTTPCONTENT",
    target: "https://shop.example.com/basket/check-out",
    intervalMinutes: 1,
    description: "Run by the platform team, +49 30 5550100",
  },
  since: wentDown,
  result: {
    ...sampleNotice("down").result,
    message,
    startedAt: wentDown + 2000,
    evidence: `HTTP/1.1 503 Service Unavailable
server: nginx
retry-after: 120
content-type: application/json

{"error":"no healthy upstream","pool":"checkout-blue","request":"6c1f0d7e2b9a4f55a1c3"}`,
  },
  confirmations: [
    { at: wentDown, location: "fra", passed: false, message },
    { at: wentDown + 900, location: "ams", passed: false, message },
    { at: wentDown + 2000, location: "nyc", passed: false, message },
    { at: wentDown + 1400, location: "sgp", passed: false, message: "timeout after 5 s" },
  ],
  lastPassed: { startedAt: wentDown - minute, location: "fra", text: "200", runtimeMs: 184 },
});

const shopUp = sampleNotice("up", {
  account: shopDown.account,
  check: shopDown.check,
  since: wentDown + 12 * minute,
  downForMs: 12 * minute,
  confirmations: ["fra", "ams", "nyc"].map((location, index) => ({
    at: wentDown + 12 * minute + index * 900,
    location,
    passed: true,
    message: "Success",
  })),
});

const certificateDown = sampleNotice("down", {
  account: shopDown.account,
  check: {
    ...shopDown.check,
    id: "202601051200ALICE-CERT0001",
    label: "Certificate of the shop",
    type: "SSL",
    target: "shop.example.com:443",
    intervalMinutes: 60,
  },
  since: wentDown,
  result: {
    ...sampleNotice("down").result,
    startedAt: wentDown,
    reason: "certificate",
    text: "6 days",
    message: "the certificate expires in 6 days, which is less than 14",
    certificate: {
      subject: "CN=shop.example.com",
      issuer: "CN=R12, O=Let's Encrypt",
      validTo: wentDown + 6 * day + minute,
    },
  },
  confirmations: ["fra", "ams"].map((location) => ({
    at: wentDown,
    location,
    passed: false,
    message: "the certificate expires in 6 days, which is less than 14",
  })),
  lastPassed: undefined,
});

/** The alerts of a digest, each of a check. */
const several = [
  ["PostgreSQL, primary", "db1.example.net:5432", "refused", "connection refused"],
  ["PostgreSQL, replica", "db1.example.net:5433", "refused", "connection refused"],
  ["PgBouncer", "db1.example.net:6432", "refused", "connection refused"],
  ["Shop, check-out", "https://shop.example.com/basket/check-out", "status", message],
  [
    "Shop, search with a name that is as long as people make them",
    "https://shop.example.com/search/results/of/a/path/that/is/long",
    "status",
    message,
  ],
  ["Mail", "mail.example.com:25", "timeout", "no answer within 10 s"],
] as const satisfies readonly (readonly [string, string, Reason, string])[];

function digestOf(diagnosed: boolean): AlertContexts {
  const [first, ...others] = several.map(([label, target, reason, found], index) => {
    const since = wentDown + index * 7000;
    const isHttp = target.startsWith("http");
    const notice: Partial<Notice> = {
      account: shopDown.account,
      check: { ...shopDown.check, id: `202601051200ALICE-MANY000${index}`, label, target },
      since,
      result: {
        ...shopDown.result,
        reason,
        text: isHttp ? "503" : found,
        message: found,
        evidence: isHttp ? shopDown.result.evidence : undefined,
      },
      confirmations: ["fra", "ams"].map((location, run) => ({
        at: since + run * 900,
        location,
        passed: false,
        message: found,
      })),
    };
    const context = aMail("down", notice, { id: `alert${index}`, outage: `outage${index}` });
    const diagnostics = { location: "fra", at: since + 9000, findings: findingsOf(target) };
    return diagnosed ? { ...context, diagnostics } : context;
  });
  if (first === undefined) throw new Error("a digest is about several checks");
  return [first, ...others];
}

function findingsOf(target: string): readonly DiagnosticsFinding[] {
  const host = hostOfTarget(target);
  const ip = `203.0.113.${host.length}`;
  return [
    { tool: "lookup", about: host, text: `A ${host}: ${ip}, TTL 300\nAAAA ${host}: none` },
    {
      tool: "route",
      about: ip,
      text: `hop  address          loss   last    avg  worst
  1  198.51.100.1      0%    0.4    0.5    1.1
  2  198.51.100.77     0%    1.2    1.3    2.0
  3  192.0.2.9         0%    8.9    9.2   11.4
  4  no answer       100%      -      -      -`,
    },
    {
      tool: "ping",
      about: host,
      text: "1: no answer within 1 s\n2: no answer within 1 s\n3: no answer within 1 s",
    },
  ];
}

/** Returns one mail of each kind, of realistic length. */
export async function sampleMails(): Promise<readonly SampleMail[]> {
  const channel = createEmailChannel({ mailer: undefined, unsubscribing });
  const down = { state: /^▼ DOWN$/, color: "red" } as const;
  const one = { button: "Open the check" };
  const many = { button: "Open the dashboard" };
  const reminder = aMail("reminder", shopDown, { number: 1, dueAt: wentDown + 30 * minute });
  return [
    { name: "down", html: alone(channel, aMail("down", shopDown)), ...down, ...one },
    {
      name: "up",
      html: alone(channel, aMail("up", shopUp)),
      state: /^▲ UP after 12 min$/,
      color: "green",
      ...one,
    },
    {
      name: "reminder",
      html: alone(channel, reminder),
      state: /^▼ STILL DOWN for 30 min$/,
      color: "red",
      ...one,
    },
    { name: "certificate", html: alone(channel, aMail("down", certificateDown)), ...down, ...one },
    { name: "digest", html: settleAll(channel, digestOf(false)), ...down, ...many },
    { name: "digest-with-diagnostics", html: settleAll(channel, digestOf(true)), ...down, ...many },
    {
      name: "diagnostics",
      html: await diagnosticsAfter(digestOf(true)),
      state: /^● Diagnostics$/,
      color: "neutral",
      ...many,
    },
  ];
}

function alone(channel: Channel, context: AlertContext): string {
  return channel.render(context).html ?? "";
}

function settleAll(channel: Channel, contexts: AlertContexts): string {
  return channel.renderDigest?.(contexts, "bundle")?.html ?? "";
}

/** The mail that follows where the diagnostics are finished after the alerts were sent. */
async function diagnosticsAfter(contexts: AlertContexts): Promise<string> {
  const bodies: string[] = [];
  const sender = createSystemMailSender({
    mailer: {
      senders: { defaultSender: "", resolve: () => "" },
      async send({ html = "" }) {
        bodies.push(html);
        return "250 taken";
      },
      close() {},
    },
    url,
    welcomeText: "",
    unsubscribing,
    confirming: createConfirmLinks(links),
    pageLinks,
  });
  const [{ alert }] = contexts;
  await sender.send(
    {
      id: "mail",
      kind: "diagnosis",
      attempts: 1,
      createdAt: wentDown,
      follows: "bundle",
      accountId: alert.accountId,
      contactId: alert.contactId,
      addressId: alert.addressId,
      to: address,
      timeZone,
      reports: contexts.flatMap(({ diagnostics, alert: { notice, outage, checkId } }) =>
        diagnostics === undefined
          ? []
          : [
              {
                ...diagnostics,
                outage: outage ?? "",
                checkId,
                downSince: notice.since,
                label: notice.check.label,
                target: notice.check.target,
              },
            ],
      ),
    },
    new AbortController().signal,
  );
  return bodies.join("");
}
