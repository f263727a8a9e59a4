/** Stored data of a signed-in contact's session; only the browser has the secret. */
export interface Session {
  /** Digest of the secret, in base64url. */
  readonly digest: string;
  readonly accountId: string;
  readonly contactId: string;
  readonly createdAt: number;
  /** Time of the last request with it, to a few minutes. */
  readonly usedAt: number;
  readonly endsAt: number;
  /** The address of the client that signed in. */
  readonly client: string;
  /** The program that signed in, as it called itself. */
  readonly agent: string;
}

export interface SessionLifetimes {
  /** Maximum lifetime of a session that is used continuously. */
  readonly maxMs: number;
  /** After the last request. */
  readonly idleMs: number;
}

export const maxAgentLength = 200;

export function hasSessionEnded(
  { usedAt, endsAt }: Pick<Session, "usedAt" | "endsAt">,
  { now, idleMs }: { readonly now: number; readonly idleMs: number },
): boolean {
  // guard: sessions without use = false
  return endsAt <= now || usedAt + idleMs <= now;
}

/** A link that signs a contact in once, to set a password. */
export interface SignInLink {
  /** Digest of the secret in the link. */
  readonly digest: string;
  readonly accountId: string;
  readonly contactId: string;
  readonly endsAt: number;
}

/** Path of such a link. */
export const signInPath = "/start";

export function signInUrl(url: string, secret: string): string {
  return `${url}${signInPath}?link=${secret}`;
}
