/** Trouble that was caused, and whether it met its condition. */
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

/** Returns the troubles that never met their condition or were never caused, about which no column says anything. */
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
