import type { Result } from "../../domain/run/result.ts";
import type { ResultQuery } from "../results.ts";

/** Each start once: of two results with the same one the first counts. */
export function inOrder(
  results: readonly Result[],
  order: ResultQuery["order"],
): readonly Result[] {
  const direction = order === "newest" ? -1 : 1;
  const sorted = results.toSorted((one, other) => direction * (one.startedAt - other.startedAt));
  return sorted.filter(({ startedAt }, index) => startedAt !== sorted[index - 1]?.startedAt);
}
