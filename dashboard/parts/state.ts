/** Displayed state of a check. */
export type ShownState = "up" | "down" | "late" | "maintenance" | "paused" | "unknown";

/** The variable with the color of each. */
export const stateColors: Readonly<Record<ShownState, string>> = {
  up: "var(--wp-up)",
  down: "var(--wp-down)",
  late: "var(--wp-partly)",
  maintenance: "var(--wp-maintenance)",
  paused: "var(--wp-unknown)",
  unknown: "var(--wp-unknown)",
};
