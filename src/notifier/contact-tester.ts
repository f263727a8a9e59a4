import type { AddressTest } from "../domain/contact/address-test.ts";
import type { Address } from "../domain/contact/contact.ts";
import { createDeadline } from "../kit/abort.ts";
import { messageOf } from "../kit/errors.ts";
import type { AddressStatusChange } from "../store/tables/contacts.ts";
import {
  createAddressTester,
  type AddressTesterDeps,
  type AskedTest,
  type TestedAddress,
} from "./address-tester.ts";

/** Sends a test to each address of a contact, through the channels that alerts are sent by, and waits for the responses. */
export type ContactTester = (asked: AskedTest) => Promise<readonly AddressTest[]>;

export interface ContactTesterDeps extends AddressTesterDeps {
  /** Ends every test in progress. */
  readonly stopping: AbortSignal;
}

/** The HTTP request waits that long, and so do proxies. */
const MAX_DURATION_MS = 20_000;
const MAX_AT_ONCE = 4;

export function createContactTester(deps: ContactTesterDeps): ContactTester {
  const { store, clock, log, stopping } = deps;
  const test = createAddressTester(deps);

  const save = (changes: readonly AddressStatusChange[]): Promise<void> =>
    store.write(async ({ contacts }) => {
      for (const change of changes) await contacts.changeAddressStatus(change);
    });
  return async (asked) => {
    using deadline = createDeadline(clock, MAX_DURATION_MS);
    const signal = AbortSignal.any([stopping, deadline.signal]);
    const { addresses } = asked.contact;
    const tested = new Map<string, TestedAddress>();
    const queue = new Map(
      addresses.map((address) => [destinationKeyOf(address), address]),
    ).entries();
    const work = async (): Promise<void> => {
      for (const [key, address] of queue) tested.set(key, await test(address, asked, signal));
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
    const all = addresses.flatMap((address) => {
      const { result, change } = tested.get(destinationKeyOf(address)) ?? {};
      if (result === undefined) return [];
      return [
        { result: { ...result, address }, change: change && { ...change, addressId: address.id } },
      ];
    });
    const changes = all.flatMap(({ change }) => change ?? []);
    try {
      if (changes.length > 0) await save(changes);
    } catch (error) {
      // The caller still gets the responses.
      log.error("notifier.save_failed", { contact: asked.contact.id, message: messageOf(error) });
    }
    return all.map(({ result }) => result);
  };
}

/** Equal for addresses that are the same destination, which is tested once. */
function destinationKeyOf({ kind, address, request, suppress }: Address): string {
  return JSON.stringify([kind, address, request, suppress.all]);
}
