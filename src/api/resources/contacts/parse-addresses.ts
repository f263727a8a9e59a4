import type { Channel } from "../../../channels/channel.ts";
import { parseMailbox } from "../../../channels/mail/mailbox.ts";
import { channelOf, type AddressKind, type Channels } from "../../../channels/registry.ts";
import { addressWith, settingsIn } from "../../../channels/service-settings.ts";
import {
  noSuppressions,
  addressDefaults,
  type Address,
  type Suppressions,
  type WebhookRequest,
} from "../../../domain/contact/contact.ts";
import type { Clock } from "../../../kit/clock.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import type { Ids } from "../../../kit/ids.ts";
import { warnOfEndedMute } from "../ended-mute.ts";
import { existingAddressEntry, maxAddresses, newAddressEntry, type AddressInput } from "./input.ts";
import type { Call } from "../../http/auth.ts";
import { objectTo } from "../../http/compatibility.ts";
import type { Confirmations } from "../../confirmations.ts";
import { parseRecord } from "../../../schema/json-values.ts";
import { parseInput } from "../../../schema/parse-input.ts";
import { omitUnset, type RawValues } from "../../http/parse-request.ts";

interface SentAddresses {
  /** Undefined keeps all known addresses. */
  readonly addresses?: RawValues | undefined;
  readonly newaddresses?: readonly unknown[] | undefined;
}

interface AddressDeps {
  readonly clock: Pick<Clock, "now">;
  readonly ids: Pick<Ids, "address">;
  readonly channels: Channels;
  readonly confirmations: Pick<Confirmations, "isConfirmed">;
  readonly call: Pick<Call, "compatibility" | "warn">;
}

/** The addresses of a contact after a write: the known ones that stay, in their order and with their changes, then the new ones. */
export function parseAddresses(
  known: readonly Address[],
  { addresses, newaddresses = [] }: SentAddresses,
  deps: AddressDeps,
): readonly Address[] {
  const kept = addresses === undefined ? known : keptFromWire(known, addresses, deps);
  const added = newaddresses.map((entry, index) =>
    newFromWire(entry, `newaddresses.${index}`, deps),
  );
  if (kept.length + added.length > maxAddresses)
    throw new InvalidInput(`newaddresses: more than ${maxAddresses} addresses of one contact`);
  return [...kept, ...added];
}

function keptFromWire(
  known: readonly Address[],
  sent: RawValues,
  deps: AddressDeps,
): readonly Address[] {
  const unknown = Object.keys(sent).find((key) => !known.some(({ id }) => id === key));
  if (unknown !== undefined)
    throw new InvalidInput(`addresses: no such address ${JSON.stringify(unknown)}`);
  return known
    .filter(({ id }) => Object.hasOwn(sent, id))
    .map((address) => {
      const name = `addresses.${address.id}`;
      const members = membersOf(sent[address.id], name);
      return prefixed(`${name}.`, () =>
        merged(address, parseInput(existingAddressEntry, members), deps),
      );
    });
}

function newFromWire(entry: unknown, name: string, deps: AddressDeps): Address {
  const members = membersOf(entry, name);
  return prefixed(`${name}.`, () => {
    const { type, ...rest } = parseInput(newAddressEntry, members);
    const { service, address } = rest;
    if (service === undefined && address === undefined) throw new InvalidInput("address: required");
    const kind = type ?? (service === undefined ? kindOf(address ?? "") : "webhook");
    const channel = channelOf(deps.channels, kind);
    const blank = { ...addressDefaults, id: deps.ids.address(), kind, address: "" };
    const suppress = { ...noSuppressions, ...channel.defaultSuppressions };
    return merged({ ...blank, suppress, priority: channel.defaultPriority }, rest, deps);
  });
}

/** Clients may leave out the type of a mailbox. */
function kindOf(address: string): AddressKind {
  try {
    parseMailbox(address);
    return "email";
  } catch (error) {
    if (error instanceof InvalidInput) throw new InvalidInput("type: required", { cause: error });
    throw error;
  }
}

