import { crc32, deflateRawSync } from "node:zlib";

import { reasons } from "../../domain/run/outcome.ts";
import type { Result } from "../../domain/run/result.ts";
import type { Timings } from "../../domain/run/timings.ts";
import { TooLarge } from "../../kit/errors.ts";
import { createByteWriter, type ByteWriter } from "./bytes.ts";
import {
  columnNames,
  createCharacterCount,
  expectedNumber,
  FIRST_SHAPE,
  HEADER_BYTES,
  JSON_TIMINGS,
  MAX_BYTES,
  MAX_RESULTS,
  NO_TIMINGS,
  NUMBER_MARK,
  phaseNames,
  RUN_CHARACTERS,
  VERSION,
  type ColumnWriters,
  type LastNumber,
} from "./day-format.ts";

/** State of earlier results needed to write a result. */
interface Packing {
  readonly columns: ColumnWriters;
  /** The number of a string, the same for the same string. */
  readonly stringNo: (string: string) => number;
  /** How many units of the timings are a ms. */
  readonly unitsInMs: number;
  readonly lastNumbers: Map<string, LastNumber>;
  readonly countCharacters: (added: number) => void;
}

const LEVEL = 6;

/** Packs the results of a check into few bytes each, for `unpackDay`. Throws if there are too many, or one is invalid. */
export function packDay(results: readonly Result[]): Uint8Array {
  assertSize("results", results.length, MAX_RESULTS);
  const strings = new Map<string, number>();
  const packing: Packing = {
    columns: createColumns(),
    stringNo(string) {
      const known = strings.get(string) ?? strings.size;
      strings.set(string, known);
      return known;
    },
    unitsInMs: results.every(({ timings }) => timings === undefined || isExact(timings, 1))
      ? 1
      : 10,
    lastNumbers: new Map(),
    countCharacters: createCharacterCount(),
  };
  writeTimes(packing.columns, results);
  for (const result of results) writeResult(packing, result);
  const body = createByteWriter();
  body.unsigned(results.length);
  body.unsigned(packing.unitsInMs);
  for (const name of columnNames) writeBlock(body, packing.columns[name].written());
  writeBlock(body, Buffer.from(JSON.stringify([...strings.keys()])));
  assertSize("bytes", body.written().length, MAX_BYTES);
  return withHeader(deflateRawSync(body.written(), { level: LEVEL }));
}

function assertSize(what: string, size: number, most: number): void {
  if (size > most) throw new TooLarge(`it has ${size} ${what}, more than ${most}`);
}

function createColumns(): ColumnWriters {
  const entries = columnNames.map((name) => [name, createByteWriter()] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has every name
  return Object.fromEntries(entries) as ColumnWriters;
}

function writeBlock(writer: ByteWriter, block: Uint8Array): void {
  writer.unsigned(block.length);
  writer.bytes(block);
}

function withHeader(deflated: Uint8Array): Uint8Array {
  const packed = new Uint8Array(HEADER_BYTES + deflated.length);
  packed[0] = VERSION;
  new DataView(packed.buffer).setUint32(1, crc32(deflated));
  packed.set(deflated, HEADER_BYTES);
  return packed;
}

/** Writes how ticks and revisions differ from the values that earlier ones predict. */
function writeTimes(columns: ColumnWriters, results: readonly Result[]): void {
  let before = { tick: 0, interval: 0, revision: 0 };
  for (const { tick, revision } of results) {
    const interval = tick - before.tick;
    columns.tick.signed(interval - before.interval);
    columns.revision.signed(revision - before.revision);
    before = { tick, interval, revision };
  }
}

function writeResult(packing: Packing, result: Result): void {
  const { columns, stringNo, countCharacters } = packing;
  const durationMs = result.endedAt - result.startedAt;
  const expectedMs = Math.round(result.timings?.total ?? durationMs);
  columns.start.signed(result.startedAt - result.tick);
  columns.duration.signed(result.timings === undefined ? durationMs : durationMs - expectedMs);
  columns.runtime.signed(result.runtimeMs - expectedMs);
  columns.outcome.unsigned(2 * reasons.indexOf(result.reason) + (result.passed ? 1 : 0));
  columns.location.unsigned(stringNo(result.location));
  writeTimings(packing, result.timings);
  writeText(packing, "text", result);
  writeText(packing, "message", result);
  columns.earlierCount.unsigned(result.earlierRuns.length);
  countCharacters(RUN_CHARACTERS * result.earlierRuns.length);
  let before = result.startedAt;
  for (const [startedAt, location, passed] of result.earlierRuns.toReversed()) {
    columns.earlierStart.signed(before - startedAt);
    columns.earlierLocation.unsigned(stringNo(location));
    columns.earlierPassed.unsigned(passed ? 1 : 0);
    before = startedAt;
  }
}

function isExact(timings: Timings, unitsInMs: number): boolean {
  return Object.entries(timings).every(
    ([phase, ms]: [string, unknown]) =>
      isPhase(phase) &&
      typeof ms === "number" &&
      Number.isSafeInteger(Math.round(ms * unitsInMs)) &&
      Object.is(Math.round(ms * unitsInMs) / unitsInMs, ms),
  );
}

const allPhases: ReadonlySet<string> = new Set([...phaseNames, "total"]);

function isPhase(name: string): boolean {
  return allPhases.has(name);
}

/** The phases that took place, and each as what it took longer than the one before. */
function writeTimings(
  { columns, stringNo, unitsInMs, countCharacters }: Packing,
  timings: Timings | undefined,
): void {
  if (timings === undefined) {
    columns.phases.unsigned(NO_TIMINGS);
    return;
  }
  if (!isExact(timings, unitsInMs)) {
    columns.phases.unsigned(JSON_TIMINGS);
    const json = JSON.stringify(timings);
    countCharacters(json.length);
    columns.phases.unsigned(stringNo(json));
    return;
  }
  const bits = phaseNames.map((phase, bit) => (timings[phase] === undefined ? 0 : 2 ** bit));
  columns.phases.unsigned(FIRST_SHAPE + bits.reduce((sum, bit) => sum + bit, 0));
  let before = 0;
  for (const phase of [...phaseNames, "total"] as const) {
    const ms = timings[phase];
    if (ms === undefined) continue;
    const units = Math.round(ms * unitsInMs);
    columns[phase].signed(units - before);
    before = units;
  }
}

/** A template, and its numbers: each as what it is more than the run time or than the last time, whichever it was near. */
function writeText(
  { columns, stringNo, lastNumbers, countCharacters }: Packing,
  column: "text" | "message",
  result: Result,
): void {
  const whole = result[column];
  countCharacters(whole.length);
  const numbers: number[] = [];
  const isLiteral = whole.includes(NUMBER_MARK);
  const template = isLiteral
    ? whole
    : whole.replaceAll(/\d+/g, (digits) => {
        if (!isCanonical(digits)) return digits;
        numbers.push(Number(digits));
        return NUMBER_MARK;
      });
  const no = stringNo(template);
  columns[column].unsigned(2 * no + (isLiteral ? 1 : 0));
  for (const [position, value] of numbers.entries()) {
    const key = `${no} ${position}`;
    const { runtimeMs } = result;
    columns[`${column}Numbers`].signed(value - expectedNumber(lastNumbers.get(key), runtimeMs));
    lastNumbers.set(key, { value, isRuntime: value === runtimeMs });
  }
}

/** A number with more digits is not exact. */
const MAX_DIGITS = 15;

/** Returns whether it is how its number is written. */
function isCanonical(digits: string): boolean {
  return digits.length <= MAX_DIGITS && (digits === "0" || !digits.startsWith("0"));
}
