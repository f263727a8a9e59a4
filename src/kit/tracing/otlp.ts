import type { Span } from "./tracer.ts";

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** Spans as JSON of OTLP (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
export function otlpRequest(
  spans: readonly Span[],
  resource: Readonly<Record<string, string>>,
): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: "watchpost" }, spans: spans.map(toOtlp) }],
      },
    ],
  };
}

function toOtlp(span: Span): object {
  const { traceId, id, parentId, name, kind = "internal", error } = span;
  return {
    traceId,
    spanId: id,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(Math.max(span.startedAt, span.endedAt)),
    attributes: attributesOf(span.attributes),
    ...(error !== undefined && { status: { code: STATUS_ERROR, message: error } }),
  };
}

function attributesOf(attributes: Span["attributes"]): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  );
}

function valueOf(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  // 64 bits are text in this encoding.
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Whole microseconds: a double has no room for nanoseconds since 1970. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
