import { z } from "zod";

import { diagnosticTools } from "../../domain/diagnostics.ts";
import type { Finding } from "../../domain/diagnostics.ts";
import { regions } from "../../domain/location.ts";
import { reasons } from "../../domain/run/outcome.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { jobErrors } from "../bus.ts";
import type { DiagnosticsRequest, Job, Report } from "../bus.ts";

/** What a location is asked. */
export type Question =
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "diagnostics"; readonly request: DiagnosticsRequest };

/** What it answers. */
export type Answer =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "findings"; readonly findings: readonly Finding[] }
  | { readonly kind: "failed"; readonly message: string };

/** What one probe of a location says of itself, again and again. */
export interface Beat {
  /** Names the process. */
  readonly instance: string;
  readonly region: (typeof regions)[number] | undefined;
  /** The versions of jobs that it takes. */
  readonly versions: readonly number[];
  /** The generation of the key that its jobs are sealed with. */
  readonly generation: number;
  /** The types of checks that it runs. */
  readonly types: readonly string[];
  /** It takes no more jobs. */
  readonly leaving: boolean;
}

const duration = z.number().nonnegative();

const outcomeSchema = z.object({
  passed: z.boolean(),
  reason: z.enum(reasons),
  text: z.string(),
  message: z.string(),
  runtimeMs: z.number().exactOptional(),
  timings: z
    .object({
      dns: duration.exactOptional(),
      connect: duration.exactOptional(),
      tls: duration.exactOptional(),
      firstByte: duration.exactOptional(),
      total: duration,
    })
    .exactOptional(),
  address: z.string().exactOptional(),
  certificate: z
    .object({ subject: z.string(), issuer: z.string(), validTo: z.number() })
    .exactOptional(),
  evidence: z.string().exactOptional(),
  untimed: z.boolean().exactOptional(),
  final: z.boolean().exactOptional(),
}) satisfies z.ZodType<Outcome>;

const reportSchema = z.union([
  z.object({
    startOffsetMs: duration,
    endOffsetMs: duration,
    outcome: outcomeSchema,
    connectivityConfirmed: z.boolean(),
  }),
  z.object({ error: z.enum(jobErrors), message: z.string() }),
]) satisfies z.ZodType<Report>;

const findingSchema = z.object({
  tool: z.enum(diagnosticTools),
  about: z.string(),
  text: z.string(),
}) satisfies z.ZodType<Finding>;

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("report"), report: reportSchema }),
  z.object({ kind: z.literal("findings"), findings: z.array(findingSchema) }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]) satisfies z.ZodType<Answer>;

const beatSchema = z.object({
  instance: z.string().min(1).max(64),
  region: z.enum(regions).optional(),
  versions: z.array(z.int()).max(64),
  generation: z.int().positive(),
  types: z.array(z.string().max(64)).max(256),
  leaving: z.boolean(),
});

/** Throws where it is no answer: a probe is another machine, which may be broken. */
export function parseAnswer(text: string): Answer {
  return answerSchema.parse(JSON.parse(text));
}

/** Undefined where it is none. */
export function parseBeat(text: string): Beat | undefined {
  const found = parsedBy(beatSchema, text);
  return found && { ...found, region: found.region };
}

function parsedBy<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
