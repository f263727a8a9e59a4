import type { Store } from "../../store/store.ts";
import type { Gauges } from "../metrics.ts";

/** Returns the gauges of a store that may still be opening. */
export function storeGauges(
  store: () => Store,
): Pick<
  Gauges,
  "canCommit" | "isShort" | "oldestCommitMs" | "changeLagMs" | "partitionsAhead" | "roundTripMs"
> {
  return {
    canCommit: () => store().writeError() === undefined,
    isShort: () => store().shortage?.() !== undefined,
    oldestCommitMs: () => store().oldestWaitMs(),
    changeLagMs: () => store().changes.lagMs(),
    partitionsAhead: () => store().partitionsAhead?.(),
    roundTripMs: () => store().roundTripMs?.(),
  };
}
