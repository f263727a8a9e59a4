import type { CertificateFacts } from "../domain/run/outcome.ts";

/** A certificate that a location saw. */
export interface LocatedCertificate {
  readonly location: string;
  readonly certificate: CertificateFacts;
}

/** A certificate from the first run that saw it until the next one at that location. */
export interface ObservedCertificate extends CertificateFacts {
  readonly checkNo: number;
  readonly location: string;
  /** Start of the run. */
  readonly observedAt: number;
}

export interface Evidence {
  readonly checkNo: number;
  /** Start of the run that failed, which names its result. */
  readonly startedAt: number;
  /** Whether the check flipped with it: such evidence stays as long as its result does, of the other only the newest. */
  readonly flipped: boolean;
  readonly text: string;
}
