/** Acknowledgement of an outage: until the outage ends, no reminders and no delayed alerts are sent. */
export interface Acknowledgement {
  readonly at: number;
  /** The name that was given, with the recipient of the link where it came by a link: anyone who has one can give any name. */
  readonly by: string;
  /** Empty without one. */
  readonly note: string;
}

/** Returns the name given by someone without session or token, with the recipient of their link. */
export function acknowledgedByLink(given: string, recipient: string): string {
  // guard: names given with a link = parameter
  return `${given}, by the link in the alert to ${recipient}`;
}

export const maxAcknowledgerLength = 100;
export const maxAcknowledgementNoteLength = 500;
