import type { CheckType } from "../checks/check-type.ts";
import { checkTypeOf, checkTypes } from "../checks/registry.ts";
import { defaultIntervalMinutes, defaultTimeoutSeconds, isSwitchedOn } from "../domain/check.ts";
import type { Check } from "../domain/check.ts";
import { regionCodes } from "../domain/location.ts";
import type { Location } from "../domain/location.ts";
import { publicTarget } from "../domain/target.ts";
import { InvalidInput } from "../kit/errors.ts";
import { parseFlag } from "../kit/flag.ts";
import type { Ids } from "../kit/ids.ts";
import type { CheckRecord } from "../store/checks.ts";
import type { Gap } from "../store/states.ts";
import { mergeNotifications, parseNotifications } from "./check-notifications.ts";
import { mergeParameters } from "./check-parameters.ts";
import type { Compatibility } from "./compatibility.ts";
import { field, flag, integer, parseList, parseRecord, text } from "./fields.ts";
import { sent } from "./params.ts";
import type { Values } from "./params.ts";

const LONGEST_LABEL = 1000;
const LONGEST_INTERVAL_MINUTES = 525_600;
const LONGEST_TIMEOUT_SECONDS = 90;
const MOST_RECHECKS = 20;

/** `inactive` is how a record shows a check that is off, for whatever reason. */
const enabled = field("must be true or false", (value) =>
  value === "inactive" ? value : parseFlag(value),
);

/** Parameters of every check; those of its type come beside them. */
export const checkFields = {
  type: text(20),
  label: text(LONGEST_LABEL),
  interval: integer(1, LONGEST_INTERVAL_MINUTES),
  enabled,
  enable: enabled,
  public: flag,
  runlocations: field("must be a list of region or location codes", parseCodes, []),
  threshold: integer(1, LONGEST_TIMEOUT_SECONDS),
  sens: integer(0, MOST_RECHECKS),
  notifications: field("must be a list of objects of recipient to schedule", parseNotifications),
};

export type CheckInput = {
  readonly [Name in keyof typeof checkFields]?: ReturnType<(typeof checkFields)[Name]["parse"]>;
} & Values;

function parseCodes(value: unknown): readonly string[] | undefined {
  if (value === false) return [];
  const codes = parseList(value);
  return codes?.every((code) => typeof code === "string")
    ? codes.map((code) => code.trim().toLowerCase()).filter((code) => code !== "")
    : undefined;
}

/** Takes a record back as it was given: its `parameters` count where nothing of the same name stands beside them. */
export function flattened({ parameters, ...values }: Values): Values {
  if (values.disableall !== undefined && values.disableall !== "")
    return { disableall: values.disableall };
  if (parameters === undefined || parameters === "") return values;
  const nested = parseRecord(parameters, "parameters");
  if (nested === undefined) throw new InvalidInput("parameters: must be an object");
  const { sensitivity, ...rest } = sent(nested);
  return { ...(sensitivity === undefined ? {} : { sens: sensitivity }), ...rest, ...values };
}

export function typeOf(name: string | undefined): CheckType {
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
}

/** The check that `input` makes of `known`, or a new one; throws InvalidInput that names the parameter. */
export function fromWire(
  input: CheckInput,
  known: Check | undefined,
  context: WriteContext,
): Omit<Check, "no"> {
  const { ids, now } = context;
  const type = typeOf(input.type ?? known?.type);
  const parameters = withAssigned(type, mergeParameters(type, known?.parameters ?? {}, input), {
    sent: input,
    ids,
  });
  if (type.target !== "none" && (parameters.target ?? "") === "")
    throw new InvalidInput("A target is required.");
  type.prepare(parameters);
  return {
    ...(known ?? created(context)),
    type: type.type,
    parameters,
    label: input.label ?? known?.label ?? labelOf(type, parameters),
    intervalMinutes: input.interval ?? known?.intervalMinutes ?? defaultIntervalMinutes,
    timeoutSeconds: input.threshold ?? known?.timeoutSeconds ?? defaultTimeoutSeconds,
    rechecks: input.sens ?? known?.rechecks,
    enabled: switchOf(input.enabled ?? input.enable, known),
    public: input.public ?? known?.public ?? false,
    regions: regionsOf(input.runlocations, known, context.locations),
    notifications: mergeNotifications(known?.notifications ?? [], input.notifications),
    revision: (known?.revision ?? 0) + 1,
    revisionHash: ids.revision(),
    modifiedAt: Math.max(now, (known?.modifiedAt ?? 0) + 1),
  };
}

