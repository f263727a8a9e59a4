import { z } from "zod";

import { checkFields } from "../../api/resources/checks/input.ts";
import { plainAddressEntry } from "../../api/resources/contacts/input.ts";
import { contactRoles } from "../../domain/contact/contact.ts";
import { dayNames } from "../../domain/schedule.ts";
import type { JsonObject } from "../api-client.ts";

const anything = z.record(z.string(), z.unknown());
const byId = <Entry extends z.ZodType>(entry: Entry) => z.record(z.string(), entry);

/** Optional members with the names of API parameters. */
function likeParameters(names: readonly string[]): Readonly<Record<string, z.ZodOptional>> {
  return Object.fromEntries(names.map((name) => [name, z.unknown().optional()]));
}

export interface AddressEntry extends JsonObject {
  readonly type: string;
  readonly address: string;
}

const address: z.ZodType<AddressEntry> = z.object({
  ...likeParameters(Object.keys(plainAddressEntry.shape)),
  type: z.string(),
  address: z.string(),
});

export interface CheckEntry extends JsonObject {
  readonly type: string;
  readonly label: string;
  readonly parameters: JsonObject;
  readonly notifications: readonly JsonObject[];
}

const check: z.ZodType<CheckEntry> = z.object({
  ...likeParameters(Object.keys(checkFields).filter((name) => name !== "enable")),
  type: z.string(),
  label: z.string(),
  /** Documents of earlier versions lack it. */
  intervalseconds: z.int().optional(),
  parameters: anything,
  notifications: z.array(anything),
});

const scalar = z.union([z.string(), z.number(), z.boolean()]).optional();
const day = z.object({
  time1: scalar,
  time2: scalar,
  exclude: scalar,
  disabled: scalar,
  allday: scalar,
  windows: z.array(z.object({ time1: scalar, time2: scalar })).optional(),
});

const account = z.object({
  _id: z.string(),
  customer_name: z.string(),
  status: z.enum(["Active", "Suspend", "Delete"]),
  timezone: z.string(),
  timezonename: z.string().optional(),
  defaultlocations: z.array(z.string()),
  emailme: z.boolean(),
  /** The API leaves it out until it is first set. */
  accountsuppressall: z.boolean().default(false),
  autodiagnotifications: z.boolean(),
  /** Documents of earlier versions lack these. */
  recheckwait: z.int().optional(),
  defaultnotifications: z.array(anything).optional(),
});

/** An empty text means the default. */
const branding = z.object({
  from: z.string(),
  downsubject: z.string(),
  downtext: z.string(),
  upsubject: z.string(),
  uptext: z.string(),
  firstsubject: z.string(),
  firsttext: z.string(),
  welcome: z.string(),
});

export const addressEntries = byId(address);

const contact = z.object({
  name: z.string(),
  custrole: z.enum(contactRoles),
  addresses: addressEntries.optional(),
});

const maintenance = z.object({
  name: z.string(),
  enabled: z.boolean(),
  duration: z.int(),
  cron: z.string(),
  checklist: z.array(z.string()),
});

const shownCheck = z.object({ id: z.string(), name: z.string() });

/** Without its password, which is kept as a hash alone. */
const statusPage = z.object({
  name: z.string(),
  /** Missing where it is the id. */
  slug: z.string().optional(),
  domain: z.string(),
  enabled: z.boolean(),
  access: z.string(),
  language: z.string(),
  timezone: z.string(),
  intro: z.string(),
  footer: z.string(),
  charts: z.string().optional(),
  color: z.string(),
  logo: z.string(),
  sections: z.array(z.object({ name: z.string(), checks: z.array(shownCheck) })),
  subscribe: z.boolean().optional(),
  outageincidents: z.string().optional(),
  outagedelay: z.number().optional(),
});

/** The configuration of an account in the format of the API, without what the service assigns. */
export const configuration = z.object({
  account,
  branding: branding.partial().optional(),
  contacts: byId(contact),
  contactgroups: byId(z.object({ name: z.string(), members: z.array(z.string()) })),
  schedules: byId(z.partialRecord(z.enum(dayNames), day)),
  notificationprofiles: byId(z.object({ name: z.string(), notifications: z.array(anything) })),
  checks: byId(check),
  maintenance: byId(maintenance).default({}),
  statuspages: byId(statusPage).default({}),
});

export type Configuration = z.output<typeof configuration>;
export type AccountEntry = z.output<typeof account>;
export type BrandingEntry = NonNullable<Configuration["branding"]>;
export type ContactEntry = z.output<typeof contact>;
export type AddressEntries = z.output<typeof addressEntries>;
export type ScheduleEntry = Configuration["schedules"][string];
export type GroupEntry = Configuration["contactgroups"][string];
export type MaintenanceEntry = z.output<typeof maintenance>;
export type StatusPageEntry = z.output<typeof statusPage>;
export type ProfileEntry = Configuration["notificationprofiles"][string];

/** The ids of all records and addresses. */
export function recordIds(configuration: Configuration): readonly string[] {
  const { contacts, contactgroups, notificationprofiles, checks, maintenance, statuspages } =
    configuration;
  const addresses = Object.values(contacts).flatMap((each) => Object.keys(each.addresses ?? {}));
  return [
    ...[contacts, contactgroups, notificationprofiles, checks, maintenance, statuspages].flatMap(
      Object.keys,
    ),
    ...new Set(addresses),
  ];
}
