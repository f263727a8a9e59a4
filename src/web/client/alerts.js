import { getJson } from "./get-json.js";
import { textElement } from "./text-element.js";

const MAX_ALERTS = 10;

const kinds = {
  down: "Down",
  up: "Up",
  first: "First result",
  reminder: "Reminder",
  acknowledged: "Acknowledged",
};

/** The reasons why an alert was dropped, for every reason of the API. */
export const reasons = {
  recovered: "the check recovered before it was sent",
  acknowledged: "somebody sees to the outage",
  outdated: "the check went down before its delay was over",
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
  incident_service: "the service reminds of its incidents itself",
};

/** The reasons why an alert waits for longer than a retry. */
const waits = { mailbox_limit: "its mailbox was sent all the alert mails of a day" };

const holds = {
  disabled: "the check runs again",
  account_suspended: "the account is active again",
  address_unconfirmed: "its address is confirmed, by the link that was mailed there",
};

/** Loads the latest alerts of a check, each with its `recipient`, which the API leaves empty before the first attempt. */
export async function loadAlerts(token, id) {
  const alerts = await getJson(
    token,
    `notifications/${id}?limit=${MAX_ALERTS}&dropped=true&detail=true`,
  );
  const unsent = alerts.filter(({ to }) => to === "").map(({ contact_id: contact }) => contact);
  const contacts = await Promise.allSettled(
    [...new Set(unsent)].map((contact) => getJson(token, `contacts/${contact}`)),
  );
  const addresses = new Map(
    contacts.flatMap(({ value }) => (value === undefined ? [] : [[value._id, value.addresses]])),
  );
  return alerts.map((alert) => ({
    ...alert,
    recipient:
      alert.to ||
      (addresses.get(alert.contact_id)?.[alert.address_id]?.address ?? "a deleted address"),
  }));
}

/** The ids of alerts whose attempts are expanded. */
const expanded = new Set();

export function alertParts(alerts) {
  return alerts.length === 0 ? [] : [textElement("h2", "Alerts"), ...alerts.map(alertPart)];
}

function alertPart(alert) {
  const { _id: id, type, created, recipient, network, deliveries } = alert;
  const when = new Date(created).toLocaleString();
  const channel = network === "" ? "" : ` (${network})`;
  const line = `${when}: ${kinds[type]} to ${recipient}${channel} – ${statusOf(alert)}`;
  if (deliveries.length === 0) return textElement("p", line);
  const attempts = document.createElement("details");
  attempts.open = expanded.has(id);
  attempts.addEventListener("toggle", () => {
    if (attempts.open) expanded.add(id);
    else expanded.delete(id);
  });
  const list = document.createElement("ol");
  list.append(...deliveries.map((delivery) => textElement("li", attemptOf(delivery))));
  attempts.append(textElement("summary", line), list);
  return attempts;
}

function statusOf({ status, reason, next, attempts }) {
  if (status === "delivered") return "delivered";
  if (status === "failed") return `failed: ${reason}`;
  if (status === "dropped") return `not sent: ${reasons[reason] ?? reason}`;
  if (status === "held") return `held until ${holds[reason]}`;
  const at = new Date(next).toLocaleString();
  if (reason !== undefined) return `waits until ${at}: ${waits[reason]}`;
  return attempts === 0 ? `waits until ${at}` : `is sent again at ${at}`;
}

function attemptOf({ end, accepted, response }) {
  return `${new Date(end).toLocaleString()} ${accepted ? "accepted" : "not accepted"}: ${response}`;
}
