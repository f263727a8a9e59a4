import { createHash } from "node:crypto";

type AttributeValue = string | number | boolean;

/** A part of some work, once it is over. Attributes hold nothing secret: whoever keeps traces is not whoever keeps credentials. */
export interface Span {
  readonly traceId: string;
  readonly id: string;
  /** Undefined for the first of its trace. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** What it does for others, or asks of others; inside this process by default. */
  readonly kind?: "server" | "client";
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  /** Why it failed. */
  readonly error?: string | undefined;
}

/** Takes spans for a receiver of OpenTelemetry. Where none is configured there is no tracer, and no span is made. */
export interface Tracer {
  /** Whether spans of this trace are sent: of the others none need be made. */
  readonly takes: (traceId: string) => boolean;
  readonly record: (spans: readonly Span[]) => void;
}

/** The same for the same text, so that processes need not agree on which trace something belongs to. */
export function traceIdOf(text: string): string {
  return createHash("sha256").update(`trace ${text}`).digest("hex").slice(0, 32);
}

export function spanIdOf(text: string): string {
  return createHash("sha256").update(`span ${text}`).digest("hex").slice(0, 16);
}

/** The trace of the tick whose result began then, and of what follows from it. */
export function traceOfResult(checkId: string, startedAt: number): string {
  return traceIdOf(`${checkId} ${startedAt}`);
}
