import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../../api-client.ts";
import type { ApiOptions } from "../../api-client.ts";
import { parseCheck, describeState } from "../../check-response.ts";
import type { CheckResponse } from "../../check-response.ts";
import type { CommandContext } from "../../command-context.ts";
import { formatTable, formatTime } from "../../table.ts";

export function addCheckShow(parent: Command, context: CommandContext): void {
  const command = parent
    .command("show")
    .summary("show one check with its latest result")
    .description("Shows the configuration and state of a check, and its latest result.")
    .argument("<id>", "the id of the check, from check list")
    .option("--json", "the record as JSON");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost check show 202601051200ABCDE-0J2HSIRF")
    .action(async (id: string, options: ApiOptions & { readonly json?: boolean }) => {
      const record = await createApiClient(context, options)("GET", "checks", {
        id,
        lastresult: true,
      });
      if (options.json === true) return context.print(`${JSON.stringify(record, undefined, 2)}\n`);
      context.print(formatTable(rowsOf(parseCheck(record))));
    });
}

function rowsOf(check: CheckResponse): readonly (readonly [string, string])[] {
  const { target, threshold, sens = 2, ...parameters } = check.parameters;
  const { trouble, acknowledged, lastresult: last } = check;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["id", check._id],
    ["label", check.label],
    ["type", check.type],
    ["target", target],
    [
      "state",
      check.firstdown
        ? `${describeState(check)} since ${formatTime(check.firstdown)}`
        : describeState(check),
    ],
    [
      "acknowledged",
      acknowledged &&
        `${formatTime(acknowledged.at)} by ${acknowledged.by}${acknowledged.note === "" ? "" : `: ${acknowledged.note}`}`,
    ],
    [
      "trouble",
      trouble &&
        `${trouble.count} × ${trouble.kind} since ${formatTime(trouble.since)}: ${trouble.message}`,
    ],
    ["last result", last && `${formatTime(last.s)}: ${last.su ? "passed" : "failed"}, ${last.sc}`],
    ["", last?.m || undefined],
    ["interval", `${check.interval} min`],
    ["timeout", `${threshold} s`],
    ["rechecks", String(sens)],
    ["locations", (check.runlocations || []).join(", ") || "account default"],
    ...Object.entries(parameters).map(([name, value]) => [name, textOf(value)] as const),
    ...check.notifications.map((entry) => ["notifies", textOf(entry)] as const),
    ["depends on", check.dep || undefined],
    ["muted", check.mute === false ? undefined : mutedOf(check.mute)],
    ["tags", check.tags.join(", ") || undefined],
    ["description", check.description || undefined],
    ["created", formatTime(check.created)],
    ["changed", formatTime(check.modified)],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function mutedOf(mute: true | number): string {
  return mute === true ? "permanently" : `until ${formatTime(mute)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
