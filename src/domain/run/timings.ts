/** Milliseconds from the start of the run to the end of each phase that took place. */
export interface Timings {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly firstByte?: number;
  readonly total: number;
}
