import type { Command } from "commander";

import { apiOf, withApiOptions } from "./api.ts";
import type { ApiOptions } from "./api.ts";
import { checkOf, stateOf } from "./check-record.ts";
import type { CheckRecord } from "./check-record.ts";
import type { Shell } from "./shell.ts";
import { tableOf, timeOf } from "./table.ts";

export function addCheckShow(parent: Command, shell: Shell): void {
  const command = parent
    .command("show")
    .summary("show one check with its latest result")
    .description("Shows what a check is, how it does, and what its latest run found.")
    .argument("<id>", "the id of the check, as the list shows it")
    .option("--json", "the record as JSON");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost check show 202601051200ABCDE-0J2HSIRF")
    .action(async (id: string, options: ApiOptions & { readonly json?: boolean }) => {
      const record = await apiOf(shell, options)("GET", "checks", { id, lastresult: true });
      if (options.json === true) return shell.print(`${JSON.stringify(record, undefined, 2)}\n`);
      shell.print(tableOf(rowsOf(checkOf(record))));
    });
}

function rowsOf(check: CheckRecord): readonly (readonly [string, string])[] {
  const { target, threshold, sens = 2, ...parameters } = check.parameters;
  const { trouble, lastresult: last } = check;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["id", check._id],
    ["label", check.label],
    ["type", check.type],
    ["target", target],
    [
      "state",
      check.firstdown ? `${stateOf(check)} since ${timeOf(check.firstdown)}` : stateOf(check),
    ],
    [
      "trouble",
      trouble &&
        `${trouble.count} × ${trouble.kind} since ${timeOf(trouble.since)}: ${trouble.message}`,
    ],
    ["last result", last && `${timeOf(last.s)}: ${last.su ? "passed" : "failed"}, ${last.sc}`],
    ["", last?.m || undefined],
    ["interval", `${check.interval} min`],
    ["timeout", `${threshold} s`],
    ["rechecks", String(sens)],
    ["locations", check.runlocations.join(", ") || "as the account has it"],
    ...Object.entries(parameters).map(([name, value]) => [name, textOf(value)] as const),
    ...check.notifications.map((entry) => ["tells", textOf(entry)] as const),
    ["depends on", check.dep || undefined],
    ["muted", check.mute === false ? undefined : mutedOf(check.mute)],
    ["tags", check.tags.join(", ") || undefined],
    ["description", check.description || undefined],
    ["made", timeOf(check.created)],
    ["changed", timeOf(check.modified)],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function mutedOf(mute: true | number): string {
  return mute === true ? "for good" : `until ${timeOf(mute)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
