import type { RunningCheck } from "../domain/check.ts";
import { noFailingLocations, type FailingLocation } from "../domain/location.ts";
import type { CertificateFacts, Outcome } from "../domain/run/outcome.ts";
import type { State } from "../domain/run/verdict.ts";
import { CLOCK_SKEW_TOLERANCE_MS } from "../kit/clock.ts";
import type { ResultReads } from "../store/results.ts";
import type { ActiveCheck } from "../store/tables/checks.ts";
import type { LocatedCertificate } from "../store/tables/evidence.ts";
import type { Observation } from "../store/transactions/record-observation.ts";

/** The starts that the runs of a check were given, committed or not. */
export interface AllocatedStarts {
  /** The greatest of all. */
  latest: number;
  /** The last few that were given after the clock had been set back. */
  recent: readonly number[];
}

/** State of a check between its results, under one revision; except for the starts, only a commit changes it. */
export interface TrackedCheck {
  readonly check: RunningCheck;
  state: State | undefined;
  failingLocations: readonly FailingLocation[];
  /** Whether its outage is known to have an open down span, which is missing if the check was disabled in between. */
  hasDownSpan: boolean;
  /** Whether it may show a gap, which its next result closes. */
  hasOpenGap: boolean;
  readonly starts: AllocatedStarts;
  /** The certificate that each location saw last. */
  certificates: readonly LocatedCertificate[];
}

export function trackCheck(
  {
    check,
    state,
    openGap,
    failingLocations = noFailingLocations,
  }: Pick<ActiveCheck, "check" | "state" | "openGap"> &
    Partial<Pick<ActiveCheck, "failingLocations">>,
  starts: AllocatedStarts,
  certificates: readonly LocatedCertificate[] = [],
): TrackedCheck {
  return {
    check,
    state,
    failingLocations,
    hasDownSpan: false,
    hasOpenGap: openGap !== undefined,
    starts,
    certificates,
  };
}

const RECENT_STARTS = 50;

/**
 * The start of a run as it is stored: later than those of all others of the check that are believed `now`. A promise only where others are
 * to be read for it.
 */
export function startOf(
  tracked: Pick<TrackedCheck, "check" | "starts">,
  at: number,
  results: Pick<ResultReads, "last">,
  now: number = at,
): number | Promise<number> {
  const { starts } = tracked;
  if (now <= starts.latest - CLOCK_SKEW_TOLERANCE_MS)
    return allocateStartTime(tracked, { at, now }, results);
  starts.latest = Math.max(at, starts.latest + 1);
  return starts.latest;
}

async function allocateStartTime(
  { check, starts }: Pick<TrackedCheck, "check" | "starts">,
  { at, now }: { readonly at: number; readonly now: number },
  results: Pick<ResultReads, "last">,
): Promise<number> {
  // Others began later by a clock that has been set back since: that is no reason to begin after them.
  const believedUntil = now + CLOCK_SKEW_TOLERANCE_MS;
  const stored = (await results.last(check.no, believedUntil))?.startedAt ?? -Infinity;
  const given = starts.recent.filter((start) => start <= believedUntil);
  const start = Math.max(at, ...[stored, ...given].map((each) => each + 1));
  starts.recent = [...starts.recent, start].slice(-RECENT_STARTS);
  return start;
}

/** Returns what the target showed in a run, with its certificate marked as new if the location had seen a different one. */
export function observationOf(
  { certificates }: TrackedCheck,
  { evidence, certificate }: Outcome,
  location: string,
): Observation & Pick<Outcome, "certificate"> {
  const known = certificates.find((each) => each.location === location)?.certificate;
  const isNew = certificate !== undefined && !isSame(certificate, known);
  return {
    ...(evidence !== undefined && { evidence }),
    ...(certificate !== undefined && { certificate }),
    ...(isNew && { newCertificate: certificate }),
  };
}

/** The certificates known after the location saw this one; where another location sees the same, it is kept once. */
export function withCertificate(
  known: readonly LocatedCertificate[],
  seen: LocatedCertificate,
): readonly LocatedCertificate[] {
  const { location } = seen;
  const before = known.find((each) => each.location === location)?.certificate;
  if (isSame(seen.certificate, before)) return known;
  const others = known.filter((each) => each.location !== location);
  const same = others.find((each) => isSame(seen.certificate, each.certificate))?.certificate;
  return [...others, { location, certificate: same ?? seen.certificate }];
}

function isSame(one: CertificateFacts, other: CertificateFacts | undefined): boolean {
  return (
    one.subject === other?.subject && one.issuer === other.issuer && one.validTo === other.validTo
  );
}
