import { codeWaitMs, type ContactRef } from "../../domain/account/second-factor.ts";
import { generatePassword } from "../../kit/crypto/password.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { totpStepOf } from "../../kit/crypto/totp.ts";
import type { Transaction } from "../store.ts";

export type CodeProof =
  | { readonly is: "right" | "wrong" }
  | { readonly is: "held back"; readonly forMs: number };

type SecondFactorsOf = Pick<Transaction, "secondFactors">;

/** Uses up a code of the contact's app, or one of its recovery codes. A wrong one counts. */
export async function verifySecondFactor(
  tx: SecondFactorsOf,
  of: ContactRef,
  { code, at }: { readonly code: string; readonly at: number },
): Promise<CodeProof> {
  const typed = code.replaceAll(/[\s-]/g, "").toLowerCase();
  if (/^\d{6}$/.test(typed)) return verifyTotp(tx, of, { code: typed, at, confirms: false });
  const isKnown = await tx.secondFactors.takeRecoveryCode(of, hashToken(typed));
  return { is: isKnown ? "right" : "wrong" };
}

/** Uses up a code of the contact's app; one that nothing has confirmed counts only for `confirms`. */
export async function verifyTotp(
  { secondFactors }: SecondFactorsOf,
  of: ContactRef,
  {
    code,
    at,
    confirms,
  }: { readonly code: string; readonly at: number; readonly confirms: boolean },
): Promise<CodeProof> {
  const totp = await secondFactors.findTotp(of);
  if (totp === undefined || (totp.confirmedAt === undefined && !confirms)) return { is: "wrong" };
  const forMs = codeWaitMs(totp, at);
  // guard: wrong codes
  if (forMs > 0) return { is: "held back", forMs };
  const step = totpStepOf(code, totp.secret, at);
  const { accountId, contactId } = of;
  if (step !== undefined && (await secondFactors.takeTotpStep({ accountId, contactId, step, at })))
    return { is: "right" };
  await secondFactors.noteWrongCode({ accountId, contactId, at });
  return { is: "wrong" };
}

const RECOVERY_CODES = 10;

export interface RecoveryCodes {
  /** Shown only once, in readable groups. */
  readonly codes: readonly string[];
  readonly digests: readonly string[];
}

export function generateRecoveryCodes(): RecoveryCodes {
  const plain = Array.from({ length: RECOVERY_CODES }, () => generatePassword());
  return {
    codes: plain.map((code) => (code.match(/.{5}/g) ?? []).join("-")),
    digests: plain.map(hashToken),
  };
}
