import type { DownSpan, Span } from "../domain/span.ts";
import type { Reads } from "./store.ts";

interface KnownSpans {
  readonly enabled: readonly Span[];
  /** The enabled time from the first verdict on. */
  readonly measured: readonly Span[];
  readonly down: readonly DownSpan[];
}

/** Returns when a check was enabled in [from, to), when its state was known, and when it was down: its own history after the imported one. */
export async function knownSpans(
  { states, importedHistories }: Pick<Reads, "states" | "importedHistories">,
  checkNo: number,
  [from, to]: readonly [number, number],
): Promise<KnownSpans> {
  const [imported, enabled, knownSince = Infinity, down] = await Promise.all([
    importedHistories.listSpans(checkNo, [from, to]),
    states.listEnabledSpans(checkNo, from, to),
    states.knownSince(checkNo),
    states.listDownSpans(checkNo, from, to),
  ]);
  const ofKind = (wanted: string): readonly DownSpan[] =>
    imported
      .filter(({ kind }) => kind === wanted)
      .map(({ start, end, message }) => ({ start, end, text: "", message }));
  const importedEnabled = ofKind("enabled");
  const measured = enabled
    .filter(({ end = Infinity }) => end > knownSince)
    .map(({ start, end }) => ({ start: Math.max(start, knownSince), end }));
  return {
    enabled: [...importedEnabled, ...enabled],
    measured: [...importedEnabled, ...measured],
    down: [...ofKind("down"), ...down],
  };
}
