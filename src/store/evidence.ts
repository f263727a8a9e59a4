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

/** Both ends belong to the range. */
interface Range {
  readonly checkNo: number;
  readonly from: number;
  readonly to: number;
}

export interface EvidenceReads {
  /** What each location saw last of each of these checks that has any. */
  readonly latestCertificates: (
    checkNos: readonly number[],
  ) => Promise<ReadonlyMap<number, readonly LocatedCertificate[]>>;
  readonly list: (range: Range) => Promise<readonly Evidence[]>;
  /** Those that were shown in the range, the oldest first: the first at each location may have been seen before. */
  readonly listCertificates: (range: Range) => Promise<readonly ObservedCertificate[]>;
}

export interface EvidenceWrites {
  /** Takes the place of what is kept with that result. */
  readonly record: (evidence: Evidence) => Promise<void>;
  readonly recordCertificate: (certificate: ObservedCertificate) => Promise<void>;
}
