import { keyOfCheck, labelOf, readChecks } from "./check-entry.ts";
import { checkSteps } from "./check-steps.ts";
import { contactStep } from "./contact-step.ts";
import { dictionaryOf } from "./dictionary.ts";
import type {
  Configuration,
  ContactEntry,
  GroupEntry,
  MaintenanceEntry,
  ProfileEntry,
} from "./document.ts";
import { pairAddresses } from "./pair.ts";
import type { Pairs } from "./pair.ts";
import {
  accountStep,
  brandingStep,
  groupStep,
  maintenanceStep,
  profileStep,
  scheduleStep,
} from "./record-steps.ts";
import { prunesOf, section, stepsOf } from "./section.ts";
import type { Section } from "./section.ts";
import type { Step } from "./step.ts";

export interface Plan {
  readonly steps: readonly Step[];
  /** What of the document has no meaning in the account. */
  readonly warnings: readonly string[];
  /** Records and addresses of the document that the account has. */
  readonly pairs: Pairs;
}

export interface PlanOptions {
  /** Whether what the document does not have is to go. */
  readonly prune: boolean;
  readonly isSubaccount: boolean;
}

/** How an account becomes what a document says. It reads nothing and changes nothing; throws a Refusal that names the record. */
export function planOf(wanted: Configuration, current: Configuration, options: PlanOptions): Plan {
  const nameOf = ({ name }: { readonly name: string }): string => name;
  const contacts = section<ContactEntry>({
    kind: "contact",
    wanted: ownersFirst(wanted.contacts),
    current: current.contacts,
    nameOf,
  });
  const groups = section<GroupEntry>({
    kind: "contact group",
    wanted: wanted.contactgroups,
    current: current.contactgroups,
    nameOf,
  });
  const schedules = section({
    kind: "schedule",
    wanted: wanted.schedules,
    current: current.schedules,
    nameOf: (_, name) => name,
  });
  const profiles = section<ProfileEntry>({
    kind: "notification profile",
    wanted: wanted.notificationprofiles,
    current: current.notificationprofiles,
    nameOf,
  });
  const checks = section({
    kind: "check",
    wanted: readChecks(wanted.checks),
    current: readChecks(current.checks),
    nameOf: labelOf,
    keyOf: keyOfCheck,
  });
  const maintenance = section<MaintenanceEntry>({
    kind: "maintenance",
    wanted: wanted.maintenance,
    current: current.maintenance,
    nameOf,
  });
  const pairs = new Map([
    ...[contacts, groups, profiles, checks, maintenance].flatMap((each) => [...each.pairs]),
    ...addressPairs(contacts),
  ]);
  const warnings = new Set<string>();
  const there = options.prune ? [wanted] : [wanted, current];
  const dictionaryFor = dictionaryOf({ there, pairs }, (text) => warnings.add(text));
  const steps = [
    accountStep(wanted.account, current.account, options),
    ...(wanted.branding === undefined
      ? []
      : [
          brandingStep(
            { ...current.account, customer_name: wanted.account.customer_name },
            { wanted: wanted.branding, current: current.branding },
          ),
        ]),
    ...stepsOf(schedules, scheduleStep),
    ...stepsOf(contacts, (record, sides) => contactStep(record, sides, options)),
    ...stepsOf(groups, (record, sides) => groupStep(record, sides, dictionaryFor(record))),
    ...stepsOf(profiles, (record, sides) => profileStep(record, sides, dictionaryFor(record))),
    ...checkSteps(checks, dictionaryFor),
    ...stepsOf(maintenance, (record, sides) =>
      maintenanceStep(record, sides, dictionaryFor(record)),
    ),
    ...(options.prune
      ? [
          ...prunesOf(maintenance),
          ...prunesOf(checks),
          ...prunesOf(profiles),
          ...prunesOf(groups),
          ...prunesOf(contacts),
          ...prunesOf(schedules),
        ]
      : []),
  ];
  return { steps, warnings: [...warnings], pairs };
}

/** An account may at no time be without an owner. */
function ownersFirst(
  contacts: Readonly<Record<string, ContactEntry>>,
): Readonly<Record<string, ContactEntry>> {
  const rank = (entry: ContactEntry): number => (entry.custrole === "owner" ? 0 : 1);
  return Object.fromEntries(
    Object.entries(contacts).toSorted(([, one], [, other]) => rank(one) - rank(other)),
  );
}

function addressPairs({
  wanted,
  current,
  pairs,
}: Section<ContactEntry>): readonly (readonly [string, string])[] {
  return [...pairs].flatMap(([from, to]) => [
    ...pairAddresses(wanted[from]?.addresses ?? {}, current[to]?.addresses ?? {}),
  ]);
}
