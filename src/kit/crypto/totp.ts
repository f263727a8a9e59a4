import { Secret, TOTP } from "otpauth";

/** As apps expect: SHA-1, six digits, 30 seconds (RFC 6238, and the key URI format of Google Authenticator). */
const PERIOD_SECONDS = 30;
/** The length of the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** Tolerates slightly wrong clocks (RFC 6238, section 5.2). */
const STEPS_BESIDE = 1;

/** A new secret, in base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the URI that an app reads from a QR code. */
export function totpUri(
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string {
  return new TOTP({ issuer, label, secret, period: PERIOD_SECONDS }).toString();
}

/** The number of the time step whose code this is, of the present one and its neighbours. */
export function totpStepOf(code: string, secret: string, now: number): number | undefined {
  const delta = new TOTP({ secret, period: PERIOD_SECONDS }).validate({
    token: code,
    timestamp: now,
    window: STEPS_BESIDE,
  });
  return delta === null ? undefined : Math.floor(now / (PERIOD_SECONDS * 1000)) + delta;
}
