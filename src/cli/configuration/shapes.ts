import { z } from "zod";

import { accountFields } from "../../api/resources/accounts/input.ts";
import { checkFields } from "../../api/resources/checks/input.ts";
import { newAddressEntry } from "../../api/resources/contacts/input.ts";
import { maintenanceFields } from "../../api/resources/maintenance.ts";
import { pageFields } from "../../api/resources/status-pages/input.ts";
import { contactRoles } from "../../domain/contact/contact.ts";
import { dayNames } from "../../domain/schedule.ts";
import { choice, text } from "../../schema/scalars.ts";
import type { Kind } from "./step.ts";

export type Members = Readonly<Record<string, z.ZodType>>;

/** Members of a section's records. */
export interface Shape {
  readonly kind: Kind;
  /** Member that defaults to the key; undefined if the key itself is the name. */
  readonly named: "name" | "label" | undefined;
  readonly members: Members;
}

const MAX_NAME_LENGTH = 255;
const MAX_TEXT_LENGTH = 10_000;

const anything = z.unknown();
const { enable: _enable, ...fieldsOfChecks } = checkFields;
const { accountsupressall: _spelled, ...fieldsOfAccounts } = accountFields;
const { customerid: _owner, start: _start, ...fieldsOfMaintenances } = maintenanceFields;
const { customerid: _holder, password: _password, ...fieldsOfPages } = pageFields;

const name = text(MAX_NAME_LENGTH).describe("The name for people; the key if missing");

/** The sections of a configuration, in the order in which they are written. */
export const shapes = {
  schedules: {
    kind: "schedule",
    named: undefined,
    members: Object.fromEntries(dayNames.map((day) => [day, anything])),
  },
  contacts: {
    kind: "contact",
    named: "name",
    members: {
      name,
      custrole: choice(contactRoles).describe(
        "What the contact may do when signed in; notify if missing, which only gets alerts",
      ),
      addresses: anything,
    },
  },
  contactgroups: {
    kind: "contact group",
    named: "name",
    members: { name, members: anything },
  },
  notificationprofiles: {
    kind: "notification profile",
    named: "name",
    members: { name, notifications: anything },
  },
  checks: {
    kind: "check",
    named: "label",
    members: { ...fieldsOfChecks, notifications: anything, parameters: anything },
  },
  maintenance: {
    kind: "maintenance",
    named: "name",
    members: { ...fieldsOfMaintenances, name },
  },
  statuspages: {
    kind: "status page",
    named: "name",
    members: { ...fieldsOfPages, sections: anything },
  },
} as const satisfies Readonly<Record<string, Shape>>;

export type SectionName = keyof typeof shapes;

const isSectionName = (text: string): text is SectionName => Object.hasOwn(shapes, text);
export const sectionNames: readonly SectionName[] = Object.keys(shapes).filter(isSectionName);

export const accountMembers: Members = { ...fieldsOfAccounts, defaultnotifications: anything };

const brandingText = text(MAX_TEXT_LENGTH);
export const brandingMembers: Members = {
  from: text(500).describe("The sender of mails; empty text restores the default, here and below"),
  downsubject: brandingText.describe("The subject of mails that a check is down"),
  downtext: brandingText.describe("The text of mails that a check is down"),
  upsubject: brandingText.describe("The subject of mails that a check is up again"),
  uptext: brandingText.describe("The text of mails that a check is up again"),
  firstsubject: brandingText.describe("The subject of mails of a first result"),
  firsttext: brandingText.describe("The text of mails of a first result"),
  welcome: brandingText.describe("The mail to a new contact that may sign in"),
};

export const addressMembers: Members = newAddressEntry.shape;
