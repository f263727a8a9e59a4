import { z } from "zod";

import type { Account } from "../../../domain/account.ts";
import type { AddressTest } from "../../../domain/address-test.ts";
import { addressKinds } from "../../../channels/registry.ts";
import type { Contact } from "../../../domain/contact.ts";
import type { Clock } from "../../../kit/clock.ts";
import { TooManyRequests } from "../../../kit/errors.ts";

/** Sends a test to each address of a contact, in the name of whose token asked for it. */
export type TestContact = (asked: {
  readonly contact: Contact;
  readonly account: Account;
  readonly caller: Account;
}) => Promise<readonly AddressTest[]>;

export const contactTestResponse = z
  .object({
    success: z.boolean().describe("Whether every address took its test"),
    addresses: z
      .record(
        z.string(),
        z.object({
          type: z.enum(addressKinds),
          address: z.string(),
          accepted: z.boolean(),
          response: z.string().describe("What the receiver said, or why it was sent nothing"),
          runtime: z.int().optional().describe("In ms; missing where it was sent nothing"),
        }),
      )
      .describe("By id"),
  })
  .meta({ id: "ContactTest" });

export function testsToWire(tests: readonly AddressTest[]): object {
  return {
    success: tests.every(({ accepted }) => accepted),
    addresses: Object.fromEntries(
      tests.map(({ address: { id, kind, address }, accepted, response, durationMs }) => [
        id,
        { type: kind, address, accepted, response, runtime: durationMs },
      ]),
    ),
  };
}

const WINDOW_MS = 60_000;
const MOST_OF_AN_ACCOUNT = 5;

interface Asked {
  readonly contact: Pick<Contact, "id">;
  /** Whose token asked for it; otherwise subaccounts would multiply what one may. */
  readonly caller: Pick<Account, "id">;
}

/**
 * Counts a test of a contact, until that is taken back because nothing was sent. Throws TooMany where that was tested less than a minute ago, or whoever asks had too many tested in
 * the last minute: tests cost money and ring telephones. Each process counts for itself.
 */
export function createTestRateLimit(clock: Clock): (asked: Asked) => () => void {
  let recent: readonly (Asked & { readonly at: number })[] = [];
  return ({ contact, caller }) => {
    const now = clock.monotonic();
    recent = recent.filter(({ at }) => now - at < WINDOW_MS);
    const before = recent.find((one) => one.contact.id === contact.id);
    const ofCaller = recent.filter((one) => one.caller.id === caller.id);
    const oldest = ofCaller.length < MOST_OF_AN_ACCOUNT ? undefined : ofCaller[0];
    const inTheWay = before ?? oldest;
    if (inTheWay !== undefined)
      throw new TooManyRequests(
        before === undefined
          ? `id: ${MOST_OF_AN_ACCOUNT} contacts were tested in the last minute with tokens of the account`
          : "id: the contact was tested less than a minute ago",
        Math.ceil((inTheWay.at + WINDOW_MS - now) / 1000),
      );
    const counted = { contact, caller, at: now };
    recent = [...recent, counted];
    return () => {
      recent = recent.filter((one) => one !== counted);
    };
  };
}
