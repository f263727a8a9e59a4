/** Whether answers are as the documentation says, or as clients of the original service expect them where the two differ. */
export type CompatibilityMode = "standard" | "legacy";

/** What is stored of an API token; only its bearer has the token itself. */
export interface Token {
  /** In base64url. */
  readonly digest: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAt: number;
  readonly compatibility: CompatibilityMode;
}

const HANDLE_CHARACTERS = 12;
const SHORTEST_HANDLE = 4;

/** How people name a token without knowing it: the first hex digits of its digest. */
export function handleOf({ digest }: Token): string {
  return hexOf(digest).slice(0, HANDLE_CHARACTERS);
}

export function isHandle(text: string): boolean {
  return text.length >= SHORTEST_HANDLE && /^[0-9a-f]*$/.test(text);
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
