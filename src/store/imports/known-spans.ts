import type { DownSpan, Span } from "../../domain/span.ts";
import type { Reads } from "../store.ts";

/** When the state of a check was known in [from, to), and when it was down: its own, after what was taken over. */
export async function knownSpans(
  { states, importedHistories }: Pick<Reads, "states" | "importedHistories">,
  checkNo: number,
  [from, to]: readonly [number, number],
): Promise<{ readonly enabled: readonly Span[]; readonly down: readonly DownSpan[] }> {
  const [imported, enabled, down] = await Promise.all([
    importedHistories.listSpans(checkNo, [from, to]),
    states.listEnabledSpans(checkNo, from, to),
    states.listDownSpans(checkNo, from, to),
  ]);
  const ofKind = (wanted: string): readonly DownSpan[] =>
    imported
      .filter(({ kind }) => kind === wanted)
      .map(({ start, end, message }) => ({ start, end, text: "", message }));
  return { enabled: [...ofKind("enabled"), ...enabled], down: [...ofKind("down"), ...down] };
}
