/** Counters of the program that say why something was late, missed or refused. */
const shown = new Set([
  "confirm_commit_retry",
  "confirm_undecided",
  "http_connection_closed",
  "http_connection_dropped",
  "http_connection_refused",
  "interruption_seconds",
  "nodejs_gc_duration_seconds",
  "notifier_dropped",
  "notifier_given_back",
  "probe_job_error",
  "probe_thread_ended",
  "probe_thread_stalled_seconds",
  "probe_untimed",
  "push_heartbeat",
  "push_stale",
  "scheduler_run_delayed",
  "scheduler_tick_missed",
]);

/** Returns counters by name and labels from the text format of Prometheus. */
export function countersIn(metrics: string): ReadonlyMap<string, number> {
  const found = metrics.matchAll(/^watchpost_(\w+?)_(total|sum|count)(\{[^}]*\})? (\S+)$/gm);
  return new Map(
    [...found].flatMap(([, name = "", what = "", labels = "", value]): [string, number][] =>
      shown.has(name)
        ? [[(what === "total" ? name : `${name}_${what}`) + labels, Number(value)]]
        : [],
    ),
  );
}

/** Returns the increase of each counter that grew. */
export function grownBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly string[] {
  return [...after]
    .map(([name, value]) => ({ name, grown: value - (before.get(name) ?? 0) }))
    .filter(({ grown }) => grown > 0)
    .map(({ name, grown }) => `${name} ${Math.round(grown)}`);
}
