import { isDeepStrictEqual } from "node:util";

import { flagDefaults } from "../../../api/resources/checks/flags.ts";
import { checkTypeOf } from "../../../checks/registry.ts";
import {
  defaultIntervalMinutes,
  defaultTimeoutSeconds,
  rechecksOf,
} from "../../../domain/check.ts";
import { defaultRecheckWait } from "../../../domain/run/recheck-wait.ts";
import { defaultSchedules } from "../../../domain/schedule.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import type { JsonObject } from "../../api-client.ts";
import { addressDefaults } from "../contact-step.ts";
import type { Configuration } from "../document.ts";
import { hasSameDays } from "../same-days.ts";
import { addressKeys } from "../address-keys.ts";
import { newPage } from "../status-page-entry.ts";
import { openAddressKinds } from "../value-changes.ts";
import type { ExportKeys } from "./export-keys.ts";
import type { SecretValues } from "./secret-values.ts";
import type { SectionName } from "../shapes.ts";

interface Deps {
  readonly keys: ExportKeys;
  readonly secrets: SecretValues;
  readonly isSubaccount: boolean;
  /** The records that are written; all of them, the account, and its branding where it is missing. */
  readonly isWanted?: ((section: SectionName, id: string) => boolean) | undefined;
  /** Whether members with their default values are written too. */
  readonly withDefaults?: boolean | undefined;
}

/** An account as files describe it: by keys, in their order, and without what is as it is for a new one. */
export function declaredForm(account: Configuration, deps: Deps): JsonObject {
  const { keys, secrets, isWanted = () => true } = deps;
  const plain = (value: unknown): unknown => secrets.replace(value, value, []);
  const section = <Entry>(
    name: SectionName,
    entries: Readonly<Record<string, Entry>>,
    write: (entry: Entry, key: string) => object,
  ): object => {
    const written = Object.entries(entries)
      .filter(([id]) => isWanted(name, id))
      .map(([id, entry]) => {
        const key = keys.of(name).get(id) ?? id;
        return [key, write(entry, key)] as const;
      })
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    return written.length === 0 ? {} : { [name]: Object.fromEntries(written) };
  };
  return {
    ...(deps.isWanted === undefined && {
      account: accountForm(account.account, deps),
      ...brandingForm(account.branding, plain),
    }),
    ...section("schedules", ownSchedules(account.schedules), (days) => days),
    ...section("contacts", account.contacts, (contact, key) => contactForm(contact, key, deps)),
    ...section("contactgroups", account.contactgroups, ({ name, members }, key) => ({
      ...named("name", [name, key], plain),
      ...without(deps, defaults.group, {
        members: members.flatMap((id) => keys.recipient(id) ?? []),
      }),
    })),
    ...section("notificationprofiles", account.notificationprofiles, (profile, key) => ({
      ...named("name", [profile.name, key], plain),
      ...without(deps, defaults.profile, {
        notifications: recipientsForm(profile.notifications, deps),
      }),
    })),
    ...section("checks", account.checks, (check, key) => checkForm(check, key, deps)),
    ...section("maintenance", account.maintenance, ({ name, checklist, ...rest }, key) => ({
      ...named("name", [name, key], plain),
      ...without(deps, defaults.maintenance, {
        ...rest,
        checklist: checklist.flatMap((id) => keys.check(id) ?? []),
      }),
    })),
    ...section("statuspages", account.statuspages, (page, key) => pageForm(page, key, deps)),
  };
}

function without(
  { withDefaults = false }: Pick<Deps, "withDefaults">,
  from: JsonObject,
  values: JsonObject,
): JsonObject {
  return withDefaults ? values : differing(values, from);
}

/** Without those that every account begins with, as long as they are as they were. */
function ownSchedules(schedules: Configuration["schedules"]): Configuration["schedules"] {
  return Object.fromEntries(
    Object.entries(schedules).filter(
      ([name, days]) =>
        !defaultSchedules.some((each) => each.name === name && hasSameDays(each.days, days)),
    ),
  );
}

type Plain = (value: unknown) => unknown;

/** The key is the name where nothing else is said. */
function named(
  member: string,
  [name, key]: readonly [name: string, key: string],
  plain: Plain,
): JsonObject {
  return name === key ? {} : { [member]: plain(name) };
}

function accountForm(account: Configuration["account"], deps: Deps): JsonObject {
  const { secrets, isSubaccount } = deps;
  const { customer_name: name, timezone, timezonename, defaultlocations } = account;
  const { emailme, accountsuppressall, autodiagnotifications, defaultnotifications } = account;
  const { recheckwait } = account;
  return {
    name: secrets.replace(name, name, []),
    ...without(deps, defaults.account, {
      timezone: timezonename ?? (/^[+-]?\d/.test(timezone) ? `GMT${timezone}` : timezone),
      location: defaultlocations,
      ...(isSubaccount && account.status !== "Delete" && { status: account.status }),
      emailme,
      accountsuppressall,
      autodiagnotifications,
      ...given("recheckwait", recheckwait),
      ...(defaultnotifications !== undefined && {
        defaultnotifications: recipientsForm(defaultnotifications, deps),
      }),
    }),
  };
}

function brandingForm(branding: Configuration["branding"], plain: Plain): JsonObject {
  const texts = Object.entries(branding ?? {}).filter(([, text]) => text !== "");
  return texts.length === 0 ? {} : { branding: plain(Object.fromEntries(texts)) };
}

