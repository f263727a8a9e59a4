import { isSwitchedOn, type Check, type CheckState } from "../check.ts";
import { percentUp, sumOf, type MeasuredTimes } from "../span.ts";
import { targetWithoutQuery } from "../target.ts";

/** Public state of a check. */
export type PublicState = "operational" | "down" | "maintenance" | "unknown";
/** Public state of several checks. */
export type PublicSummary = PublicState | "partly";

interface ObservedCheck {
  readonly check: Pick<Check, "enabled" | "disabledWithAll" | "inMaintenance">;
  readonly state: Pick<CheckState, "state">;
  readonly openGap: { readonly ticks: number } | undefined;
}

/** Missed ticks from which the state is unknown; a single tick may be missed at a restart. */
const TICKS_UNKNOWN = 2;

export function publicStateOf({ check, state: { state }, openGap }: ObservedCheck): PublicState {
  if (check.inMaintenance) return "maintenance";
  if (!isSwitchedOn(check) || state === undefined) return "unknown";
  if (state === "failing") return "down";
  return (openGap?.ticks ?? 0) >= TICKS_UNKNOWN ? "unknown" : "operational";
}

/** Returns the combined state: down takes precedence, and unknown counts only if nothing else is known. */
export function summaryOf(states: readonly PublicSummary[]): PublicSummary {
  const known = states.filter((state) => state !== "unknown");
  const down = known.filter((state) => state === "down").length;
  if (known.length === 0) return "unknown";
  if (down > 0) return down === known.length ? "down" : "partly";
  if (known.includes("partly")) return "partly";
  return known.includes("maintenance") ? "maintenance" : "operational";
}

/** Returns the label, unless it is the target, which is private. */
export function publicNameOf({
  label,
  type,
  parameters,
}: Pick<Check, "label" | "type" | "parameters">): string {
  const target = targetWithoutQuery(parameters);
  const isTarget = target !== "" && (label === target || target.startsWith(label));
  // guard: names in place of targets = else
  return label === "" || isTarget ? `${type} check` : label;
}

/** How much of their enabled time checks were not down, as `percentUp` says it. */
export function percentOf(times: readonly MeasuredTimes[]): number | undefined {
  return percentUp(sumOf(times));
}
