import type { Piece } from "./history.ts";

/** Result at an instant. */
export interface HistoryBeat {
  readonly at: number;
  readonly state: Piece["state"];
  readonly message: string;
}

/** Number of beats in a period for which only state changes are kept. */
export interface CountedTime {
  readonly start: number;
  readonly end: number;
  readonly up: number;
  readonly down: number;
  readonly maintenance: number;
}

const MAX_USUAL_GAP_MS = 3_600_000;
/** Share of the expected beats from which a period counts as fully watched. */
const WATCHED = 0.9;

interface Times {
  readonly intervalMs: number;
  /** Within which the next beat follows. */
  readonly nextWithinMs: number;
}

/** Converts beats to pieces, each lasting until the next one if that follows on schedule, otherwise for its own interval. */
export function* piecesOf(
  beats: Iterable<HistoryBeat>,
  { intervalMs, nextWithinMs }: Times,
): Generator<Piece> {
  let gap = 0;
  let last: HistoryBeat | undefined;
  for (const beat of beats) {
    if (last !== undefined) {
      const { at, state, message } = last;
      if (beat.at <= at) continue;
      const isFollowed = beat.at - at <= Math.max(nextWithinMs, 2 * gap);
      if (beat.at - at <= MAX_USUAL_GAP_MS) gap = beat.at - at;
      const end = isFollowed ? beat.at : Math.min(beat.at, at + intervalMs);
      yield { state, start: at, end, message };
    }
    last = beat;
  }
  if (last === undefined) return;
  const { at, state, message } = last;
  yield { state, start: at, end: at + intervalMs, message };
}

/** A time between two pieces, or before the first and after the last. */
interface Gap {
  readonly start: number;
  readonly end: number;
  readonly before: Piece | undefined;
  readonly after: Piece | undefined;
}

/** Fills the gaps between pieces from the beat counts. Every failed beat counts: those without a piece extend an outage next to the gap, or are at its end. */
export function filledPieces(
  pieces: Iterable<Piece>,
  counted: readonly CountedTime[],
  intervalMs: number,
): readonly Piece[] {
  const known = mergedPieces(pieces);
  const gaps = gapsBetween(known);
  const usual = usualRate(counted);
  const filled: Piece[] = [];
  for (const time of counted) {
    const last = filled.at(-1);
    const parts = overlapping(gaps, time).map(({ before, after, ...gap }): Gap => {
      const part = overlapOf(gap, time);
      return {
        ...part,
        before: part.start === gap.start ? before : last?.end === part.start ? last : undefined,
        after: part.end === gap.end ? after : undefined,
      };
    });
    const inside = overlapping(known, time).map((piece) => ({
      ...piece,
      ...overlapOf(piece, time),
    }));
    const expected = lengthOf(time) * Math.min(usual, 1 / intervalMs);
    filled.push(...fillTime(time, { parts, inside, expected }));
  }
  return [...known, ...filled].toSorted((one, other) => one.start - other.start);
}

interface Stretch {
  readonly parts: readonly Gap[];
  readonly inside: readonly Piece[];
  /** The beats of one that was watched all the time. */
  readonly expected: number;
}

function fillTime(time: CountedTime, { parts, inside, expected }: Stretch): readonly Piece[] {
  const { up, down, maintenance } = time;
  const total = up + down + maintenance;
  if (total === 0) return [];
  const isWatched = total >= WATCHED * expected;
  const beatMs = lengthOf(time) / Math.max(total, isWatched ? 0 : expected);
  /** Beats of a state that no piece covers. */
  const missing = (state: Piece["state"], count: number): number => {
    const told = inside.filter((piece) => piece.state === state).reduce(sumOfLengths, 0);
    return Math.max(0, count - Math.round(told / beatMs)) * beatMs;
  };
  const failed = missing("down", down);
  // A partly watched period is unknown, unless it has failures to place.
  if (!isWatched && failed === 0) return [];
  const marked = [
    { state: "down", ms: failed },
    { state: "maintenance", ms: missing("maintenance", maintenance) },
  ] as const;
  // After the last beat, the rest of a stretch lies in the future.
  const isOver = ({ after }: Gap): boolean =>
    isWatched || after !== undefined || inside.length === 0;
  let free: readonly Gap[] = parts.filter(isOver);
  const filled: Piece[] = [];
  for (const { state, ms } of marked) {
    const placed = place(state, ms, free, beatMs);
    filled.push(...placed.pieces);
    free = placed.free;
  }
  if (isWatched) return [...filled, ...free.map(({ start, end }) => pieceOf("up", start, end))];
  return [...filled, ...place("up", missing("up", up), free, beatMs).pieces];
}

