import type { JsonObject } from "../../api-client.ts";
import type { CommandContext } from "../../command-context.ts";
import { changeLine, differenceOf, type PlannedChange } from "../../configuration/change-words.ts";
import type { ValueChange } from "../../configuration/value-changes.ts";
import { stripControlCharacters } from "../../table.ts";
import { allSteps, type ImportPlan, type ImportStep } from "../import-plan.ts";
import type { UpdatePlan } from "./update-plan.ts";

export interface Differences {
  readonly planned: ImportPlan;
  readonly update: UpdatePlan;
  /** Whether what is gone there is deleted here. */
  readonly deletes: boolean;
}

const titles = {
  contact: "contact",
  check: "check",
  maintenance: "maintenance",
  statuspage: "status page",
} as const satisfies Readonly<Record<ImportStep["kind"], string>>;

export function titleOf({
  kind,
  name,
}: {
  readonly kind: ImportStep["kind"];
  readonly name: string;
}): string {
  return `${titles[kind]} ${JSON.stringify(name)}`;
}

export function countDifferences({
  planned,
  update: { updates, gone },
  deletes,
}: Differences): Readonly<Record<PlannedChange, number>> {
  const of = (action: ImportStep["action"]): number =>
    allSteps(planned).filter((step) => step.action === action).length;
  const change = updates.filter(({ changes }) => changes.length > 0).length;
  const same = updates.length - change;
  const [prune, stay] = deletes ? [gone.length, 0] : [0, gone.length];
  return { create: of("create"), takeover: of("adopt"), change, prune, same: same + stay };
}

/** A line for each record that differs, as a plan has them. */
export function printDifferences(
  { print, terminal }: Pick<CommandContext, "print" | "terminal">,
  { planned, update: { updates, gone, named }, deletes }: Differences,
): void {
  const line = (change: PlannedChange, text: string): void =>
    print(changeLine(change, text, terminal));
  const below = (text: string): void => print(`    ${stripControlCharacters(text)}\n`);
  for (const { kind, action, record } of allSteps(planned)) {
    const title = titleOf({ kind, name: record.name });
    if (action === "adopt")
      line("takeover", `${title}: exists, and counts as imported from now on`);
    if (action !== "create") continue;
    line("create", title);
    for (const { outcome, field, reason } of record.notes) below(`${outcome}: ${field}: ${reason}`);
  }
  for (const { step, changes, held } of updates) {
    if (changes.length + held.length === 0) continue;
    const title = titleOf({ kind: step.kind, name: step.record.name });
    const differences = changes.map((each) => differenceOf(each, named)).join(", ");
    if (changes.length > 0) line("change", `${title}: ${differences}`);
    else line("same", title);
    for (const { change, reason } of held)
      below(`stays: ${differenceOf(change, named)}: ${reason}`);
  }
  for (const each of gone)
    if (deletes) line("prune", `${titleOf(each)}: gone at the source`);
    else line("same", `${titleOf(each)}: gone at the source, stays without --delete`);
}

/** The same for programs. */
export function differencesToJson({ planned, update, deletes }: Differences): JsonObject {
  const made = allSteps(planned).flatMap(({ kind, action, record: { from, name } }) =>
    action === "keep"
      ? []
      : [{ change: action === "create" ? "create" : "takeover", kind, from, name }],
  );
  const changed = update.updates.flatMap(({ step: { kind, id, record }, changes, held }) =>
    changes.length + held.length === 0
      ? []
      : [
          {
            change: changes.length > 0 ? "change" : "same",
            kind,
            from: record.from,
            name: record.name,
            id,
            values: Object.fromEntries(changes.map(valuesOf)),
            stays: Object.fromEntries(
              held.map(({ change, reason }) => {
                const [name, values] = valuesOf(change);
                return [name, { ...values, reason }];
              }),
            ),
          },
        ],
  );
  const gone = update.gone.map((each) => ({ change: deletes ? "prune" : "gone", ...each }));
  return { changes: [...made, ...changed, ...gone], absent: planned.absent };
}

function valuesOf(change: ValueChange): [name: string, values: JsonObject] {
  if (change.isSecret) return [change.name, { secret: true }];
  const { name, before, after } = change;
  return [name, { before, after }];
}
