import type { CertificateFacts, Outcome } from "../domain/outcome.ts";
import type { Result } from "../domain/result.ts";
import type { Transaction } from "./store.ts";

/** What a target showed of itself in the run of a result. */
export interface Shown extends Pick<Outcome, "evidence"> {
  /** Only where it is not the one that the location saw before. */
  readonly newCertificate?: CertificateFacts | undefined;
}

/** Stores it with the result. */
export async function keepShown(
  tx: Pick<Transaction, "evidence">,
  { checkNo, startedAt, location }: Result,
  { evidence, newCertificate, flipped }: Shown & { readonly flipped: boolean },
): Promise<void> {
  if (evidence !== undefined)
    await tx.evidence.keep({ checkNo, startedAt, flipped, text: evidence });
  if (newCertificate !== undefined) {
    const { subject, issuer, validTo } = newCertificate;
    await tx.evidence.saw({ checkNo, location, seenAt: startedAt, subject, issuer, validTo });
  }
}
