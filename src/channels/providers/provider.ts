import type { Receipt, SendContext } from "../channel.ts";

/** A provider of text messages and calls. */
export interface PhoneProvider {
  /** The number that a receiver sees. */
  readonly from: string;
  readonly sendText: (to: string, text: string, context: SendContext) => Promise<Receipt>;
  /** Calls, and reads the text out twice. */
  readonly placeCall: (to: string, words: string, context: SendContext) => Promise<Receipt>;
}

/** A provider of private messages to the users of a network. */
export interface HandleProvider {
  readonly sendMessage: (
    handle: string,
    message: DirectMessage,
    context: SendContext,
  ) => Promise<Receipt>;
}

export interface DirectMessage {
  /** The same on every attempt. */
  readonly id: string;
  readonly text: string;
}
