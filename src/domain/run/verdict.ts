export type State = "passing" | "failing";

/** The status of one run; `undecided` where Watchpost itself was the reason that there is no outcome. */
export type RunStatus = "passed" | "failed" | "undecided";

export type Verdict =
  | { readonly kind: "unchanged" }
  | { readonly kind: "again" }
  | { readonly kind: "flip"; readonly to: State }
  | { readonly kind: "undecided" };

export interface Series {
  /** Undefined until the first verdict of a new check. */
  readonly state: State | undefined;
  /** How many further runs must agree before the state changes. */
  readonly rechecks: number;
  /** All runs of this tick so far, in order. */
  readonly runs: readonly RunStatus[];
  /** Whether repeating the last run would give the same result. */
  readonly final: boolean;
}

/** Returns the maximum runs of a series: 2·(rechecks + 1), including undecided ones. */
export function maxRuns(rechecks: number): number {
  return 2 * (rechecks + 1);
}

/**
 * Decides a tick. With a known state one agreeing run ends it unchanged, and `rechecks` further differing runs flip it.
 * A new check takes the first of passes and failures to exceed `rechecks`. Undecided runs count for neither.
 */
export function evaluateSeries({ state, rechecks, runs, final }: Series): Verdict {
  const last = runs.at(-1);
  const lastState = last === undefined ? undefined : stateOf(last);
  if (lastState !== undefined && state !== undefined && lastState === state)
    return { kind: "unchanged" };
  if (lastState !== undefined && final) return { kind: "flip", to: lastState };
  if (lastState !== undefined) {
    const agreeing = runs.filter((run) => run === last).length;
    if (agreeing > rechecks) return { kind: "flip", to: lastState };
  }
  return runs.length < maxRuns(rechecks) ? { kind: "again" } : { kind: "undecided" };
}

export function stateOf(status: RunStatus): State | undefined {
  if (status === "undecided") return undefined;
  return status === "passed" ? "passing" : "failing";
}
