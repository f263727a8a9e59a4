import type { Check } from "../domain/check.ts";
import type { CertificateFacts, Outcome } from "../domain/run/outcome.ts";
import type { State } from "../domain/run/verdict.ts";
import { BELIEVED_AHEAD_MS } from "../kit/clock.ts";
import type { CheckRecord } from "../store/checks.ts";
import type { ResultReads } from "../store/results.ts";
import type { Observation } from "../store/units/record-observation.ts";

/** The starts that the runs of a check were given, committed or not. */
export interface GivenStarts {
  /** The greatest of all. */
  latest: number;
  /** The last few that were given after the clock had been set back. */
  recent: readonly number[];
}

/** What is known of a check between its results, under one revision; only a commit changes it, but for the starts. */
export interface TrackedCheck {
  readonly check: Check;
  state: State | undefined;
  /** Whether its outage is known to have an open down span: one that was off in between has none. */
  hasDownSpan: boolean;
  /** Whether it may show a gap, which its next result closes. */
  hasOpenGap: boolean;
  readonly starts: GivenStarts;
  /** The certificate that each location saw last. */
  readonly certificates: Map<string, CertificateFacts>;
}

export function trackCheck(
  { check, state, openGap }: CheckRecord,
  starts: GivenStarts,
  certificates: readonly (CertificateFacts & { readonly location: string })[] = [],
): TrackedCheck {
  return {
    check,
    state: state.state,
    hasDownSpan: false,
    hasOpenGap: openGap !== undefined,
    starts,
    certificates: new Map(certificates.map((certificate) => [certificate.location, certificate])),
  };
}

const RECENT_STARTS = 50;

/** The start of a run as it is stored: that of no other of the check, for it names the result. */
export async function startOf(
  { check, starts }: Pick<TrackedCheck, "check" | "starts">,
  at: number,
  results: Pick<ResultReads, "page">,
): Promise<number> {
  if (at > starts.latest - BELIEVED_AHEAD_MS) {
    starts.latest = Math.max(at, starts.latest + 1);
    return starts.latest;
  }
  // Others began later by a clock that has been set back since: that is no reason to begin after them.
  const taken = new Set(starts.recent);
  const near = { from: at, to: at + RECENT_STARTS, limit: RECENT_STARTS, order: "oldest" } as const;
  for await (const page of results.page({ checkNo: check.no, ...near }))
    for (const { startedAt } of page) taken.add(startedAt);
  let start = at;
  while (taken.has(start)) start += 1;
  starts.recent = [...starts.recent, start].slice(-RECENT_STARTS);
  return start;
}

/** What the target showed in a run, with its certificate marked as new where the location saw another one before. */
export function observationOf(
  { certificates }: TrackedCheck,
  { evidence, certificate }: Outcome,
  location: string,
): Observation & Pick<Outcome, "certificate"> {
  const known = certificates.get(location);
  const isNew =
    certificate !== undefined &&
    (certificate.subject !== known?.subject ||
      certificate.issuer !== known.issuer ||
      certificate.validTo !== known.validTo);
  return {
    ...(evidence !== undefined && { evidence }),
    ...(certificate !== undefined && { certificate }),
    ...(isNew && { newCertificate: certificate }),
  };
}
