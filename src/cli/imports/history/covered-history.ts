import type { Piece } from "./history.ts";

/** What was found at an instant; `pending` is a failure that is not confirmed yet. */
export interface Beat {
  readonly at: number;
  readonly state: Piece["state"] | "pending";
  readonly message: string;
}

/** How many beats there were in a stretch of time, of which no others may be kept than those that changed the state. */
export interface CountedTime {
  readonly start: number;
  readonly end: number;
  readonly up: number;
  readonly down: number;
  readonly maintenance: number;
}

const LONGEST_USUAL_GAP = 3_600_000;
/** Of the beats that are usual, for a stretch to count as watched all the time. */
const WATCHED = 0.9;

interface Times {
  readonly intervalMs: number;
  /** Within which the next beat follows. */
  readonly nextWithinMs: number;
}

/**
 * The pieces that beats stand for: one of the time until the next where that follows as it should, and otherwise of its own interval.
 * Failures that turn out not to be an outage were up, and those before one belong to it.
 */
export function* piecesOf(beats: Iterable<Beat>, times: Times): Generator<Piece> {
  const { intervalMs } = times;
  let gap = 0;
  const pieceOf = ({ at, message }: Beat, state: Piece["state"], next: number): Piece => {
    const isFollowed = next - at <= Math.max(times.nextWithinMs, 2 * gap);
    if (next - at <= LONGEST_USUAL_GAP) gap = next - at;
    return { state, start: at, end: isFollowed ? next : Math.min(next, at + intervalMs), message };
  };
  /** The last beat with a state, and what is pending since. */
  let open: Beat[] = [];
  for (const beat of beats) {
    if (beat.at <= (open.at(-1)?.at ?? -1)) continue;
    if (beat.state === "pending") {
      open.push(beat);
      continue;
    }
    const confirmed = beat.state === "down" ? "down" : "up";
    for (const [index, each] of open.entries()) {
      const state = each.state === "pending" ? confirmed : each.state;
      yield pieceOf(each, state, open[index + 1]?.at ?? beat.at);
    }
    open = [beat];
  }
  const [last, pending] = open;
  if (last !== undefined && last.state !== "pending")
    yield pieceOf(last, last.state, pending?.at ?? last.at + intervalMs);
}

/** Those of which there are about as many beats as usual: of the others it is not known when they were watched. */
export function watchedTimes(
  counted: readonly CountedTime[],
  intervalMs: number,
): readonly CountedTime[] {
  const beatsOf = ({ up, down, maintenance }: CountedTime): number => up + down + maintenance;
  const median = counted.map(beatsOf).toSorted((one, other) => one - other)[
    Math.floor(counted.length / 2)
  ];
  return counted.filter((time) => {
    const usual = Math.min(median ?? 0, (time.end - time.start) / intervalMs);
    return beatsOf(time) >= WATCHED * usual;
  });
}

/** Pieces, and between them what is known from how many beats there were: all of one state, or the state did not change since the piece before. */
export function* filledPieces(
  pieces: Iterable<Piece>,
  counted: readonly CountedTime[],
): Generator<Piece> {
  let before: Piece | undefined;
  let at = 0;
  for (const piece of pieces) {
    if (before === undefined || before.end < piece.start)
      yield* countedPieces({ start: before?.end ?? 0, end: piece.start }, before);
    yield piece;
    before = piece;
  }
  yield* countedPieces({ start: before?.end ?? 0, end: Infinity }, before);

  function* countedPieces(
    { start, end }: { readonly start: number; readonly end: number },
    previous: Piece | undefined,
  ): Generator<Piece> {
    while ((counted[at]?.end ?? Infinity) <= start) at += 1;
    for (let next = at; (counted[next]?.start ?? Infinity) < end; next += 1) {
      const time = counted[next];
      const state = time && (onlyStateOf(time) ?? previous?.state);
      if (time === undefined || state === undefined) continue;
      yield {
        state,
        start: Math.max(time.start, start),
        end: Math.min(time.end, end),
        message: state === previous?.state ? (previous.message ?? "") : "",
      };
    }
  }
}

function onlyStateOf({ up, down, maintenance }: CountedTime): Piece["state"] | undefined {
  if (down === 0 && maintenance === 0) return "up";
  return up === 0 && down === 0 ? "maintenance" : undefined;
}
