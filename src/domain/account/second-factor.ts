/** Reference to a contact of an account. */
export interface ContactRef {
  readonly accountId: string;
  readonly contactId: string;
}

/** An authenticator app that shows codes by time (RFC 6238). */
export interface Totp extends ContactRef {
  /** In base32, as apps expect it. */
  readonly secret: string;
  readonly createdAt: number;
  /** Undefined until a first code has shown that the app has the secret: it counts for nothing before. */
  readonly confirmedAt: number | undefined;
  /** The time step of the last code that was used: no code counts twice. */
  readonly lastStep: number;
  /** Wrong codes since the last right one. */
  readonly failures: number;
  readonly failedAt: number;
}

/** A key that a device or a password manager holds (WebAuthn); only its public half is stored. */
export interface Passkey extends ContactRef {
  /** ID chosen by its authenticator, in base64url. */
  readonly id: string;
  /** Name chosen by the contact. */
  readonly label: string;
  /** In COSE format. */
  readonly publicKey: Uint8Array;
  /** Number of signatures, if the authenticator counts; otherwise 0. */
  readonly counter: number;
  /** How browsers may reach its holder, such as `usb`. */
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly usedAt: number | undefined;
}

export const MAX_PASSKEYS = 20;
export const maxPasskeyLabelLength = 60;

/** Second factors of a contact. */
export interface SecondFactors {
  /** Undefined if there is no confirmed authenticator app. */
  readonly totpSince: number | undefined;
  /** Passkeys, oldest first. */
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodes: number;
}

/** Sign-in with a correct password and a pending second factor. Grants no access. */
export interface PendingSignIn extends ContactRef {
  /** Digest of the secret in the form. */
  readonly digest: string;
  readonly endsAt: number;
}

export const pendingSignInMs = 300_000;

const FREE_FAILURES = 5;
const MINUTE_MS = 60_000;
const MAX_WAIT_MS = 60 * MINUTE_MS;

/** How long no code is looked at after wrong ones: with three codes valid of a million, a stranger with the password needs years. */
export function codeWaitMs(
  { failures, failedAt }: Pick<Totp, "failures" | "failedAt">,
  now: number,
): number {
  if (failures < FREE_FAILURES) return 0;
  const wait = Math.min(2 ** (failures - FREE_FAILURES) * MINUTE_MS, MAX_WAIT_MS);
  const since = now - failedAt;
  // A time in the future was recorded before the clock was set back.
  return since < 0 ? 0 : Math.max(0, wait - since);
}

export function needsSecondFactor({
  totpSince,
  passkeys,
}: Pick<SecondFactors, "totpSince" | "passkeys">): boolean {
  return totpSince !== undefined || passkeys.length > 0;
}
