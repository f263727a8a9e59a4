import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import { poll } from "../kit/poll.ts";
import { isAnyStep, outageSteps } from "../domain/status/page-outages.ts";
import type { Store } from "../store/store.ts";
import type { IncidentKey } from "../store/tables/incidents.ts";
import type { PageKey } from "../store/tables/page-outages.ts";
import { advanceIncident } from "../store/transactions/advance-incident.ts";
import { followOutages, readSituation } from "../store/transactions/follow-outages.ts";

export interface IncidentDeps {
  readonly store: Pick<Store, "incidents" | "pageOutages" | "statusPages" | "write">;
  readonly ids: Pick<Ids, "incident">;
  readonly clock: Clock;
  readonly log: Log;
}

const POLL_INTERVAL_MS = 5000;
/** Time after a start by which every overdue check has run; until then, a check that was down may long be up again. */
const SETTLED_AFTER_MS = 45_000;

/**
 * Opens and closes incidents of status pages with the outages of their checks, and runs announced maintenances at their times. Actions follow from stored data,
 * so overdue ones are done at the next opportunity.
 */
export function createIncidentRunner(deps: IncidentDeps): {
  readonly run: (signal: AbortSignal) => Promise<void>;
} {
  const { store, ids, clock, log } = deps;

  const started = { at: clock.now(), monotonic: clock.monotonic() };
  const from = (): number =>
    clock.monotonic() - started.monotonic < SETTLED_AFTER_MS ? started.at : 0;

  const follow = async (key: PageKey): Promise<void> => {
    const situation = await readSituation(store, key);
    const following = { incident: ids.incident, from: from() };
    const now = clock.now();
    if (situation === undefined || !isAnyStep(outageSteps(situation, { now, ...following })))
      return;
    for (const step of await store.write((tx) => followOutages(tx, key, following))) {
      log.info("incidents.outage", { account: key.accountId, page: key.id, step });
    }
  };
  const advance = async (key: IncidentKey): Promise<void> => {
    const stage = await store.write((tx) => advanceIncident(tx, key));
    if (stage === undefined) return;
    log.info("incidents.stage", { account: key.accountId, incident: key.id, stage });
  };
  /** A failing one must not delay the others. */
  const each = async <Key extends IncidentKey>(
    keys: readonly Key[],
    work: (key: Key) => Promise<void>,
  ): Promise<void> => {
    for (const key of keys)
      await work(key).catch((error: unknown) =>
        log.error(
          "incidents.failed",
          { account: key.accountId, record: key.id, error: messageOf(error) },
          key.id,
        ),
      );
  };
  const round = async (): Promise<number> => {
    await each(await store.pageOutages.listToFollow(), follow);
    await each(await store.incidents.listDue(), advance);
    return POLL_INTERVAL_MS;
  };
  const onError = (error: unknown): void =>
    log.error("incidents.store_failed", { error: messageOf(error) });

  return {
    run: (signal) => poll({ clock, signal, round, onError, errorDelayMs: POLL_INTERVAL_MS }),
  };
}
