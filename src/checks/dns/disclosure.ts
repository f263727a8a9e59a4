import { Blocked, codeOf } from "../../kit/errors.ts";
import { Interrupted } from "../../kit/net/dial.ts";
import { querySystemDns } from "./system-dns.ts";
import type { DnsContext, DnsResponse } from "./client.ts";
import { addressOfReverseName } from "./name.ts";

/** Domains that only a private network has: RFC 6762, RFC 8375, and what ICANN reserved in 2024. */
const PRIVATE_DOMAIN = /(?:^|\.)(?:local|home\.arpa|internal)\.?$/i;

/** Allowed where names of such domains are. */
const PRIVATE = "10.0.0.1";

type Policy = Pick<DnsContext, "egress" | "signal">;

/** Parts of a response of the system's DNS server that may be disclosed. */
export interface DisclosedResponse extends Omit<DnsResponse, "address"> {
  /** Address of the server; undefined if the policy refuses it. */
  readonly address: string | undefined;
}

/**
 * Queries the system's DNS server, which knows names of this location's own network. Throws Blocked where the response would disclose an
 * address that the egress policy refuses, or the name of one.
 */
export async function discloseSystemDns(
  call: Parameters<typeof querySystemDns>[0],
  context: DnsContext,
): Promise<DisclosedResponse> {
  const { name } = call.question;
  const leadsTo = addressOfReverseName(name) ?? (PRIVATE_DOMAIN.test(name) ? PRIVATE : undefined);
  if (leadsTo !== undefined) await assertAllowed(leadsTo, name, context);
  const { message, address, ...rest } = await querySystemDns(call, context).catch(
    async (error: unknown) => {
      throw await withoutAddress(error, context);
    },
  );
  for (const { type, data } of [...message.answer, ...message.authority, ...message.additional])
    if (type === "A" || type === "AAAA") await assertAllowed(data, name, context);
  return { ...rest, message, address: (await isAllowed(address, context)) ? address : undefined };
}

/** Throws Blocked unless the policy allows the address that a name leads to. */
export async function assertAllowed(address: string, name: string, context: Policy): Promise<void> {
  // guard: what names lead to
  if (!(await isAllowed(address, context)))
    throw new Blocked(
      `what leads to an address that is refused here is not looked up: ${JSON.stringify(name)}`,
    );
}

async function isAllowed(address: string, { egress, signal }: Policy): Promise<boolean> {
  try {
    await egress.resolve(address, { signal });
    return true;
  } catch (error) {
    if (codeOf(error) === "blocked") return false;
    throw error;
  }
}

/** Errors of a connection name the server's address. */
async function withoutAddress(error: unknown, context: Policy): Promise<unknown> {
  if (!(error instanceof Error) || !("address" in error) || typeof error.address !== "string")
    return error;
  if (await isAllowed(error.address, context)) return error;
  return error instanceof Interrupted
    ? new Interrupted(error.phase)
    : Object.assign(error, { address: undefined });
}
