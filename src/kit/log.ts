import { pino } from "pino";
import type { DestinationStream } from "pino";
import { PinoPretty } from "pino-pretty";

/** Logs one event a line. `event` is a dotted name, which a counter may share; `fields` are data, never prose. */
export interface Log {
  readonly info: (event: string, fields?: object) => void;
  readonly warn: (event: string, fields?: object) => void;
  readonly error: (event: string, fields?: object) => void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

const SECRET_FIELDS = ["token", "checktoken", "password", "authorization", "url.password"];

/** A log that writes its lines at the end of each turn of the event loop. */
export interface StreamLog extends Log {
  /** Writes all pending lines, before the process ends. */
  readonly flush: () => void;
}

/** Logs JSON lines to `stream`, or text for people if `readable`. */
export function createLog(stream: NodeJS.WritableStream, readable: boolean): StreamLog {
  const batch = createBatch(stream);
  const destination: DestinationStream = readable
    ? PinoPretty({ destination: stream, sync: true, ignore: "pid,hostname" })
    : batch;
  // The reader of the log may close it, which must not end the service.
  stream.on("error", () => {});
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: "event",
      redact: { paths: SECRET_FIELDS, censor: "[redacted]" },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return {
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    error: (event, fields) => logger.error(fields ?? {}, event),
    flush: batch.flush,
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
