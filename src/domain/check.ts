import type { Mute } from "./contact/mute.ts";
import type { Acknowledgement } from "./alert/acknowledgement.ts";
import type { Repeat } from "./alert/reminder.ts";
import { noFailingLocations, type FailingLocation } from "./location.ts";
import type { State } from "./run/verdict.ts";

export const defaultIntervalMinutes = 15;
export const defaultTimeoutSeconds = 5;
const defaultRechecks = 2;

/** Asks for alerts: to whom (the id of a contact, address, group or profile), in which window, how many minutes after the flip, and with which reminders. */
export interface Subscription {
  readonly recipientId: string;
  readonly schedule: string;
  readonly delayMinutes: number;
  readonly repeat?: Repeat | undefined;
}

/** Effect of changing a field: `run` restarts the check, `switch` enables or disables it, and `stored` affects no run. */
type FieldKind = "run" | "switch" | "stored";

/** The yes-or-no fields that requests set, each false unless set. Store, API, audit log and forms derive theirs from these. */
export const checkFlags = {
  /** Whether anybody may see its report. */
  public: "stored",
  /** Whether diagnostics run when it fails, and are mailed. */
  diagnose: "stored",
} as const satisfies Readonly<Record<string, FieldKind>>;

export type CheckFlag = keyof typeof checkFlags;
export type CheckFlags = { readonly [Flag in CheckFlag]: boolean };

/** A value for each flag. */
export function mapFlags<Value>(valueOf: (flag: CheckFlag) => Value): {
  readonly [Flag in CheckFlag]: Value;
} {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the flags
  const flags = Object.keys(checkFlags) as readonly CheckFlag[];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets its keys
  return Object.fromEntries(flags.map((flag) => [flag, valueOf(flag)])) as {
    readonly [Flag in CheckFlag]: Value;
  };
}

