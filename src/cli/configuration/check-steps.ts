import { InvalidInput } from "../../kit/errors.ts";
import type { JsonObject } from "../api-client.ts";
import { assertRunnable, changesOf, labelOf, type ParsedCheck } from "./check-entry.ts";
import type { IdMap } from "./id-map.ts";
import { recordError } from "./record-error.ts";
import { stepsOf, type Section, type RecordVersions } from "./section.ts";
import { changeStep, createStep, type RecordName, type ConfigurationStep } from "./step.ts";
import { mapReferences } from "./map-references.ts";

type Checks = Section<ParsedCheck>["wanted"];

/** Orders each check after the one that it depends on, which must exist first. */
export function checkSteps(
  checks: Section<ParsedCheck>,
  dictionaryFor: (record: RecordName) => IdMap,
): readonly ConfigurationStep[] {
  return stepsOf({ ...checks, wanted: dependedFirst(checks.wanted) }, (record, sides) =>
    checkStep(record, sides, dictionaryFor(record)),
  );
}

function checkStep(
  record: RecordName,
  { wanted, current }: RecordVersions<ParsedCheck>,
  dictionary: IdMap,
): ConfigurationStep {
  const target = inAccount(wanted, current, dictionary);
  const step =
    current === undefined
      ? createStep(record, { ...parametersOf(target), quietfirst: true })
      : changeStep(record, changesOf(target, current));
  if (step.change !== "same") assertRunnable(target, current);
  const { dep } = wanted.fields;
  return typeof dep === "string" ? { ...step, dependsOn: dep } : step;
}

/** Maps the references of a check to the account. */
function inAccount(
  check: ParsedCheck,
  current: ParsedCheck | undefined,
  dictionary: IdMap,
): ParsedCheck {
  const { dep } = check.fields;
  const known = current?.fields.dep;
  return {
    ...check,
    notifications: mapReferences(check.notifications, current?.notifications ?? [], dictionary),
    fields: {
      ...check.fields,
      ...(typeof dep === "string" && { dep: dictionary.reference(dep, [String(known)]) ?? false }),
    },
  };
}

function parametersOf(check: ParsedCheck): JsonObject {
  const { notifications, sens, recheckwait, fields, parameters } = check;
  return {
    ...fields,
    ...(sens !== undefined && { sens }),
    ...(recheckwait !== undefined && { recheckwait }),
    notifications,
    ...parameters,
  };
}

function dependedFirst(checks: Checks): Checks {
  const ordered = new Map<string, ParsedCheck>();
  for (const start of Object.keys(checks)) {
    const chain = new Map<string, ParsedCheck>();
    let id = start;
    while (Object.hasOwn(checks, id) && !ordered.has(id)) {
      const check = checks[id];
      if (check === undefined) break;
      if (chain.has(id))
        throw recordError(
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
