import type { z } from "zod";

import type { Clock } from "../kit/clock.ts";
import type { Reserve } from "../kit/net/byte-queue.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { HeartbeatPlan } from "../domain/heartbeat/heartbeat-plan.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { Words } from "../schema/words.ts";
import { maxEvidenceLength } from "./outcome/evidence.ts";
import { hideCredentials, hideSentValues } from "./parameters/hidden-credentials.ts";
import { secretValues, sentValues } from "./parameters/secrets.ts";
import { redact } from "../kit/redact.ts";

export interface RunContext extends Clock {
  /** Aborts at the check's timeout, which is the only deadline of a run. */
  readonly signal: AbortSignal;
  readonly egress: Egress;
  readonly timeoutMs: number;
  /** The primary account whose run it is: these share what runs need. */
  readonly accountId: string;
  /** Whether a type that requests pages reports the title of the page. */
  readonly wantsTitle?: boolean;
  /** Reserves memory for the target's data until the run ends; undefined if there is enough. */
  readonly reserve?: Reserve;
}

/** A check with parsed parameters, which can run any number of times. */
export interface PreparedCheck {
  readonly run: (context: RunContext) => Promise<Outcome>;
}

/** A PUSH check with parsed parameters, which judges heartbeats. */
export interface PreparedPushCheck {
  /** Throws InvalidInput where the data is too complex to judge. */
  readonly judge: (data: unknown) => Outcome;
  /** A text that came with a heartbeat, without the credentials of the check. */
  readonly redact: (text: string) => string;
  readonly plan: HeartbeatPlan;
}

/** Subjects of checks, for people who look for a type. */
export const checkGroups = ["web", "network", "mail", "servers", "media", "heartbeat"] as const;
export type CheckGroup = (typeof checkGroups)[number];

/** Inputs from which the type is guessed. */
export interface Recognition {
  /** The schemes of its URLs, the one that is tried first before the others. */
  readonly schemes?: readonly string[];
  /** Its usual ports, each with the parameters that it implies; of types that ask for a URL with its scheme. */
  readonly ports?: Readonly<Record<number, Readonly<Record<string, string>>>>;
  /** Whether it suits every host or every port without further information. */
  readonly suitsEvery?: "host" | "port";
}

interface Definition<Type extends string, Schema extends z.ZodObject> {
  readonly type: Type;
  /** Its name for people. */
  readonly title: Words;
  readonly group: CheckGroup;
  /** One sentence for the documentation and for forms. */
  readonly summary: Words;
  /** The kind of target; `none` if the type has none. */
  readonly target: "url" | "host" | "none";
  /** Parses a copy of the parameters; the stored ones stay as they were sent. */
  readonly schema: Schema;
  readonly recognition?: Recognition;
  /** A value for each parameter, for the documentation; keys and certificates are left out. */
  readonly example: { readonly [Name in keyof z.input<Schema>]?: unknown };
  /** Parameters that only Watchpost sets, such as the token of a PUSH check. */
  readonly assigned?: readonly string[];
  /** How many runs an account may start in a minute, where each asks more than its target; undefined is no limit. */
  readonly maxPerMinute?: number;
}

/** The properties that all check types share. */
interface Described<Type extends string> {
  readonly type: Type;
  readonly title: Words;
  readonly group: CheckGroup;
  readonly summary: Words;
  readonly target: "url" | "host" | "none";
  readonly needsTarget: boolean;
  readonly schema: z.ZodObject;
  readonly recognition?: Recognition;
  readonly example: Readonly<Record<string, unknown>>;
  readonly assigned: readonly string[];
  readonly maxPerMinute?: number;
  /** The parameters with only credentials replaced, for files that the owner of a check keeps. */
  readonly hideCredentials: (parameters: Parameters) => Parameters;
  /** The parameters for readers who may not edit the check. */
  readonly hideSentValues: (parameters: Parameters) => Parameters;
  /** The texts that no message or response may repeat to those readers. */
  readonly sentValues: (parameters: Parameters) => readonly string[];
}

type Parameters = Readonly<Record<string, unknown>>;

export interface ProbedCheckType<Type extends string = string> extends Described<Type> {
  readonly driver: "probe";
  /** Throws InvalidInput that names the parameter. */
  readonly prepare: (parameters: Readonly<Record<string, unknown>>) => PreparedCheck;
}

export interface PushedCheckType<Type extends string = string> extends Described<Type> {
  readonly driver: "push";
  /** Throws InvalidInput that names the parameter. */
  readonly prepare: (parameters: Readonly<Record<string, unknown>>) => PreparedPushCheck;
}

export type CheckType = ProbedCheckType | PushedCheckType;

/** Ties a type's schema and its run together, and hides the type of its parameters from all other code. */
export function defineCheckType<Type extends string, Schema extends z.ZodObject>(
  definition: Definition<Type, Schema> & {
    run: (parameters: z.output<Schema>, context: RunContext) => Promise<Outcome>;
  },
): ProbedCheckType<Type> {
  const { run, ...rest } = definition;
  return {
    assigned: [],
    ...rest,
    needsTarget: isRequired(definition.schema.shape.target),
    ...hidingFor(definition.schema),
    driver: "probe",
    prepare(parameters) {
      const parsed = parseInput(definition.schema, parameters);
      return {
        async run(context) {
          const start = context.monotonic();
          const outcome = await run(parsed, context);
          const timings = { total: Math.round(context.monotonic() - start) };
          return { timings, ...redactAnswer(outcome, definition.schema, parameters) };
        },
      };
    },
  };
}

/** Defines a type that no probe runs: the target sends heartbeats, which are judged. */
export function definePushType<Type extends string, Schema extends z.ZodObject>(
  definition: Definition<Type, Schema> & {
    judge: (parameters: z.output<Schema>, data: unknown) => Outcome;
    planOf: (parameters: z.output<Schema>) => HeartbeatPlan;
  },
): PushedCheckType<Type> {
  const { judge, planOf, ...rest } = definition;
  return {
    assigned: [],
    ...rest,
    needsTarget: isRequired(definition.schema.shape.target),
    ...hidingFor(definition.schema),
    driver: "push",
    prepare(parameters) {
      const parsed = parseInput(definition.schema, parameters);
      const secrets = secretValues(definition.schema, parameters);
      return {
        judge: (data) => judge(parsed, data),
        redact: (text) => redact(text, secrets),
        plan: planOf(parsed),
      };
    },
  };
}

function hidingFor(
  schema: z.ZodObject,
): Pick<Described<string>, "hideCredentials" | "hideSentValues" | "sentValues"> {
  return {
    hideCredentials: (parameters) => hideCredentials(schema, parameters),
    hideSentValues: (parameters) => hideSentValues(schema, parameters),
    sentValues: (parameters) => sentValues(schema, parameters),
  };
}

/** Keeps what the target sent without credentials: the title of a page, and the evidence of a failed run only. */
function redactAnswer(
  { evidence, title, ...outcome }: Outcome,
  schema: z.ZodObject,
  parameters: Readonly<Record<string, unknown>>,
): Outcome {
  if (title !== undefined)
    return { ...outcome, title: redact(title, secretValues(schema, parameters)) };
  if (outcome.passed || evidence === undefined || evidence === "") return outcome;
  const redacted = redact(evidence.slice(0, maxEvidenceLength), secretValues(schema, parameters));
  return { ...outcome, evidence: redacted.slice(0, maxEvidenceLength) };
}

function isRequired(parameter: z.ZodType | undefined): boolean {
  return parameter !== undefined && !parameter.safeParse(undefined).success;
}
