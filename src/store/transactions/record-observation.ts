import type { CertificateFacts, Outcome } from "../../domain/run/outcome.ts";
import type { Result } from "../../domain/run/result.ts";
import type { Transaction } from "../store.ts";

/** Details a target showed in the run of a result. */
export interface Observation extends Pick<Outcome, "evidence"> {
  /** Only where it is not the one that the location saw before. */
  readonly newCertificate?: CertificateFacts | undefined;
}

/** Stores it with the result. */
export async function recordObservation(
  tx: Pick<Transaction, "evidence">,
  { checkNo, startedAt, location }: Result,
  { evidence, newCertificate, flipped }: Observation & { readonly flipped: boolean },
): Promise<void> {
  if (evidence !== undefined)
    await tx.evidence.record({ checkNo, startedAt, flipped, text: evidence });
  if (newCertificate !== undefined) {
    const { subject, issuer, validTo } = newCertificate;
    await tx.evidence.recordCertificate({
      checkNo,
      location,
      observedAt: startedAt,
      subject,
      issuer,
      validTo,
    });
  }
}