function membersOf(entry: unknown, name: string): RawValues {
  const members = parseRecord(entry, name);
  if (members === undefined) throw new InvalidInput(`${name}: must be an object`);
  return omitUnset(members);
}

function merged(
  known: Address,
  entry: AddressInput,
  { clock, channels, confirmations, call }: AddressDeps,
): Address {
  const channel = channelOf(channels, known.kind);
  warnOfEndedMute({ sent: entry.mute, known: known.mute, now: clock.now() }, call.warn);
  const { mute = known.mute, priority = known.priority } = entry;
  const sent = { ...entry, address: sentAddress(known, entry) };
  const address = mergedText(known, sent, { channel, call });
  const previous = entry.status === true || address !== known.address ? addressDefaults : known;
  return {
    ...known,
    address,
    // guard: status of addresses = entry.status ?? it
    status: previous.status,
    refusal: previous.refusal,
    suppress: mergedSuppressions(known.suppress, entry),
    mute,
    // guard: confirmation of a changed mailbox = then
    confirmed: address === known.address ? known.confirmed : confirmations.isConfirmed(known),
    request: mergedRequest(known.request, entry, channel),
    priority: channel.defaultPriority === undefined ? undefined : priority,
  };
}

/** Returns the address built from a service's settings, or the sent one; undefined if neither changes it. */
function sentAddress(
  { kind, address: known }: Address,
  { service, settings, address }: AddressInput,
): string | undefined {
  if (service === undefined && settings === undefined) return address;
  const before = settingsIn(known);
  // A record that is sent back has them as they were, whatever else has changed.
  const isRepeated =
    known !== "" &&
    (service ?? before?.service) === before?.service &&
    Object.entries(settings ?? {}).every(([name, value]) => before?.settings?.[name] === value);
  if (isRepeated) return address;
  if (kind !== "webhook")
    throw new InvalidInput("service: only addresses of type webhook have settings of a service");
  const base = address ?? (known === "" ? undefined : known);
  const name = service ?? (base === undefined ? undefined : settingsIn(base)?.service);
  if (name === undefined)
    throw new InvalidInput("service: required, because the address leads to none that is known");
  return addressWith(name, settings ?? {}, base);
}

function mergedText(
  { address: known }: Address,
  { address = known }: AddressInput,
  { channel, call }: { readonly channel: Channel; readonly call: AddressDeps["call"] },
): string {
  if (address === known) return known;
  return prefixed("address: ", () => {
    try {
      return channel.parseAddress(address);
    } catch (error) {
      const { otherForm } = channel;
      if (!(error instanceof InvalidInput) || otherForm === undefined) throw error;
      const warn = (sentence: string): void =>
        call.warn(`address: ${sentence}, ${otherForm.consequence}`, "grave");
      objectTo(error.message, { ...call, warn });
      if (!otherForm.accepts(address)) throw error;
      return address;
    }
  });
}

function mergedSuppressions(known: Suppressions, entry: AddressInput): Suppressions {
  return {
    up: entry.suppressup ?? known.up,
    down: entry.suppressdown ?? known.down,
    first: entry.suppressfirst ?? known.first,
    all: entry.suppressall ?? known.all,
    diagnostics: entry.suppressdiag ?? known.diagnostics,
  };
}

/** Headers and query strings are replaced as a whole; the body stays until another one is sent. */
function mergedRequest(
  known: Address["request"],
  entry: AddressInput,
  { assertRequestSettings }: Channel,
): WebhookRequest | undefined {
  if (assertRequestSettings === undefined) return undefined;
  const request: WebhookRequest = {
    action: entry.action ?? known?.action,
    headers: entry.headers ?? known?.headers,
    querystrings: entry.querystrings ?? known?.querystrings,
    data: entry.data || known?.data,
  };
  assertRequestSettings(request);
  const isUsual = Object.values(request).every((part) => part === undefined);
  return isUsual ? undefined : request;
}

/** Puts the path of a value in front of the message of an error about it. */
function prefixed<Value>(prefix: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidInput)
      throw new InvalidInput(`${prefix}${error.message}`, { cause: error });
    throw error;
  }
}
