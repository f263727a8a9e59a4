import { createRandom } from "../chaos/random.ts";
import { excessiveCost, superlinearCost } from "./cost.ts";
import { describe, hostileText, textOf, type HostileText } from "./texts.ts";

/** Code that reads text which anybody may have written. */
export interface Parser {
  readonly name: string;
  /** Check types that use it; none if it reads requests. */
  readonly types?: readonly string[];
  /** The longest text that it can be given. */
  readonly longest: number;
  /** Accepted inputs, and parts of them. */
  readonly examples: readonly string[];
  /** Worst known inputs, tried with any seed. */
  readonly worst?: readonly HostileText[];
  readonly parse: (text: string) => unknown;
}

/** Every how many texts one is also compared with its parts. */
const COMPARED = 4;

/** Gives a parser that many hostile texts, as long as it may get; returns the first that costs too much. */
export async function costlyText(
  { name, longest, examples, worst = [], parse }: Parser,
  { seed, texts }: { readonly seed: number; readonly texts: number },
): Promise<string | undefined> {
  const random = createRandom(seed);
  const all = [...worst, ...Array.from({ length: texts }, () => hostileText(random, examples))];
  for (const [index, hostile] of all.entries()) {
    const whole = textOf(hostile, longest);
    const part = textOf(hostile, longest / 8);
    const isCompared = index < worst.length || index % COMPARED === 0;
    const excess =
      (await excessiveCost(() => parse(whole))) ??
      (isCompared
        ? await superlinearCost(
            () => parse(whole),
            () => parse(part),
          )
        : undefined);
    if (excess !== undefined) return `${name}: ${describe(hostile)} ${excess}`;
  }
  return undefined;
}
