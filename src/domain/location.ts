import { hash32 } from "../kit/hash.ts";

export const regions = ["nam", "lam", "eur", "eao"] as const;
export type Region = (typeof regions)[number];
/** `wlw` asks for any region; an account may choose it, no location has it. */
export const regionCodes = [...regions, "wlw"] as const;

/** Returns whether a text is a location code: 1 to 20 lower-case letters and digits, and not a region. */
export function isLocationCode(text: string): boolean {
  return /^[a-z0-9]{1,20}$/.test(text) && !regionCodes.some((region) => region === text);
}

export interface Location {
  readonly code: string;
  /** Undefined if the location counts for every region. */
  readonly region: Region | undefined;
}

/** Location that was seen a moment ago. */
export interface LiveLocation extends Location {
  /** Set if it cannot be reached because the connection to the broker is down. */
  readonly isAway?: true;
  /** The version of the program that its probes run, where they say so. */
  readonly version?: string;
}

/** A location on another machine that was live at some time. */
export interface RememberedLocation extends Location {
  readonly version: string | undefined;
  readonly firstSeenAt: number;
  /** To the minute. */
  readonly lastSeenAt: number;
}

/**
 * Ranks the locations that may run a check, best first: its home, then by rendezvous hashing, which is stable and even, and moves only a dead location's
 * checks. `wanted` has region and location codes. Unreachable locations are ranked only if no others match, because attempts at them would use up those that
 * yield an outcome.
 */
export function rankLocations(
  check: { readonly id: string; readonly home: string | undefined },
  wanted: readonly string[],
  live: readonly LiveLocation[],
): readonly LiveLocation[] {
  const anywhere = wanted.includes("wlw");
  const served = live.filter(
    ({ code, region }) =>
      anywhere || region === undefined || wanted.includes(region) || wanted.includes(code),
  );
  const reached = served.filter(({ isAway }) => isAway !== true);
  const fitting = reached.length > 0 ? reached : served;
  if (fitting.length < 2) return fitting;
  return fitting
    .map((location) => ({ location, weight: hash32(`${check.id}@${location.code}`) }))
    .toSorted(
      (one, other) =>
        Number(other.location.code === check.home) - Number(one.location.code === check.home) ||
        other.weight - one.weight ||
        (one.location.code < other.location.code ? -1 : 1),
    )
    .map(({ location }) => location);
}

/** A location at which the latest run of a check failed. */
export interface FailingLocation {
  readonly location: string;
  /** Start of the first of its failed runs since it last passed there. */
  readonly since: number;
  /** Reason of that run. */
  readonly reason: string;
}

export const noFailingLocations: readonly FailingLocation[] = [];

/** Whether a location is able to judge its targets. */
export interface LocationState {
  readonly location: string;
  readonly isOnline: boolean;
  /** Undefined for one whose probe is another process. */
  readonly resolverAnswers: boolean | undefined;
}
