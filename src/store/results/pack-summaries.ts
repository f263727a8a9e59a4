import { deflateRawSync, inflateRawSync } from "node:zlib";

import { summaryPhases, type RunSummary } from "../../domain/run/run-summary.ts";
import { InvalidInput } from "../../kit/errors.ts";
import type { StoredSummary } from "../results.ts";
import { createByteReader, createByteWriter, type ByteReader, type ByteWriter } from "./bytes.ts";

/** The first byte. A later version still reads this one. */
const VERSION = 1;
/** More than a day of hours at any number of locations. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_SUMMARIES = 100_000;

/** The instant from which steps are counted, and how long one is. */
export interface SummaryScale {
  readonly day: number;
  readonly stepMs: number;
}

/** Summaries of a check and a day in few bytes, for `unpackSummaries`. */
export function packSummaries(
  summaries: readonly StoredSummary[],
  { day, stepMs }: SummaryScale,
): Uint8Array {
  const locations = [...new Set(summaries.map(({ location }) => location))];
  const body = createByteWriter();
  const names = Buffer.from(JSON.stringify(locations));
  body.unsigned(names.length);
  body.bytes(names);
  body.unsigned(summaries.length);
  for (const { location } of summaries) body.unsigned(locations.indexOf(location));
  for (const { at } of summaries) body.unsigned((at - day) / stepMs);
  // One value of all after the other, for deflate finds what they have in common.
  for (const valueOf of values)
    for (const { summary } of summaries) body.unsigned(valueOf(summary));
  for (const { summary } of summaries) writeBuckets(body, summary.buckets);
  const deflated = deflateRawSync(body.written());
  const packed = new Uint8Array(1 + deflated.length);
  packed[0] = VERSION;
  packed.set(deflated, 1);
  return packed;
}

const values: readonly ((summary: RunSummary) => number)[] = [
  ({ runs }) => runs,
  ({ failures }) => failures,
  ({ runs, failures, timed }) => runs - failures - timed,
  ({ timed, phased }) => timed - phased,
  ({ minMs }) => minMs,
  ({ minMs, maxMs }) => maxMs - minMs,
  ({ sumMs, timed, minMs }) => sumMs - timed * minMs,
  ...summaryPhases.map(
    (phase) =>
      ({ phaseTenths }: RunSummary) =>
        phaseTenths[phase],
  ),
];

function writeBuckets(body: ByteWriter, buckets: RunSummary["buckets"]): void {
  body.unsigned(buckets.size);
  let before = 0;
  for (const [bucket, count] of [...buckets].toSorted(([one], [other]) => one - other)) {
    body.unsigned(bucket - before);
    body.unsigned(count);
    before = bucket;
  }
}

/** Throws InvalidInput where it is damaged. */
export function unpackSummaries(
  packed: Uint8Array,
  { day, stepMs }: SummaryScale,
): readonly StoredSummary[] {
  if (packed[0] !== VERSION)
    throw new InvalidInput(`its version is ${packed[0]}, and this program reads ${VERSION}`);
  const reader = createByteReader(inflated(packed.subarray(1)));
  const locations = locationsIn(reader.bytes(reader.unsigned()));
  const count = reader.unsigned();
  if (count > MAX_SUMMARIES) throw new InvalidInput(`it has ${count} summaries`);
  const column = (): readonly number[] => Array.from({ length: count }, () => reader.unsigned());
  const locationNumbers = column();
  const steps = column();
  const columns = values.map(column);
  const summaries = steps.map((step, index) => ({
    at: day + step * stepMs,
    location: locations[locationNumbers[index] ?? -1] ?? "",
    summary: summaryOf(
      columns.map((each) => each[index] ?? 0),
      readBuckets(reader),
    ),
  }));
  if (!reader.isAtEnd()) throw new InvalidInput("it goes on after its end");
  return summaries;
}

function inflated(deflated: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(deflated, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw new InvalidInput("it cannot be inflated", { cause: error });
  }
}

function locationsIn(names: Uint8Array): readonly string[] {
  const parsed: unknown = JSON.parse(Buffer.from(names).toString());
  if (!Array.isArray(parsed)) throw new InvalidInput("it names no locations");
  return parsed.map(String);
}

function summaryOf(row: readonly number[], buckets: RunSummary["buckets"]): RunSummary {
  const [runs = 0, failures = 0, untimed = 0, unphased = 0, minMs = 0, spread = 0, above = 0] = row;
  const [dns = 0, connect = 0, tls = 0, firstByte = 0, rest = 0] = row.slice(-summaryPhases.length);
  const timed = runs - failures - untimed;
  return {
    runs,
    failures,
    timed,
    sumMs: above + timed * minMs,
    minMs,
    maxMs: minMs + spread,
    phased: timed - unphased,
    phaseTenths: { dns, connect, tls, firstByte, rest },
    buckets,
  };
}

function readBuckets(reader: ByteReader): RunSummary["buckets"] {
  const buckets = new Map<number, number>();
  let bucket = 0;
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    bucket += reader.unsigned();
    buckets.set(bucket, reader.unsigned());
  }
  return buckets;
}
