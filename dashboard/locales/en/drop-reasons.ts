import type { DropReason } from "../../../src/domain/alert/alert.ts";

/** Why an alert was dropped. */
export const dropReasons: Readonly<Record<DropReason, string>> = {
  recovered: "the check recovered before it was sent",
  acknowledged: "somebody sees to the outage",
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
