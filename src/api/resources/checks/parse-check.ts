import { isDeepStrictEqual } from "node:util";

import type { CheckType } from "../../../checks/check-type.ts";
import { hostInUrl } from "../../../checks/bare-host.ts";
import { checkTypeOf, checkTypes } from "../../../checks/registry.ts";
import {
  defaultIntervalMinutes,
  defaultTimeoutSeconds,
  withRunRevision,
  type Check,
} from "../../../domain/check.ts";
import { regionCodes, type Location } from "../../../domain/location.ts";
import { targetWithoutQuery } from "../../../domain/target.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { parseFlag } from "../../../kit/flag.ts";
import type { Ids } from "../../../kit/ids.ts";
import { flagsFromWire } from "./flags.ts";
import { maxLabelLength, type CheckInput, typeParameters } from "./input.ts";
import { warnOfEndedMute } from "../ended-mute.ts";
import { mergeNotifications } from "./subscriptions.ts";
import { commonParameters, mergeParameters } from "./merge-parameters.ts";
import { parseRecord } from "../../../schema/json-values.ts";
import type { Call } from "../../http/auth.ts";
import { compatibilityOf, objectTo } from "../../http/compatibility.ts";
import { omitUnset, type RawValues } from "../../http/parse-request.ts";

/** With `disableall`, all other parameters are ignored without parsing. */
export function flattenUpdate(values: RawValues): RawValues {
  const { disableall } = values;
  return disableall === undefined || disableall === ""
    ? flattenParameters(values)
    : { disableall, ignored: values };
}

/** Accepts a record as returned: members of `parameters` count as parameters, but parameters next to it take precedence. */
export function flattenParameters({ parameters, ...values }: RawValues): RawValues {
  if (parameters === undefined || parameters === "") return values;
  const nested = parseRecord(parameters, "parameters");
  if (nested === undefined) throw new InvalidInput("parameters: must be an object");
  const { sensitivity, disableall, ...rest } = omitUnset(nested);
  if (disableall !== undefined)
    throw new InvalidInput("parameters.disableall: is about all checks, and no parameter of one");
  return { ...(sensitivity === undefined ? {} : { sens: sensitivity }), ...rest, ...values };
}

export function parseCheckType(name: string | undefined): CheckType {
  if (name === undefined) throw new InvalidInput("type: required");
  const type = checkTypeOf(name);
  if (type !== undefined) return type;
  throw new InvalidInput(
    `type: must be one of ${checkTypes.map((known) => known.type).join(", ")}, not ${JSON.stringify(name)}`,
  );
}

export interface WriteContext {
  readonly accountId: string;
  readonly ids: Ids;
  readonly now: number;
  readonly locations: readonly Location[];
  readonly call: Pick<Call, "compatibility" | "warn">;
}

/** Applies `input` to the known check, or makes a new one. Throws InvalidInput that names the parameter. */
export function parseCheckRequest(
  input: CheckInput,
  known: Check | undefined,
  context: WriteContext,
): Omit<Check, "no"> {
  const { ids, now } = context;
  const type = parseCheckType(input.type ?? known?.type);
  const stored = known?.parameters ?? {};
  const parameters = withAssigned(type, mergeParameters(type, stored, input), {
    sent: input,
    ids,
  });
  warnOfUnusedParameters({ type, sent: input, stored }, context.call.warn);
  warnOfEndedMute({ sent: input.mute, known: known?.mute ?? false, now }, context.call.warn);
  assertBareHosts(type, input, context.call);
  if (type.needsTarget && (parameters.target ?? "") === "")
    throw new InvalidInput("A target is required.");
  type.prepare(parameters);
  const modifiedAt = Math.max(now, (known?.modifiedAt ?? 0) + 1);
  const check = {
    .../* guard: ids that the service makes = { ...(it), ...input } */ (known ?? {
      ...created(context),
      runRevision: 1,
      runChangedAt: modifiedAt,
    }),
    type: type.type,
    parameters,
    label: input.label ?? known?.label ?? labelOf(type, parameters),
    intervalMinutes: intervalOf(input.interval, known, context),
    timeoutSeconds: input.threshold ?? known?.timeoutSeconds ?? defaultTimeoutSeconds,
    rechecks: input.sens ?? known?.rechecks,
    recheckWait:
      input.recheckwait === undefined ? known?.recheckWait : (input.recheckwait ?? undefined),
    ...switchesOf(input.enabled ?? input.enable, known),
    regions: regionsOf(input.runlocations, known, context),
    notifications: mergeNotifications(known?.notifications ?? [], input.notifications),
    dependsOn: input.dep === undefined ? known?.dependsOn : (input.dep ?? undefined),
    mute: input.mute ?? known?.mute ?? false,
    ...flagsFromWire(input, known),
    tags: input.tags ?? known?.tags ?? [],
    description: input.description || (known?.description ?? ""),
    home: homeOf(input.homeloc, known, context),
    revision: (known?.revision ?? 0) + 1,
    revisionHash: ids.revision(),
    modifiedAt,
  };
  return known === undefined ? check : withRunRevision(known, check);
}

