import type { Heartbeat } from "../heartbeat.ts";
import type { Heartbeats, HeartbeatStatus } from "../heartbeats.ts";

type Accept = Heartbeats["accept"];

/** The one that says most first. */
const order: readonly HeartbeatStatus[] = [
  "accepted",
  "unkept",
  "throttled",
  "limited",
  "suspended",
  "disabled",
  "unknown",
];

/**
 * Has each check of an address accept its copy of a heartbeat. The status is the best of all, so that an answer does not tell how many checks
 * there are. Rejects if any check could not store its copy, because the sender has to send it again. The sender spends one heartbeat.
 */
export async function acceptForAll(
  accept: Accept,
  copies: readonly Heartbeat[],
  { peer, maySend }: Parameters<Accept>[1],
): Promise<HeartbeatStatus> {
  let isAllowed: boolean | undefined;
  const from = { peer, maySend: () => (isAllowed ??= maySend()) };
  const settled = await Promise.allSettled(copies.map((copy) => accept(copy, from)));
  const statuses = new Set<HeartbeatStatus>();
  for (const each of settled) {
    if (each.status === "rejected") throw each.reason;
    statuses.add(each.value);
  }
  return order.find((each) => statuses.has(each)) ?? "unknown";
}
