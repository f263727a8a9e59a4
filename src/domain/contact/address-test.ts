import type { Address } from "./contact.ts";

/** Result of testing an address. */
export interface AddressTest {
  readonly address: Address;
  readonly accepted: boolean;
  /** Response of the receiver, or the reason why nothing was sent. */
  readonly response: string;
  /** Undefined if nothing was sent. */
  readonly durationMs: number | undefined;
}
