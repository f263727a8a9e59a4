import type { Command } from "commander";
import { z } from "zod";

import { notificationResponse } from "../../../api/resources/notifications/response.ts";
import { createApiListClient, parseResponse, withApiOptions } from "../../api-client.ts";
import type { ApiOptions, ApiListClient } from "../../api-client.ts";
import { contactResponse } from "../contact-list.ts";
import type { CommandContext } from "../../command-context.ts";
import { formatTable, formatTime } from "../../table.ts";

type SentAlert = z.output<typeof notificationResponse>;

interface Options extends ApiOptions {
  readonly limit: string;
  readonly json?: boolean;
}

export function addCheckAlerts(parent: Command, context: CommandContext): void {
  const command = parent
    .command("alerts")
    .summary("show the alerts of a check and their deliveries")
    .description("Shows the newest alerts of a check, including those that were not sent.")
    .argument("<id>", "the id of the check, from check list")
    .option("--limit <count>", "the maximum number", "20")
    .option("--json", "the records as JSON, with every attempt");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost check alerts 202601051200ABCDE-0J2HSIRF")
    .action(async (id: string, { limit, json = false, ...options }: Options) => {
      const wanted = { id, limit, dropped: true, detail: true };
      const call = createApiListClient(context, options);
      const records = await call("GET", "notifications", wanted);
      // A deleted check still has alerts. For an unknown id this call fails with the reason.
      if (Array.isArray(records) && records.length === 0) await call("GET", "checks", { id });
      if (json) return context.print(`${JSON.stringify(records, undefined, 2)}\n`);
      const alert = await withAddresses(
        parseResponse(z.array(notificationResponse), records),
        call,
      );
      const rows = alert.map(rowOf);
      context.print(formatTable([["CREATED", "TYPE", "TO", "BY", "ATTEMPTS", "STATUS"], ...rows]));
    });
}

/** An alert without an attempt has only the id of its address. */
async function withAddresses(
  alerts: readonly SentAlert[],
  call: ApiListClient,
): Promise<readonly SentAlert[]> {
  if (alerts.every(({ to }) => to !== "")) return alerts;
  const contacts = parseResponse(
    z.record(z.string(), contactResponse),
    await call("GET", "contacts"),
  );
  return alerts.map((alert) => {
    const { to, contact_id: contactId = "", address_id: addressId = "" } = alert;
    if (to !== "") return alert;
    const { address, type } = contacts[contactId]?.addresses[addressId] ?? {};
    return { ...alert, to: address ?? `address ${addressId}`, network: type ?? "" };
  });
}

function rowOf(alert: SentAlert): readonly string[] {
  const { created, at, type, to, network, deliveries = [] } = alert;
  const end = `${alert.status}${remarkOf(alert)}`;
  return [formatTime(created ?? at), type, to, network, String(deliveries.length), end];
}

function remarkOf({ reason, next, deliveries = [] }: SentAlert): string {
  const said = reason ?? deliveries.at(-1)?.response ?? "";
  const planned = next === undefined ? "" : ` until ${formatTime(next)}`;
  return said === "" ? planned : `${planned}: ${said}`;
}
