import type { Expected } from "./expected.ts";

/** A result as the API shows it. */
export interface Shown {
  readonly s: number;
  readonly su: boolean;
  readonly m: string;
  readonly rt: number;
  readonly evidence?: string;
}

/** Difference between real time and the program's, and the maximum delay for missing heartbeats. */
export interface Tolerance {
  readonly realMs: number;
  readonly noticedMs: number;
}

const NOTICED = /^(The last result is from|The run that began at) /;
/** Clocks of two processes, read one after the other, and rounded. */
const EARLY_MS = 50;

/** Returns the differences between a check's results and its line's actions. */
export function differences(
  expected: readonly Expected[],
  shown: readonly Shown[],
  tolerance: Tolerance,
): readonly string[] {
  const found = expected.flatMap((one, index) => {
    const result = shown[index];
    return result === undefined
      ? [`no result for ${sentenceOf(one)} of ${timeOf(one.at)}`]
      : problemsOf(one, result, tolerance).map(
          (problem) => `${timeOf(result.s)} ${problem} (${sentenceOf(one)} of ${timeOf(one.at)})`,
        );
  });
  const more = shown
    .slice(expected.length)
    .map(({ s, su, m }) => `a result that nobody caused: ${timeOf(s)} ${su} ${m}`);
  return [...found, ...more];
}

function problemsOf(
  expected: Expected,
  { s, su, m, rt, evidence }: Shown,
  { realMs, noticedMs }: Tolerance,
): readonly string[] {
  const { at, passed, message, isNoticed, runtime = 0, runMs } = expected;
  const problems: string[] = [];
  if (su !== passed) problems.push(`FALSE STATE: ${su} ${m}`);
  if (isNoticed ? !NOTICED.test(m) : m !== message) problems.push(`says ${m}`);
  if (isNoticed ? s < at - realMs : s < at - realMs - EARLY_MS) problems.push("is too early");
  if (s > at + (isNoticed ? noticedMs : EARLY_MS)) problems.push("is too late");
  const wanted = isNoticed || runtime === "own" ? rt : runtime === "run" ? runMs : runtime;
  if (runtime === "run" ? Math.abs(rt - wanted) > realMs : rt !== wanted)
    problems.push(`took ${rt} ms in place of ${wanted}`);
  if (!isNoticed && evidence !== expected.evidence)
    problems.push(`has the evidence ${JSON.stringify(evidence)}`);
  return problems;
}

function sentenceOf({ passed, message }: Expected): string {
  return `${passed ? "pass" : "failure"}: ${message}`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}
