import type { Span } from "./span.ts";

/** History of a check in its previous system: when its state was known, when it was down, and when maintenance paused it. All other time is unknown. */
export interface ImportedSpan {
  readonly kind: "enabled" | "down" | "maintenance";
  readonly start: number;
  readonly end: number;
  /** Reason for the outage. */
  readonly message: string;
}

type ClosedSpan = Pick<ImportedSpan, "start" | "end">;

/** Returns the imported spans that overlap neither the check's own history nor earlier imports. */
export function newSpans(
  spans: readonly ImportedSpan[],
  { known, before }: { readonly known: ClosedSpan | undefined; readonly before: number },
): readonly ImportedSpan[] {
  const older = { start: -Infinity, end: Math.min(known?.start ?? before, before) };
  const newer = { start: known?.end ?? before, end: before };
  return [older, newer].flatMap((range) => spans.flatMap((span) => partOf(span, range)));
}

function partOf(span: ImportedSpan, range: ClosedSpan): readonly ImportedSpan[] {
  const start = Math.max(span.start, range.start);
  const end = Math.min(span.end, range.end);
  return start < end ? [{ ...span, start, end }] : [];
}

/** Returns whether they follow each other in time. */
export function isInOrder(spans: readonly ClosedSpan[]): boolean {
  return spans.every(
    ({ start, end }, index) => start < end && start >= (spans[index - 1]?.end ?? -Infinity),
  );
}

/** Returns whether each of some lies within one of others; both in order. */
export function areWithin(spans: readonly ClosedSpan[], others: readonly ClosedSpan[]): boolean {
  let at = 0;
  return spans.every(({ start, end }) => {
    while ((others[at]?.end ?? Infinity) <= start) at += 1;
    const other = others[at];
    return other !== undefined && other.start <= start && end <= other.end;
  });
}

/** Returns whether some of one list shares time with some of the other; both in order. */
export function shareTime(spans: readonly ClosedSpan[], others: readonly ClosedSpan[]): boolean {
  let at = 0;
  return spans.some(({ start, end }) => {
    while ((others[at]?.end ?? Infinity) <= start) at += 1;
    return (others[at]?.start ?? Infinity) < end;
  });
}

/** The least time that has all of them. */
export function rangeOf([first, ...rest]: readonly ClosedSpan[]): ClosedSpan | undefined {
  return (
    first &&
    rest.reduce(
      (range, { start, end }) => ({
        start: Math.min(range.start, start),
        end: Math.max(range.end, end),
      }),
      first,
    )
  );
}

/** Returns the percentage of the known time that was not down; undefined if nothing is known. */
export function knownUptime(known: readonly Span[], down: readonly Span[]): number | undefined {
  const lengthOf = (spans: readonly Span[]): number =>
    spans.reduce((sum, { start, end = start }) => sum + end - start, 0);
  const total = lengthOf(known);
  return total === 0 ? undefined : ((total - lengthOf(down)) / total) * 100;
}