/** Places time of a state in gaps: first next to a piece with the state, then at the end of the last gap. */
function place(
  state: Piece["state"],
  ms: number,
  gaps: readonly Gap[],
  beatMs: number,
): { readonly pieces: readonly Piece[]; readonly free: readonly Gap[] } {
  const continues = gaps.filter(({ before }) => before?.state === state);
  const precedes = gaps.filter(({ after }) => after?.state === state);
  const order = new Set([...continues, ...precedes, ...gaps.toReversed()]);
  const left = new Map(gaps.map((gap) => [gap, gap]));
  const pieces: Piece[] = [];
  let rest = ms;
  for (const gap of order) {
    if (rest <= 0) break;
    // The remainder is shorter than a beat and due to rounding.
    const isAll = lengthOf(gap) - rest < beatMs;
    const taken = isAll ? lengthOf(gap) : rest;
    const isFirst = gap.before?.state === state;
    const [start, end] = isFirst ? [gap.start, gap.start + taken] : [gap.end - taken, gap.end];
    const message = (isFirst ? gap.before : gap.after?.state === state ? gap.after : undefined)
      ?.message;
    pieces.push(pieceOf(state, start, end, message));
    left.delete(gap);
    if (!isAll) left.set(gap, isFirst ? { ...gap, start: end } : { ...gap, end: start });
    rest -= taken;
  }
  return { pieces, free: [...left.values()].toSorted((one, other) => one.start - other.start) };
}

function pieceOf(state: Piece["state"], start: number, end: number, message = ""): Piece {
  return { state, start, end, message };
}

/** Pieces in order, those that follow each other in one state as one. */
function mergedPieces(pieces: Iterable<Piece>): readonly Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last?.state === piece.state && last.end === piece.start)
      merged[merged.length - 1] = { ...last, end: piece.end };
    else merged.push(piece);
  }
  return merged;
}

function gapsBetween(pieces: readonly Piece[]): readonly Gap[] {
  const all = [undefined, ...pieces].map((before, index) => {
    const after = pieces[index];
    return { start: before?.end ?? 0, end: after?.start ?? Infinity, before, after };
  });
  return all.filter(({ start, end }) => start < end);
}

/** Beats of a ms. The median, because some stretches were watched in part only. */
function usualRate(counted: readonly CountedTime[]): number {
  const rates = counted.map(
    ({ up, down, maintenance, start, end }) => (up + down + maintenance) / (end - start),
  );
  return rates.toSorted((one, other) => one - other)[Math.floor(rates.length / 2)] ?? 0;
}

/** Returns the spans that overlap another one; all are in order. */
function overlapping<Kept extends Span>(spans: readonly Kept[], { start, end }: Span): Kept[] {
  const found: Kept[] = [];
  for (let at = firstEndingAfter(spans, start); at < spans.length; at += 1) {
    const span = spans[at];
    if (span === undefined || span.start >= end) break;
    found.push(span);
  }
  return found;
}

function firstEndingAfter(spans: readonly Span[], start: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? Infinity) <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Span = Pick<CountedTime, "start" | "end">;

function overlapOf(one: Span, other: Span): Span {
  return { start: Math.max(one.start, other.start), end: Math.min(one.end, other.end) };
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function sumOfLengths(sum: number, span: Span): number {
  return sum + lengthOf(span);
}
