import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { HookServer } from "./hooks.ts";
import type { OneProcess, PushCheck } from "./installation.ts";
import { judgeReturn } from "./judges/judge-return.ts";
import type { Finding } from "./judges/judge-states.ts";
import { livedBetween } from "./judges/timeline.ts";
import type { Random } from "./random.ts";

interface World {
  readonly site: OneProcess;
  /** Takes alerts, and answers well. */
  readonly receiver: Pick<HookServer, "url" | "receipts" | "leave">;
  readonly random: Random;
  readonly findings: Finding[];
}

const AWAY_MS = 90_000;
/** In its first ten minutes a delivery is tried that often, */
const TRIED_AGAIN_MS = 15_000;
/** and everything that waits behind it arrives this soon, on a loaded machine. */
const DELIVERED_WITHIN_MS = 20_000;
/** Troubles that follow each other may excuse a delay, and not for ever. */
const AT_LAST_MS = 5 * 60_000;
const OUTAGE_MS = 5000;
const LOOK_MS = 500;
const AGAIN_MS = 1000;

let turns = 0;

/**
 * Takes the receiver away for a minute and a half to three. One check goes down meanwhile and stays so, another comes up again: on its return the
 * receiver is told of both. Whether both outages began while it was away.
 */
export async function leaveReceiver(world: World): Promise<boolean> {
  const { site, receiver, random, findings } = world;
  const path = `/away/${(turns += 1)}`;
  const { body: contact } = await site.insist("POST contacts", {
    name: "Away",
    custrole: "notify",
    newaddresses: [{ address: `${receiver.url}${path}`, type: "webhook" }],
  });
  const make = async (label: string): Promise<PushCheck> => {
    const { body } = await site.insist("POST checks", {
      type: "PUSH",
      label,
      enabled: true,
      interval: 60,
      sens: 0,
      fields: { one: { name: "load", min: 0, max: 1 } },
      notifications: [{ [contact._id]: "All" }],
    });
    return { id: String(body._id), token: String(body.parameters.checktoken) };
  };
  const [passing, lasting] = [await make("comes and goes"), await make("goes down and stays")];
  for (const check of [passing, lasting]) await store(check, true, site);
  // The alert of the first result would wait as well, and others of the check behind it.
  await arrives(() => receiver.receipts(path).length >= 2, world);
  const absence = { from: systemClock.monotonic(), to: Infinity };
  site.away.push(absence);
  {
    await using _absence = await receiver.leave();
    await store(passing, false, site);
    await store(lasting, false, site);
    await sleep(systemClock, OUTAGE_MS);
    await store(passing, true, site);
    const left = absence.from + AWAY_MS * (1 + random.next()) - systemClock.monotonic();
    await sleep(systemClock, Math.max(0, left));
  }
  const returnedAt = systemClock.monotonic();
  absence.to = returnedAt + TRIED_AGAIN_MS;
  const judge = () =>
    judgeReturn(receiver.receipts(path), { passing: passing.id, lasting: lasting.id, returnedAt });
  await arrives(() => judge().length === 0, world);
  findings.push(...judge());
  await store(lasting, true, site);
  for (const { id } of [passing, lasting]) await site.insist(`DELETE checks/${id}`);
  await site.insist(`DELETE contacts/${contact._id}`);
  return true;
}

/** Waits for what is to come in time, or at last. */
async function arrives(hasCome: () => boolean, { site }: Pick<World, "site">): Promise<void> {
  const from = systemClock.monotonic();
  for (;;) {
    const to = systemClock.monotonic();
    const isLate = livedBetween(site.lost, { from, to }) > TRIED_AGAIN_MS + DELIVERED_WITHIN_MS;
    if (hasCome() || isLate || to > from + AT_LAST_MS) return;
    await sleep(systemClock, LOOK_MS);
  }
}

/** Sends a heartbeat until it is stored. */
async function store(check: PushCheck, isPassing: boolean, site: OneProcess): Promise<void> {
  while ((await site.beat(check, isPassing)).outcome !== "stored")
    await sleep(systemClock, AGAIN_MS);
}
