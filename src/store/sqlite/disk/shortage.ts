import type { Log } from "../../../kit/log.ts";
import type { Meter } from "../../../kit/meter.ts";

/** Whether the disk was full since the reserve was last complete. Meanwhile results that change nothing are dropped. */
export interface DiskShortage {
  readonly isShort: () => boolean;
  /** A sentence for the operator; undefined while there is room. */
  readonly reason: () => string | undefined;
  readonly begin: () => void;
  readonly end: () => void;
  /** Counts results that were not stored. */
  readonly dropped: (results: number) => void;
}

export function createDiskShortage({
  log,
  meter,
}: {
  readonly log: Log;
  readonly meter: Pick<Meter, "count">;
}): DiskShortage {
  let isShort = false;
  return {
    isShort: () => isShort,
    reason: () =>
      isShort
        ? "the disk is full: alarms use the reserve, and results that change nothing are dropped"
        : undefined,
    begin() {
      if (isShort) return;
      isShort = true;
      log.error("store.disk_full", {
        meaning:
          "state changes, alerts and heartbeats are stored in the reserve; other results are dropped until there is room",
      });
    },
    end() {
      if (!isShort) return;
      isShort = false;
      log.info("store.disk_has_room");
    },
    dropped(results) {
      if (results > 0) meter.count("store.result_dropped", {}, results);
    },
  };
}
