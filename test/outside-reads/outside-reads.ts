import { AsyncLocalStorage } from "node:async_hooks";

import type { Store, Transaction } from "../../src/store/store.ts";

type Method = (...args: readonly never[]) => unknown;

const runningUnit = new AsyncLocalStorage<true>();

/** The store, but within a unit nothing reads from it or writes to it: a unit sees only its transaction. */
export function refuseOutsideReads(store: Store): Store {
  const refusing = (name: string, method: Method): Method =>
    function refuse(...args) {
      if (runningUnit.getStore() === true)
        throw new Error(`a unit used the store from outside its transaction: ${name}`);
      return method(...args);
    };
  const { changes, ...ports } = store;
  const entries = Object.entries(ports).map(([name, port]) => [
    name,
    typeof port === "function" ? refusing(name, port) : refusingAll(name, port),
  ]);
  function refusingAll(name: string, port: object): object {
    return Object.fromEntries(
      Object.entries(port).map(([member, method]) => [
        member,
        refusing(`${name}.${member}`, method),
      ]),
    );
  }
  const guarded: Store = Object.fromEntries(entries);
  return {
    ...guarded,
    changes,
    writeError: store.writeError,
    write: (unit, options) => {
      if (runningUnit.getStore() === true)
        throw new Error("a unit used the store from outside its transaction: write");
      return store.write((tx: Transaction) => runningUnit.run(true, () => unit(tx)), options);
    },
  };
}
