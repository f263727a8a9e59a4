/** Whether answers are as the documentation says, or as clients of the original service expect them where the two differ. */
export type CompatibilityMode = "standard" | "legacy";

export const tokenAccesses = ["write", "read"] as const;
/** Whether a token may do everything in its account, or only what a contact with the role view may. */
export type TokenAccess = (typeof tokenAccesses)[number];

/** Stored data of an API token; only its bearer has the token itself. */
export interface Token {
  /** In base64url. */
  readonly digest: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAt: number;
  readonly compatibility: CompatibilityMode;
  readonly access: TokenAccess;
  /** Time of expiry, from which the token is unknown; undefined if it does not expire. */
  readonly expiresAt: number | undefined;
  /** Last known use, to the hour; undefined before the first. */
  readonly usedAt: number | undefined;
}

/** Without access and end it may do everything, until it is revoked. */
export type NewToken = Omit<Token, "access" | "expiresAt" | "usedAt"> &
  Partial<Pick<Token, "access" | "expiresAt">>;

export const maxTokenLabelLength = 100;

export function isTokenLabel(text: string): boolean {
  return /^\P{Cc}{1,100}$/u.test(text);
}

const HANDLE_CHARACTERS = 12;
const MIN_HANDLE_LENGTH = 4;

/** How people name a token without knowing it: the first hex digits of its digest. */
export function handleOf({ digest }: Pick<Token, "digest">): string {
  return hexOf(digest).slice(0, HANDLE_CHARACTERS);
}

export function isHandle(text: string): boolean {
  return text.length >= MIN_HANDLE_LENGTH && /^[0-9a-f]*$/.test(text);
}

/** All tokens that the handle may mean, for it may be cut short. */
export function matchHandle<Kept extends Token>(
  tokens: readonly Kept[],
  handle: string,
): readonly Kept[] {
  return tokens.filter(({ digest }) => hexOf(digest).startsWith(handle));
}

function hexOf(digest: string): string {
  return Uint8Array.fromBase64(digest, { alphabet: "base64url" }).toHex();
}
