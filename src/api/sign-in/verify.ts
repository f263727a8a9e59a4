import { z } from "zod";

import { hashToken } from "../../kit/crypto/seal.ts";
import { Gone } from "../../kit/errors.ts";
import { text } from "../../schema/scalars.ts";
import { countFailedSignIn } from "./access-changes.ts";
import { signedInResponse } from "./after-first-factor.ts";
import { proofFields, proofOf, refusedProof } from "./second-factor-proof.ts";
import { assertAllowed, prepareSession, signedInAnswer, visitorOperation } from "./visitor.ts";

/** The secret of a pending sign-in: 32 bytes in base64url. */
const SECRET_LENGTH = 43;
export const pendingField = text(SECRET_LENGTH).describe("As it was answered to the password");

export const verify = visitorOperation({
  summary: "Signs in who has given the right password, by a second factor",
  input: z.object({ pending: pendingField, ...proofFields }),
  response: signedInResponse,
  async handle(deps, { pending: secret = "", ...proofs }, visitor) {
    const { store, clock, log } = deps;
    const digest = hashToken(secret);
    const pending = await store.secondFactors.findPending(digest);
    // guard: attempts at second factors
    assertAllowed(deps, visitor, pending?.contactId);
    // guard: end of what waits for a second factor = left
    if (pending === undefined || pending.endsAt <= clock.now()) throw ended();
    const of = pending;
    const factors = await store.secondFactors.of(of);
    const prove = await proofOf(deps, { of, factors, secret, ...proofs });
    const session = prepareSession(deps, of, visitor);
    const proof = await store.write(async (tx) => {
      if ((await tx.secondFactors.findPending(digest)) === undefined) return "ended";
      const proof = await prove(tx);
      if (proof.is !== "right") return proof;
      if (!(await tx.secondFactors.removePending(digest))) return "ended";
      await session.signIn(tx, ["password", "second factor"]);
      return "signed in";
    });
    if (proof === "ended") throw ended();
    const { contactId } = of;
    if (proof === "signed in") {
      log.info("web.signed_in", { contact: contactId, from: visitor.client });
      return signedInAnswer(deps, { of, session, visitor });
    }
    countFailedSignIn(deps, [of], visitor.client);
    log.warn("web.second_factor_failed", { contact: contactId, from: visitor.client });
    throw refusedProof(proof);
  },
});

function ended(): Gone {
  return new Gone("this took longer than five minutes, or was done already: sign in again");
}
