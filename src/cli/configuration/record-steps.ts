import { isDeepStrictEqual } from "node:util";

import {
  mergeNotifications,
  parseNotifications,
} from "../../api/resources/checks/subscriptions.ts";
import { parseTimeZone } from "../../schema/time-zone.ts";
import type { IdMap } from "./id-map.ts";
import type {
  AccountEntry,
  BrandingEntry,
  GroupEntry,
  MaintenanceEntry,
  ProfileEntry,
  ScheduleEntry,
  StatusPageEntry,
} from "./document.ts";
import { withRecordName } from "./record-error.ts";
import type { RecordVersions } from "./section.ts";
import { changeStep, createStep, type RecordName, type ConfigurationStep } from "./step.ts";
import { isSameNotifications, mapReferences } from "./map-references.ts";
import { hasSameDays } from "./same-days.ts";

export function accountStep(
  wanted: AccountEntry,
  current: AccountEntry,
  { isSubaccount }: { readonly isSubaccount: boolean },
): ConfigurationStep {
  const differs = (name: keyof AccountEntry): boolean =>
    !isDeepStrictEqual(wanted[name], current[name]);
  return changeStep(
    { kind: "account", id: current._id, name: wanted.customer_name },
    {
      ...(differs("customer_name") && { name: wanted.customer_name }),
      ...timezoneChange(wanted, current),
      ...(differs("defaultlocations") && { location: wanted.defaultlocations }),
      ...(differs("emailme") && { emailme: wanted.emailme }),
      ...(differs("accountsuppressall") && { accountsuppressall: wanted.accountsuppressall }),
      ...(differs("autodiagnotifications") && {
        autodiagnotifications: wanted.autodiagnotifications,
      }),
      ...(wanted.recheckwait !== undefined &&
        differs("recheckwait") && { recheckwait: wanted.recheckwait }),
      ...(isSubaccount && differs("status") && { status: wanted.status }),
    },
  );
}

/** No step if they are the same, because the account has a step already. It comes after the steps of all recipients and schedules. */
export function defaultNotificationsSteps(
  { customer_name: name, defaultnotifications: wanted }: AccountEntry,
  { _id: id, defaultnotifications: known = [] }: AccountEntry,
  dictionaryFor: (record: RecordName) => IdMap,
): readonly ConfigurationStep[] {
  if (wanted === undefined) return [];
  const record = { kind: "account", id, name } as const;
  const written = withRecordName(record, () => mergeNotifications([], parseNotifications(wanted)));
  const defaultnotifications = mapReferences(written, known, dictionaryFor(record));
  return isSameNotifications(defaultnotifications, known)
    ? []
    : [changeStep(record, { defaultnotifications })];
}

/** Hours alone leave a named zone that has them now; with the prefix they replace it. */
function timezoneChange(wanted: AccountEntry, current: AccountEntry): { timezone?: string } {
  const [text, known] = [wanted, current].map((each) => each.timezonename ?? each.timezone);
  if (text === undefined || parseTimeZone(text) === parseTimeZone(known ?? "")) return {};
  return { timezone: /^[+-]?\d/.test(text) ? `GMT${text}` : text };
}

/** Branding is never created: every account has one, which may be the default. */
export function brandingStep(
  account: Pick<AccountEntry, "_id" | "customer_name">,
  { wanted, current = {} }: RecordVersions<BrandingEntry>,
): ConfigurationStep {
  const before = new Map(Object.entries(current));
  const changes = Object.entries(wanted).filter(
    ([name, text]) => text !== (before.get(name) ?? ""),
  );
  const { _id: id, customer_name: name } = account;
  return changeStep({ kind: "branding", id, name }, Object.fromEntries(changes));
}

/** Creating and replacing a schedule is the same call. */
export function scheduleStep(
  record: RecordName,
  { wanted, current }: RecordVersions<ScheduleEntry>,
): ConfigurationStep {
  const isSame = current !== undefined && hasSameDays(wanted, current);
  const step = changeStep(record, isSame ? {} : { data: wanted });
  return current === undefined ? { ...step, change: "create", differences: [] } : step;
}

export function groupStep(
  record: RecordName,
  { wanted, current }: RecordVersions<GroupEntry>,
  { reference }: IdMap,
): ConfigurationStep {
  const { name } = wanted;
  const known = current?.members ?? [];
  const members = [...new Set(wanted.members)].flatMap((id) => reference(id, known) ?? []);
  if (current === undefined) return createStep(record, { name, members });
  return changeStep(record, {
    ...(name !== current.name && { name }),
    ...(!isDeepStrictEqual(members, known) && { members }),
  });
}

export function profileStep(
  record: RecordName,
  { wanted, current }: RecordVersions<ProfileEntry>,
  dictionary: IdMap,
): ConfigurationStep {
  const { name } = wanted;
  const known = current?.notifications ?? [];
  const written = mergeNotifications([], parseNotifications(wanted.notifications));
  const notifications = mapReferences(written, known, dictionary);
  if (current === undefined) return createStep(record, { name, notifications });
  return changeStep(record, {
    ...(name !== current.name && { name }),
    ...(!isSameNotifications(notifications, known) && { notifications }),
  });
}

export function maintenanceStep(
  record: RecordName,
  { wanted, current }: RecordVersions<MaintenanceEntry>,
  { reference }: IdMap,
): ConfigurationStep {
  const known = current?.checklist ?? [];
  const checklist = [...new Set(wanted.checklist)].flatMap((id) => reference(id, known) ?? []);
  const written = Object.entries({ ...wanted, checklist });
  if (current === undefined) return createStep(record, Object.fromEntries(written));
  const before = new Map<string, unknown>(Object.entries(current));
  return changeStep(
    record,
    Object.fromEntries(
      written.filter(([name, value]) => !isDeepStrictEqual(value, before.get(name))),
    ),
  );
}

/** A password is in no document: a page that needs one is made for who is signed in, until it has one. */
export function statusPageStep(
  record: RecordName,
  { wanted, current }: RecordVersions<StatusPageEntry>,
  { reference }: IdMap,
): ConfigurationStep {
  const known = current?.sections.flatMap(({ checks }) => checks.map(({ id }) => id)) ?? [];
  const sections = wanted.sections.map(({ name, checks }) => ({
    name,
    checks: checks.flatMap((check) => {
      const id = reference(check.id, known);
      return id === undefined ? [] : [{ ...check, id }];
    }),
  }));
  const needsPassword = wanted.access === "password" && current?.access !== "password";
  const access = needsPassword ? (current?.access ?? "signedin") : wanted.access;
  const written = Object.entries({ ...wanted, access, sections });
  if (current === undefined) return createStep(record, Object.fromEntries(written));
  const before = new Map<string, unknown>(Object.entries(current));
  return changeStep(
    record,
    Object.fromEntries(
      written.filter(([name, value]) => !isDeepStrictEqual(value, before.get(name))),
    ),
  );
}
