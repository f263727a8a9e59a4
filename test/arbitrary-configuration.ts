import * as fc from "fast-check";

import type { AccountEntry, Configuration } from "../src/cli/configuration/document.ts";

const account: AccountEntry = {
  _id: "A",
  customer_name: "Account",
  status: "Active",
  timezone: "0.0",
  defaultlocations: ["wlw"],
  emailme: false,
  accountsuppressall: false,
  autodiagnotifications: false,
};

const name = fc.stringMatching(/^[A-Z][a-z ]{0,8}[a-z]$/);
const flag = fc.boolean();

const email = fc.record(
  {
    type: fc.constant("email"),
    address: fc.stringMatching(/^[a-z]{1,8}@example\.(com|net)$/),
    suppressup: flag,
    suppressall: flag,
    mute: fc.oneof(flag, fc.integer({ min: 2, max: 2e12 })),
  },
  { requiredKeys: ["type", "address"] },
);
const webhook = fc.record(
  {
    type: fc.constant("webhook"),
    address: fc.stringMatching(/^https:\/\/[a-z]{1,5}\.example\.com\/[a-z]{0,5}$/),
    action: fc.constantFrom("get", "PUT", "post"),
    headers: fc.dictionary(fc.stringMatching(/^x-[a-z]{1,5}$/), name),
    data: fc.oneof(name, fc.dictionary(name, name, { minKeys: 1 })),
  },
  { requiredKeys: ["type", "address"] },
);

const http = fc.record({
  type: fc.constant("HTTP"),
  parameters: fc.record(
    {
      target: fc.stringMatching(/^https?:\/\/[a-z]{1,8}\.example\.com\/[a-z]{0,5}$/),
      threshold: fc.integer({ min: 1, max: 90 }),
      sens: fc.integer({ min: 0, max: 20 }),
      follow: flag,
    },
    { requiredKeys: ["target"] },
  ),
});
const push = fc.record({
  type: fc.constant("PUSH"),
  parameters: fc.record(
    {
      oldresultfail: flag,
      fields: fc.dictionary(
        fc.stringMatching(/^[a-z]{1,4}$/),
        fc.record({ name, min: fc.integer(), max: fc.integer() }, { requiredKeys: ["name"] }),
      ),
    },
    { requiredKeys: [] },
  ),
});

/** References are chosen by numbers, which select among the existing records. */
const pick = fc.nat(1000);
const wishes = fc.array(fc.record({ whom: pick, when: pick, delay: fc.nat(60), short: flag }), {
  maxLength: 3,
});
const recipe = fc.record({
  defaults: wishes,
  branding: fc.record(
    {
      from: fc.constantFrom("Shop", "a@watchpost.example"),
      upsubject: name,
      welcome: fc.constant("{password}"),
    },
    { requiredKeys: [] },
  ),
  schedules: fc.uniqueArray(name, { maxLength: 2 }),
  contacts: fc.uniqueArray(
    fc.record({
      name,
      custrole: fc.constantFrom("owner", "edit", "view", "notify"),
      addresses: fc.uniqueArray(fc.oneof(email, webhook), {
        maxLength: 3,
        selector: ({ address }) => address,
      }),
    }),
    { maxLength: 4, selector: (contact) => contact.name },
  ),
  groups: fc.uniqueArray(fc.record({ name, members: fc.uniqueArray(pick, { maxLength: 3 }) }), {
    maxLength: 2,
    selector: (group) => group.name,
  }),
  profiles: fc.uniqueArray(fc.record({ name, wishes }), {
    maxLength: 2,
    selector: (profile) => profile.name,
  }),
  checks: fc.uniqueArray(
    fc.record({
      label: name,
      kind: fc.oneof(http, push),
      interval: fc.integer({ min: 1, max: 1440 }),
      enabled: fc.constantFrom("active", "inactive"),
      tags: fc.uniqueArray(name, { maxLength: 2 }),
      description: fc.oneof(name, fc.constant("")),
      mute: flag,
      dep: fc.option(pick),
      wishes,
    }),
    { maxLength: 5, selector: (check) => check.label },
  ),
  maintenance: fc.uniqueArray(
    fc.record({
      name,
      enabled: flag,
      duration: fc.integer({ min: 1, max: 1000 }),
      cron: fc.constantFrom("30 2 * * *", "0 0 1 * 1"),
      checklist: fc.uniqueArray(pick, { maxLength: 3 }),
    }),
    { maxLength: 2, selector: (maintenance) => maintenance.name },
  ),
});

type Recipe = typeof recipe extends fc.Arbitrary<infer Value> ? Value : never;

function built(given: Recipe): Configuration {
  const schedules = given.schedules.map((each, index) => [
    each,
    { monday: { time1: `${index}:30` } },
  ]);
  const contacts = given.contacts.map(({ addresses, ...contact }, index) => [
    `A-C${index}`,
    {
      ...contact,
      ...(addresses.length > 0 && {
        addresses: Object.fromEntries(addresses.map((each, at) => [`AD${index}${at}`, each])),
      }),
    },
  ]);
  const people = given.contacts.flatMap(({ addresses }, index) => [
    `A-C${index}`,
    ...addresses.map((_, at) => `AD${index}${at}`),
  ]);
  const groups = given.groups.map(({ name, members }, index) => [
    `A-G-${index}`,
    { name, members: [...new Set(members.flatMap((each) => people[each % people.length] ?? []))] },
  ]);
  const recipients = [...people, ...given.groups.map((_, index) => `A-G-${index}`)];
  const notifications = (whom: readonly string[], list: Recipe["profiles"][number]["wishes"]) =>
    list.flatMap(({ whom: at, when, delay, short }) => {
      const id = whom[at % whom.length];
      const schedule = [...given.schedules, "All", "Days"][when % (given.schedules.length + 2)];
      return id === undefined ? [] : [{ [id]: short ? schedule : { schedule, delay } }];
    });
  const profiles = given.profiles.map(({ name, wishes }, index) => [
    `A-P-${index}`,
    { name, notifications: notifications(recipients, wishes) },
  ]);
  const everyone = [...recipients, ...given.profiles.map((_, index) => `A-P-${index}`)];
  const checks = given.checks.map(({ kind, dep, wishes, ...rest }, index) => [
    `A-K${index}`,
    {
      ...rest,
      ...kind,
      // Only earlier records, so that there is no cycle.
      dep: dep === null || index === 0 ? false : `A-K${dep % index}`,
      notifications: notifications(everyone, wishes),
    },
  ]);
  const maintenance = given.maintenance.map(({ checklist, ...rest }, index) => {
    const chosen = checklist.flatMap((at) =>
      given.checks.length === 0 ? [] : `A-K${at % given.checks.length}`,
    );
    return [`A-M${index}`, { ...rest, checklist: [...new Set(chosen)] }];
  });
  return {
    account: { ...account, defaultnotifications: notifications(everyone, given.defaults) },
    branding: given.branding,
    contacts: Object.fromEntries(contacts),
    contactgroups: Object.fromEntries(groups),
    schedules: Object.fromEntries(schedules),
    notificationprofiles: Object.fromEntries(profiles),
    checks: Object.fromEntries(checks),
    maintenance: Object.fromEntries(maintenance),
    statuspages: {},
  };
}

/** Any configuration of an account, as JSON has it. */
export const configuration = recipe.map((given): Configuration =>
  JSON.parse(JSON.stringify(built(given))),
);
