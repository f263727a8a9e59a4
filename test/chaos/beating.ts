import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { StormCheck } from "./accounts.ts";
import type { Installation } from "./installation.ts";
import type { Random } from "./random.ts";

/** The intake takes five in any minute. */
const BEAT_INTERVAL_MS = 12_500;
/** Pauses too short to count as missing heartbeats, and long enough. */
const SILENCES_MS = [30_000, 85_000, 130_000] as const;
const SILENCE_CHANCE = 0.08;

interface Beating {
  readonly site: Installation;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Sends heartbeats to each check until the signal aborts, no faster than they are taken, and keeps what became of them. */
export async function beat(
  checks: readonly StormCheck[],
  { site, random, signal }: Beating,
): Promise<void> {
  const beating = checks
    .filter(({ target }) => target === undefined)
    .map(async (check) => {
      const own = random.split();
      await sleep(systemClock, BEAT_INTERVAL_MS * own.next(), signal);
      while (!signal.aborted) {
        const next = systemClock.monotonic() + BEAT_INTERVAL_MS;
        // A check that missing heartbeats fail is failed in no other way.
        const isPassing = check.isStaleAfterSilence || own.chance(0.5);
        check.beats.push(await site.beat(check, isPassing));
        const silence =
          check.isStaleAfterSilence && own.chance(SILENCE_CHANCE) ? own.pick(SILENCES_MS) : 0;
        await sleep(systemClock, next + silence - systemClock.monotonic(), signal);
      }
    });
  await Promise.all(beating);
}

/** Time after which a check with rejected heartbeats accepts no more. */
const STORED_WITHIN_MS = 5 * 60_000;

/** Until each check passes and said so. */
export async function passAll(checks: readonly StormCheck[], site: Installation): Promise<void> {
  const passing = checks
    .filter(({ target }) => target === undefined)
    .map(async (check) => {
      const end = systemClock.monotonic() + STORED_WITHIN_MS;
      for (;;) {
        const sent = await site.beat(check, true);
        check.beats.push(sent);
        if (sent.outcome === "stored") return;
        if (sent.to > end)
          throw new Error(
            `no heartbeat of ${check.id} was stored in ${STORED_WITHIN_MS} ms: ${sent.answer}`,
          );
        await sleep(systemClock, BEAT_INTERVAL_MS);
      }
    });
  await Promise.all(passing);
}

/** Sends heartbeats for checks that would otherwise fail, until the signal aborts. */
export async function keepAlive(
  checks: readonly StormCheck[],
  { site, signal }: Pick<Beating, "site" | "signal">,
): Promise<void> {
  const silent = checks.filter(({ isStaleAfterSilence }) => isStaleAfterSilence);
  while (!signal.aborted) {
    await sleep(systemClock, BEAT_INTERVAL_MS, signal);
    for (const check of silent) check.beats.push(await site.beat(check, true));
  }
}

const OBSERVE_INTERVAL_MS = 1000;

interface Observed {
  readonly account: string;
  readonly checks: readonly StormCheck[];
}

/** Asks for the state of every check again and again, until the signal aborts. */
export async function observe(
  accounts: readonly Observed[],
  { site, signal }: Pick<Beating, "site" | "signal">,
): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(accounts.map((account) => observeOnce(account, site)));
    await sleep(systemClock, OBSERVE_INTERVAL_MS, signal);
  }
}

export async function observeOnce(
  { account, checks }: Observed,
  site: Installation,
): Promise<void> {
  const from = systemClock.monotonic();
  const records: Readonly<Record<string, { readonly state?: number }>> | undefined = await site
    .call(`GET checks?customerid=${account}`)
    .catch(() => undefined);
  const to = systemClock.monotonic();
  if (records === undefined) return;
  for (const { id, observations } of checks) {
    const record = records[id];
    if (record === undefined) continue;
    observations.push({
      from,
      to,
      isUp: record.state === undefined ? undefined : record.state === 1,
    });
  }
}
