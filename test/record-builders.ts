import type { Account } from "../src/domain/account/account.ts";
import type { Passkey, Totp } from "../src/domain/account/second-factor.ts";
import { mapFlags, type Check } from "../src/domain/check.ts";
import { addressDefaults, type Address, type Contact } from "../src/domain/contact/contact.ts";
import type { PasswordMail } from "../src/domain/system-mail.ts";
import type { Maintenance } from "../src/domain/maintenance.ts";
import type { ManagedConfiguration } from "../src/domain/account/managed-configuration.ts";
import type { Incident } from "../src/domain/status/incident.ts";
import type { StatusPage } from "../src/domain/status/status-page.ts";
import type { Subscriber } from "../src/domain/status/subscriber.ts";
import type { Result } from "../src/domain/run/result.ts";
import type { AlertRecord } from "../src/store/tables/alerts.ts";
import type { Flip } from "../src/store/tables/checks.ts";

/** The instant the records below begin at; the fake clock's own start. */
export const noon = Date.UTC(2026, 0, 5, 12);
export const minute = 60_000;

export function anAccount(id: string, changes: Partial<Account> = {}): Account {
  return {
    id,
    parentId: undefined,
    name: id,
    status: "active",
    createdAt: noon,
    timeZone: "+00:00",
    defaultRegions: ["wlw"],
    wantsNews: false,
    suppressAll: undefined,
    autoDiagnostics: false,
    recheckWait: 0,
    defaultNotifications: [],
    branding: undefined,
    calendarKey: undefined,
    ...changes,
  };
}

/** Alice owns the primary account, Bob is her subaccount, Carol is a stranger. */
export const alice = anAccount("ALICE");
export const bob = anAccount("BOB", { parentId: alice.id, createdAt: noon + 1 });
export const carol = anAccount("CAROL", { createdAt: noon + 2 });

export function anAddress(id: string, changes: Partial<Address> = {}): Address {
  return {
    id,
    kind: "email",
    address: `${id}@example.net`,
    ...addressDefaults,
    ...changes,
  };
}

export function aSubscriber(
  id: string,
  changes: Partial<Subscriber> = {},
): Subscriber & { readonly address: string } {
  return {
    id,
    accountId: alice.id,
    pageId: "page",
    kind: "email",
    state: "confirmed",
    createdAt: noon,
    confirmedAt: noon,
    endsAt: undefined,
    ...changes,
    address: changes.address ?? `${id}@example.net`,
  };
}

export function aContact(id: string, changes: Partial<Contact> = {}): Contact {
  return {
    id,
    accountId: alice.id,
    name: id,
    role: "notify",
    addresses: [anAddress(`${id}-mail`)],
    ...changes,
  };
}

export function aCheck(id: string, changes: Partial<Check> = {}): Omit<Check, "no"> {
  return {
    id,
    accountId: alice.id,
    type: "PORT",
    label: id,
    intervalMinutes: 1,
    timeoutSeconds: 5,
    rechecks: undefined,
    recheckWait: undefined,
    enabled: true,
    disabledWithAll: false,
    inMaintenance: false,
    ...mapFlags(() => false),
    regions: undefined,
    parameters: { target: "host.example.net", port: 80 },
    notifications: [],
    dependsOn: undefined,
    mute: false,
    quietFirst: false,
    tags: [],
    description: "",
    home: undefined,
    revision: 1,
    revisionHash: "00",
    runRevision: 1,
    runChangedAt: noon,
    uuid: `uuid-${id}`,
    queue: "QUEUE",
    createdAt: noon,
    modifiedAt: noon,
    ...changes,
  };
}

export function aResult(checkNo: number, startedAt: number, changes: Partial<Result> = {}): Result {
  return {
    checkNo,
    revision: 1,
    tick: startedAt,
    startedAt,
    endedAt: startedAt + 20,
    passed: true,
    reason: "ok",
    text: "Success",
    message: "connected",
    runtimeMs: 20,
    location: "ld",
    earlierRuns: [],
    timings: undefined,
    ...changes,
  };
}

export function aFlip(checkNo: number, changes: Partial<Flip> = {}): Flip {
  return {
    id: "flip",
    checkNo,
    from: undefined,
    to: "failing",
    at: noon + minute,
    since: noon + minute,
    revision: 1,
    text: "Refused",
    message: "connection refused",
    ...changes,
  };
}

