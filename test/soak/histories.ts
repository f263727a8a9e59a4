import { systemClock } from "../../src/kit/clock.ts";
import type { Honest, HonestCheck } from "./honest.ts";
import { makeAll } from "./make-all.ts";

/** Stored data of one tick. Times are monotonic, in ms. */
export interface StoredTick {
  readonly id: string;
  /** When it was due, when its first run began, and when its last ended. */
  readonly dueAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isUp: boolean;
}

interface ResultRecord {
  readonly _id: string;
  readonly ra: string;
  readonly e: number;
  readonly su: boolean;
  readonly l: Readonly<Record<string, string>>;
}

const MAX_RESULTS = 1000;

/** Everything that is stored of each check, in order. */
export async function readHistories({
  accounts,
  checks,
}: Pick<Honest, "accounts" | "checks">): Promise<ReadonlyMap<string, readonly StoredTick[]>> {
  // The clock of this machine is not set meanwhile.
  const began = systemClock.now() - systemClock.monotonic();
  const read = async ({ id, account }: HonestCheck): Promise<[string, readonly StoredTick[]]> => {
    const results: readonly ResultRecord[] = await account.client.api(
      `GET results/${id}?clean=1&limit=${MAX_RESULTS}`,
    );
    const ticks = results.map(({ _id, ra, e, su, l }) => ({
      id: _id,
      dueAt: Number(ra) - began,
      startedAt: Math.min(...Object.keys(l).map(Number)) - began,
      endedAt: e - began,
      isUp: su,
    }));
    return [id, ticks.toReversed()];
  };
  const ofAccounts = accounts.map(async (account) =>
    makeAll(
      checks.filter((check) => check.account === account),
      read,
    ),
  );
  return new Map((await Promise.all(ofAccounts)).flat());
}
