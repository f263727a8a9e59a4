import { createHash } from "node:crypto";

import type { Address } from "../domain/contact/contact.ts";

const HOST_HASH_LENGTH = 16;

/** The host is hashed, for what it takes to reach an address is sealed. Addresses that are no URL go to the one server or provider of their kind. */
export function destinationOf({ kind, address }: Pick<Address, "kind" | "address">): string {
  const { host = "" } = URL.parse(address) ?? {};
  if (host === "") return kind;
  return `${kind} ${createHash("sha256").update(host).digest("hex").slice(0, HOST_HASH_LENGTH)}`;
}