/** A URL would be reduced to its host. Stored values are not checked again. */
function assertBareHosts(type: CheckType, sent: RawValues, call: WriteContext["call"]): void {
  for (const [name, parameter] of Object.entries(type.schema.shape)) {
    const host = hostInUrl(parameter, sent[name]);
    if (host !== undefined)
      objectTo(
        `${name}: must be a host name or an IP address, of this URL only ${JSON.stringify(host)} is used`,
        call,
      );
  }
}

function labelOf(type: CheckType, parameters: RawValues): string {
  return targetWithoutQuery(parameters).slice(0, maxLabelLength).toWellFormed() || type.type;
}

function created({
  accountId,
  ids,
  now,
}: WriteContext): Pick<
  Check,
  | "id"
  | "accountId"
  | "uuid"
  | "queue"
  | "createdAt"
  | "disabledWithAll"
  | "inMaintenance"
  | "quietFirst"
> {
  return {
    id: ids.check(accountId),
    accountId,
    uuid: ids.uuid(),
    queue: ids.queue(),
    createdAt: now,
    disabledWithAll: false,
    inMaintenance: false,
    quietFirst: false,
  };
}

/** Assigned parameters are generated once, and again when `reset` is sent for them. */
function withAssigned(
  type: CheckType,
  parameters: RawValues,
  { sent, ids }: { readonly sent: RawValues; readonly ids: Ids },
): RawValues {
  const missing = type.assigned.filter(
    (name) => parameters[name] === undefined || sent[name] === "reset",
  );
  return { ...parameters, ...Object.fromEntries(missing.map((name) => [name, ids.token()])) };
}

/**
 * A record that is sent back unchanged must not disable a check for good that only `disableall` or a maintenance disables. Any other
 * value of `enabled` takes precedence over a maintenance.
 */
function switchesOf(
  sent: CheckInput["enabled"],
  known: Check | undefined,
): Pick<Check, "enabled" | "inMaintenance"> {
  if (known === undefined) return { enabled: sent === true, inMaintenance: false };
  const { enabled, inMaintenance } = known;
  if (sent === undefined) return { enabled, inMaintenance };
  if (sent !== "inactive") return { enabled: sent, inMaintenance: false };
  return { enabled: enabled && (known.disabledWithAll || inMaintenance), inMaintenance };
}

/** A record that is sent back unchanged leaves a part of a minute that it shows as a whole one. */
function intervalOf(
  sent: number | undefined,
  known: Check | undefined,
  { call }: WriteContext,
): number {
  const stored = known?.intervalMinutes ?? defaultIntervalMinutes;
  const isSentBack = sent === compatibilityOf(call.compatibility).shownMinutes(stored);
  return isSentBack ? stored : (sent ?? stored);
}

function regionsOf(
  sent: readonly string[] | undefined,
  known: Check | undefined,
  { locations, call }: WriteContext,
): readonly string[] | undefined {
  if (sent === undefined) return known?.regions;
  const codes = new Set<string>([
    ...regionCodes,
    ...locations.map(({ code }) => code),
    ...(known?.regions ?? []),
  ]);
  for (const unknown of sent.filter((code) => !codes.has(code)))
    objectTo(`runlocations: no such region or location ${JSON.stringify(unknown)}`, call);
  return sent.length === 0 ? undefined : [...new Set(sent)];
}

function homeOf(
  sent: string | null | undefined,
  known: Check | undefined,
  { locations, call }: WriteContext,
): string | undefined {
  if (sent === undefined) return known?.home;
  if (sent === null) return undefined;
  const code = sent.toLowerCase();
  const isKnown =
    code === "roam" || code === known?.home || locations.some((one) => one.code === code);
  if (isKnown) return code;
  objectTo(`homeloc: no such location ${JSON.stringify(sent)}`, call, "left out");
  return undefined;
}

interface Sent {
  readonly type: CheckType;
  readonly sent: RawValues;
  readonly stored: RawValues;
}

/** Names the parameters that a check of this type does not keep, or keeps without effect. A record that is sent back whole has nothing new. */
function warnOfUnusedParameters({ type, sent, stored }: Sent, warn: Call["warn"]): void {
  const own = type.schema.shape;
  for (const [name, value] of Object.entries(sent)) {
    const isNew = !isUnset(value) && !isDeepStrictEqual(value, stored[name]);
    if (!isNew || !Object.hasOwn(typeParameters, name)) continue;
    if (type.assigned.includes(name))
      warn(
        `${name}: assigned by Watchpost, and only changed by reset, so the sent one was ignored`,
      );
    else if (Object.hasOwn(own, name)) continue;
    else if (commonParameters.includes(name))
      warn(`${name}: kept, without effect on a check of type ${type.type}`);
    else warn(`${name}: no parameter of a check of type ${type.type}, and ignored`);
  }
}

/** Clients send such values of every parameter that they know, and `reset` of a token that they do not. */
function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === "reset") return true;
  if (typeof value === "object") return Object.keys(value).length === 0;
  return parseFlag(value) === false;
}
