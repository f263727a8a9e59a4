import { createHash } from "node:crypto";

import { isMailbox, type Address } from "../../../domain/contact/contact.ts";

/** Undefined of what is no mailbox. */
export function mailboxKeyOf(address: Pick<Address, "kind" | "address">): string | undefined {
  return isMailbox(address) ? hashOfMailbox(address.address) : undefined;
}

/** Hashed, for addresses are sealed. */
export function hashOfMailbox(mailbox: string): string {
  return createHash("sha256").update(mailbox.toLowerCase()).digest("base64url");
}
