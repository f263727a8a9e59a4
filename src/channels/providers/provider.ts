import type { Receipt, SendContext } from "../channel.ts";

/** Who brings words to telephones. Numbers are dialled as they are. */
export interface PhoneProvider {
  /** Where it takes requests. */
  readonly host: string;
  /** The number that a receiver sees. */
  readonly from: string;
  readonly sendText: (to: string, text: string, wire: SendContext) => Promise<Receipt>;
  /** Rings, and says the words twice. */
  readonly placeCall: (to: string, words: string, wire: SendContext) => Promise<Receipt>;
}

/** Who brings a message to one person of a network, and shows it to nobody else. */
export interface HandleProvider {
  /** Where it takes requests. */
  readonly host: string;
  readonly sendMessage: (
    handle: string,
    message: DirectMessage,
    wire: SendContext,
  ) => Promise<Receipt>;
}

export interface DirectMessage {
  /** The same on every attempt. */
  readonly id: string;
  readonly text: string;
}
