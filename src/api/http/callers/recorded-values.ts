import { isDeepStrictEqual } from "node:util";

import type { Account } from "../../../domain/account/account.ts";
import type { AuditedValue, FieldChange } from "../../../domain/account/audit.ts";
import { subscriptionsOf, type Check } from "../../../domain/check.ts";
import { stageOf } from "../../../domain/status/incident.ts";
import { targetWithoutQuery } from "../../../domain/target.ts";
import { flagsToWire } from "../../resources/checks/flags.ts";
import type { Transaction } from "../../../store/store.ts";

/** Characters of a value that are kept. */
const LONGEST_VALUE = 200;
const MOST_CHANGES = 100;

/** A record at one moment, by the names of its parameters. */
export interface RecordedValues {
  /** Values that the audit log keeps. */
  readonly kept: Readonly<Record<string, AuditedValue | undefined>>;
  /** Values that are compared and forgotten: all that may be or contain a secret. */
  readonly compared: Readonly<Record<string, unknown>>;
}

interface Key {
  readonly accountId: string;
  /** The account's own id where the record is the account. */
  readonly id: string;
}

type Read = (tx: Transaction, key: Key) => Promise<RecordedValues | undefined>;

/** By resource. A field that is not named as kept here has none of its values in the audit log. */
const reads: Readonly<Record<string, Read>> = {
  async accounts({ accounts }, { accountId }) {
    const account = await accounts.find(accountId);
    return account && valuesOfAccount(account);
  },
  async branding({ accounts }, { accountId }) {
    const account = await accounts.find(accountId);
    return account && { kept: {}, compared: { ...account.branding } };
  },
  async checks({ checks }, { accountId, id }) {
    const found = await checks.find(accountId, id);
    return found && valuesOfCheck(found.check);
  },
  async contactgroups({ groups }, { accountId, id }) {
    const group = await groups.find(accountId, id);
    return group && { kept: { name: group.name, members: group.members }, compared: {} };
  },
  async contacts({ contacts }, { accountId, id }) {
    const contact = await contacts.find(accountId, id);
    if (contact === undefined) return undefined;
    const { name, role, addresses } = contact;
    return { kept: { name, custrole: role }, compared: { addresses } };
  },
  async incidents({ incidents }, { accountId, id }) {
    const incident = await incidents.find(accountId, id);
    if (incident === undefined) return undefined;
    const { title, checkIds, pageIds, startsAt, endsAt, isPublished, updates } = incident;
    return {
      kept: { name: title, stage: stageOf(incident), checks: checkIds, start: startsAt },
      compared: { text: updates, pages: pageIds, end: endsAt, published: isPublished },
    };
  },
  async maintenance({ maintenances }, { accountId, id }) {
    const maintenance = await maintenances.find(accountId, id);
    if (maintenance === undefined) return undefined;
    const { name, durationMinutes, checkIds, enabled, cron, startsAt } = maintenance;
    return {
      kept: {
        name,
        duration: durationMinutes,
        checklist: checkIds,
        enabled,
        cron,
        start: startsAt,
      },
      compared: {},
    };
  },
  async notificationprofiles({ profiles }, { accountId, id }) {
    const profile = await profiles.find(accountId, id);
    if (profile === undefined) return undefined;
    const { name, subscriptions } = profile;
    return {
      kept: { name, notifications: recipientsOf(subscriptions) },
      compared: { notifications: subscriptions },
    };
  },
  async schedules({ schedules }, { accountId, id }) {
    const schedule = await schedules.find(accountId, id);
    return schedule && { kept: {}, compared: { data: schedule.days } };
  },
  async statuspages({ statusPages }, { accountId, id }) {
    const page = await statusPages.find(accountId, id);
    if (page === undefined) return undefined;
    const { password, intro, footer, logo, sections, charts = "none" } = page;
    return {
      kept: {
        name: page.title,
        slug: page.slug,
        domain: page.domain,
        enabled: page.enabled,
        access: page.access,
        language: page.language,
        timezone: page.timeZone,
        color: page.color,
        charts,
        subscribe: page.hasSubscribeForm,
        outageincidents: page.outageIncidents,
        outagedelay: page.outageDelayMinutes,
      },
      compared: { password, intro, footer, logo, sections },
    };
  },
};

function valuesOfAccount(account: Account): RecordedValues {
  const { defaultNotifications } = account;
  return {
    kept: {
      name: account.name,
      timezone: account.timeZone,
      location: account.defaultRegions,
      autodiagnotifications: account.autoDiagnostics,
      recheckwait: account.recheckWait,
      emailme: account.wantsNews,
      status: account.status,
      accountsuppressall: account.suppressAll ?? false,
      defaultnotifications: recipientsOf(subscriptionsOf(defaultNotifications)),
    },
    compared: { defaultnotifications: defaultNotifications },
  };
}

function valuesOfCheck(check: Check): RecordedValues {
  const { parameters, notifications } = check;
  return {
    kept: {
      type: check.type,
      label: check.label,
      target: targetWithoutQuery(parameters),
      interval: check.intervalMinutes,
      threshold: check.timeoutSeconds,
      sens: check.rechecks,
      recheckwait: check.recheckWait,
      enabled: check.enabled,
      ...flagsToWire(check),
      runlocations: check.regions,
      homeloc: check.home,
      dep: check.dependsOn,
      mute: check.mute,
      tags: check.tags,
      notifications: recipientsOf(subscriptionsOf(notifications)),
    },
    compared: { ...parameters, description: check.description, notifications },
  };
}

function recipientsOf(
  subscriptions: readonly { readonly recipientId: string }[],
): readonly string[] {
  return subscriptions.map(({ recipientId }) => recipientId);
}

/** Reads the values of a record; undefined where there is none, or its changes are not recorded. */
export async function readRecordedValues(
  tx: Transaction,
  resource: string,
  key: Key,
): Promise<RecordedValues | undefined> {
  return Object.hasOwn(reads, resource) ? reads[resource]?.(tx, key) : undefined;
}

/** What differs; of fields whose values are not kept, only that they do. */
export function changesBetween(before: RecordedValues, after: RecordedValues): FieldChange[] {
  const names = new Set(
    [before, after].flatMap(({ kept, compared }) => [
      ...Object.keys(kept),
      ...Object.keys(compared),
    ]),
  );
  return [...names]
    .flatMap((field): FieldChange[] => {
      const [old, now] = [before.kept[field], after.kept[field]];
      if (!isDeepStrictEqual(old, now))
        return [{ field, ...shortened({ before: old, after: now }) }];
      return isDeepStrictEqual(before.compared[field], after.compared[field]) ? [] : [{ field }];
    })
    .slice(0, MOST_CHANGES);
}

function shortened(
  values: Readonly<Record<"before" | "after", AuditedValue | undefined>>,
): Pick<FieldChange, "before" | "after"> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, shortenedValue(value)]],
    ),
  );
}

function shortenedValue(value: AuditedValue): AuditedValue {
  if (typeof value === "string") return shortenedText(value, LONGEST_VALUE);
  if (typeof value !== "object") return value;
  let left = LONGEST_VALUE;
  const fitting = value.findIndex((each) => (left -= each.length) < 0);
  return fitting === -1 ? value : [...value.slice(0, fitting), "…"];
}

function shortenedText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
