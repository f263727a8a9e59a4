import type { Store } from "../../../src/store/store.ts";

/** A store whose clock is set by hand. */
export interface ContractStore extends Store, AsyncDisposable {
  /** Gives the store once it is this time. */
  readonly at: (now: number) => Promise<Store>;
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** How many rows there are of a table. */
  readonly count: (table: string) => number | Promise<number>;
}

/** When the next alert can be claimed. */
export async function nextDueAt(store: ContractStore): Promise<number | undefined> {
  const now = 1000;
  const waitMs = await (await store.at(now)).alerts.msUntilDue();
  return waitMs === undefined ? undefined : now + waitMs;
}
