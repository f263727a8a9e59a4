import process from "node:process";

/** The time that this thread computed, in ms: unlike wall time, it does not count the time in which other processes had the processor. */
export function cpuTimeMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