function labelOf(type: CheckType, parameters: Values): string {
  return publicTarget(parameters).slice(0, LONGEST_LABEL).toWellFormed() || type.type;
}

function created({
  accountId,
  ids,
  now,
}: WriteContext): Pick<
  Check,
  "id" | "accountId" | "uuid" | "queue" | "createdAt" | "disabledWithAll"
> {
  return {
    id: ids.check(accountId),
    accountId,
    uuid: ids.uuid(),
    queue: ids.queue(),
    createdAt: now,
    disabledWithAll: false,
  };
}

/** What we assign is made once, and anew when `reset` is sent for it. */
function withAssigned(
  type: CheckType,
  parameters: Values,
  { sent, ids }: { readonly sent: Values; readonly ids: Ids },
): Values {
  const missing = type.assigned.filter(
    (name) => parameters[name] === undefined || sent[name] === "reset",
  );
  return { ...parameters, ...Object.fromEntries(missing.map((name) => [name, ids.token()])) };
}

/** A record that is sent back whole must not turn a check off for good that only `disableall` holds. */
function switchOf(sent: CheckInput["enabled"], known: Check | undefined): boolean {
  if (sent === "inactive") return known !== undefined && known.enabled && known.disabledWithAll;
  return sent ?? known?.enabled ?? false;
}

function regionsOf(
  sent: readonly string[] | undefined,
  known: Check | undefined,
  locations: readonly Location[],
): readonly string[] | undefined {
  if (sent === undefined) return known?.regions;
  const codes = new Set<string>([
    ...regionCodes,
    ...locations.map(({ code }) => code),
    ...(known?.regions ?? []),
  ]);
  const unknown = sent.find((code) => !codes.has(code));
  if (unknown !== undefined)
    throw new InvalidInput(`runlocations: no such region or location ${JSON.stringify(unknown)}`);
  return sent.length === 0 ? undefined : [...new Set(sent)];
}

export function toWire(
  { check, state, trouble }: CheckRecord,
  status: "assigned" | "modified",
  { noFirstDown }: Compatibility,
): object {
  const isOn = isSwitchedOn(check);
  const { target, ...parameters } = check.parameters;
  return {
    _id: check.id,
    _rev: `${check.revision}-${check.revisionHash}`,
    customer_id: check.accountId,
    label: check.label,
    interval: check.intervalMinutes,
    notifications: check.notifications,
    type: check.type,
    status,
    modified: check.modifiedAt,
    enable: isOn ? "active" : "inactive",
    enabled: isOn ? "active" : "inactive",
    public: check.public,
    parameters: {
      ...(target === undefined ? {} : { target }),
      threshold: check.timeoutSeconds,
      ...(check.rechecks === undefined ? {} : { sens: check.rechecks }),
      ...parameters,
    },
    created: check.createdAt,
    queue: isOn ? check.queue : false,
    uuid: check.uuid,
    ...(state.state === undefined ? {} : { state: state.state === "passing" ? 1 : 0 }),
    firstdown: state.downSince ?? noFirstDown,
    runlocations: check.regions ?? [],
    ...(trouble === undefined ? {} : { trouble: troubleToWire(trouble) }),
  };
}

function troubleToWire({ kind, reason, message, firstTick, lastTick, ticks }: Gap): object {
  return { kind, reason, message, since: firstTick, last: lastTick, count: ticks };
}
