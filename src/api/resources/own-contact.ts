import { Forbidden, InvalidInput, NotFound } from "../../kit/errors.ts";
import type { Reads } from "../../store/store.ts";
import type { Call } from "../http/auth.ts";

/** Returns the contact whose sign-in is concerned: contacts may manage their own, and owners everyone's. */
export async function ownContactOf(
  { contacts }: Pick<Reads, "contacts">,
  { account, access, actor }: Call,
  { id, what }: { readonly id: string | undefined; readonly what: string },
): Promise<string> {
  const wanted = id ?? actor.contactId;
  if (wanted === undefined) throw new InvalidInput("id: required with a token");
  if (wanted !== actor.contactId && access !== "owner")
    throw new Forbidden(`id: only an owner sees the ${what} of another contact`);
  if ((await contacts.find(account.id, wanted)) === undefined)
    throw new NotFound("Unable to find that contact");
  return wanted;
}
