import type { Channel, AlertContext } from "../channels/channel.ts";
import { channelOf } from "../channels/registry.ts";
import type { Channels } from "../channels/registry.ts";
import type { Account } from "../domain/account.ts";
import type { AddressTest } from "../domain/address-test.ts";
import type { Alert } from "../domain/alert.ts";
import type { Address, Contact } from "../domain/contact.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";
import { messageOf } from "../kit/errors.ts";
import type { DeliveryFailed } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { AddressStatusChange } from "../store/contacts.ts";
import type { Store } from "../store/store.ts";
import { toDeliveryFailure, withDeadline } from "./attempt.ts";
import { addressStatusChangeOf } from "./address-status-change.ts";

/** Sends a test to each address of a contact, by the way that alerts take, and waits for what becomes of it. */
export type ContactTester = (asked: {
  readonly contact: Contact;
  readonly account: Account;
  /** Whose token asked for it. */
  readonly caller: Account;
}) => Promise<readonly AddressTest[]>;

export interface ContactTesterDeps {
  readonly store: Pick<Store, "write">;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "alert">;
  readonly log: Log;
  readonly meter: Meter;
  readonly egress: Egress;
  /** The public address of this installation. */
  readonly url: string;
  /** Ends every test that is under way. */
  readonly stopping: AbortSignal;
}

/** Whoever asked waits for the answer, and so do proxies on the way. */
const LONGEST_MS = 20_000;
const MOST_AT_ONCE = 4;

interface Tried {
  readonly result: AddressTest;
  readonly mark: AddressStatusChange | undefined;
}

export function createContactTester(deps: ContactTesterDeps): ContactTester {
  const { store, channels, clock, ids, log, meter, egress, url, stopping } = deps;

  const keep = (marks: readonly AddressStatusChange[]): Promise<void> =>
    store.write(async ({ contacts }) => {
      for (const mark of marks) await contacts.changeAddressStatus(mark);
    });
  const send = async (
    telling: AlertContext,
    channel: Channel,
    shutdownSignal: AbortSignal,
  ): Promise<{ readonly response: string; readonly failure: DeliveryFailed | undefined }> => {
    try {
      const message = channel.render(telling);
      const { response } = await withDeadline(
        (signal) =>
          channel.send(
            { id: telling.alert.id, to: telling.to, message },
            { signal, egress, clock, attempt: 1 },
          ),
        { clock, shutdownSignal },
      );
      return { response, failure: undefined };
    } catch (error) {
      return { response: messageOf(error), failure: toDeliveryFailure(error) };
    }
  };

  const test = async (
    address: Address,
    { contact, account, caller }: Parameters<ContactTester>[0],
    hurry: AbortSignal,
  ): Promise<Tried> => {
    const unsent = (why: string): Tried => ({
      result: { address, accepted: false, response: why, durationMs: undefined },
      mark: undefined,
    });
    const silence = silenceOf(account, address);
    if (silence !== undefined) return unsent(silence);
    const channel = channelOf(channels, address.kind);
    if (channel.unavailableReason !== undefined) return unsent(channel.unavailableReason);
    if (hurry.aborted) return unsent("no time was left for it");
    const startedAt = clock.monotonic();
    const alert = testAlert({
      id: ids.alert(),
      at: clock.now(),
      account,
      message: `Asked for with a token of the account ${caller.name}`,
    });
    const { offsetHours, branding } = account;
    const { response, failure } = await send(
      {
        alert: { ...alert, contactId: contact.id, addressId: address.id },
        to: address,
        kind: "test",
        offsetHours,
        branding,
        url,
      },
      channel,
      hurry,
    );
    const accepted = failure === undefined;
    log.info("notifier.tested", {
      contact: contact.id,
      address: address.id,
      accepted,
      message: response,
    });
    meter.count("notifier.tested", { channel: address.kind, accepted: String(accepted) });
    const durationMs = Math.round(clock.monotonic() - startedAt);
    return {
      result: { address, accepted, response, durationMs },
      mark: addressStatusChangeOf(
        { accountId: account.id, contactId: contact.id, address },
        { endedAt: clock.now(), failure },
      ),
    };
  };

  return async (asked) => {
    const late = new AbortController();
    const timer = clock.setTimer(() => late.abort(), LONGEST_MS);
    const hurry = AbortSignal.any([stopping, late.signal]);
    const { addresses } = asked.contact;
    const byWay = new Map<string, Tried>();
    const ways = new Map(addresses.map((address) => [wayOf(address), address])).entries();
    const work = async (): Promise<void> => {
      for (const [way, address] of ways) byWay.set(way, await test(address, asked, hurry));
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    timer.cancel();
    const tried = addresses.flatMap((address) => {
      const { result, mark } = byWay.get(wayOf(address)) ?? {};
      if (result === undefined) return [];
      return [{ result: { ...result, address }, mark: mark && { ...mark, addressId: address.id } }];
    });
    const marks = tried.flatMap(({ mark }) => mark ?? []);
    try {
      if (marks.length > 0) await keep(marks);
    } catch (error) {
      // Whoever asked is still told what the receivers said.
      log.error("notifier.save_failed", { contact: asked.contact.id, message: messageOf(error) });
    }
    return tried.map(({ result }) => result);
  };
}

/** The same for addresses that lead to the same in the same way: that is tested once, for telephones ring. */
function wayOf({ kind, address, request, suppress }: Address): string {
  return JSON.stringify([kind, address, request, suppress.all]);
}

/** Why somebody wants no message at all. Mutes and windows are of alerts. */
function silenceOf(account: Account, { suppress }: Address): string | undefined {
  if (account.status !== "active") return "not sent: the account is suspended";
  if (account.suppressAll) return "not sent: the account wants no messages";
  return suppress.all ? "not sent: the address wants no messages" : undefined;
}

/** No check flipped; it says what a recovery would, so that services that keep incidents open none. */
function testAlert({
  id,
  at,
  account,
  message,
}: {
  readonly id: string;
  readonly at: number;
  readonly account: Account;
  readonly message: string;
}): Alert {
  const checkId = `${account.id}-TEST`;
  return {
    id,
    flipId: "",
    accountId: account.id,
    checkNo: 0,
    checkId,
    outage: undefined,
    kind: "first",
    contactId: "",
    addressId: "",
    schedule: "All",
    dueAt: at,
    createdAt: at,
    notice: {
      account: { id: account.id, name: account.name },
      check: {
        id: checkId,
        label: "Test message",
        type: "TEST",
        target: "",
        intervalMinutes: 0,
        description: "A test of Watchpost: nothing is down",
      },
      state: "passing",
      previous: undefined,
      since: at,
      downForMs: undefined,
      result: {
        id: `${checkId}-${at}`,
        startedAt: at,
        endedAt: at,
        runtimeMs: 0,
        text: "Test",
        message,
      },
      confirmations: [],
    },
    attempts: 1,
    bundle: undefined,
    possiblySent: false,
  };
}
