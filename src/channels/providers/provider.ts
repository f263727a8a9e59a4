import type { Receipt, Wire } from "../channel.ts";

/** Who brings words to telephones. Numbers are dialled as they are. */
export interface PhoneProvider {
  /** Where it takes requests. */
  readonly host: string;
  /** The number that a receiver sees. */
  readonly from: string;
  readonly text: (to: string, text: string, wire: Wire) => Promise<Receipt>;
  /** Rings, and says the words twice. */
  readonly call: (to: string, words: string, wire: Wire) => Promise<Receipt>;
}

/** Who brings a message to one person of a network, and shows it to nobody else. */
export interface HandleProvider {
  /** Where it takes requests. */
  readonly host: string;
  readonly message: (handle: string, message: HandleMessage, wire: Wire) => Promise<Receipt>;
}

export interface HandleMessage {
  /** The same on every attempt. */
  readonly id: string;
  readonly text: string;
}
