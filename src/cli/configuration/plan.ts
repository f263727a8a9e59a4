import { keyOfCheck, labelOf, parseChecks } from "./check-entry.ts";
import { checkSteps } from "./check-steps.ts";
import { contactStep } from "./contact-step.ts";
import { createIdMap } from "./id-map.ts";
import type {
  Configuration,
  ContactEntry,
  GroupEntry,
  MaintenanceEntry,
  ProfileEntry,
  StatusPageEntry,
} from "./document.ts";
import { matchAddresses, type Matches } from "./match.ts";
import {
  accountStep,
  brandingStep,
  defaultNotificationsSteps,
  groupStep,
  maintenanceStep,
  profileStep,
  scheduleStep,
  statusPageStep,
} from "./record-steps.ts";
import { pruneSteps, matchSection, stepsOf, type Section } from "./section.ts";
import type { RecordName, ConfigurationStep } from "./step.ts";

export interface Plan {
  readonly steps: readonly ConfigurationStep[];
  /** References of the document that the account cannot resolve. */
  readonly warnings: readonly string[];
  /** The records and addresses of the document that exist in the account. */
  readonly matches: Matches;
}

export interface PlanOptions {
  /** Whether records and addresses that are not in the document are deleted. */
  readonly prune: boolean;
  /** Whether a record may be deleted; by default all may. */
  readonly mayPrune?: (record: Pick<RecordName, "kind" | "id">) => boolean;
  readonly isSubaccount: boolean;
}

/** Plans how an account is changed to match a document, without any call. Throws a CommandError that names the record. */
export function planOf(wanted: Configuration, current: Configuration, options: PlanOptions): Plan {
  const sections = sectionsOf(wanted, current);
  const { contacts, groups, schedules, profiles, checks, maintenance, pages } = sections;
  const matches = new Map([
    ...[contacts, groups, profiles, checks, maintenance, pages].flatMap((each) => [
      ...each.matches,
    ]),
    ...addressPairs(contacts),
  ]);
  const warnings = new Set<string>();
  const { prune, mayPrune = () => true } = options;
  const gone = prune ? prunedSteps(sections).filter(mayPrune) : [];
  const there = prune && options.mayPrune === undefined ? [wanted] : [wanted, current];
  const dictionaryFor = createIdMap({ there, pairs: matches }, (text) => warnings.add(text));
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
    ...stepsOf(pages, (record, sides) => statusPageStep(record, sides, dictionaryFor(record))),
    ...defaultNotificationsSteps(wanted.account, current.account, dictionaryFor),
    ...gone,
  ];
  return { steps, warnings: [...warnings], matches };
}

/** Records that refer to others are deleted first. */
function prunedSteps({
  contacts,
  groups,
  schedules,
  profiles,
  checks,
  maintenance,
  pages,
}: ReturnType<typeof sectionsOf>): readonly ConfigurationStep[] {
  return [
    ...pruneSteps(pages),
    ...pruneSteps(maintenance),
    ...pruneSteps(checks),
    ...pruneSteps(profiles),
    ...pruneSteps(groups),
    ...pruneSteps(contacts),
    ...pruneSteps(schedules),
  ];
}

/** The records of each kind, matched. */
function sectionsOf(wanted: Configuration, current: Configuration) {
  const nameOf = ({ name }: { readonly name: string }): string => name;
  const contacts = matchSection<ContactEntry>({
    kind: "contact",
    wanted: ownersFirst(wanted.contacts),
    current: current.contacts,
    nameOf,
  });
  const groups = matchSection<GroupEntry>({
    kind: "contact group",
    wanted: wanted.contactgroups,
    current: current.contactgroups,
    nameOf,
  });
  const schedules = matchSection({
    kind: "schedule",
    wanted: wanted.schedules,
    current: current.schedules,
    nameOf: (_, name) => name,
  });
  const profiles = matchSection<ProfileEntry>({
    kind: "notification profile",
    wanted: wanted.notificationprofiles,
    current: current.notificationprofiles,
    nameOf,
  });
  const checks = matchSection({
    kind: "check",
    wanted: parseChecks(wanted.checks),
    current: parseChecks(current.checks),
    nameOf: labelOf,
    keyOf: keyOfCheck,
  });
  const maintenance = matchSection<MaintenanceEntry>({
    kind: "maintenance",
    wanted: wanted.maintenance,
    current: current.maintenance,
    nameOf,
  });
  const pages = matchSection<StatusPageEntry>({
    kind: "status page",
    wanted: wanted.statuspages,
    current: current.statuspages,
    nameOf,
  });
  return { contacts, groups, schedules, profiles, checks, maintenance, pages };
}

/** Puts owners first, because an account must always have one. */
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
  matches,
}: Section<ContactEntry>): readonly (readonly [string, string])[] {
  return [...matches].flatMap(([from, to]) => [
    ...matchAddresses(wanted[from]?.addresses ?? {}, current[to]?.addresses ?? {}),
  ]);
}
