import type { Store } from "../../store/store.ts";
import type { Gauges } from "../metrics.ts";

/** What is measured of a store that may still have to be opened. */
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
