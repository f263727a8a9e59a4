import type { Clock } from "../../kit/clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { messageOf } from "../../kit/errors.ts";
import { callService, isNotRunning } from "../control/call-service.ts";
import { alertingReport, examineAlerting, type AlertingReport } from "../control/alerting.ts";
import type { Config } from "../../settings/config.ts";
import { loadInstanceKey } from "../instance-key.ts";
import type { Finding } from "./finding.ts";

/** Examines whether alerts reach people, through the running service or the database server. */
export async function alertingFindings(
  config: Config,
  clock: Pick<Clock, "now">,
): Promise<readonly Finding[]> {
  try {
    const { checksAlertingNobody, unreachableContacts, failingAlerts } = await reportOf(
      config,
      clock,
    );
    return [
      recipientsFinding(checksAlertingNobody),
      contactsFinding(unreachableContacts),
      failingFinding(failingAlerts),
    ];
  } catch (error) {
    return [
      {
        name: "recipients",
        state: "amber",
        found: isNotRunning(error)
          ? "not looked at: the service does not run on this data folder"
          : `not looked at: ${messageOf(error)}`,
        advice: "start the service, and run this as its user",
      },
    ];
  }
}

async function reportOf(config: Config, clock: Pick<Clock, "now">): Promise<AlertingReport> {
  const { WATCHPOST_DATABASE_URL: url, WATCHPOST_DATA: folder } = config;
  if (url === undefined)
    return callService(folder)({ method: "GET", path: "/alerting" }, alertingReport);
  const { readDatabase } = await import("../../store/postgres/read-database.ts");
  const sealer = createSealer(loadInstanceKey(config));
  return readDatabase({ url, sealer }, (reads) => examineAlerting(reads, clock.now()));
}

function recipientsFinding(checks: AlertingReport["checksAlertingNobody"]): Finding {
  const name = "recipients";
  if (checks.count === 0)
    return { name, state: "green", found: "every check that is on alerts somebody" };
  return {
    name,
    state: "amber",
    found: `${checks.count === 1 ? "1 check alerts" : `${checks.count} checks alert`} nobody: ${namesOf(checks)}`,
    advice:
      "name recipients in the check, or in the account for all checks; watchpost check show <check> has them as notifies",
  };
}

function contactsFinding(unreachable: AlertingReport["unreachableContacts"]): Finding {
  const name = "contacts";
  if (unreachable.count === 0)
    return { name, state: "green", found: "every contact has an address that is on" };
  return {
    name,
    state: "amber",
    found: `${unreachable.count === 1 ? "1 contact has" : `${unreachable.count} contacts have`} no address that is on: ${namesOf(unreachable)}`,
    advice:
      "add an address, let its owner confirm it, or switch one on again; watchpost contact test <contact> tries it",
  };
}

function failingFinding(failing: AlertingReport["failingAlerts"]): Finding {
  const name = "failing alerts";
  if (failing.count === 0)
    return { name, state: "green", found: "no alert waits for another attempt" };
  const minutes = Math.floor(failing.oldestMs / 60_000);
  return {
    name,
    state: "red",
    found: `${failing.count === 1 ? "1 alert was" : `${failing.count} alerts were`} not accepted, the oldest is ${minutes} min late: ${failing.examples.join("; ")}`,
    advice:
      "correct the receiver or the address: what waits is tried again by itself; docs/worst-day.md",
  };
}

function namesOf({ count, examples }: AlertingReport["checksAlertingNobody"]): string {
  const more = count - examples.length;
  return `${examples.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
