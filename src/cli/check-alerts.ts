import type { Command } from "commander";
import { z } from "zod";

import { notificationAnswer } from "../api/notification-answer.ts";
import { callOf, understood, withApiOptions } from "./api.ts";
import type { ApiOptions } from "./api.ts";
import type { Shell } from "./shell.ts";
import { tableOf, timeOf } from "./table.ts";

type Told = z.output<typeof notificationAnswer>;

interface Options extends ApiOptions {
  readonly limit: string;
  readonly json?: boolean;
}

export function addCheckAlerts(parent: Command, shell: Shell): void {
  const command = parent
    .command("alerts")
    .summary("show who was told of one check, and what became of it")
    .description("Shows the newest alerts of a check, those that were not sent included.")
    .argument("<id>", "the id of the check, as the list shows it")
    .option("--limit <count>", "at most so many", "20")
    .option("--json", "the records as JSON, with every attempt");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost check alerts 202601051200ABCDE-0J2HSIRF")
    .action(async (id: string, { limit, json = false, ...options }: Options) => {
      const wanted = { id, limit, dropped: true, detail: true };
      const records = await callOf(shell, options)("GET", "notifications", wanted);
      if (json) return shell.print(`${JSON.stringify(records, undefined, 2)}\n`);
      const rows = understood(z.array(notificationAnswer), records).map(rowOf);
      shell.print(tableOf([["CREATED", "TYPE", "TO", "BY", "ATTEMPTS", "STATUS"], ...rows]));
    });
}

function rowOf(told: Told): readonly string[] {
  const { created, at, type, to, address_id: address = "", network, deliveries = [] } = told;
  const whom = to === "" ? `address ${address}` : to;
  const end = `${told.status}${remarkOf(told)}`;
  return [timeOf(created ?? at), type, whom, network, String(deliveries.length), end];
}

function remarkOf({ reason, next, deliveries = [] }: Told): string {
  const said = reason ?? deliveries.at(-1)?.response ?? "";
  const planned = next === undefined ? "" : ` until ${timeOf(next)}`;
  return said === "" ? planned : `${planned}: ${said}`;
}
