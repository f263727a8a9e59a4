import { createDeadline } from "../abort.ts";
import type { Clock, Timer } from "../clock.ts";
import type { Secret } from "../crypto/secret.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import type { TraceSpan, Tracer } from "./tracer.ts";

interface Deps {
  /** URL of the receiver. */
  readonly url: string;
  /** Headers as `name=value,name=value`. */
  readonly headers: Secret | undefined;
  /** Fraction of traces that are sent, from 0 to 1. */
  readonly sampleRatio: number;
  /** Attributes that identify this process to the receiver. */
  readonly resource: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "setTimer">;
  readonly log: Log;
  readonly meter: Meter;
}

export interface OtlpTracer extends Tracer {
  /** Sends what there is, and no more after that. */
  readonly close: () => Promise<void>;
}

/** Some megabytes. What comes beyond is dropped, and counted. */
const MAX_WAITING = 8192;
const MAX_PER_REQUEST = 1024;
const WAIT_MS = 2000;
const REQUEST_MS = 10_000;

/** Sends spans in batches, one request at a time: a receiver that hangs or refuses costs nothing but its spans. */
export function createOtlpTracer(deps: Deps): OtlpTracer {
  const { sampleRatio, clock, meter } = deps;
  let waiting: TraceSpan[] = [];
  let sending: Promise<void> | undefined;
  let timer: Timer | undefined;
  let isClosed = false;

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_PER_REQUEST);
      waiting = waiting.slice(MAX_PER_REQUEST);
      const isSent = await post(batch, deps);
      if (isSent) meter.count("app.spans_sent", {}, batch.length);
      else return meter.count("app.spans_dropped", {}, batch.length);
    }
  };
  const flush = (): void => {
    timer?.cancel();
    timer = undefined;
    if (sending !== undefined) return;
    sending = sendAll().finally(() => {
      sending = undefined;
      schedule();
    });
  };
  const schedule = (): void => {
    if (isClosed || waiting.length === 0) return;
    timer ??= clock.setTimer(flush, WAIT_MS);
  };

  return {
    takes: (traceId) => Number.parseInt(traceId.slice(0, 8), 16) < sampleRatio * 2 ** 32,
    record(spans) {
      const room = isClosed ? 0 : MAX_WAITING - waiting.length;
      waiting.push(...spans.slice(0, room));
      if (spans.length > room) meter.count("app.spans_dropped", {}, spans.length - room);
      schedule();
    },
    async close() {
      isClosed = true;
      await sending;
      flush();
      await sending;
    },
  };
}

async function post(
  batch: readonly TraceSpan[],
  { url, headers, resource, clock, log }: Deps,
): Promise<boolean> {
  using deadline = createDeadline(clock, REQUEST_MS, new Error("no answer in time"));
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headersIn(headers?.reveal() ?? ""), "content-type": "application/json" },
      body: JSON.stringify(otlpRequest(batch, resource)),
      redirect: "error",
      signal: deadline.signal,
    });
    await response.body?.cancel();
    if (response.ok) return true;
    log.warn("app.spans_refused", { status: response.status, spans: batch.length });
  } catch (error) {
    log.warn("app.spans_not_sent", { message: messageOf(error), spans: batch.length });
  }
  return false;
}

/** In the format of `OTEL_EXPORTER_OTLP_HEADERS`. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").map((pair) => pair.split("="));
  return Object.fromEntries(
    pairs.flatMap(([name = "", ...value]) =>
      name.trim() === "" ? [] : [[name.trim(), value.join("=").trim()]],
    ),
  );
}

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** Spans as JSON of OTLP (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
function otlpRequest(
  spans: readonly TraceSpan[],
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

function toOtlp(span: TraceSpan): object {
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

function attributesOf(attributes: TraceSpan["attributes"]): readonly object[] {
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
