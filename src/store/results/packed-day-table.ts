/** The results of a check and a day that is over, in one blob. Results of that day that came later are rows beside it. */
export interface PackedDayTable {
  readonly check_no: number;
  /** The instant at which it begins. */
  readonly day: number;
  /** Starts of the first and the last of them. */
  readonly first_at: number;
  readonly last_at: number;
  readonly last_tick: number;
  readonly results: number;
  readonly packed: Uint8Array;
}

/** Summaries of a check and a day, in one blob. */
export interface SummaryTable {
  readonly check_no: number;
  /** The instant at which it begins. */
  readonly day: number;
  readonly packed: Uint8Array;
}
