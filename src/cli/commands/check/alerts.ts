import type { Command } from "commander";

import { isRecord } from "../../../kit/safe-json.ts";
import {
  createApiListClient,
  withApiOptions,
  type ApiOptions,
  type ApiListClient,
  type JsonObject,
} from "../../api-client.ts";
import type { CommandContext } from "../../command-context.ts";
import { cellOf } from "../../derived/columns.ts";
import { printJson, printRows } from "../../derived/print-answer.ts";
import { createRecordNames } from "../../derived/record-names.ts";

interface Options extends ApiOptions {
  readonly limit: string;
  readonly json?: boolean;
}

export function addCheckAlerts(parent: Command, context: CommandContext): void {
  const command = parent
    .command("alerts")
    .summary("show the alerts of a check and their deliveries")
    .description("Shows the newest alerts of a check, including those that were not sent.")
    .argument("<id>", "the id of the check, or its label where only one has it")
    .option("--limit <count>", "the maximum number", "20")
    .option("--json", "the records as JSON, with every attempt");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost check alerts 202601051200ABCDE-0J2HSIRF")
    .action(async (given: string, { limit, json = false, ...options }: Options) => {
      const call = createApiListClient(context, options);
      const names = createRecordNames(context, options);
      const records = await names.withId("checks", given, async (id) => {
        const found = await call("GET", "notifications", {
          id,
          limit,
          dropped: true,
          detail: true,
        });
        // A deleted check still has alerts. For an unknown id this call fails with the reason.
        if (Array.isArray(found) && found.length === 0) await call("GET", "checks", { id });
        return found;
      });
      if (json) return printJson(records, context);
      const alerts = await withAddresses([records].flat().filter(isRecord), call);
      const head = ["CREATED", "TYPE", "TO", "BY", "ATTEMPTS", "STATUS"];
      printRows([head, ...alerts.map(rowOf)], context);
    });
}

/** An alert without an attempt has only the id of its address. */
async function withAddresses(
  alerts: readonly JsonObject[],
  call: ApiListClient,
): Promise<readonly JsonObject[]> {
  if (alerts.every(({ to }) => to !== "")) return alerts;
  const contacts = memberOf(await call("GET", "contacts"));
  return alerts.map((alert) => {
    if (alert.to !== "") return alert;
    const contact = memberOf(contacts[String(alert.contact_id)]);
    const { address, type } = memberOf(memberOf(contact.addresses)[String(alert.address_id)]);
    return { ...alert, to: address ?? `address ${String(alert.address_id)}`, network: type ?? "" };
  });
}

function rowOf(alert: JsonObject): readonly string[] {
  const { created, at, type, to, network } = alert;
  const end = `${String(alert.status)}${remarkOf(alert)}`;
  const attempts = String(deliveriesOf(alert).length);
  return [cellOf(created ?? at), cellOf(type), cellOf(to), cellOf(network), attempts, end];
}

function remarkOf(alert: JsonObject): string {
  const said = cellOf(alert.reason ?? memberOf(deliveriesOf(alert).at(-1)).response);
  const planned = alert.next === undefined ? "" : ` until ${cellOf(alert.next)}`;
  return said === "" ? planned : `${planned}: ${said}`;
}

function deliveriesOf({ deliveries }: JsonObject): readonly unknown[] {
  return Array.isArray(deliveries) ? deliveries : [];
}

function memberOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}
