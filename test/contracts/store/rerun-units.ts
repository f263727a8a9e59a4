import type { Transaction } from "../../../src/store/store.ts";
import type { ContractStore } from "./contract-store.ts";

class RolledBack extends Error {}

/** A store that runs each unit twice and rolls the first run back, as after a deadlock: the second finds nothing of it. */
export function rerunningUnits(store: ContractStore): ContractStore {
  const write: ContractStore["write"] = async (unit, options) => {
    const firstRun = store.write(async (tx: Transaction) => {
      await unit(tx);
      throw new RolledBack();
    }, options);
    // An error of the transaction itself is thrown again by the second run.
    await firstRun.catch(() => {});
    return store.write(unit, options);
  };
  return {
    ...store,
    write,
    at: async (now) => ({ ...(await store.at(now)), write }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
