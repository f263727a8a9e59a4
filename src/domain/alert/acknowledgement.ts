/** Somebody sees to an outage: until it ends, nobody is reminded of it, and no alert whose delay was not over is sent. */
export interface Acknowledgement {
  readonly at: number;
  /** The name that was given, with the recipient of the link where it came by a link: anyone who has one can give any name. */
  readonly by: string;
  /** Empty without one. */
  readonly note: string;
}

/** The name that somebody gave who has no session and no token, together with whose link it was. */
export function acknowledgedByLink(given: string, recipient: string): string {
  // guard: names given with a link = parameter
  return `${given}, by the link in the alert to ${recipient}`;
}

export const longestAcknowledger = 100;
export const longestAcknowledgementNote = 500;
