import type { Address } from "./contact.ts";

/** What came of the test of one address. */
export interface AddressTest {
  readonly address: Address;
  readonly accepted: boolean;
  /** What the receiver said, or why it was sent nothing. */
  readonly response: string;
  /** Undefined where nothing was sent. */
  readonly durationMs: number | undefined;
}
