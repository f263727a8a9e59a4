import type { ContactRef, SecondFactors } from "../../domain/account/second-factor.ts";
import type { Transaction } from "../../store/store.ts";
import { proveSecondFactor, type CodeProof } from "../../store/transactions/prove-second-factor.ts";
import { LONGEST_CODE } from "./code-form.ts";
import { LONGEST_CREDENTIAL, signingPasskey } from "./passkeys.ts";
import type { Form, SessionPageDeps } from "./session-page.ts";

interface Shown {
  readonly of: ContactRef;
  readonly factors: SecondFactors;
  /** Of the form: what a passkey signs is made of it. It is used once. */
  readonly secret: string;
  readonly form: Form;
}

/** Returns what proves, within a unit, the second factor that was sent: a code, or what a passkey signed, which is verified before. */
export async function proofOf(
  { clock, url }: Pick<SessionPageDeps, "clock" | "url">,
  { of, factors, secret, form }: Shown,
): Promise<(tx: Transaction) => Promise<CodeProof>> {
  const at = clock.now();
  const sent = form.get("credential");
  if (sent === null) {
    const code = (form.get("code") ?? "").slice(0, LONGEST_CODE);
    return (tx) => proveSecondFactor(tx, of, { code, at });
  }
  const known = factors.passkeys;
  const used = await signingPasskey(url, secret, {
    sent: sent.slice(0, LONGEST_CREDENTIAL),
    known,
  });
  const { accountId, contactId } = of;
  return async ({ secondFactors }) => {
    const isRight =
      used !== undefined &&
      (await secondFactors.takePasskey({ accountId, contactId, ...used, at }));
    return { is: isRight ? "right" : "wrong" };
  };
}
