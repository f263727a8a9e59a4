import { createAcknowledgeLinks } from "../src/channels/acknowledge-links.ts";
import type { AlertContext } from "../src/channels/channel.ts";
import type { Alert, AlertKind, Notice } from "../src/domain/alert/alert.ts";
import type { Address } from "../src/domain/contact/contact.ts";
import { anAddress } from "./record-builders.ts";

const WENT_DOWN = Date.UTC(2026, 0, 5, 12);
const TWELVE_MINUTES = 12 * 60_000;

/** Alerts of Alice's shop: down since noon GMT, up twelve minutes later. */
export function sampleNotice(kind: AlertKind, changes: Partial<Notice> = {}): Notice {
  const isUp = kind === "up" || kind === "missed";
  const since = isUp ? WENT_DOWN + TWELVE_MINUTES : WENT_DOWN;
  const message = isUp ? "Success" : "HTTP status returned: 503";
  return {
    account: { id: "202601051200ALICE", name: "Alice" },
    check: {
      id: "202601051200ALICE-SHOP0001",
      label: "Shop",
      type: "HTTP",
      target: "https://shop.example.com/",
      intervalMinutes: 1,
      description: "Sells things",
    },
    state: isUp ? "passing" : "failing",
    previous: isUp ? "failing" : kind === "down" ? "passing" : undefined,
    since,
    downForMs: isUp ? TWELVE_MINUTES : undefined,
    result: {
      id: `202601051200ALICE-SHOP0001-${since + 1000}`,
      startedAt: since + 1000,
      endedAt: since + 1120,
      runtimeMs: 120,
      reason: isUp ? "ok" : "status",
      text: isUp ? "200" : "503",
      message,
    },
    confirmations: [
      { at: since, location: "fra", passed: isUp, message },
      { at: since + 1000, location: "nyc", passed: isUp, message },
    ],
    lastPassed: isUp
      ? undefined
      : { startedAt: since - 60_000, location: "fra", text: "200", runtimeMs: 118 },
    ...changes,
  };
}

export function sampleAlert(kind: AlertKind, changes: Partial<Alert> = {}): Alert {
  const notice = sampleNotice(kind);
  return {
    id: `alert0000000000000${kind.padEnd(5, "0")}`,
    flipId: `flip${kind}`,
    accountId: notice.account.id,
    primaryId: notice.account.id,
    checkNo: 1,
    checkId: notice.check.id,
    outage: "outage00000000000001",
    kind: kind === "missed" ? "up" : kind,
    contactId: "202601051200ALICE-CNTCT",
    addressId: "ADDRESS1",
    schedules: ["All"],
    dueAt: notice.result.endedAt,
    createdAt: notice.result.endedAt,
    notice,
    retryUntil: notice.result.endedAt,
    attempts: 1,
    bundle: undefined,
    destination: "email",
    possiblySent: true,
    judged: true,
    ...changes,
  };
}

/** Alice asked for it. */
export function sampleTestContext(to: Partial<Address> = {}): AlertContext {
  const { check, result } = sampleNotice("first");
  const context = sampleAlertContext(
    "first",
    {
      check: { ...check, label: "Test message", type: "TEST", target: "" },
      state: "passing",
      result: { ...result, text: "Test", message: "asked for by Alice" },
      confirmations: [],
    },
    to,
  );
  const alert = { ...context.alert, id: "alert0000000000000test0", outage: undefined };
  return { ...context, alert, kind: "test" };
}

export function sampleAlertContext(
  kind: AlertKind,
  changes: Partial<Notice> = {},
  to: Partial<Address> = {},
): AlertContext {
  return {
    alert: sampleAlert(kind, { notice: sampleNotice(kind, changes) }),
    to: anAddress("ADDRESS1", to),
    kind,
    timeZone: "+00:00",
    url: "https://watch.example.org/",
    branding: undefined,
  };
}

/** None: alerts lead to the dashboard. */
export const samplePageLinks = { linkOf: () => undefined };

export const sampleAcknowledgeLinks = createAcknowledgeLinks({
  sealer: { deriveKey: () => Buffer.from("a key of 32 bytes, as it is made") },
  url: "https://watch.example.org/",
});
