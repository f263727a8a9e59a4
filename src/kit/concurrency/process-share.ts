/** How many processes share a limit, at least one: each allows a part of it, for requests are spread over all. */
export type Processes = () => number;

export const oneProcess: Processes = () => 1;

/** Returns one process's part of a limit; at least one if there is a limit. */
export function shareOfProcess(limit: number, processes: Processes): number {
  return Math.ceil(limit / processes());
}
