import { ask } from "./ask.js";
import { made } from "./made.js";

const MOST = 10;

const kinds = { down: "Down", up: "Up", first: "First result" };

/** Why an alert was not sent, in words; every reason of the API has some. */
export const reasons = {
  recovered: "the check passed again before it went out",
  outdated: "the check went down before its delay was over",
  disabled: "the check was switched off",
  deleted: "the check is gone",
  recipient_gone: "the contact or its address is gone",
  account_deleted: "the account is deleted",
  account_suspended: "the account is suspended",
  account_suppressed: "the account is to send nothing",
  address_disabled: "the address was refused for good, and is not tried any more",
  address_muted: "the address is muted",
  address_suppressed: "the address wants nothing",
  suppressed_up: "the address does not want to hear of recoveries",
  suppressed_down: "the address does not want to hear of failures",
  suppressed_first: "the address does not want first results",
  outside_window: "its schedule let nothing through when it was due",
  check_muted: "the check was muted when it was due",
  dependency_down: "the check that this one depends on was failing",
  down_not_sent: "the alert that it went down was not sent either",
};

/** The latest alerts of a check, each with `whom`: the address that was told, or that was not. */
export async function readTold(token, id) {
  const told = await ask(token, `notifications/${id}?limit=${MOST}&dropped=true&detail=true`);
  const unsent = told.filter(({ to }) => to === "").map(({ contact_id: contact }) => contact);
  const contacts = await Promise.allSettled(
    [...new Set(unsent)].map((contact) => ask(token, `contacts/${contact}`)),
  );
  const addresses = new Map(
    contacts.flatMap(({ value }) => (value === undefined ? [] : [[value._id, value.addresses]])),
  );
  return told.map((alert) => ({
    ...alert,
    whom:
      alert.to ||
      (addresses.get(alert.contact_id)?.[alert.address_id]?.address ?? "an address that is gone"),
  }));
}

/** Those whose attempts are shown. */
const opened = new Set();

export function toldParts(told) {
  return told.length === 0 ? [] : [made("h2", "Alerts"), ...told.map(alertPart)];
}

function alertPart(alert) {
  const { _id: id, type, created, whom, network, deliveries } = alert;
  const when = new Date(created).toLocaleString();
  const by = network === "" ? "" : ` (${network})`;
  const line = `${when}: ${kinds[type]} to ${whom}${by} – ${endOf(alert)}`;
  if (deliveries.length === 0) return made("p", line);
  const attempts = document.createElement("details");
  attempts.open = opened.has(id);
  attempts.addEventListener("toggle", () => {
    if (attempts.open) opened.add(id);
    else opened.delete(id);
  });
  const list = document.createElement("ol");
  list.append(...deliveries.map((delivery) => made("li", attemptOf(delivery))));
  attempts.append(made("summary", line), list);
  return attempts;
}

function endOf({ status, reason, next, attempts }) {
  if (status === "delivered") return "delivered";
  if (status === "failed") return `failed: ${reason}`;
  if (status === "dropped") return `not sent: ${reasons[reason] ?? reason}`;
  const at = new Date(next).toLocaleString();
  return attempts === 0 ? `waits until ${at}` : `is tried again at ${at}`;
}

function attemptOf({ end, accepted, response }) {
  return `${new Date(end).toLocaleString()} ${accepted ? "accepted" : "not accepted"}: ${response}`;
}
