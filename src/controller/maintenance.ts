import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { poll } from "../kit/poll.ts";
import { finishSwitch } from "../store/transactions/finish-switch.ts";
import { advanceMaintenance } from "../store/transactions/advance-maintenance.ts";
import type { Store } from "../store/store.ts";
import type { MaintenanceKey } from "../store/tables/maintenances.ts";

export interface MaintenanceDeps {
  readonly store: Pick<Store, "checks" | "maintenances" | "write">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

const POLL_INTERVAL_MS = 1000;
const ERROR_DELAY_MS = 5000;

/** Starts and ends each maintenance when due, or at the next opportunity. */
export function createMaintenanceRunner(deps: MaintenanceDeps): {
  readonly run: (signal: AbortSignal) => Promise<void>;
} {
  const { store, clock, log, meter } = deps;

  const advance = async (key: MaintenanceKey): Promise<void> => {
    const step = await store.write((tx) => advanceMaintenance(tx, key));
    if (step === undefined) return;
    await finishSwitch(store, key.accountId);
    log.info("maintenance.step", { account: key.accountId, maintenance: key.id, step: step.kind });
    meter.count("maintenance.step", { step: step.kind });
  };

  /** A step may make the next one due, which is processed at once. */
  const round = async (): Promise<number> => {
    const due = await store.maintenances.listDue();
    let delayMs = due.length > 0 ? 0 : POLL_INTERVAL_MS;
    for (const key of due) {
      // A failing one must not delay the others.
      await advance(key).catch((error: unknown) => {
        delayMs = ERROR_DELAY_MS;
        const fields = { account: key.accountId, maintenance: key.id, error: messageOf(error) };
        log.error("maintenance.failed", fields, key.id);
      });
    }
    return delayMs;
  };
  const onError = (error: unknown): void =>
    log.error("maintenance.store_failed", { error: messageOf(error) });

  return {
    run: (signal) => poll({ clock, signal, round, onError, errorDelayMs: ERROR_DELAY_MS }),
  };
}
