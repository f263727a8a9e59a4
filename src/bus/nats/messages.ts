import { z } from "zod";

import {
  diagnosticTools,
  findingLimits,
  type DiagnosticsFinding,
} from "../../domain/diagnostics.ts";
import {
  outcomeLimits,
  reasons,
  storableText,
  storableTitle,
  type Outcome,
} from "../../domain/run/outcome.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { jobErrors, type DiagnosticsRequest, type Job, type Report } from "../bus.ts";
import {
  parseKeyId,
  writeKeyId,
  type LocationKeyId,
  type LocationSealers,
} from "../location-key.ts";
import { beatContext } from "./subjects.ts";

/** Question to a location. */
export type LocationQuestion =
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "diagnostics"; readonly request: DiagnosticsRequest }
  /** Only whether the probe can read it: one that cannot has the key of another installation. */
  | { readonly kind: "key_test" };

/** Answer of a location. */
export type LocationAnswer =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "findings"; readonly findings: readonly DiagnosticsFinding[] }
  | { readonly kind: "failed"; readonly message: string };

/** Periodic status of one probe of a location. Its encryption key determines the region. */
export interface PresenceBeat {
  /** Names the process. */
  readonly instance: string;
  /** The versions of jobs that it takes. */
  readonly versions: readonly number[];
  /** The types of checks that it runs. */
  readonly types: readonly string[];
  /** It takes no more jobs. */
  readonly leaving: boolean;
  /** The version of its program. Older ones do not say it. */
  readonly program?: string | undefined;
}

/** A beat that names every type of check has less than 1 KB. */
export const MAX_BEAT_BYTES = 8 * 1024;
export const MAX_REPLY_BYTES = 512 * 1024;
/** The dates that a certificate can hold: the years 0 to 9999. */
const EARLIEST_DATE_MS = Date.UTC(-1, 12);
const LATEST_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59);
const MAX_MESSAGE_CHARACTERS = 1000;

const textOf = (most: number) => z.string().transform((text) => storableText(text, most));
const { text, message, address, name, evidence } = outcomeLimits;
const certificateSchema = z.object({
  subject: textOf(name),
  issuer: textOf(name),
  validTo: z.int().min(EARLIEST_DATE_MS).max(LATEST_DATE_MS),
});
const findingSchema = z.object({
  tool: z.enum(diagnosticTools),
  about: textOf(findingLimits.about),
  text: textOf(findingLimits.text),
}) satisfies z.ZodType<DiagnosticsFinding>;

const duration = z.number().nonnegative();
const outcomeSchema = z
  .object({
    passed: z.boolean(),
    reason: z.enum(reasons).exclude(["blocked"]),
    text: textOf(text),
    message: textOf(message),
    runtimeMs: duration.exactOptional(),
    timings: z
      .object({
        dns: duration.exactOptional(),
        connect: duration.exactOptional(),
        tls: duration.exactOptional(),
        firstByte: duration.exactOptional(),
        total: duration,
      })
      .exactOptional(),
    address: textOf(address).exactOptional(),
    certificate: certificateSchema.exactOptional(),
    evidence: textOf(evidence).exactOptional(),
    unreached: z.boolean().exactOptional(),
    title: z.string().transform(storableTitle).exactOptional(),
    untimed: z.boolean().exactOptional(),
    // `final` is left out: other locations must be able to contradict this one.
  })
  .refine(({ passed, reason }) => passed === (reason === "ok"), {
    error: "the reason contradicts the outcome",
  }) satisfies z.ZodType<Outcome>;

const reportSchema = z.union([
  z.object({
    startOffsetMs: duration,
    endOffsetMs: duration,
    outcome: outcomeSchema,
    connectivityConfirmed: z.boolean(),
    resolverSilent: z.boolean().exactOptional(),
  }),
  z.object({ error: z.enum(jobErrors), message: textOf(MAX_MESSAGE_CHARACTERS) }),
]) satisfies z.ZodType<Report>;

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("report"), report: reportSchema }),
  z.object({
    kind: z.literal("findings"),
    findings: z.array(findingSchema).max(findingLimits.findings),
  }),
  z.object({ kind: z.literal("failed"), message: textOf(MAX_MESSAGE_CHARACTERS) }),
]) satisfies z.ZodType<LocationAnswer>;

const beatSchema = z.object({
  instance: z.string().min(1).max(64),
  versions: z.array(z.int()).max(64),
  types: z.array(z.string().max(64)).max(256),
  leaving: z.boolean(),
  program: z
    .string()
    // guard: versions that probes say
    .regex(/^[\w.+-]{1,40}$/)
    .optional()
    .catch(undefined),
}) satisfies z.ZodType<PresenceBeat>;

/**
 * Throws if it is not a valid answer, because a probe is another machine, which may be faulty. Texts are truncated, because they contain the target's own
 * words. `withinMs` is the time waited for the answer: no part of a run took longer.
 */
export function parseAnswer(json: string, withinMs: number): LocationAnswer {
  const answer = answerSchema.parse(JSON.parse(json));
  // guard: times of reports
  if (answer.kind === "report") assertWithin(answer.report, withinMs);
  return answer;
}

function assertWithin(report: Report, withinMs: number): void {
  if ("error" in report) return;
  const { startOffsetMs, endOffsetMs, outcome } = report;
  const { runtimeMs = 0, timings } = outcome;
  for (const ms of [startOffsetMs, endOffsetMs, runtimeMs, ...Object.values(timings ?? {})])
    if (ms > withinMs) throw new Error(`a run of ${withinMs} ms at most reports ${ms} ms`);
}

interface BeatKey {
  readonly key: LocationKeyId;
  readonly sealer: Sealer;
}

/** The name of its key, and the beat sealed with that. */
export function sealBeat(
  beat: PresenceBeat,
  location: string,
  { key, sealer }: BeatKey,
): Uint8Array {
  const sealed = sealer.seal(JSON.stringify(beat), beatContext(location));
  return Buffer.concat([Buffer.from(`${writeKeyId(key)}\n`), sealed]);
}

/** Received beat with its key, and its content if the key can decrypt it. */
export interface ReceivedBeat {
  readonly key: LocationKeyId;
  readonly beat: PresenceBeat | undefined;
}

/** Returns undefined if it is not a beat. */
export function openBeat(
  data: Uint8Array,
  location: string,
  sealerOf: LocationSealers,
): ReceivedBeat | undefined {
  // guard: sizes of beats
  if (data.length > MAX_BEAT_BYTES) return undefined;
  const end = data.indexOf("\n".charCodeAt(0));
  const key = parseKeyId(Buffer.from(data.subarray(0, Math.max(0, end))).toString("latin1"));
  if (key === undefined) return undefined;
  try {
    const opened = sealerOf(location, key).open(data.subarray(end + 1), beatContext(location));
    return { key, beat: beatSchema.safeParse(JSON.parse(opened)).data };
  } catch {
    return { key, beat: undefined };
  }
}
