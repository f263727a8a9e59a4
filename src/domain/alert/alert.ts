import type { Suppressions } from "../contact/contact.ts";
import type { CertificateFacts, Reason } from "../run/outcome.ts";
import { schedulesOf, type AddressRef, type Recipient } from "../contact/recipients.ts";
import type { Confirmation } from "../run/result.ts";
import type { State } from "../run/verdict.ts";
import type { Acknowledgement } from "./acknowledgement.ts";
import { remindingOf, type Reminding } from "./reminder.ts";

/**
 * `acknowledged` tells recipients of the Down that the outage was acknowledged. `missed` replaces the Up if the Down could not be delivered before the outage
 * ended.
 */
export const alertKinds = ["down", "up", "first", "reminder", "acknowledged", "missed"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** The kinds that say that an outage began. */
export const outageStartKinds = ["down", "first"] as const satisfies readonly AlertKind[];

/** `waiting` and `held` are open: the first is due, delayed, or between two attempts, the second waits for its check, its account or its address. The other three are the end. */
export const alertStatuses = ["waiting", "held", "delivered", "failed", "dropped"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** Reasons to hold an alert: its check is disabled, in maintenance, or has not run since; its account is suspended; or its address is not confirmed. */
export const holdReasons = ["disabled", "account_suspended", "address_unconfirmed"] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Reasons for a wait beyond retries: the daily alert mail limit, a closed window, a muted check or address, or a failing dependency. */
export type WaitReason =
  | "mailbox_limit"
  | "outside_window"
  | "check_muted"
  | "address_muted"
  | "dependency_down";

/** Reasons for a delayed Down by a rule of its recipient or its check. */
export const lateReasons = [
  "outside_window",
  "check_muted",
  "address_muted",
  "dependency_down",
] as const satisfies readonly WaitReason[];
export type LateReason = (typeof lateReasons)[number];

/** Reasons for not sending an alert. Stored, logged, and counted under these names. */
export const dropReasons = [
  "recovered",
  "acknowledged",
  "outdated",
  "deleted",
  "recipient_gone",
  "account_deleted",
  "account_suppressed",
  "address_disabled",
  "address_muted",
  "address_suppressed",
  "address_unconfirmed",
  "suppressed_up",
  "suppressed_down",
  "suppressed_first",
  "outside_window",
  "check_muted",
  "dependency_down",
  "down_not_sent",
  "incident_service",
] as const;
export type DropReason = (typeof dropReasons)[number];

/** Snapshot of the event at the time of the flip. Contains no credentials. */
export interface Notice {
  readonly account: { readonly id: string; readonly name: string };
  readonly check: {
    readonly id: string;
    readonly label: string;
    readonly type: string;
    readonly target: string;
    readonly intervalMinutes: number;
    readonly description: string;
  };
  readonly state: State;
  readonly previous: State | undefined;
  /** Start of the state: for a failing check, the first failing run. */
  readonly since: number;
  /** How long the outage lasted, with the time in which the check was off; only where it recovered. */
  readonly downForMs: number | undefined;
  /** Start of the outage as earlier alerts reported it, for a recovery after a clock that was ahead reported that start. */
  readonly alertedSince?: number | undefined;
  readonly result: {
    readonly id: string;
    readonly startedAt: number;
    readonly endedAt: number;
    readonly runtimeMs: number;
    readonly reason: Reason;
    readonly text: string;
    readonly message: string;
    /** The beginning of the target's response, of a failure only. */
    readonly evidence?: string | undefined;
    readonly certificate?: CertificateFacts | undefined;
  };
  readonly confirmations: readonly Confirmation[];
  /** Only if the outage was acknowledged. */
  readonly acknowledgement?: Acknowledgement;
  /** The last run before the outage; only where the check had passed. */
  readonly lastPassed?:
    | {
        readonly startedAt: number;
        readonly location: string;
        readonly text: string;
        readonly runtimeMs: number;
      }
    | undefined;
}

/** An alert on its way to one address of one contact. */
export interface Alert {
  /** One for life: Message-ID and the webhook's id are made of it. */
  readonly id: string;
  readonly flipId: string;
  readonly accountId: string;
  /** The primary account, whose share of what is scarce the alert uses. */
  readonly primaryId: string;
  readonly checkNo: number;
  readonly checkId: string;
  /** The id of the flip that began the outage this alert is about; undefined for a first passing verdict. */
  readonly outage: string | undefined;
  readonly kind: AlertKind;
  /** Number of a reminder, from 1. An acknowledgement repeated after a withdrawal gets the next number. */
  readonly number?: number;
  /** Reminders that follow this alert; undefined if none do. */
  readonly reminding?: Reminding | undefined;
  readonly contactId: string;
  readonly addressId: string;
  /** It goes out in the windows of any of them. */
  readonly schedules: readonly string[];
  readonly dueAt: number;
  readonly createdAt: number;
  readonly notice: Notice;
  /** It is tried again until then: for six hours in which it could be sent. */
  readonly retryUntil: number;
  readonly attempts: number;
  /** An earlier attempt may have been taken although no acceptance reached us. */
  readonly possiblySent: boolean;
  /** Whether it passed the rules that apply once, before the first attempt. */
  readonly judged: boolean;
  /** Rule that delayed the alert. */
  readonly waitedFor?: LateReason | undefined;
  /** The message that it shares with others, once that is fixed. */
  readonly bundle: string | undefined;
  /** Host that receives the alert, as far as the store knows. A slow host delays only its own alerts. */
  readonly destination: string;
}

/** Whether the alert says that an outage began. */
export function startsOutage({
  kind,
  notice,
}: {
  readonly kind: AlertKind;
  readonly notice: Pick<Notice, "state">;
}): boolean {
  return kind === "down" || (kind === "first" && notice.state === "failing");
}

/** Returns whether the alert says of a new check that it is up. */
export function isFirstUp({ kind, outage }: Pick<Alert, "kind" | "outage">): boolean {
  return kind === "first" && outage === undefined;
}

/** An alert of an outage's beginning, as a recovery sees it. */
export interface EarlierAlert {
  readonly id: string;
  readonly contactId: string;
  readonly addressId: string;
  readonly schedules: readonly string[];
  readonly status: AlertStatus;
  readonly reason: string | undefined;
  /** Whether an attempt is in flight, or may have been accepted without a confirmation. */
  readonly possiblySent: boolean;
  readonly dueAt: number;
  /** Whether it passed the rules that apply once, before the first attempt. */
  readonly judged: boolean;
  /** Whether an attempt failed, or none was made in time, for reasons other than a recipient's rule. */
  readonly unreached: boolean;
}

/** An earlier alert, and what it was sent as. */
export interface AlertInMessage extends EarlierAlert {
  /** The id of its bundle, or its own. */
  readonly message: string;
  readonly attempts: number;
}

/** Returns whether what the alert says is fixed: it was sent, or is sent as it is. */
export function isWorded(alert: AlertInMessage): boolean {
  return isNotified(alert) || (alert.status === "waiting" && alert.attempts > 0);
}

export interface NewAlert {
  readonly kind: AlertKind;
  readonly number?: number;
  readonly reminding?: Reminding | undefined;
  readonly contactId: string;
  readonly addressId: string;
  readonly schedules: readonly string[];
  readonly dueAt: number;
}

const MINUTE_MS = 60_000;

/** One alert a recipient for a check that began to fail, or had its first verdict. */
export function newAlertsFor(
  kind: "down" | "first",
  recipients: readonly Recipient[],
  at: number,
): readonly NewAlert[] {
  return recipients.map(({ contactId, addressId, delayMinutes, repeat, ...windows }) => {
    const reminding = remindingOf(repeat);
    return {
      kind,
      contactId,
      addressId,
      schedules: schedulesOf(windows),
      dueAt: at + delayMinutes * MINUTE_MS,
      ...(reminding !== undefined && { reminding }),
    };
  });
}

/**
 * Updates the alerts of an outage at recovery. Held and certainly unsent alerts are cancelled. Each address to which the Down was sent, may have been sent, or
 * could not be delivered gets an Up, which is not sent before the Down has ended.
 */
export function alertsOnRecovery(
  earlier: readonly EarlierAlert[],
  at: number,
): { readonly cancel: readonly string[]; readonly notify: readonly NewAlert[] } {
  const cancel = earlier
    .filter(
      ({ status, possiblySent }) => status === "held" || (status === "waiting" && !possiblySent),
    )
    .map(({ id }) => id);
  const answered = earlier.filter((alert) => isAnswered(alert) || isUndeliverable(alert));
  return { cancel, notify: answersTo(answered, "up", at) };
}

/** Returns acknowledgement alerts for each address to which the Down was sent or may have been sent. */
export function alertsOnAcknowledgement(
  earlier: readonly EarlierAlert[],
  { at, number }: { readonly at: number; readonly number: number },
): readonly NewAlert[] {
  const answered = earlier.filter(isAnswered);
  return answersTo(answered, "acknowledged", at).map((alert) => ({ ...alert, number }));
}

function answersTo(
  earlier: readonly EarlierAlert[],
  kind: "up" | "acknowledged",
  dueAt: number,
): readonly NewAlert[] {
  return earlier.map(({ contactId, addressId, schedules }) => ({
    kind,
    contactId,
    addressId,
    schedules,
    dueAt,
  }));
}

/** Returns whether the Down was sent to its address, or may turn out to have been. */
function isAnswered(alert: EarlierAlert): boolean {
  return alert.status === "waiting" || alert.status === "held" || isNotified(alert);
}

/** The recipients that no alert of the outage was ever meant for: they became recipients while its check did not run. */
export function withoutAlert(
  recipients: readonly Recipient[],
  earlier: readonly EarlierAlert[],
): readonly Recipient[] {
  const known = new Set(earlier.map(addressKeyOf));
  return recipients.filter((recipient) => !known.has(addressKeyOf(recipient)));
}

function addressKeyOf({ contactId, addressId }: AddressRef): string {
  return `${contactId} ${addressId}`;
}

/** Whether a recovery is sent to the address: the Down was sent to it, or it suppresses only the Down. */
export function isNotified({
  status,
  reason,
  possiblySent,
}: Pick<EarlierAlert, "status" | "reason" | "possiblySent">): boolean {
  return (
    status === "delivered" || possiblySent || (status === "dropped" && reason === "suppressed_down")
  );
}

/** Whether its address should have been alerted of the outage, and could not be in time. */
export function isUndeliverable({
  status,
  reason,
  unreached,
}: Pick<EarlierAlert, "status" | "reason" | "unreached">): boolean {
  return unreached && (status === "failed" || (status === "dropped" && reason === "recovered"));
}

/** The kind under which an alert goes out, or why the address does not want it. A first failure is a down where first results are not wanted. */
export function messageKindFor(
  alert: { readonly kind: AlertKind; readonly notice: Pick<Notice, "state"> },
  suppress: Suppressions,
): { readonly kind: AlertKind } | { readonly dropped: DropReason } {
  if (suppress.all) return { dropped: "address_suppressed" };
  const kind = wantedKindOf(alert, suppress);
  const suppressedAs = suppressedWith[kind];
  return suppress[suppressedAs] ? { dropped: `suppressed_${suppressedAs}` } : { kind };
}

function wantedKindOf(
  { kind, notice }: { readonly kind: AlertKind; readonly notice: Pick<Notice, "state"> },
  suppress: Suppressions,
): AlertKind {
  if (kind === "first" && suppress.first && notice.state === "failing") return "down";
  // Without the Down, which it suppresses, it is told of the end of each outage.
  return kind === "missed" && suppress.down ? "up" : kind;
}

/** Recipients who suppress Downs get no reminders; recipients who suppress recoveries, such as a telephone, get no acknowledgements. */
const suppressedWith: Readonly<Record<AlertKind, "up" | "down" | "first">> = {
  down: "down",
  up: "up",
  first: "first",
  reminder: "down",
  acknowledged: "up",
  missed: "down",
};
