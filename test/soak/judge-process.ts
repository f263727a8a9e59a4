import type { Measured } from "./measure.ts";

export const flaws = [
  "slowHealth",
  "failedHealth",
  "memory",
  "growth",
  "ended",
  "unready",
  "slowSignIn",
  "gained",
  "untried",
  "unshown",
] as const;
/** Harm to the program itself. */
export type Flaw = (typeof flaws)[number];

export interface ProcessLimits {
  readonly healthMs: number;
  readonly memoryMb: number;
  /** In a minute, over the second half of the time. */
  readonly growthMb: number;
}

export interface ProcessFinding {
  readonly harm: Flaw;
  readonly about: string;
  readonly what: string;
}

/** Whether the program answered at once, and took no more memory than it may. */
export function judgeProcess(
  { health, samples }: Pick<Measured, "health" | "samples">,
  limits: ProcessLimits,
): readonly ProcessFinding[] {
  const findings: ProcessFinding[] = [];
  const find = (harm: Flaw, what: string): void =>
    void findings.push({ harm, about: "the process", what });
  const slow = health.filter(({ ms }) => ms > limits.healthMs);
  const slowest = Math.max(...slow.map(({ ms }) => ms));
  if (slow.length > 0)
    find(
      "slowHealth",
      `${slow.length} of ${health.length} requests for /healthz took up to ${Math.round(slowest)} ms`,
    );
  const failed = health.filter(({ isWell }) => !isWell).length;
  if (failed > 0)
    find("failedHealth", `${failed} of ${health.length} requests for /healthz failed`);
  const memory = Math.max(0, ...samples.map(({ memoryMb }) => memoryMb));
  if (memory > limits.memoryMb) find("memory", `${Math.round(memory)} MB`);
  const growth = growthOf(samples);
  if (growth > limits.growthMb) find("growth", `${growth.toFixed(1)} MB a minute`);
  return findings;
}

const MINUTE_MS = 60_000;

/** Memory that was added in a minute, by least squares over the second half. */
export function growthOf(
  samples: readonly Pick<Measured["samples"][number], "at" | "memoryMb">[],
): number {
  const late = samples.slice(Math.floor(samples.length / 2));
  const mean = (valueOf: (sample: (typeof late)[number]) => number): number =>
    late.reduce((sum, sample) => sum + valueOf(sample), 0) / Math.max(late.length, 1);
  const [at, memory] = [mean((sample) => sample.at), mean(({ memoryMb }) => memoryMb)];
  const spread = late.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  const joint = late.reduce(
    (sum, sample) => sum + (sample.at - at) * (sample.memoryMb - memory),
    0,
  );
  return spread === 0 ? 0 : (MINUTE_MS * joint) / spread;
}
