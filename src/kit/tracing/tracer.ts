import { createHash } from "node:crypto";

type AttributeValue = string | number | boolean;

/** Part of some work, recorded when it ends. Attributes contain no secrets, because traces are stored outside the service. */
export interface TraceSpan {
  readonly traceId: string;
  readonly id: string;
  /** Undefined for the first of its trace. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** Role towards other services; internal by default. */
  readonly kind?: "server" | "client";
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  /** Reason for its failure. */
  readonly error?: string | undefined;
}

/** Sends spans to a receiver of OpenTelemetry. Without a configured receiver there is no tracer, and no span is created. */
export interface Tracer {
  /** Whether spans of this trace are sent; others need not be created. */
  readonly takes: (traceId: string) => boolean;
  readonly record: (spans: readonly TraceSpan[]) => void;
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
