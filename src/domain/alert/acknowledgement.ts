/** Somebody sees to an outage: until it ends, nobody is reminded of it, and no alert whose delay was not over is sent. */
export interface Acknowledgement {
  readonly at: number;
  /** The name of a person, as whoever acknowledged it gave it. */
  readonly by: string;
  /** Empty without one. */
  readonly note: string;
}

export const longestAcknowledger = 100;
export const longestAcknowledgementNote = 500;
