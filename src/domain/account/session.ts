/** What is stored of a contact that signed in; only the browser has the secret itself. */
export interface Session {
  /** Of the secret, in base64url. */
  readonly digest: string;
  readonly accountId: string;
  readonly contactId: string;
  readonly createdAt: number;
  /** When a request last carried it, to some minutes. */
  readonly usedAt: number;
  readonly endsAt: number;
  /** The address of the client that signed in. */
  readonly client: string;
  /** The program that signed in, as it called itself. */
  readonly agent: string;
}

export interface SessionLifetimes {
  /** Of a session that is used all the time. */
  readonly longestMs: number;
  /** After the last request. */
  readonly idleMs: number;
}

export const longestAgent = 200;

export function hasSessionEnded(
  { usedAt, endsAt }: Pick<Session, "usedAt" | "endsAt">,
  { now, idleMs }: { readonly now: number; readonly idleMs: number },
): boolean {
  // guard: sessions without use = false
  return endsAt <= now || usedAt + idleMs <= now;
}

/** A link that signs a contact in once, to set a password. */
export interface SignInLink {
  /** Of the secret in the link. */
  readonly digest: string;
  readonly accountId: string;
  readonly contactId: string;
  readonly endsAt: number;
}

/** Where such a link leads. */
export const signInPath = "/start";

export function signInUrl(url: string, secret: string): string {
  return `${url}${signInPath}?link=${secret}`;
}
