import type { PendingSignIn } from "../../domain/account/second-factor.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { proveSecondFactor } from "../../store/units/prove-second-factor.ts";
import type { CodeProof } from "../../store/units/prove-second-factor.ts";
import type { LinkPage, LinkPages, PageRequest } from "../link-page.ts";
import { codeFormPage, heldBackText, LONGEST_CODE } from "./code-form.ts";
import { agentOf, refusalOf, sessionPage, signedInPage } from "./session-page.ts";
import type { Form, SessionPageDeps } from "./session-page.ts";

/** The secret of a pending sign-in: 32 bytes in base64url. */
const SECRET_LENGTH = 43;

/** Signs in who has given the right password, by a second factor. */
export function createVerifyPage(deps: SessionPageDeps): LinkPages {
  const { store, clock, log } = deps;
  return {
    ask: async () => sessionPage(303, "", { location: "signin" }),
    async act(query, form, request) {
      const secret = (form.get("pending") ?? "").slice(0, SECRET_LENGTH + 1);
      const pending = await store.secondFactors.findPending(hashToken(secret));
      const refused = refusalOf(deps, request, pending?.contactId);
      if (refused !== undefined) return refused;
      if (pending === undefined || pending.endsAt <= clock.now()) return endedPage;
      const code = (form.get("code") ?? "").slice(0, LONGEST_CODE);
      const done = await finish(deps, { pending, code, request, query });
      if ("status" in done) return done;
      log.warn("web.second_factor_failed", { contact: pending.contactId, from: request.client });
      return done.is === "held back"
        ? codeFormPage(429, { secret, query, problem: heldBackText(done.forMs) })
        : codeFormPage(403, { secret, query, problem: "The code is not right, or was used." });
    },
  };
}

interface Shown {
  readonly pending: PendingSignIn;
  readonly code: string;
  readonly query: Form;
  readonly request: PageRequest;
}

async function finish(
  deps: SessionPageDeps,
  { pending, code, request, query }: Shown,
): Promise<LinkPage | Exclude<CodeProof, { is: "right" }>> {
  const { store, sessions, clock, log } = deps;
  const { accountId, contactId, digest } = pending;
  const { client, headers } = request;
  const session = sessions.prepare({ accountId, contactId }, { client, agent: agentOf(headers) });
  const proof = await store.write(async (tx) => {
    if ((await tx.secondFactors.findPending(digest)) === undefined) return "ended";
    const proof = await proveSecondFactor(tx, pending, { code, at: clock.now() });
    if (proof.is !== "right") return proof;
    if (!(await tx.secondFactors.removePending(digest))) return "ended";
    await session.insert(tx);
    return "signed in";
  });
  if (proof === "ended") return endedPage;
  if (proof !== "signed in") return proof;
  log.info("web.signed_in", { contact: contactId, from: client });
  return signedInPage(deps, session, query);
}

const endedPage = sessionPage(
  410,
  '<p>This took longer than five minutes, or was done already. <a href="signin">Sign in</a> again.</p>',
);
