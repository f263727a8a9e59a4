import type { Address } from "../../domain/contact/contact.ts";
import type { DeliveryFailed } from "../../kit/errors.ts";
import type { AddressStatusChange } from "../../store/tables/contacts.ts";

/** Returns the change of an address's status that an attempt implies; undefined if there is none. */
export function addressStatusChangeOf(
  {
    accountId,
    contactId,
    address,
  }: { readonly accountId: string; readonly contactId: string; readonly address: Address },
  { endedAt, failure }: { readonly endedAt: number; readonly failure: DeliveryFailed | undefined },
): AddressStatusChange | undefined {
  const of = { accountId, contactId, addressId: address.id, address: address.address };
  if (failure === undefined)
    return address.status === "new" ? undefined : { ...of, status: "new", refusal: undefined };
  if (failure.address === undefined) return undefined;
  return {
    ...of,
    status: failure.address === "gone" ? "disabled" : "refused",
    refusal: { at: endedAt, reason: failure.message },
  };
}
