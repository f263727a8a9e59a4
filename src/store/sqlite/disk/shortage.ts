import type { Log } from "../../../kit/log.ts";
import type { Meter } from "../../../kit/meter.ts";

/** Whether the disk was full since the reserve was last complete. Meanwhile results that change nothing are dropped. */
export type DiskShortage = ReturnType<typeof createDiskShortage>;

export function createDiskShortage({
  log,
  meter,
}: {
  readonly log: Log;
  readonly meter: Pick<Meter, "count">;
}) {
  let isShort = false;
  return {
    isShort: (): boolean => isShort,
    /** A sentence for the operator; undefined while there is room. */
    reason: (): string | undefined =>
      isShort
        ? "the disk is full: alarms use the reserve, and results that change nothing are dropped"
        : undefined,
    begin(): void {
      if (isShort) return;
      isShort = true;
      log.error("store.disk_full", {
        meaning:
          "state changes, alerts and heartbeats are stored in the reserve; other results are dropped until there is room",
      });
    },
    end(): void {
      if (!isShort) return;
      isShort = false;
      log.info("store.disk_has_room");
    },
    /** Counts results that were not stored. */
    dropped(results: number): void {
      if (results > 0) meter.count("store.result_dropped", {}, results);
    },
  };
}
