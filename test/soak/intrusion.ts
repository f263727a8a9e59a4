import type { ProcessFinding } from "./judge-process.ts";

/** What somebody did who looks at the answers, and what came of it. */
export interface Haul {
  readonly name: string;
  /** How often each step was made. A step that never was shows nothing. */
  readonly tried: Readonly<Record<string, number>>;
  /** What was gained that is out of reach for an attacker, by kind. */
  readonly gained: Readonly<Record<string, number>>;
}

/** Acts until the signal aborts, once at least. */
export type Intrusion = (signal: AbortSignal) => Promise<Haul>;

/** Finds everything that an intruder gained, and every step that was never made. */
export function judgeHauls(hauls: readonly Haul[]): readonly ProcessFinding[] {
  return hauls.flatMap(({ name, tried, gained }) => [
    ...Object.entries(gained)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => ({
        harm: "gained" as const,
        about: name,
        what: `${what}: ${count}`,
      })),
    ...Object.entries(tried)
      .filter(([, count]) => count === 0)
      .map(([what]) => ({ harm: "untried" as const, about: name, what })),
  ]);
}

/** A line for each intruder. */
export function haulLines(hauls: readonly Haul[]): readonly string[] {
  const listed = (counts: Haul["tried"]): string =>
    Object.entries(counts)
      .map(([what, count]) => `${what} ${count}`)
      .join(", ");
  return hauls.map(
    ({ name, tried, gained }) => `  ${name}: ${listed(tried)}; gained: ${listed(gained)}`,
  );
}
