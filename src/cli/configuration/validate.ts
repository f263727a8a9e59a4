import { z } from "zod";

import { commonParameters, mergeParameters } from "../../api/resources/checks/merge-parameters.ts";
import { parseCheckType } from "../../api/resources/checks/parse-check.ts";
import { parseDays } from "../../api/resources/schedules.ts";
import type { CheckType } from "../../checks/check-type.ts";
import { checkTypeOf, checkTypes } from "../../checks/registry.ts";
import { InvalidInput, messageOf } from "../../kit/errors.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { closestWord } from "../../schema/closest-word.ts";
import type { JsonObject } from "../api-client.ts";
import type { DeclaredAccount, DeclaredRecord } from "./declaration.ts";
import { inside, unknownMember } from "./declare.ts";
import type { Faults } from "./source/faults.ts";
import type { SourceLocation } from "./source/source-location.ts";
import { accountMembers, brandingMembers, sectionNames, shapes, type Members } from "./shapes.ts";

/** Adds a fault for everything that the API would refuse, as far as that shows without an account. */
export function validateAccount(declared: DeclaredAccount, faults: Faults): void {
  const { account, branding, sections } = declared;
  if (account !== undefined) validateMembers(account, accountMembers, faults);
  if (branding !== undefined) validateMembers(branding, brandingMembers, faults);
  for (const section of sectionNames) {
    const { members } = shapes[section];
    for (const record of sections[section].values())
      if (section === "checks") validateCheck(record, members, faults);
      else {
        validateMembers(record, members, faults);
        if (section === "schedules") validateDays(record, faults);
      }
  }
}

function validateMembers(
  { values, place }: DeclaredRecord,
  members: Members,
  faults: Faults,
): void {
  for (const [name, value] of Object.entries(values))
    validateMember({ place: inside(place, name), name, value }, members, faults);
}

export function validateMember(
  {
    place,
    name,
    value,
  }: { readonly place: SourceLocation; readonly name: string; readonly value: unknown },
  members: Members,
  faults: Faults,
): void {
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member === undefined) return faults.add(place, unknownMember(name, Object.keys(members)));
  const { error } = z.safeParse(member, value);
  for (const issue of error?.issues ?? []) faults.add(place, issue.message);
}

function validateDays({ values, place }: DeclaredRecord, faults: Faults): void {
  for (const [day, rule] of Object.entries(values))
    try {
      parseDays({ [day]: rule });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const [, path = "", message = ""] = /^data\.?([\w.]*): (.*)$/s.exec(error.message) ?? [];
      if (!Object.hasOwn(shapes.schedules.members, day)) continue;
      faults.add(inside(place, ...path.split(".").filter((part) => part !== "")), message);
    }
}

/** Returns the values of a check, with those inside `parameters` next to the others. */
export function flatValues({ values }: DeclaredRecord): JsonObject {
  const { parameters, ...rest } = values;
  return { ...(isRecord(parameters) ? parameters : {}), ...rest };
}

function validateCheck(record: DeclaredRecord, members: Members, faults: Faults): void {
  const { values, place } = record;
  const type = typeOf(record, faults);
  if (values.parameters !== undefined && !isRecord(values.parameters))
    faults.add(inside(place, "parameters"), "must be an object");
  if (type === undefined) return;
  const own: Members = { ...type.schema.shape };
  const known: Members = {
    ...Object.fromEntries(commonParameters.map((name) => [name, z.unknown()])),
    ...own,
    ...members,
  };
  const before = faults.count();
  for (const [name, value] of Object.entries(flatValues(record))) {
    const at = placeOf(record, name);
    if (type.assigned.includes(name)) faults.add(at, "is assigned by Watchpost");
    else validateMember({ place: at, name, value }, known, faults);
  }
  if (faults.count() === before && !record.isIncomplete) validateWhole(record, type, faults);
}

function typeOf({ values, place }: DeclaredRecord, faults: Faults): CheckType | undefined {
  const { type } = values;
  const known = typeof type === "string" ? checkTypeOf(type) : undefined;
  if (known !== undefined) return known;
  const names = checkTypes.map((each) => each.type);
  const meant = typeof type === "string" ? closestWord(type, names) : undefined;
  faults.add(
    type === undefined ? place : inside(place, "type"),
    type === undefined
      ? `type: required, one of ${names.join(", ")}`
      : `must be one of ${names.join(", ")}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
  );
  return undefined;
}

/** Validates the record as a whole, for example for missing members. */
function validateWhole(record: DeclaredRecord, type: CheckType, faults: Faults): void {
  const values = flatValues(record);
  try {
    const parameters = mergeParameters(parseCheckType(type.type), {}, values);
    if (type.needsTarget && (parameters.target ?? "") === "")
      throw new InvalidInput("target: required");
    type.prepare(parameters);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const [, name = "", message = ""] = /^([\w]+)[\w.]*: (.*)$/s.exec(error.message) ?? [];
    if (Object.hasOwn(values, name)) faults.add(placeOf(record, name), message);
    else faults.add(record.place, messageOf(error));
  }
}

function placeOf({ values, place }: DeclaredRecord, name: string): SourceLocation {
  return Object.hasOwn(values, name) ? inside(place, name) : inside(place, "parameters", name);
}
