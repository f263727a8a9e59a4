/** A trouble that was caused, and whether it met what it aims at. */
export interface Caused<Kind extends string> {
  readonly kind: Kind;
  readonly hasHit: boolean;
}

/** How often each kind was caused, and how often that met what it aims at. */
export function timesOf<Kind extends string>(
  troubles: readonly Caused<Kind>[],
): readonly (readonly [kind: Kind, times: number, met: number])[] {
  return [...Map.groupBy(troubles, ({ kind }) => kind)].map(([kind, own]) => [
    kind,
    own.length,
    own.filter(({ hasHit }) => hasHit).length,
  ]);
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
