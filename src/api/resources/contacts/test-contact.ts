import { z } from "zod";

import type { Account } from "../../../domain/account/account.ts";
import type { Actor } from "../../../domain/account/actor.ts";
import type { AddressTest } from "../../../domain/contact/address-test.ts";
import { addressKinds } from "../../../channels/registry.ts";
import type { Contact } from "../../../domain/contact/contact.ts";
import type { Clock } from "../../../kit/clock.ts";
import { TooManyRequests } from "../../../kit/errors.ts";
import { warning } from "../responses.ts";

/** Sends a test message to each address of a contact. */
export type TestContact = (request: {
  readonly contact: Contact;
  readonly account: Account;
  readonly caller: Account;
  readonly actor: Actor;
}) => Promise<readonly AddressTest[]>;

export const contactTestResponse = z
  .object({
    success: z.boolean().describe("Whether every address accepted its test message"),
    addresses: z
      .record(
        z.string(),
        z.object({
          type: z.enum(addressKinds),
          address: z.string(),
          accepted: z.boolean(),
          response: z.string().describe("The response of the receiver, or why nothing was sent"),
          runtime: z.int().optional().describe("In ms; missing if nothing was sent"),
        }),
      )
      .describe("By id"),
    warning,
  })
  .meta({ id: "ContactTest" });

export function testsToResponse(tests: readonly AddressTest[]): object {
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
const MAX_TESTS_OF_ACCOUNT = 5;

interface TestRequest {
  readonly contact: Pick<Contact, "id">;
  /** The account of the token, not the subaccount: otherwise subaccounts would multiply the limit. */
  readonly caller: Pick<Account, "id">;
}

/**
 * Counts a test of a contact; the returned function uncounts it, for a test that sent nothing. Throws TooManyRequests where the contact was tested less than a minute ago, or too many
 * contacts were tested in the last minute with tokens of the account: tests cost money and call telephones. Each process counts for itself.
 */
export function createTestRateLimit(clock: Clock): (request: TestRequest) => () => void {
  let recent: readonly (TestRequest & { readonly at: number })[] = [];
  return ({ contact, caller }) => {
    const now = clock.monotonic();
    recent = recent.filter(({ at }) => now - at < WINDOW_MS);
    const before = recent.find((one) => one.contact.id === contact.id);
    const ofCaller = recent.filter((one) => one.caller.id === caller.id);
    const oldest = ofCaller.length < MAX_TESTS_OF_ACCOUNT ? undefined : ofCaller[0];
    const blocking = before ?? oldest;
    // guard: rate of tests
    if (blocking !== undefined)
      throw new TooManyRequests(
        before === undefined
          ? `id: ${MAX_TESTS_OF_ACCOUNT} contacts were tested in the last minute with tokens of the account`
          : "id: the contact was tested less than a minute ago",
        Math.ceil((blocking.at + WINDOW_MS - now) / 1000),
      );
    const counted = { contact, caller, at: now };
    recent = [...recent, counted];
    return () => {
      recent = recent.filter((one) => one !== counted);
    };
  };
}
