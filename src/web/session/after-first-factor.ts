import { randomBytes } from "node:crypto";

import {
  needsSecondFactor,
  pendingSignInMs,
  type ContactRef,
  type PendingSignIn,
} from "../../domain/account/second-factor.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Transaction } from "../../store/store.ts";
import type { LinkPage, PageRequest } from "../link-page.ts";
import { codeFormPage } from "./code-form.ts";
import { agentOf, signedInPage, type Form, type SessionPageDeps } from "./session-page.ts";
import { wordsFor } from "./words.ts";

export const SECRET_BYTES = 32;
/** Of one contact, so that who knows the password fills no table. */
export const MOST_PENDING = 5;

interface FirstFactor {
  readonly of: ContactRef;
  readonly request: PageRequest;
  /** Says where to go then. */
  readonly query?: Form;
  /** What is written with it; false where it does not hold any more. */
  readonly unit: (tx: Transaction) => Promise<boolean>;
}

/** Signs in a contact that has given its password, or asks for the second factor. Undefined where the unit gives false. */
export async function afterFirstFactor(
  deps: SessionPageDeps,
  { of, request, query, unit }: FirstFactor,
): Promise<LinkPage | undefined> {
  const { store, sessions, clock, log } = deps;
  const { headers, client } = request;
  const { accountId, contactId } = of;
  const session = sessions.prepare({ accountId, contactId }, { client, agent: agentOf(headers) });
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
      await tx.secondFactors.insertPending(pending, { most: MOST_PENDING, now });
      return factors;
    }
    await session.signIn(tx, ["password"]);
    return "signed in";
  });
  if (end === "refused") return undefined;
  if (end !== "signed in") {
    const words = wordsFor(request);
    return codeFormPage(200, { secret, query, factors: end, url: deps.url, words });
  }
  log.info("web.signed_in", { contact: contactId, from: client });
  return signedInPage(deps, { of, session, request, query });
}
