import { pino, type DestinationStream } from "pino";
import { PinoPretty } from "pino-pretty";

import type { Clock } from "./clock.ts";
import { createRepeatLimiter } from "./repeat-limiter.ts";

/** Logs one event a line. `event` is a dotted name, which a counter may share; `fields` are data, never prose. */
export interface Log {
  readonly info: (event: string, fields?: object) => void;
  readonly warn: LogCondition;
  readonly error: LogCondition;
}

/**
 * Logs a condition, which may be met again and again: at once, and in each further minute once, with `repeated`, the number
 * of occurrences since the last line. Where an event can have several causes at the same time, `condition` distinguishes them.
 */
type LogCondition = (event: string, fields?: object, condition?: string) => void;

export const silentLog: Log = { info() {}, warn() {}, error() {} };

const SECRET_FIELDS = ["token", "checktoken", "password", "authorization", "url.password"];

/** A log that writes its lines at the end of each turn of the event loop. */
export interface StreamLog extends Log {
  /** Writes all pending lines, those of conditions included, before the process ends. */
  readonly flush: () => void;
}

/** Minimum level of logged events. */
export const logLevels = ["info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

interface LogOptions {
  readonly readable: boolean;
  /** Defaults to all levels; on a terminal, to those that need attention. */
  readonly level?: LogLevel | undefined;
  readonly clock: Clock;
}

/** Logs JSON lines to `stream`, or text for people if `readable`. */
export function createLog(
  stream: NodeJS.WritableStream,
  { readable, level = readable ? "warn" : "info", clock }: LogOptions,
): StreamLog {
  const batch = createBatch(stream);
  const destination: DestinationStream = readable
    ? PinoPretty({ destination: stream, sync: true, singleLine: true, ignore: "pid,hostname" })
    : batch;
  // The reader of the log may close it, which must not end the service.
  stream.on("error", () => {});
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: "event",
      redact: { paths: SECRET_FIELDS, censor: "[redacted]" },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  const repeats = createRepeatLimiter(clock);
  const logCondition =
    (level: "warn" | "error"): LogCondition =>
    (event, fields = {}, condition = "") =>
      repeats.submit({ event, name: condition }, (repeated) =>
        logger[level](repeated === 0 ? fields : { ...fields, repeated }, event),
      );
  return {
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: logCondition("warn"),
    error: logCondition("error"),
    flush() {
      repeats.flush();
      batch.flush();
    },
  };
}

/** Writes all lines of a turn of the event loop at once: single writes took a tenth of the time of a busy API. */
function createBatch(stream: NodeJS.WritableStream): DestinationStream & { flush: () => void } {
  let lines = "";
  const flush = (): void => {
    if (lines !== "") stream.write(lines);
    lines = "";
  };
  return {
    flush,
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}
