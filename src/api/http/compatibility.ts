import type { CompatibilityMode } from "../../domain/account/token.ts";
import type { Check } from "../../domain/check.ts";
import { isSet, type DayRule, type Schedule } from "../../domain/schedule.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import type { Call } from "./auth.ts";
import type { ErrorResponse } from "./errors.ts";

/** Differences for clients written for the original service. */
export interface Compatibility {
  /** `firstdown` of a check that passes. */
  readonly firstDownWhenPassing: false | 0;
  /** The interval of a check, which may be a part of a minute. */
  readonly shownMinutes: (minutes: number) => number;
  /** The recipients of a check or an account, each stored with its schedule alone or with an object. */
  readonly shownRecipients: (stored: Check["notifications"]) => Check["notifications"];
  /** The days of a schedule, whose `exclude` is stored as it was sent. */
  readonly shownDays: (days: Schedule["days"]) => Schedule["days"];
  /** Uptime percentage if nothing was measured. */
  readonly uptimeWhenUnmeasured: undefined | 100;
  /** The list of all maintenances, by id. */
  readonly listOfMaintenances: (byId: object) => object;
  /** Rejects an unusable value, or accepts it with a warning that says how it was stored. */
  readonly objectTo: (sentence: string, warn: Call["warn"], became: string) => void;
  readonly errorResponse: (
    answer: ErrorResponse,
    error: unknown,
    call: { readonly action: string; readonly resource: string },
  ) => LegacyAnswer;
}

interface LegacyAnswer {
  readonly status: number;
  readonly body: unknown;
}

function withNumber(rule: DayRule): DayRule {
  return rule.exclude === undefined ? rule : { ...rule, exclude: isSet(rule.exclude) ? 1 : 0 };
}

const standard: Compatibility = {
  firstDownWhenPassing: false,
  shownMinutes: (minutes) => minutes,
  shownRecipients: (stored) => stored,
  shownDays: (days) =>
    Object.fromEntries(Object.entries(days).map(([day, rule]) => [day, withNumber(rule)])),
  uptimeWhenUnmeasured: undefined,
  listOfMaintenances: (byId) => byId,
  objectTo(sentence) {
    throw new InvalidInput(sentence);
  },
  errorResponse: (answer) => answer,
};

/** The bodies of a GET for a missing record of these resources, in place of an error. */
const emptyBodies: Readonly<Record<string, unknown>> = {
  contacts: {},
  contactgroups: {},
  maintenance: {},
  schedules: "",
};

/** Strict clients decode a recipient as an object with a delay and a schedule, and nothing else. */
function inLongForm(recipients: Check["notifications"][number]): Check["notifications"][number] {
  return Object.fromEntries(
    Object.entries(recipients).map(([id, value]) => [
      id,
      typeof value === "object" ? value : { delay: 0, schedule: value },
    ]),
  );
}

const legacy: Compatibility = {
  firstDownWhenPassing: 0,
  shownMinutes: Math.ceil,
  shownRecipients: (stored) => stored.map(inLongForm),
  shownDays: (days) => days,
  uptimeWhenUnmeasured: 100,
  listOfMaintenances: (schedules) => ({ schedules }),
  objectTo: (sentence, warn, became) => warn(`${sentence}, ${became}`, "grave"),
  errorResponse({ status, body }, error, { action, resource }) {
    if (error instanceof NotFound && action === "GET" && Object.hasOwn(emptyBodies, resource)) {
      return { status: 200, body: emptyBodies[resource] };
    }
    // A client that retries needs the status to know that it has to wait.
    return { status: status === 403 || status === 429 || status >= 500 ? status : 200, body };
  },
};

/** Refuses what cannot work, or takes it from a client of the original service. */
export function objectTo(
  sentence: string,
  { compatibility, warn }: Pick<Call, "compatibility" | "warn">,
  became = "kept as sent",
): void {
  compatibilityOf(compatibility).objectTo(sentence, warn, became);
}

export function compatibilityOf(mode: CompatibilityMode): Compatibility {
  return mode === "legacy" ? legacy : standard;
}
