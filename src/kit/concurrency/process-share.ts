/** How many processes share a limit, at least one: each allows a part of it, for requests are spread over all. */
export type Processes = () => number;

export const oneProcess: Processes = () => 1;

/** What one of them allows; of a limit that is one, at least one. */
export function shareOfProcess(limit: number, processes: Processes): number {
  return Math.ceil(limit / processes());
}
