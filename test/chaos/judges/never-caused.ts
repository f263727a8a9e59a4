/** A trouble that was caused, and whether it met what it aims at. */
export interface Caused<Kind extends string> {
  readonly kind: Kind;
  readonly hasHit: boolean;
}

/** Which of these troubles never met what they aim at, or were never caused: no column says anything of them. */
export function neverCaused<Kind extends string>(
  kinds: readonly Kind[],
  troubles: readonly Caused<Kind>[],
): readonly Kind[] {
  return kinds.filter((kind) => !troubles.some((one) => one.kind === kind && one.hasHit));
}

/** For people. */
export function neverCausedLine(kinds: readonly string[]): string {
  return kinds.length === 0 ? "every trouble was caused" : `never caused: ${kinds.join(", ")}`;
}
