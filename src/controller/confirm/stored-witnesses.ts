import { isIP } from "node:net";

import { trackCheck, type TrackedCheck } from "../../tracking/tracked-check.ts";
import { probeTypes } from "../../checks/probe-types.ts";
import { hostOfTarget } from "../../domain/target.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Store } from "../../store/store.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";

/** A check that passed at a location, and can be run there to see whether others still pass. */
export interface Witness {
  readonly active: ActiveCheck;
  readonly tracked: TrackedCheck;
}

/** Reads recently passed checks by host, whichever process controls them, excluding the given check numbers. */
export type ReadWitnesses = (
  location: string,
  without: readonly number[],
) => Promise<ReadonlyMap<string, Witness>>;

export interface WitnessStore {
  readonly checks: Pick<Store["checks"], "listActive">;
  readonly results: Pick<Store["results"], "page">;
}

interface Deps {
  readonly store: WitnessStore;
  readonly clock: Pick<Clock, "now">;
}

/** Some of them may be of the other side. */
const MAX_WITNESSES = 8;
/** Limits of one read, in checks that are up: a location may have none that passed there. */
const MAX_CHECKS = 100;
const MAX_RESULTS = 10;
/** Maximum age of a witness's last pass; an older witness may no longer be run. */
export const WITNESS_FOR_MS = 3_600_000;

/** Reads witnesses from the store, for a process that has just started or controls few checks. */
export function createReadWitnesses({ store, clock }: Deps): ReadWitnesses {
  const hasPassedAt = async (location: string, checkNo: number): Promise<boolean> => {
    const to = clock.now();
    const query = { checkNo, from: to - WITNESS_FOR_MS, to, limit: MAX_RESULTS } as const;
    for await (const page of store.results.page({ ...query, order: "newest" }))
      if (page.some((result) => result.passed && result.location === location)) return true;
    return false;
  };
  return async (location, without) => {
    const witnesses = new Map<string, Witness>();
    const leftOut = new Set(without);
    let looked = 0;
    for await (const page of store.checks.listActive({ types: probeTypes }))
      for (const active of page) {
        const { no, parameters } = active.check;
        const host = hostInParameters(parameters);
        if (active.state !== "passing" || leftOut.has(no) || witnesses.has(host)) continue;
        looked += 1;
        if (await hasPassedAt(location, no))
          witnesses.set(host, { active, tracked: trackedOf(active) });
        if (witnesses.size === MAX_WITNESSES || looked === MAX_CHECKS) return witnesses;
      }
    return witnesses;
  };
}

/** Only read: a witness stores nothing. */
function trackedOf(active: ActiveCheck): TrackedCheck {
  return trackCheck(active, { latest: active.lastStartedAt ?? 0, recent: [] });
}

/** Returns the host in a check's parameters; "" if they have none. */
export function hostInParameters({ target }: Readonly<Record<string, unknown>>): string {
  return typeof target === "string" ? hostOfTarget(target) : "";
}

/** Returns the address in a check's parameters; undefined if they have a name. */
export function addressInParameters(
  parameters: Readonly<Record<string, unknown>>,
): string | undefined {
  const host = hostInParameters(parameters).replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? undefined : host;
}
