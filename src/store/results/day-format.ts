import { TooLarge } from "../../kit/errors.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";

/** The first byte. A later version still reads this one, and this one reads those before it. */
export const VERSION = 2;
/** Version 1 did not say which of the earlier runs passed. */
export const VERSION_WITHOUT_EARLIER_PASSED = 1;
/** The version, and the CRC-32 of the rest, which is raw deflate. */
export const HEADER_BYTES = 5;
/** Heartbeats of a check are at most five a minute, 7,200 a day. */
export const MAX_RESULTS = 20_000;
/** Before deflate: many times the day of a check with all its texts different. */
export const MAX_BYTES = 8 * 1024 * 1024;
/** Data of a day outside its columns, which a few bytes may expand to. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Characters counted for an earlier run, whose memory is limited like that of texts. */
export const RUN_CHARACTERS = 32;

/** Counts the characters of a day. Throws TooLarge above the most that one may have. */
export function createCharacterCount(): (added: number) => void {
  let characters = 0;
  return (added) => {
    characters += added;
    if (characters > MAX_CHARACTERS)
      throw new TooLarge(`its texts have more than ${MAX_CHARACTERS} characters`);
  };
}

/** Each in its own run of bytes, for deflate finds what values of one kind have in common. */
export const columnNames = [
  "tick",
  "start",
  "duration",
  "outcome",
  "revision",
  "location",
  "runtime",
  "phases",
  "dns",
  "connect",
  "tls",
  "firstByte",
  "total",
  "text",
  "textNumbers",
  "message",
  "messageNumbers",
  "earlierCount",
  "earlierStart",
  "earlierLocation",
  "earlierPassed",
] as const;

export type ColumnName = (typeof columnNames)[number];
export type ColumnWriters = Readonly<Record<ColumnName, ByteWriter>>;
export type ColumnReaders = Readonly<Record<Exclude<ColumnName, "earlierPassed">, ByteReader>> & {
  readonly earlierPassed?: ByteReader;
};

/** In the order of a run; followed by `total`, which all have. */
export const phaseNames = ["dns", "connect", "tls", "firstByte"] as const;

/** Values of the column `phases`: no timings, those with the phases whose bits are set above it, and those that are JSON. */
export const NO_TIMINGS = 0;
export const FIRST_SHAPE = 1;
export const JSON_TIMINGS = FIRST_SHAPE + 2 ** phaseNames.length;

/** Stands in a template for a number. A text that contains it is kept whole. */
export const NUMBER_MARK = "\u0000";

/** Last value of a number in a text: the next one is close to it, or is the run time. */
export interface LastNumber {
  readonly value: number;
  readonly isRuntime: boolean;
}

export function expectedNumber(last: LastNumber | undefined, runtimeMs: number): number {
  return last === undefined || last.isRuntime ? runtimeMs : last.value;
}
