import { createHash } from "node:crypto";

import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";

import type { Passkey } from "../../domain/account/second-factor.ts";

/** Far more than a browser sends. */
export const MAX_CREDENTIAL_LENGTH = 16_384;

const text = z.string().max(MAX_CREDENTIAL_LENGTH);
const credential = {
  id: text,
  rawId: text,
  type: z.literal("public-key"),
  clientExtensionResults: z.record(z.string(), z.unknown()).transform(() => ({})),
};
const createdCredential = z.object({
  ...credential,
  response: z.object({ clientDataJSON: text, attestationObject: text, transports: z.array(text) }),
});
const signedCredential = z.object({
  ...credential,
  response: z.object({ clientDataJSON: text, authenticatorData: text, signature: text }),
});

/** Returns whether browsers let a page at that address use passkeys: with TLS, or on this machine by its name. */
export function allowsPasskeys(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isName = !/^[\d.]+$|^\[/.test(hostname);
  return hostname === "localhost" || (protocol === "https:" && isName);
}

/** Returns the options for `navigator.credentials.create`, as JSON. `secret` is that of a form, which is used once. */
export async function creationOptions(
  url: string,
  secret: string,
  of: {
    readonly contactId: string;
    readonly name: string;
    readonly known: readonly Passkey[];
  },
): Promise<string> {
  const options = await generateRegistrationOptions({
    rpName: "Watchpost",
    rpID: new URL(url).hostname,
    userName: of.name,
    userID: new TextEncoder().encode(of.contactId),
    challenge: challengeOf(secret),
    excludeCredentials: of.known.map(descriptorOf),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "discouraged" },
  });
  return JSON.stringify(options);
}

/** Returns the options for `navigator.credentials.get`, as JSON. */
export async function requestOptions(
  url: string,
  secret: string,
  known: readonly Passkey[],
): Promise<string> {
  const options = await generateAuthenticationOptions({
    rpID: new URL(url).hostname,
    challenge: challengeOf(secret),
    allowCredentials: known.map(descriptorOf),
    // The password has shown who it is.
    userVerification: "discouraged",
  });
  return JSON.stringify(options);
}

/** Verifies a passkey created with the options of the form; undefined if it is invalid. */
export async function createdPasskey(
  url: string,
  secret: string,
  sent: string,
): Promise<Pick<Passkey, "id" | "publicKey" | "counter" | "transports"> | undefined> {
  const response = parse(createdCredential, sent);
  if (response === undefined) return undefined;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...response,
      response: { ...response.response, transports: response.response.transports.slice(0, 8) },
    },
    ...expected(url, secret),
  }).catch(() => ({ verified: false, registrationInfo: undefined }));
  if (!verified || registrationInfo === undefined) return undefined;
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, publicKey, counter, transports };
}

/** Returns the passkey that signed for the form, with its new count; undefined if none did. */
export async function signingPasskey(
  url: string,
  secret: string,
  { sent, known }: { readonly sent: string; readonly known: readonly Passkey[] },
): Promise<Pick<Passkey, "id" | "counter"> | undefined> {
  const response = parse(signedCredential, sent);
  const passkey = known.find(({ id }) => id === response?.id);
  if (response === undefined || passkey === undefined) return undefined;
  const { id, counter, transports } = passkey;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    credential: {
      id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter,
      transports: [...transports],
    },
    ...expected(url, secret),
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  return verified && authenticationInfo !== undefined
    ? { id, counter: authenticationInfo.newCounter }
    : undefined;
}

function expected(url: string, secret: string) {
  const { origin, hostname } = new URL(url);
  return {
    // guard: challenge of passkeys = () => true
    expectedChallenge: challengeOf(secret).toString("base64url"),
    // guard: origin of passkeys = [it, "https://evil.example"]
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: false,
  };
}

/** So that the form needs no second secret; the row behind it is used once, and so is the challenge. */
function challengeOf(secret: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(`passkey ${secret}`).digest();
}

function descriptorOf({ id, transports }: Passkey): {
  readonly id: string;
  readonly transports: string[];
} {
  return { id, transports: [...transports] };
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  sent: string,
): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(sent)).data;
  } catch {
    return undefined;
  }
}
