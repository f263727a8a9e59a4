import type { DnsMessage, DnsQuestion } from "./message.ts";
import { recordsFor } from "./message.ts";
import { reverseName } from "./name.ts";

export type ResolveRecords = (question: Pick<DnsQuestion, "name" | "type">) => Promise<DnsMessage>;

/** An address and the list that may have it, by its name. */
export interface DnsblQuery {
  readonly address: string;
  readonly family: 4 | 6;
  readonly zone: string;
}

export interface DnsblListing extends DnsblQuery {
  /** Under which the list has the address, none where it has not; undefined where it does not say. */
  readonly codes: readonly string[] | undefined;
}

/** RFC 5782, 5: no list has it, but for those that have ended and list the world. */
const NEVER_LISTED = { 4: "127.0.0.1", 6: "::ffff:127.0.0.1" };

/** In 127.0.0.0/8, but for what a resolver answers that blocks the list, and what the list answers that refuses to. */
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
  // Whatever keeps one list from answering, the others may.
  const message = await ask(question).catch(() => undefined);
  if (message?.code === "NXDOMAIN") return [];
  if (message?.code !== "NOERROR") return undefined;
  const codes = recordsFor(message, question).map(({ data }) => data);
  return codes.every((code) => CODE.test(code)) ? codes : undefined;
}
