import type {
  ContactRef,
  Passkey,
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
  readonly insertPasskey: (passkey: Passkey) => Promise<void>;
  /** Uses a signature of a passkey of the contact. False where there is none, or one with that count was used: then the key has been copied. */
  readonly takePasskey: (
    use: ContactRef & Pick<Passkey, "id" | "counter"> & { readonly at: number },
  ) => Promise<boolean>;
  /** True where there was one. */
  readonly removePasskey: (of: ContactRef, id: string) => Promise<boolean>;
  readonly removeTotp: (of: ContactRef) => Promise<void>;
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
