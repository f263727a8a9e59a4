import type { MessageId } from "../../locales/catalogue.ts";
import { visibleText } from "../../parts/visible-text.ts";
import type { Text } from "../../text.ts";

export type ChangedValue = string | number | boolean | readonly string[];

/** The words of the forms for fields, by their names in the API. */
const fields = {
  access: "auditFields.access",
  accountsuppressall: "auditFields.accountsuppressall",
  addresses: "auditFields.addresses",
  checklist: "auditFields.checks",
  checks: "auditFields.checks",
  color: "auditFields.color",
  custrole: "auditFields.custrole",
  data: "auditFields.data",
  defaultnotifications: "auditFields.notifications",
  dep: "auditFields.dep",
  domain: "auditFields.domain",
  duration: "auditFields.duration",
  enabled: "auditFields.enabled",
  homeloc: "auditFields.homeloc",
  interval: "auditFields.interval",
  label: "auditFields.name",
  language: "auditFields.language",
  location: "auditFields.runlocations",
  members: "auditFields.members",
  mute: "auditFields.mute",
  name: "auditFields.name",
  newaddresses: "auditFields.addresses",
  notifications: "auditFields.notifications",
  password: "auditFields.password",
  recheckwait: "auditFields.recheckwait",
  runlocations: "auditFields.runlocations",
  sections: "auditFields.sections",
  sens: "auditFields.sens",
  stage: "auditFields.stage",
  start: "auditFields.start",
  status: "auditFields.status",
  tags: "auditFields.tags",
  target: "auditFields.target",
  threshold: "auditFields.threshold",
  timezone: "auditFields.timezone",
  type: "auditFields.type",
} as const satisfies Readonly<Record<string, MessageId>>;

const known: ReadonlyMap<string, MessageId> = new Map(Object.entries(fields));

const units: ReadonlyMap<string, "minute" | "second"> = new Map([
  ["interval", "minute"],
  ["duration", "minute"],
  ["outagedelay", "minute"],
  ["threshold", "second"],
  ["recheckwait", "second"],
]);

/** Fields whose values are ids of records. */
const references = new Set([
  "checklist",
  "checks",
  "defaultnotifications",
  "dep",
  "members",
  "notifications",
]);

/** The word of a field; where the page has none of its own, the one of the form for checks. */
export function fieldText(
  field: string,
  { text, titles }: { readonly text: Text; readonly titles: FieldTitles },
): string {
  const id = known.get(field);
  return id === undefined ? (titles.get(field) ?? field) : text(id);
}

/** The titles of what every check has, by their names in the API. */
export type FieldTitles = ReadonlyMap<string, string>;

interface Words {
  readonly text: Text;
  readonly locale: string;
  /** The name of a record that is still there. */
  readonly nameOf: (id: string) => string | undefined;
}

/** A value as a form shows it: with its unit, and with names in place of ids. */
export function valueText(
  field: string,
  value: ChangedValue | undefined,
  { text, locale, nameOf }: Words,
): string {
  if (value === undefined || value === "") return text("audit.noValue");
  if (field === "mute" && value === true) return text("audit.untilUnmuted");
  if (typeof value === "boolean") return text(value ? "audit.yes" : "audit.no");
  if (typeof value === "number") return numberText(field, value, locale);
  const texts = (typeof value === "string" ? [value] : value).map((each) =>
    visibleText((references.has(field) ? nameOf(each) : undefined) ?? each),
  );
  return texts.length === 0 ? text("audit.noValue") : texts.join(", ");
}

function numberText(field: string, value: number, locale: string): string {
  if (field === "mute" || field === "start")
    return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(
      value,
    );
  const unit = units.get(field);
  const options =
    unit === undefined ? {} : ({ style: "unit", unit, unitDisplay: "short" } as const);
  return new Intl.NumberFormat(locale, options).format(value);
}
