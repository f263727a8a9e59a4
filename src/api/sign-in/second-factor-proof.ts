import { text } from "../../schema/scalars.ts";
import type { ContactRef, SecondFactors } from "../../domain/account/second-factor.ts";
import { Forbidden, TooManyRequests } from "../../kit/errors.ts";
import type { Transaction } from "../../store/store.ts";
import {
  verifySecondFactor,
  type CodeProof,
} from "../../store/transactions/prove-second-factor.ts";
import { MAX_CREDENTIAL_LENGTH, signingPasskey } from "./passkeys.ts";
import type { SignInDeps } from "./visitor.ts";

/** As typed: a code of an app has 6 digits, a recovery code 20 characters and what parts them. */
const MAX_CODE_LENGTH = 40;

export const codeField = text(MAX_CODE_LENGTH);
export const credentialField = text(MAX_CREDENTIAL_LENGTH);

/** What a person shows as their second factor. */
export const proofFields = {
  code: codeField.describe("A code of the authenticator app, or a recovery code"),
  credential: credentialField.describe("What the passkey signed, as JSON, in place of a code"),
};

interface Shown {
  readonly of: ContactRef;
  readonly factors: SecondFactors;
  /** What a passkey signs is made of it. It is used once. */
  readonly secret: string;
  readonly code?: string | undefined;
  readonly credential?: string | undefined;
}

/** Returns what proves, within a unit, the second factor that was sent: a code, or what a passkey signed, which is verified before. */
export async function proofOf(
  { clock, sessions: { url } }: Pick<SignInDeps, "clock" | "sessions">,
  { of: { accountId, contactId }, factors, secret, code = "", credential: sent }: Shown,
): Promise<(tx: Transaction) => Promise<CodeProof>> {
  const at = clock.now();
  const of = { accountId, contactId };
  if (sent === undefined) return (tx) => verifySecondFactor(tx, of, { code, at });
  const used = await signingPasskey(url, secret, { sent, known: factors.passkeys });
  return async ({ secondFactors }) => {
    const isRight = used !== undefined && (await secondFactors.takePasskey({ ...of, ...used, at }));
    return { is: isRight ? "right" : "wrong" };
  };
}

/** The error for a second factor that does not count. */
export function refusedProof(proof: CodeProof): Error {
  if (proof.is !== "held back") return new Forbidden("that is not right, or was used before");
  const minutes = Math.max(1, Math.ceil(proof.forMs / 60_000));
  const wait = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  return new TooManyRequests(
    `too many wrong codes: try again in ${wait}, or use a recovery code`,
    Math.ceil(proof.forMs / 1000),
  );
}
