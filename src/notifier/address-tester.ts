import type { AlertContext, Channel } from "../channels/channel.ts";
import type { Alert } from "../domain/alert/alert.ts";
import { isLinkLike } from "../kit/net/link-like.ts";
import { channelOf, type Channels } from "../channels/registry.ts";
import { type Account, primaryIdOf } from "../domain/account/account.ts";
import type { Actor } from "../domain/account/actor.ts";
import { sentenceOf, type MailLimits } from "../domain/contact/mail-limits.ts";
import type { AddressTest } from "../domain/contact/address-test.ts";
import type { Address, Contact } from "../domain/contact/contact.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf, type DeliveryFailed } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { Store } from "../store/store.ts";
import type { AddressStatusChange } from "../store/tables/contacts.ts";
import { requestConfirmation } from "../store/transactions/request-confirmation.ts";
import { addressStatusChangeOf } from "./sending/address-status-change.ts";
import { toDeliveryFailure, withDeadline } from "./sending/attempt.ts";

export interface AskedTest {
  readonly contact: Contact;
  readonly account: Account;
  /** The account of the token or session that the test was requested with. */
  readonly caller: Account;
  readonly actor: Pick<Actor, "kind" | "name">;
}

export interface TestedAddress {
  readonly result: AddressTest;
  readonly change: AddressStatusChange | undefined;
}

export interface AddressTesterDeps {
  readonly store: Pick<Store, "write">;
  readonly mailLimits: MailLimits;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "alert" | "uuid">;
  readonly log: Log;
  readonly meter: Meter;
  readonly egress: Egress;
  /** The public address of this installation. */
  readonly url: string;
}

/** Sends a test to one address until the signal aborts, and never throws. */
export function createAddressTester(
  deps: AddressTesterDeps,
): (address: Address, asked: AskedTest, signal: AbortSignal) => Promise<TestedAddress> {
  const { channels, clock, ids, log, meter, egress, url } = deps;

  const send = async (
    context: AlertContext,
    channel: Channel,
    shutdownSignal: AbortSignal,
  ): Promise<{ readonly response: string; readonly failure: DeliveryFailed | undefined }> => {
    try {
      const message = channel.render(context);
      const { response } = await withDeadline(
        (deadline) =>
          channel.send(
            { id: context.alert.id, to: context.to, message },
            { signal: deadline, egress, clock, attempt: 1 },
          ),
        { clock, shutdownSignal },
      );
      return { response, failure: undefined };
    } catch (error) {
      return { response: messageOf(error), failure: toDeliveryFailure(error) };
    }
  };

  return async (address, asked, signal) => {
    const { contact, account, caller } = asked;
    const unsent = (response: string): TestedAddress => ({
      result: { address, accepted: false, response, durationMs: undefined },
      change: undefined,
    });
    const channel = channelOf(channels, address.kind);
    const reason = unsentReason(account, address) ?? channel.unavailableReason;
    if (reason !== undefined) return unsent(reason);
    if (signal.aborted) return unsent("no time was left for it");
    // guard: tests to confirmed mailboxes = then
    const refusal = address.confirmed
      ? await takeMail(deps, address, caller)
      : await askAgain(deps, address, asked);
    if (refusal !== undefined) return unsent(`not sent: ${refusal}`);
    const startedAt = clock.monotonic();
    const alert = testAlert({
      id: ids.alert(),
      at: clock.now(),
      account,
      message: requestOf(asked),
    });
    const { timeZone, branding } = account;
    const { response, failure } = await send(
      {
        alert: { ...alert, contactId: contact.id, addressId: address.id },
        to: address,
        kind: "test",
        timeZone,
        branding,
        url,
      },
      channel,
      signal,
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
      change: addressStatusChangeOf(
        { accountId: account.id, contactId: contact.id, address },
        { endedAt: clock.now(), failure },
      ),
    };
  };
}

/** How the test was requested, for those who receive it. */
function requestOf({ caller, actor }: AskedTest): string {
  const account = isLinkLike(caller.name) ? caller.id : caller.name;
  if (actor.kind !== "session") return `Asked for with a token of the account ${account}`;
  const by = actor.name === "" || isLinkLike(actor.name) ? "" : ` by ${actor.name}`;
  return `Sent${by} from the dashboard of the account ${account}`;
}

/** Returns the reason why no message at all may be sent. Mutes and windows apply to alerts only. */
function unsentReason(account: Account, { suppress }: Address): string | undefined {
  if (account.status !== "active") return "not sent: the account is suspended";
  if (account.suppressAll) return "not sent: the account wants no messages";
  return suppress.all ? "not sent: the address wants no messages" : undefined;
}

/** Mails the link again by which the owner of an address agrees to messages. */
async function askAgain(
  { store, clock, ids, log, mailLimits: limits }: AddressTesterDeps,
  address: Address,
  { contact, account, caller }: AskedTest,
): Promise<string> {
  const asked = { account, address, contactId: contact.id, callerId: caller.id, limits };
  try {
    const spent = await store.write((tx) =>
      requestConfirmation(tx, { ...asked, id: ids.uuid(), at: clock.now() }),
    );
    return spent === undefined
      ? "the address is not confirmed; the link for that was mailed to it again"
      : `the address is not confirmed, and ${sentenceOf(spent, limits)}`;
  } catch (error) {
    log.error("notifier.save_failed", { message: messageOf(error) });
    return "the address is not confirmed";
  }
}

/** Counts a mailed test; returns the reason if the budget is used up. */
async function takeMail(
  { store, clock, log, mailLimits: limits }: AddressTesterDeps,
  { kind, address: mailbox }: Address,
  { id: accountId }: Account,
): Promise<string | undefined> {
  if (kind !== "email") return undefined;
  try {
    const spent = await store.write(({ mailBudget }) =>
      // guard: tests to a mailbox = Promise.resolve()
      mailBudget.take({ mailbox, accountId, at: clock.now(), limits }),
    );
    return spent && sentenceOf(spent, limits);
  } catch (error) {
    // A disk that fails is when people test whether alerts reach them.
    log.error("notifier.save_failed", { message: messageOf(error) });
    return undefined;
  }
}

/** An alert without a flip; it is like a recovery, so that services open no incident. */
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
    primaryId: primaryIdOf(account),
    checkNo: 0,
    checkId,
    outage: undefined,
    kind: "first",
    contactId: "",
    addressId: "",
    schedules: ["All"],
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
        reason: "ok",
        text: "Test",
        message,
      },
      confirmations: [],
    },
    retryUntil: at,
    attempts: 1,
    bundle: undefined,
    possiblySent: false,
    judged: true,
    destination: "",
  };
}