function contactForm(
  { name, custrole, addresses = {} }: Configuration["contacts"][string],
  key: string,
  deps: Deps,
): JsonObject {
  const { secrets } = deps;
  const written = addressKeys(addresses).map(([each, , { type, address, ...rest }]) => {
    const hidden = openAddressKinds.has(type) ? address : undefined;
    const { headers, querystrings, ...members } = rest;
    return [
      each,
      shortAddress(
        without(deps, defaults.address, {
          type,
          address: secrets.replace(address, hidden, [key, each]),
          ...given("headers", secrets.replace(headers, hiddenTexts(headers), [key, each])),
          ...given(
            "querystrings",
            secrets.replace(querystrings, hiddenTexts(querystrings), [key, each]),
          ),
          ...Object.fromEntries(
            Object.entries(members)
              .filter(([, value]) => value !== undefined)
              .map(([member, value]) => [member, secrets.replace(value, value, [])]),
          ),
        }),
      ),
    ];
  });
  return {
    ...named("name", [name, key], (value) => secrets.replace(value, value, [])),
    ...without(deps, defaults.contact, { custrole, addresses: Object.fromEntries(written) }),
  };
}

/** Text alone is a mailbox. */
function shortAddress(entry: JsonObject): unknown {
  return entry.type === "email" && Object.keys(entry).length === 2 ? entry.address : entry;
}

function given(name: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function hiddenTexts(texts: unknown): unknown {
  return isRecord(texts)
    ? Object.fromEntries(Object.keys(texts).map((name) => [name, null]))
    : texts;
}

/** A recipient, with its schedule where that is not always open, and with more where there is more to say. */
function recipientsForm(
  notifications: readonly JsonObject[],
  { keys, withDefaults = false }: Pick<Deps, "keys" | "withDefaults">,
): readonly unknown[] {
  return notifications.flatMap((entry) =>
    Object.entries(entry).flatMap(([id, wish]) => {
      const recipient = keys.recipient(id);
      if (recipient === undefined) return [];
      const short = withDefaults ? wish : shortWish(wish);
      return [short === "All" && !withDefaults ? recipient : { [recipient]: short }];
    }),
  );
}

function shortWish(wish: unknown): unknown {
  if (!isRecord(wish)) return wish;
  const { schedule, ...rest } = wish;
  const more = differing(rest, { delay: 0 });
  return Object.keys(more).length === 0 ? schedule : { schedule, ...more };
}

function checkForm(check: Configuration["checks"][string], key: string, deps: Deps): JsonObject {
  const { keys, secrets } = deps;
  const { type, label, parameters, notifications, dep, enabled, ...fields } = check;
  const { threshold, sens, target, ...rest } = parameters;
  const hidden = checkTypeOf(type)?.hideCredentials(parameters) ?? {};
  const secret = (name: string, value: unknown): unknown =>
    secrets.replace(value, hidden[name], [key, name]);
  const known = typeof dep === "string" ? keys.check(dep) : undefined;
  const common = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  return {
    type,
    ...named("label", [label, key], (value) => secrets.replace(value, value, [])),
    ...given("target", target === undefined ? undefined : secret("target", target)),
    ...without(deps, defaults.check, {
      enabled: enabled === "active" || enabled === true,
      ...Object.fromEntries(
        common.map(([name, value]) => [name, secrets.replace(value, value, [])]),
      ),
      ...given("threshold", threshold),
      ...given("sens", sens),
      dep: known ?? false,
      notifications: recipientsForm(notifications, deps),
    }),
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, secret(name, value)])),
  };
}

function pageForm(
  { name, sections, ...page }: Configuration["statuspages"][string],
  key: string,
  deps: Deps,
): JsonObject {
  const { keys, secrets } = deps;
  const plain = (value: unknown): unknown => secrets.replace(value, value, []);
  const filled = Object.entries(page).filter(([, value]) => value !== "" && value !== undefined);
  return {
    ...named("name", [name, key], plain),
    ...without(deps, defaults.page, {
      ...Object.fromEntries(filled.map(([member, value]) => [member, plain(value)])),
      sections: sections.map((section) => ({
        name: plain(section.name),
        checks: section.checks.flatMap(({ id, name: shown }) => {
          const check = keys.check(id);
          return check === undefined ? [] : [{ check, name: plain(shown) }];
        }),
      })),
    }),
  };
}

/** The values that members have where files do not have them and the record is new. */
const defaults = {
  account: {
    timezone: "GMT0.0",
    location: ["wlw"],
    status: "Active",
    emailme: false,
    accountsuppressall: false,
    autodiagnotifications: false,
    recheckwait: defaultRecheckWait,
    defaultnotifications: [],
  },
  contact: { custrole: "notify", addresses: {} },
  address: addressDefaults,
  group: { members: [] },
  profile: { notifications: [] },
  check: {
    enabled: false,
    interval: defaultIntervalMinutes,
    ...flagDefaults,
    runlocations: [],
    threshold: defaultTimeoutSeconds,
    sens: rechecksOf({ rechecks: undefined }),
    mute: false,
    tags: [],
    description: "",
    homeloc: false,
    dep: false,
    notifications: [],
  },
  maintenance: { enabled: true, checklist: [] },
  page: { ...newPage, subscribe: true },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** The members that differ from the defaults. */
function differing(values: JsonObject, from: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, from[name])),
  );
}
