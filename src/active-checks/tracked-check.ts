import type { Check } from "../domain/check.ts";
import type { CertificateFacts, Outcome } from "../domain/run/outcome.ts";
import type { State } from "../domain/run/verdict.ts";
import type { CheckRecord } from "../store/checks.ts";
import type { Observation } from "../store/units/record-observation.ts";

/** What is known of a check between its results, under one revision; only a commit changes it, but for `lastStart`. */
export interface TrackedCheck {
  readonly check: Check;
  state: State | undefined;
  /** Whether its outage is known to have an open down span: one that was off in between has none. */
  hasDownSpan: boolean;
  /** Whether it may show a gap, which its next result closes. */
  hasOpenGap: boolean;
  /** Start of the latest run, committed or not. */
  lastStart: number;
  /** The certificate that each location saw last. */
  readonly certificates: Map<string, CertificateFacts>;
}

export function trackCheck(
  { check, state, openGap }: CheckRecord,
  lastStart: number,
  certificates: readonly (CertificateFacts & { readonly location: string })[] = [],
): TrackedCheck {
  return {
    check,
    state: state.state,
    hasDownSpan: false,
    hasOpenGap: openGap !== undefined,
    lastStart,
    certificates: new Map(certificates.map((certificate) => [certificate.location, certificate])),
  };
}

/** The start of a run as it is stored: after every other of the check, for it names the result. */
export function startAfterLast(tracked: TrackedCheck, at: number): number {
  tracked.lastStart = Math.max(at, tracked.lastStart + 1);
  return tracked.lastStart;
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
