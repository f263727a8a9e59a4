import { InvalidInput } from "../../kit/errors.ts";
import type { Values } from "../api.ts";
import { assertFit, changesOf, labelOf } from "./check-entry.ts";
import type { ReadCheck } from "./check-entry.ts";
import type { Dictionary } from "./dictionary.ts";
import { refusalOf } from "./named.ts";
import { stepsOf } from "./section.ts";
import type { Section, Sides } from "./section.ts";
import { changeStep, createStep } from "./step.ts";
import type { Named, Step } from "./step.ts";
import { translated } from "./translate.ts";

type Checks = Section<ReadCheck>["wanted"];

/** Each check after the one that it depends on, which has to be there. */
export function checkSteps(
  checks: Section<ReadCheck>,
  dictionaryFor: (record: Named) => Dictionary,
): readonly Step[] {
  return stepsOf({ ...checks, wanted: dependedFirst(checks.wanted) }, (record, sides) =>
    checkStep(record, sides, dictionaryFor(record)),
  );
}

function checkStep(
  record: Named,
  { wanted, current }: Sides<ReadCheck>,
  dictionary: Dictionary,
): Step {
  const target = inAccount(wanted, current, dictionary);
  const step =
    current === undefined
      ? createStep(record, parametersOf(target))
      : changeStep(record, changesOf(target, current));
  if (step.change !== "same") assertFit(target, current);
  return step;
}

/** The check with its references as the account knows them. */
function inAccount(
  check: ReadCheck,
  current: ReadCheck | undefined,
  dictionary: Dictionary,
): ReadCheck {
  const { dep } = check.fields;
  const known = current?.fields.dep;
  return {
    ...check,
    notifications: translated(check.notifications, current?.notifications ?? [], dictionary),
    fields: {
      ...check.fields,
      ...(typeof dep === "string" && { dep: dictionary.reference(dep, [String(known)]) ?? false }),
    },
  };
}

function parametersOf({ notifications, sens, fields, parameters }: ReadCheck): Values {
  return { ...fields, ...(sens !== undefined && { sens }), notifications, ...parameters };
}

function dependedFirst(checks: Checks): Checks {
  const ordered = new Map<string, ReadCheck>();
  for (const start of Object.keys(checks)) {
    const chain = new Map<string, ReadCheck>();
    let id = start;
    while (Object.hasOwn(checks, id) && !ordered.has(id)) {
      const check = checks[id];
      if (check === undefined) break;
      if (chain.has(id))
        throw refusalOf(
          { kind: "check", id, name: labelOf(check) },
          new InvalidInput("dep: leads back to the check itself"),
        );
      chain.set(id, check);
      id = String(check.fields.dep);
    }
    for (const [each, check] of [...chain].toReversed()) ordered.set(each, check);
  }
  return Object.fromEntries(ordered);
}
