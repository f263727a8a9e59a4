import type { ProcessFinding } from "./judge-process.ts";

/** Actions of someone who inspects responses, and their results. */
export interface Haul {
  readonly name: string;
  /** How often each step was made. A step that never was shows nothing. */
  readonly tried: Readonly<Record<string, number>>;
  /** How often the program showed that it had noticed or refused. What it never did is a finding. */
  readonly shown: Readonly<Record<string, number>>;
  /** Gained data that an attacker must not reach, by kind. */
  readonly gained: Readonly<Record<string, number>>;
}

/** Acts until the signal aborts, once at least. */
export type Intrusion = (signal: AbortSignal) => Promise<Haul>;

/** Finds everything that an intruder gained, every step that was never made, and all that the program never showed. */
export function judgeHauls(hauls: readonly Haul[]): readonly ProcessFinding[] {
  return hauls.flatMap(({ name, tried, shown, gained }) => [
    ...Object.entries(gained)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => ({
        harm: "gained" as const,
        about: name,
        what: `${what}: ${count}`,
      })),
    ...(
      [
        ["untried", tried],
        ["unshown", shown],
      ] as const
    ).flatMap(([harm, counts]) =>
      Object.entries(counts)
        .filter(([, count]) => count === 0)
        .map(([what]) => ({ harm, about: name, what })),
    ),
  ]);
}

/** A line for each intruder. */
export function haulLines(hauls: readonly Haul[]): readonly string[] {
  const listed = (counts: Haul["tried"]): string =>
    Object.entries(counts)
      .map(([what, count]) => `${what} ${count}`)
      .join(", ");
  return hauls.map(
    ({ name, tried, shown, gained }) =>
      `  ${name}: ${listed(tried)}; shown: ${listed(shown)}; gained: ${listed(gained)}`,
  );
}
