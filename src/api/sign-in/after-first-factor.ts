import { randomBytes } from "node:crypto";

import { z } from "zod";

import {
  needsSecondFactor,
  pendingSignInMs,
  type ContactRef,
  type PendingSignIn,
  type SecondFactors,
} from "../../domain/account/second-factor.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Transaction } from "../../store/store.ts";
import { allowsPasskeys, requestOptions } from "./passkeys.ts";
import {
  prepareSession,
  signedInAnswer,
  type Answer,
  type SignInDeps,
  type Visitor,
} from "./visitor.ts";

export const SECRET_BYTES = 32;
/** Maximum pending sign-ins of a contact, so that someone who knows the password cannot fill the table. */
export const MAX_PENDING = 5;

export const signedInResponse = z.object({ is: z.literal("signed in") });

/** What a contact can show beside its password. */
export const proofsAsked = {
  code: z
    .enum(["app", "recovery"])
    .describe("`app`: a code of an authenticator app or a recovery code; `recovery`: the latter"),
  passkey: z
    .string()
    .optional()
    .describe("What `navigator.credentials.get` is given, as JSON; missing if there is no passkey"),
};

export const firstFactorResponse = z.union([
  signedInResponse,
  z.object({
    is: z.literal("second factor"),
    pending: z.string().describe("The secret of this sign-in, for five minutes"),
    ...proofsAsked,
  }),
]);

/** Asks for the second factors that a contact has. */
export async function proofsOf(
  { sessions: { url } }: Pick<SignInDeps, "sessions">,
  secret: string,
  { totpSince, passkeys }: SecondFactors,
): Promise<{ readonly code: "app" | "recovery"; readonly passkey?: string }> {
  const code = totpSince === undefined ? "recovery" : "app";
  if (passkeys.length === 0 || !allowsPasskeys(url)) return { code };
  return { code, passkey: await requestOptions(url, secret, passkeys) };
}

interface FirstFactor {
  readonly of: ContactRef;
  readonly visitor: Visitor;
  /** Writes in the same transaction; false if the state no longer holds. */
  readonly unit: (tx: Transaction) => Promise<boolean>;
}

/** Signs in a contact after its password, or requests the second factor. Undefined if the transaction returns false. */
export async function afterFirstFactor(
  deps: SignInDeps,
  { of, visitor, unit }: FirstFactor,
): Promise<Answer | undefined> {
  const { store, clock, log } = deps;
  const { accountId, contactId } = of;
  const session = prepareSession(deps, of, visitor);
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const now = clock.now();
  const pending: PendingSignIn = {
    accountId,
    contactId,
    digest: hashToken(secret),
    endsAt: now + pendingSignInMs,
  };
  const end = await store.write(async (tx) => {
    if (!(await unit(tx))) return "refused";
    const factors = await tx.secondFactors.of(of);
    // guard: second factors after passwords
    if (needsSecondFactor(factors)) {
      await tx.secondFactors.insertPending(pending, { most: MAX_PENDING, now });
      return factors;
    }
    await session.signIn(tx, ["password"]);
    return "signed in";
  });
  if (end === "refused") return undefined;
  if (end !== "signed in") {
    const asked = await proofsOf(deps, secret, end);
    return { body: { is: "second factor", pending: secret, ...asked } };
  }
  log.info("web.signed_in", { contact: contactId, from: visitor.client });
  return signedInAnswer(deps, { of, session, visitor });
}
