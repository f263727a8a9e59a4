import { pino } from "pino";
import type { DestinationStream } from "pino";
import { PinoPretty } from "pino-pretty";

/** One event a line. `event` is a dotted name that is also the counter's; `fields` are data, never prose. */
export interface Log {
  readonly info: (event: string, fields?: object) => void;
  readonly warn: (event: string, fields?: object) => void;
  readonly error: (event: string, fields?: object) => void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

const SECRET_FIELDS = ["token", "checktoken", "password", "authorization", "url.password"];

/** A log whose lines may be a turn of the loop behind. */
export interface StreamLog extends Log {
  /** Writes what is behind, before the process ends. */
  readonly flush: () => void;
}

/** Logs JSON lines to `stream`; readable text instead where a person watches. */
export function createLog(stream: NodeJS.WritableStream, readable: boolean): StreamLog {
  const batch = createBatch(stream);
  const destination: DestinationStream = readable
    ? PinoPretty({ destination: stream, sync: true, ignore: "pid,hostname" })
    : batch;
  // Whoever read the log may go away; the service does not.
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

/** One write for all lines of a turn of the loop: single ones took a tenth of the time of a busy API. */
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
