import { isSwitchedOn, type Check, type CheckState } from "../check.ts";
import { percentUp, sumOf, type MeasuredTimes } from "../span.ts";
import { targetWithoutQuery } from "../target.ts";

/** What strangers see of a check. */
export type PublicState = "operational" | "down" | "maintenance" | "unknown";
/** What they see of several. */
export type PublicSummary = PublicState | "partly";

interface ObservedCheck {
  readonly check: Pick<Check, "enabled" | "disabledWithAll" | "inMaintenance">;
  readonly state: Pick<CheckState, "state">;
  readonly openGap: { readonly ticks: number } | undefined;
}

/** One tick alone may be missed at a restart; from the second on nobody knows how the target is. */
const TICKS_UNKNOWN = 2;

export function publicStateOf({ check, state: { state }, openGap }: ObservedCheck): PublicState {
  if (check.inMaintenance) return "maintenance";
  if (!isSwitchedOn(check) || state === undefined) return "unknown";
  if (state === "failing") return "down";
  return (openGap?.ticks ?? 0) >= TICKS_UNKNOWN ? "unknown" : "operational";
}

/** The state of several: what is down is said first, and what nobody knows only where nothing else is known. */
export function summaryOf(states: readonly PublicSummary[]): PublicSummary {
  const known = states.filter((state) => state !== "unknown");
  const down = known.filter((state) => state === "down").length;
  if (known.length === 0) return "unknown";
  if (down > 0) return down === known.length ? "down" : "partly";
  if (known.includes("partly")) return "partly";
  return known.includes("maintenance") ? "maintenance" : "operational";
}

/** The label, unless that is the target, which is nobody's business. */
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
