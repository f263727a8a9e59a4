import type { PendingSignIn, SecondFactors } from "../../domain/account/second-factor.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Transaction } from "../../store/store.ts";
import type { CodeProof } from "../../store/transactions/prove-second-factor.ts";
import type { LinkPage, LinkPages, PageRequest } from "../link-page.ts";
import { countFailedSignIn } from "./access-changes.ts";
import { codeFormPage, heldBackText } from "./code-form.ts";
import { proofOf } from "./second-factor-proof.ts";
import {
  agentOf,
  refusalOf,
  sessionPage,
  signedInPage,
  type Form,
  type SessionPageDeps,
} from "./session-page.ts";
import { wordsFor, type LocalizedWords } from "./words.ts";

/** The secret of a pending sign-in: 32 bytes in base64url. */
const SECRET_LENGTH = 43;

/** Signs in who has given the right password, by a second factor. */
export function createVerifyPage(deps: SessionPageDeps): LinkPages {
  const { store, clock, log, url } = deps;
  return {
    ask: async () => sessionPage(303, "", { headers: { location: "signin" } }),
    async act(query, form, request) {
      const secret = (form.get("pending") ?? "").slice(0, SECRET_LENGTH + 1);
      const pending = await store.secondFactors.findPending(hashToken(secret));
      const refused = refusalOf(deps, request, pending?.contactId);
      // guard: attempts at second factors
      if (refused !== undefined) return refused;
      // guard: end of what waits for a second factor = left
      if (pending === undefined || pending.endsAt <= clock.now())
        return endedPage(wordsFor(request));
      const factors = await store.secondFactors.of(pending);
      const shown = { pending, factors, secret, form, request, query };
      const done = await finish(deps, shown, await proofOf(deps, { ...shown, of: pending }));
      if ("status" in done) return done;
      countFailedSignIn(deps, [pending], request.client);
      log.warn("web.second_factor_failed", { contact: pending.contactId, from: request.client });
      const words = wordsFor(request);
      const asked = { secret, factors, url, query, words };
      return done.is === "held back"
        ? codeFormPage(429, { ...asked, problem: heldBackText(done.forMs, words) })
        : codeFormPage(403, { ...asked, problem: words.wrongProof });
    },
  };
}

interface Shown {
  readonly pending: PendingSignIn;
  readonly factors: SecondFactors;
  readonly secret: string;
  readonly form: Form;
  readonly request: PageRequest;
  readonly query: Form;
}

async function finish(
  deps: SessionPageDeps,
  { pending, request, query }: Shown,
  prove: (tx: Transaction) => Promise<CodeProof>,
): Promise<LinkPage | Exclude<CodeProof, { is: "right" }>> {
  const { store, sessions, log } = deps;
  const { accountId, contactId, digest } = pending;
  const { client, headers } = request;
  const session = sessions.prepare({ accountId, contactId }, { client, agent: agentOf(headers) });
  const proof = await store.write(async (tx) => {
    if ((await tx.secondFactors.findPending(digest)) === undefined) return "ended";
    const proof = await prove(tx);
    if (proof.is !== "right") return proof;
    if (!(await tx.secondFactors.removePending(digest))) return "ended";
    await session.signIn(tx, ["password", "second factor"]);
    return "signed in";
  });
  if (proof === "ended") return endedPage(wordsFor(request));
  if (proof !== "signed in") return proof;
  log.info("web.signed_in", { contact: contactId, from: client });
  return signedInPage(deps, { of: pending, session, request, query });
}

function endedPage({ language, stepEnded }: LocalizedWords): LinkPage {
  return sessionPage(410, `<p>${stepEnded}</p>`, { language });
}
