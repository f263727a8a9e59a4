import { crc32, inflateRawSync } from "node:zlib";

import { reasons } from "../../domain/run/outcome.ts";
import type { EarlierRun, Result } from "../../domain/run/result.ts";
import type { Timings } from "../../domain/run/timings.ts";
import { InvalidInput, messageOf } from "../../kit/errors.ts";
import { createByteReader, type ByteReader } from "./bytes.ts";
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
  VERSION_WITHOUT_EARLIER_PASSED,
  type ColumnName,
  type ColumnReaders,
  type LastNumber,
} from "./day-format.ts";

interface Unpacking {
  readonly columns: ColumnReaders;
  readonly string: (no: number) => string;
  readonly unitsInMs: number;
  readonly lastNumbers: Map<string, LastNumber>;
  readonly countCharacters: (added: number) => void;
}

/** The results of a check that `packDay` packed, in their order. Throws InvalidInput where it is damaged. */
export function unpackDay(checkNo: number, packed: Uint8Array): readonly Result[] {
  try {
    const names = columnsOf(packed);
    return resultsIn(checkNo, inflated(packed), names);
  } catch (error) {
    throw new InvalidInput(`a packed day of check ${checkNo} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function columnsOf([version]: Uint8Array): readonly ColumnName[] {
  if (version === VERSION) return columnNames;
  if (version === VERSION_WITHOUT_EARLIER_PASSED)
    return columnNames.filter((name) => name !== "earlierPassed");
  throw new InvalidInput(`its version is ${version}, and this program reads ${VERSION}`);
}

function inflated(packed: Uint8Array): Uint8Array {
  const deflated = packed.subarray(HEADER_BYTES);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (deflated.length === 0 || view.getUint32(1) !== crc32(deflated))
    throw new InvalidInput("its checksum is wrong");
  return inflateRawSync(deflated, { maxOutputLength: MAX_BYTES });
}

function resultsIn(
  checkNo: number,
  body: Uint8Array,
  names: readonly ColumnName[],
): readonly Result[] {
  const reader = createByteReader(body);
  const count = reader.unsigned();
  if (count > MAX_RESULTS) throw new InvalidInput(`it has ${count} results`);
  const unitsInMs = reader.unsigned();
  const readers = names.map(
    (name) => [name, createByteReader(reader.bytes(reader.unsigned()))] as const,
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has every name that its version has
  const columns = Object.fromEntries(readers) as ColumnReaders;
  const strings = stringsIn(reader.bytes(reader.unsigned()));
  const unpacking: Unpacking = {
    columns,
    string(no) {
      const string = strings[no];
      if (string === undefined) throw new InvalidInput(`it has no string ${no}`);
      return string;
    },
    unitsInMs,
    lastNumbers: new Map(),
    countCharacters: createCharacterCount(),
  };
  let before = { tick: 0, interval: 0, revision: 0 };
  const results = Array.from({ length: count }, () => {
    const interval = before.interval + columns.tick.signed();
    const tick = before.tick + interval;
    const revision = before.revision + columns.revision.signed();
    before = { tick, interval, revision };
    return readResult(unpacking, { checkNo, tick, revision });
  });
  if (!reader.isAtEnd() || !readers.every(([, column]) => column.isAtEnd()))
    throw new InvalidInput("it has more than its results");
  return results;
}

function stringsIn(block: Uint8Array): readonly string[] {
  const strings: unknown = JSON.parse(Buffer.from(block).toString());
  if (!Array.isArray(strings) || !strings.every((string) => typeof string === "string"))
    throw new InvalidInput("its strings are none");
  return strings;
}

function readResult(
  unpacking: Unpacking,
  known: Pick<Result, "checkNo" | "tick" | "revision">,
): Result {
  const { columns, string } = unpacking;
  const startedAt = known.tick + columns.start.signed();
  const duration = columns.duration.signed();
  const runtime = columns.runtime.signed();
  const timings = readTimings(unpacking);
  const durationMs = timings === undefined ? duration : duration + Math.round(timings.total);
  const runtimeMs = runtime + Math.round(timings?.total ?? durationMs);
  const outcome = columns.outcome.unsigned();
  const reason = reasons[Math.floor(outcome / 2)];
  if (reason === undefined) throw new InvalidInput(`it has the outcome ${outcome}`);
  return {
    ...known,
    startedAt,
    endedAt: startedAt + durationMs,
    passed: outcome % 2 === 1,
    reason,
    text: readText(unpacking, "text", runtimeMs),
    message: readText(unpacking, "message", runtimeMs),
    runtimeMs,
    location: string(columns.location.unsigned()),
    earlierRuns: readEarlierRuns(unpacking, startedAt),
    timings,
  };
}

function readTimings({
  columns,
  string,
  unitsInMs,
  countCharacters,
}: Unpacking): Timings | undefined {
  const shape = columns.phases.unsigned();
  if (shape === NO_TIMINGS) return undefined;
  if (shape === JSON_TIMINGS) {
    const json = string(columns.phases.unsigned());
    countCharacters(json.length);
    // Packed data comes from a store that validated it no further.
    return JSON.parse(json);
  }
  let units = 0;
  const next = (column: ByteReader): number => {
    units += column.signed();
    return units / unitsInMs;
  };
  const phases = phaseNames.flatMap((phase, bit) =>
    Math.floor((shape - FIRST_SHAPE) / 2 ** bit) % 2 === 1
      ? [[phase, next(columns[phase])] as const]
      : [],
  );
  return { ...Object.fromEntries(phases), total: next(columns.total) };
}

function readText(
  { columns, string, lastNumbers, countCharacters }: Unpacking,
  column: "text" | "message",
  runtimeMs: number,
): string {
  const kind = columns[column].unsigned();
  const no = Math.floor(kind / 2);
  const template = string(no);
  countCharacters(template.length);
  if (kind % 2 === 1) return template;
  let position = 0;
  return template.replaceAll(NUMBER_MARK, () => {
    const key = `${no} ${position}`;
    position += 1;
    const expected = expectedNumber(lastNumbers.get(key), runtimeMs);
    const value = expected + columns[`${column}Numbers`].signed();
    lastNumbers.set(key, { value, isRuntime: value === runtimeMs });
    const digits = String(value);
    countCharacters(digits.length - 1);
    return digits;
  });
}

function readEarlierRuns(
  { columns, string, countCharacters }: Unpacking,
  startedAt: number,
): Result["earlierRuns"] {
  const runs: EarlierRun[] = [];
  const count = columns.earlierCount.unsigned();
  countCharacters(RUN_CHARACTERS * count);
  let before = startedAt;
  for (let left = count; left > 0; left -= 1) {
    before -= columns.earlierStart.signed();
    const location = string(columns.earlierLocation.unsigned());
    runs.push([before, location, columns.earlierPassed?.unsigned() === 1]);
  }
  return runs.toReversed();
}