export interface Check extends CheckFlags {
  /** The internal number: short in every stored row, never assigned twice. */
  readonly no: number;
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly label: string;
  readonly intervalMinutes: number;
  readonly timeoutSeconds: number;
  /** As sent; undefined means `defaultRechecks`. */
  readonly rechecks: number | undefined;
  /** Seconds between two rechecks; undefined means the account's. */
  readonly recheckWait: number | undefined;
  /** As set by its owner, even if something else prevents it from running. */
  readonly enabled: boolean;
  /** Set by disabling all checks of an account at once, and reset only by enabling them all. */
  readonly disabledWithAll: boolean;
  /** Paused by a maintenance, until that ends or the owner enables the check. */
  readonly inMaintenance: boolean;
  /** Region and location codes; undefined means the account's own. */
  readonly regions: readonly string[] | undefined;
  /** The type's parameters, target included, with the JSON types that were sent. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** As sent: each element maps a recipient ID to a schedule, or to a schedule and a delay. */
  readonly notifications: readonly Readonly<Record<string, unknown>>[];
  /** The id of the check whose failure mutes the alerts of this one. */
  readonly dependsOn: string | undefined;
  readonly mute: Mute;
  /** Whether a first result that is up sends no alerts. */
  readonly quietFirst: boolean;
  readonly tags: readonly string[];
  readonly description: string;
  /** The code of the location at which its ticks begin, where that is live; undefined, and `roam`, for each in turn. */
  readonly home: string | undefined;
  readonly revision: number;
  readonly revisionHash: string;
  /** Counts the changes of what runs; results and flips carry it. A new label or a mute leaves it as it is. */
  readonly runRevision: number;
  readonly runChangedAt: number;
  readonly uuid: string;
  readonly queue: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** The fields that a run, its schedule, or its verdict needs are of the kind `run`. A field that no request changes is `stored`. */
export const fieldKinds = {
  ...checkFlags,
  id: "stored",
  accountId: "stored",
  type: "run",
  label: "stored",
  intervalMinutes: "run",
  timeoutSeconds: "run",
  rechecks: "run",
  recheckWait: "run",
  enabled: "switch",
  disabledWithAll: "switch",
  inMaintenance: "switch",
  regions: "run",
  parameters: "run",
  notifications: "stored",
  dependsOn: "stored",
  mute: "stored",
  quietFirst: "stored",
  tags: "stored",
  description: "stored",
  home: "run",
  revision: "stored",
  revisionHash: "stored",
  runRevision: "stored",
  runChangedAt: "stored",
  uuid: "stored",
  queue: "stored",
  createdAt: "stored",
  modifiedAt: "stored",
} as const satisfies Readonly<Record<Exclude<keyof Check, "no">, FieldKind>>;

type FieldKinds = typeof fieldKinds;
type RunField = {
  [Field in keyof FieldKinds]: FieldKinds[Field] extends "run" ? Field : never;
}[keyof FieldKinds];

/**
 * Fields needed for runs and verdicts. Fields used in alerts are read when alerts are sent. Regions and the recheck wait, which may come from the account, are
 * in `ActiveCheck`.
 */
export type RunningCheck = Pick<
  Check,
  | "no"
  | "id"
  | "accountId"
  | "runRevision"
  | "runChangedAt"
  | Exclude<RunField, "regions" | "recheckWait">
>;

export interface CheckState {
  readonly state: State | undefined;
  /** Start of the first failing run of the outage, since the check was last off; undefined when passing. */
  readonly downSince: number | undefined;
  /** The id of the flip that began the outage. */
  readonly outage: string | undefined;
  /** Start of the first failing run of the flip that began it, also where the check was off since. */
  readonly outageSince: number | undefined;
  /** Acknowledgement of the current outage. */
  readonly acknowledgement?: Acknowledgement | undefined;
  /** Empty if a single location runs the check. */
  readonly failingLocations: readonly FailingLocation[];
}

export const unknownState: CheckState = {
  state: undefined,
  downSince: undefined,
  outage: undefined,
  outageSince: undefined,
  failingLocations: noFailingLocations,
};

export function isSwitchedOn(
  check: Pick<Check, "enabled" | "disabledWithAll" | "inMaintenance">,
): boolean {
  return check.enabled && !check.disabledWithAll && !check.inMaintenance;
}

/** Returns whether the two differ in what runs, where it runs, or what decides about the runs. */
export function runsDifferently(one: Omit<Check, "no">, other: Omit<Check, "no">): boolean {
  return JSON.stringify(runOf(one)) !== JSON.stringify(runOf(other));
}

/** The check as it is after a change, with a new `runRevision` where it runs differently. */
export function withRunRevision<Changed extends Omit<Check, "no">>(
  before: Omit<Check, "no">,
  changed: Changed,
): Changed {
  return runsDifferently(before, changed)
    ? { ...changed, runRevision: before.runRevision + 1, runChangedAt: changed.modifiedAt }
    : changed;
}

const runFields = Object.entries(fieldKinds).flatMap(([field, kind]) =>
  kind === "run" ? [field] : [],
);

function runOf(check: Omit<Check, "no">): readonly unknown[] {
  const values = new Map<string, unknown>(
    Object.entries({ ...check, rechecks: rechecksOf(check) }),
  );
  return [isSwitchedOn(check), ...runFields.map((field) => values.get(field))];
}

export function rechecksOf(check: Pick<Check, "rechecks">): number {
  return check.rechecks ?? defaultRechecks;
}

const MINUTE_MS = 60_000;

/** Reads the stored elements: `{id: "All"}`, `{id: {schedule, delay, repeat, repeatcount, repeatuntil}}`, several keys in one element. */
export function subscriptionsOf(notifications: Check["notifications"]): readonly Subscription[] {
  return notifications.flatMap((element) =>
    Object.entries(element).map(([recipientId, value]) => {
      if (typeof value !== "object" || value === null) {
        return {
          recipientId,
          schedule: typeof value === "string" && value !== "" ? value : "All",
          delayMinutes: 0,
        };
      }
      const { schedule, delay, ...rest } = value as { schedule?: unknown; delay?: unknown };
      const repeat = repeatIn(rest);
      return {
        recipientId,
        schedule: typeof schedule === "string" && schedule !== "" ? schedule : "All",
        delayMinutes: finite(delay) ?? 0,
        ...(repeat !== undefined && { repeat }),
      };
    }),
  );
}

function repeatIn({
  repeat,
  repeatcount,
  repeatuntil,
}: {
  readonly repeat?: unknown;
  readonly repeatcount?: unknown;
  readonly repeatuntil?: unknown;
}): Repeat | undefined {
  const everyMinutes = finite(repeat) ?? 0;
  if (everyMinutes <= 0) return undefined;
  const [count, forMinutes] = [finite(repeatcount), finite(repeatuntil)];
  return {
    everyMinutes,
    ...(count !== undefined && { count }),
    ...(forMinutes !== undefined && { forMinutes }),
  };
}

function finite(value: unknown): number | undefined {
  const number = Number(value ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** The latest tick of a check at or before `at`: `phase + n · interval`, with a phase that never changes. */
export function latestTick(phase: number, intervalMinutes: number, at: number): number {
  const interval = intervalMinutes * MINUTE_MS;
  const offset = phase % interval;
  return Math.floor((at - offset) / interval) * interval + offset;
}
