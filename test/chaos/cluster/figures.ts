/** Returns the quantile of the values; undefined if there are none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** Median, 99th percentile and maximum of durations, in seconds. */
export function distribution(ms: readonly number[]): string {
  if (ms.length === 0) return "none";
  const seconds = [0.5, 0.99, 1].map((share) => ((quantile(ms, share) ?? 0) / 1000).toFixed(1));
  return `p50 ${seconds[0]} s, p99 ${seconds[1]} s, most ${seconds[2]} s (${ms.length})`;
}
