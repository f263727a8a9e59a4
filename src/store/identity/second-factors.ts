import type {
  ContactRef,
  PendingSignIn,
  SecondFactors,
  Totp,
} from "../../domain/account/second-factor.ts";

export interface SecondFactorReads {
  /** Also one that no code has confirmed. */
  readonly findTotp: (of: ContactRef) => Promise<Totp | undefined>;
  readonly of: (contact: ContactRef) => Promise<SecondFactors>;
  /** Also one that has ended. */
  readonly findPending: (digest: string) => Promise<PendingSignIn | undefined>;
}

export interface SecondFactorWrites {
  /** It replaces an earlier one of the contact. */
  readonly putTotp: (totp: Totp) => Promise<void>;
  /** Uses the code of a time step, which also confirms one that was not. False where a code of that step or a later one was used. */
  readonly takeTotpStep: (
    use: ContactRef & { readonly step: number; readonly at: number },
  ) => Promise<boolean>;
  readonly noteWrongCode: (use: ContactRef & { readonly at: number }) => Promise<void>;
  readonly replaceRecoveryCodes: (of: ContactRef, digests: readonly string[]) => Promise<void>;
  /** True where there was one: each is used once. */
  readonly takeRecoveryCode: (of: ContactRef, digest: string) => Promise<boolean>;
  /** All that the contact has beside its password. */
  readonly removeAll: (of: ContactRef) => Promise<void>;
  /** Of the contact's those that have ended are removed, and the oldest of too many. */
  readonly insertPending: (
    pending: PendingSignIn,
    limits: { readonly most: number; readonly now: number },
  ) => Promise<void>;
  /** True where there was one: of two who come with it at the same moment one signs in. */
  readonly removePending: (digest: string) => Promise<boolean>;
}
