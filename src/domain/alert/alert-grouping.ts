import { isFirstUp, type Alert, type Notice } from "./alert.ts";
import { hostOfTarget } from "../target.ts";

/** How alerts to the addresses of a kind are grouped. */
export interface KindGrouping {
  /** How long an alert waits for more after one of another check was sent to the same address, in ms. */
  readonly waitMs: number;
  /** Alerts that are grouped: all of them, or only first results that are up. */
  readonly alerts: GroupedAlerts;
}

export type GroupedAlerts = "all" | "first_ups";

export function mayBeGrouped(
  alert: Pick<Alert, "kind" | "outage">,
  grouping: Pick<KindGrouping, "alerts"> | undefined,
): boolean {
  return grouping?.alerts === "all" || (grouping?.alerts === "first_ups" && isFirstUp(alert));
}

/** How long alerts to one address wait for others, by how many messages of a burst went to it before. */
export interface GroupWindow {
  /** How long an alert waits for others after it was due. */
  readonly waitMs: number;
  /** No alert waits longer; an alert later than that after the last message waits for nothing. */
  readonly maxMs: number;
}

/** After the first message of a burst, after the second, and after all that follow: times the window that is set. */
const FACTORS = [1, 4, 12] as const;
/** Recipients of several messages already know that something is wrong; waiting a minute longer saves one mail per check. */
const MINUTE_MS = 60_000;

/** Returns the grouping window after this many messages of a burst, for an address whose first window is `firstMs`. */
export function groupWindow(messages: number, firstMs: number): GroupWindow {
  const [, , most] = FACTORS;
  const factor = FACTORS[Math.min(messages, FACTORS.length) - 1] ?? most;
  const maxMs = Math.max(firstMs, Math.min(firstMs * most, MINUTE_MS));
  return { waitMs: Math.min(firstMs * factor, maxMs), maxMs };
}

/** Returns the common cause of checks of one host that fail for the same reason; undefined if no host is checked. */
export function commonCauseOf({ check, state, result }: Notice): string | undefined {
  const host = hostOfTarget(check.target);
  return host === "" ? undefined : JSON.stringify([host, state, result.reason]);
}
