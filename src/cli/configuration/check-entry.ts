import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { checkFields } from "../../api/resources/checks/input.ts";
import { mergeNotifications } from "../../api/resources/checks/subscriptions.ts";
import { mergeParameters } from "../../api/resources/checks/merge-parameters.ts";
import { flattenParameters, parseCheckType } from "../../api/resources/checks/parse-check.ts";
import { parseInput } from "../../schema/parse-input.ts";
import type { CheckType } from "../../checks/check-type.ts";
import { rechecksOf } from "../../domain/check.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import type { CheckEntry } from "./document.ts";
import { withRecordName } from "./record-error.ts";
import { isSameNotifications, type Notifications } from "./map-references.ts";

const { enable: _, ...fields } = checkFields;
const schema = z.object(fields);

/** A check whose values are parsed as the API parses them, so that equal checks compare equal. */
export interface ParsedCheck {
  readonly type: CheckType;
  readonly notifications: Notifications;
  readonly sens: number | undefined;
  /** Undefined for the account's. */
  readonly recheckwait: number | undefined;
  /** The other fields that all types have. */
  readonly fields: JsonObject;
  /** The parameters of its type. */
  readonly parameters: JsonObject;
  readonly target: unknown;
}

export function parseChecks(
  entries: Readonly<Record<string, CheckEntry>>,
): Readonly<Record<string, ParsedCheck>> {
  return Object.fromEntries(
    Object.entries(entries).map(([id, entry]) => [
      id,
      withRecordName({ kind: "check", name: entry.label, id }, () => readCheck(entry)),
    ]),
  );
}

export function labelOf({ fields }: ParsedCheck): string {
  return String(fields.label);
}

/** The key that a check is matched by if its id differs. */
export function keyOfCheck(check: ParsedCheck): string {
  return JSON.stringify([labelOf(check), check.type.type, check.target]);
}

function readCheck(entry: CheckEntry): ParsedCheck {
  const values = flattenParameters(entry);
  const type = parseCheckType(entry.type);
  const { notifications, dep, homeloc, enabled, sens, recheckwait, ...rest } = parseInput(
    schema,
    values,
  );
  const parameters = Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.hasOwn(checkFields, name)),
  );
  return {
    type,
    notifications: mergeNotifications([], notifications),
    sens,
    recheckwait: recheckwait ?? undefined,
    fields: {
      ...rest,
      type: type.type,
      ...(enabled !== undefined && { enabled: enabled === true }),
      ...(dep !== undefined && { dep: dep ?? false }),
      ...(homeloc !== undefined && { homeloc: homeloc?.toLowerCase() ?? false }),
    },
    parameters,
    target: mergeParameters(type, {}, parameters).target,
  };
}

/** Throws InvalidInput if the check could not run with its parameters. */
export function assertRunnable(
  { type, parameters }: ParsedCheck,
  current: ParsedCheck | undefined,
): void {
  type.prepare(mergeParameters(type, current?.parameters ?? {}, parameters));
}

/** The parameters that turn `current` into `wanted`. What the document omits stays, except for parameters of the type that can be unset. */
export function changesOf(wanted: ParsedCheck, current: ParsedCheck): JsonObject {
  const changed = Object.entries(wanted.fields).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, current.fields[name]),
  );
  const sens = rechecksOf({ rechecks: wanted.sens });
  return {
    ...Object.fromEntries(changed),
    ...(sens !== rechecksOf({ rechecks: current.sens }) && { sens }),
    ...(wanted.recheckwait !== current.recheckwait && {
      recheckwait: wanted.recheckwait ?? false,
    }),
    ...(!isSameNotifications(wanted.notifications, current.notifications) && {
      notifications: wanted.notifications,
    }),
    ...changedParameters(wanted.type, wanted.parameters, current.parameters),
  };
}

function changedParameters(type: CheckType, wanted: JsonObject, current: JsonObject): JsonObject {
  const sent = { ...takenBack(current, ""), ...withoutRest(wanted, current) };
  // Merged as the API does it: some parameters cannot be unset, and others are not stored.
  const merged = mergeParameters(type, current, sent);
  const changed = Object.entries(sent).filter(
    ([name]) => !isDeepStrictEqual(merged[name], current[name]),
  );
  return Object.fromEntries(changed);
}

/** The API merges objects by key, so keys that are to be removed must be sent as null. */
function withoutRest(wanted: JsonObject, current: JsonObject): JsonObject {
  const members = Object.entries(wanted).map(([name, value]) => {
    const known = current[name];
    return [
      name,
      isRecord(value) && isRecord(known) ? { ...takenBack(known, null), ...value } : value,
    ];
  });
  return Object.fromEntries(members);
}

function takenBack(values: JsonObject, word: "" | null): JsonObject {
  return Object.fromEntries(Object.keys(values).map((name) => [name, word]));
}
