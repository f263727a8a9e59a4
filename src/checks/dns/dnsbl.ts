import { recordsFor, type DnsMessage, type DnsQuestion } from "./message.ts";
import { reverseName } from "./name.ts";

export type ResolveRecords = (question: Pick<DnsQuestion, "name" | "type">) => Promise<DnsMessage>;

/** An address to look up, and the zone of the list. */
export interface DnsblQuery {
  readonly address: string;
  readonly family: 4 | 6;
  readonly zone: string;
}

export interface DnsblListing extends DnsblQuery {
  /** The return codes of the listing, none if the address is not listed; undefined if the list gave no usable response. */
  readonly codes: readonly string[] | undefined;
}

/** RFC 5782, 5: no working list contains it; a list that has shut down may list every address. */
const NEVER_LISTED = { 4: "127.0.0.1", 6: "::ffff:127.0.0.1" };

/** Addresses of 127.0.0.0/8, except 127.0.0.1, which blocking resolvers return, and 127.255.255.0/24, by which lists refuse a query. */
const CODE = /^127\.(?!0\.0\.1$|255\.255\.)/;

export async function queryDnsbl(place: DnsblQuery, ask: ResolveRecords): Promise<DnsblListing> {
  const { address, family, zone } = place;
  const codes = await codesIn(zone, address, ask);
  if (codes === undefined || codes.length === 0) return { ...place, codes };
  const ofNobody = (await codesIn(zone, NEVER_LISTED[family], ask)) ?? [];
  return { ...place, codes: ofNobody.length === 0 ? codes : undefined };
}

async function codesIn(
  zone: string,
  address: string,
  ask: ResolveRecords,
): Promise<readonly string[] | undefined> {
  const question = { name: reverseName(address, zone), type: "A" } as const;
  // A failure of one list does not affect the others.
  const message = await ask(question).catch(() => undefined);
  if (message?.code === "NXDOMAIN") return [];
  if (message?.code !== "NOERROR") return undefined;
  const codes = recordsFor(message, question).map(({ data }) => data);
  return codes.every((code) => CODE.test(code)) ? codes : undefined;
}