export function anAlert(
  id: string,
  check: Pick<Check, "no" | "id" | "accountId">,
  changes: Partial<AlertRecord> = {},
): AlertRecord {
  return {
    id,
    flipId: `flip-of-${id}`,
    accountId: check.accountId,
    checkNo: check.no,
    outage: undefined,
    kind: "down",
    contactId: "contact",
    addressId: "address",
    schedules: ["All"],
    dueAt: noon,
    createdAt: noon,
    notice: {
      account: { id: check.accountId, name: "" },
      check: {
        id: check.id,
        label: check.id,
        type: "PORT",
        target: `${check.id}.example.net`,
        intervalMinutes: 1,
        description: "",
      },
      state: "failing",
      previous: "passing",
      since: noon,
      downForMs: undefined,
      result: {
        id: `${check.id}-${noon}`,
        startedAt: noon,
        endedAt: noon,
        runtimeMs: 1,
        reason: "refused",
        text: "Refused",
        message: "connection refused",
      },
      confirmations: [],
    },
    ...changes,
  };
}

export function aMaintenance(id: string, changes: Partial<Maintenance> = {}): Maintenance {
  return {
    id,
    accountId: alice.id,
    name: id,
    durationMinutes: 30,
    checkIds: [],
    enabled: true,
    cron: "0 13 * * *",
    startsAt: undefined,
    nextAt: noon + 60 * minute,
    endsAt: undefined,
    history: [],
    changedAt: noon,
    changedBy: alice.id,
    ...changes,
  };
}

export function aStatusPage(id: string, changes: Partial<StatusPage> = {}): StatusPage {
  return {
    id,
    accountId: alice.id,
    slug: `slug-${id}`,
    domain: undefined,
    enabled: true,
    access: "public",
    password: undefined,
    title: id,
    intro: "",
    footer: "",
    language: "en",
    timeZone: undefined,
    color: undefined,
    logo: undefined,
    charts: undefined,
    sections: [],
    hasSubscribeForm: true,
    outageIncidents: "off",
    outageDelayMinutes: 5,
    createdAt: noon,
    modifiedAt: noon,
    ...changes,
  };
}

export function anIncident(id: string, changes: Partial<Incident> = {}): Incident {
  return {
    id,
    accountId: alice.id,
    kind: "incident",
    title: id,
    isPublished: true,
    isAutomatic: false,
    outagePageId: undefined,
    pageIds: undefined,
    checkIds: [],
    startsAt: noon,
    endsAt: undefined,
    updates: [{ at: noon, stage: "investigating", text: "" }],
    createdAt: noon,
    modifiedAt: noon,
    ...changes,
  };
}

export function aConfiguration(
  id: string,
  changes: Partial<ManagedConfiguration> = {},
): ManagedConfiguration {
  return {
    id,
    accountId: alice.id,
    name: id,
    records: { "checks/web": { id: "A-WEB", digest: "0a" } },
    createdAt: noon,
    modifiedAt: noon,
    ...changes,
  };
}

/** A welcome to one of Alice's contacts. */
export function aWelcome(
  contactId: string,
  changes: Partial<PasswordMail> = {},
): Omit<PasswordMail, "attempts"> {
  return {
    id: `welcome-to-${contactId}`,
    accountId: alice.id,
    contactId,
    kind: "welcome",
    name: contactId,
    to: `${contactId}@example.net`,
    password: `password of ${contactId}`,
    createdAt: noon,
    ...changes,
  };
}

/** An app of Alice's contact Ann that no code has confirmed. */
export const aTotp: Totp = {
  accountId: alice.id,
  contactId: "ann",
  secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  createdAt: noon,
  confirmedAt: undefined,
  lastStep: 0,
  failures: 0,
  failedAt: 0,
};

/** A passkey of Alice's contact Ann. */
export function aPasskey(id: string, changes: Partial<Passkey> = {}): Passkey {
  return {
    id,
    accountId: alice.id,
    contactId: "ann",
    label: id,
    publicKey: new Uint8Array([1, 2, 3]),
    counter: 0,
    transports: ["internal"],
    createdAt: noon,
    usedAt: undefined,
    ...changes,
  };
}
