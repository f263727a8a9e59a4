import type { Command } from "commander";

import { isRecord } from "../../../kit/safe-json.ts";
import {
  createApiClient,
  withApiOptions,
  type ApiOptions,
  type JsonObject,
} from "../../api-client.ts";
import { describeState } from "../../check-response.ts";
import type { CommandContext } from "../../command-context.ts";
import { cellOf } from "../../derived/columns.ts";
import { printFields, printJson } from "../../derived/print-answer.ts";
import { createRecordNames } from "../../derived/record-names.ts";

export function addCheckShow(parent: Command, context: CommandContext): void {
  const command = parent
    .command("show")
    .summary("show one check with its latest result")
    .description("Shows the configuration and state of a check, and its latest result.")
    .argument("<id>", "the id of the check, or its label where only one has it")
    .option("--json", "the record as JSON");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost check show 202601051200ABCDE-0J2HSIRF")
    .action(async (given: string, options: ApiOptions & { readonly json?: boolean }) => {
      const api = createApiClient(context, options);
      const record = await createRecordNames(context, options).withId("checks", given, (id) =>
        api("GET", "checks", { id, lastresult: true }),
      );
      if (options.json === true) printJson(record, context);
      else printFields(rowsOf(record), context);
    });
}

/** In what else a record has, nothing is of use to people. */
const LEFT_OUT = new Set("_rev customer_id enable enabled public queue status uuid".split(" "));
const NAMED = new Set(
  [
    "_id label type parameters state firstdown acknowledged trouble failinglocations lastresult interval runlocations recheckwait",
    "notifications dep mute tags description created modified suspacct homeloc autodiag warning",
  ].flatMap((line) => line.split(" ")),
);

function rowsOf(check: JsonObject): readonly (readonly [string, string])[] {
  const { target, threshold, sens = 2, ...parameters } = memberOf(check.parameters);
  const others = Object.entries(check).filter(([name]) => !LEFT_OUT.has(name) && !NAMED.has(name));
  const rows: readonly (readonly [string, unknown])[] = [
    ["id", check._id],
    ["label", check.label],
    ["type", check.type],
    ["target", target],
    ...stateRows(check),
    ["interval", `${String(check.interval)} min`],
    ["timeout", `${String(threshold)} s`],
    ["rechecks", sens],
    [
      "recheck wait",
      check.recheckwait === undefined ? "account default" : `${Number(check.recheckwait)} s`,
    ],
    ["locations", listOf(check.runlocations) || "account default"],
    ...Object.entries(parameters),
    ...[check.notifications].flat().map((entry) => ["notifies", entry] as const),
    ["depends on", check.dep || undefined],
    ["muted", check.mute === false ? undefined : mutedOf(check.mute)],
    ["tags", listOf(check.tags) || undefined],
    ["description", check.description || undefined],
    ...others,
    ["created", check.created],
    ["changed", check.modified],
  ];
  return rows.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, cellOf(value)] as const],
  );
}

function stateRows(check: JsonObject): readonly (readonly [string, unknown])[] {
  const state = describeState(check);
  const [trouble, acknowledged, last] = [check.trouble, check.acknowledged, check.lastresult];
  return [
    ["state", check.firstdown ? `${state} since ${cellOf(check.firstdown)}` : state],
    ["acknowledged", isRecord(acknowledged) ? acknowledgedOf(acknowledged) : undefined],
    [
      "trouble",
      isRecord(trouble)
        ? `${String(trouble.count)} × ${String(trouble.kind)} since ${cellOf(trouble.since)}: ${String(trouble.message)}`
        : undefined,
    ],
    ["fails from", failingOf(check.failinglocations)],
    [
      "last result",
      isRecord(last)
        ? `${cellOf(last.s)}: ${last.su === true ? "passed" : "failed"}, ${String(last.sc)}`
        : undefined,
    ],
    ["", isRecord(last) ? last.m || undefined : undefined],
  ];
}

function failingOf(locations: unknown): string | undefined {
  if (!Array.isArray(locations)) return undefined;
  return locations
    .filter(isRecord)
    .map(
      ({ location, since, reason }) =>
        `${String(location)} since ${cellOf(since)} (${String(reason)})`,
    )
    .join(", ");
}

function acknowledgedOf({ at, by, note }: JsonObject): string {
  return `${cellOf(at)} by ${String(by)}${note === "" ? "" : `: ${String(note)}`}`;
}

function memberOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : "";
}

function mutedOf(mute: unknown): string {
  return mute === true ? "permanently" : `until ${cellOf(mute)}`;
}
