import type {
  AlertStatus,
  DropReason,
  HoldReason,
  WaitReason,
} from "../../../domain/alert/alert.ts";

const dropped: Readonly<Record<DropReason, string>> = {
  recovered: "the check recovered before it was sent",
  acknowledged: "somebody acknowledged the outage",
  outdated: "the check went down before it was sent",
  deleted: "the check was deleted",
  recipient_gone: "the contact or its address was deleted",
  account_deleted: "the account is deleted",
  account_suppressed: "the account suppresses all alerts",
  address_disabled: "the receiver refuses the address for good",
  address_muted: "the address is muted",
  address_suppressed: "the address suppresses all messages",
  address_unconfirmed: "nobody has confirmed the address",
  suppressed_up: "the address suppresses recoveries",
  suppressed_down: "the address suppresses down alerts",
  suppressed_first: "the address suppresses first results",
  outside_window: "it was due outside of the windows of its schedule",
  check_muted: "the check was muted when it was due",
  dependency_down: "the check that this one depends on was down",
  down_not_sent: "the down alert was not sent either",
  incident_service: "the service manages its incidents itself",
};

const held: Readonly<Record<HoldReason, string>> = {
  disabled: "it is held until the check runs again",
  account_suspended: "it is held until the account is active again",
  address_unconfirmed: "it is held until its address is confirmed",
};

const waiting: Readonly<Record<WaitReason, string>> = {
  mailbox_limit: "its mailbox was sent all the alert mails of a day",
  outside_window: "it waits until the windows of its schedule open",
  check_muted: "it waits until the mute of the check ends",
  address_muted: "it waits until the mute of the address ends",
  dependency_down: "it waits until the check that this one depends on is up",
};

/** Returns whether a reason is the text of the receiver, and not a word of ours. */
export function isReceivers(status: AlertStatus, reason: string): boolean {
  return reasonInWords(status, reason) === undefined;
}

/** Describes why an alert was not sent, or not yet; undefined if the reason is the receiver's own. */
export function reasonInWords(status: AlertStatus, reason: string): string | undefined {
  const words: Readonly<Partial<Record<AlertStatus, object>>> = { dropped, held, waiting };
  return Object.entries(words[status] ?? {}).find(([known]) => known === reason)?.[1];
}
