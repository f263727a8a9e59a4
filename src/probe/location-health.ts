import type { LocationHandlers, Report } from "../bus/bus.ts";
import type { Location } from "../domain/location.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";

/** Problems of a location, by the error in its reports. */
const locationTroubles = ["offline", "no_resolver"] as const;
export type LocationTrouble = (typeof locationTroubles)[number];

/** Whether the locations of this process are online and have a resolver that answers. */
export interface LocationHealth {
  /** Handlers whose reports are taken into account. */
  readonly watched: (location: Location, handlers: LocationHandlers) => LocationHandlers;
  readonly stateOf: (location: Pick<Location, "code">) => {
    readonly location: string;
    readonly isOnline: boolean;
    readonly resolverAnswers: boolean;
  };
}

interface Deps {
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
  readonly log: Log;
  /** Asks the machine itself whether the problem is over. */
  readonly isOver: (trouble: LocationTrouble) => Promise<boolean>;
}

const LOOK_INTERVAL_MS = 5000;
/** Time without reports after which a problem is over, even if the machine does not confirm it. */
const FORGOTTEN_AFTER_MS = 120_000;

/** Learns of troubles from reports, and looks regularly whether they are over. */
export function createLocationHealth({ clock, log, isOver }: Deps): LocationHealth {
  /** Time of the last report of a problem, by problem and location. */
  const reported = new Map<LocationTrouble, Map<string, number>>();

  const look = async (trouble: LocationTrouble): Promise<void> => {
    const isAllOver = await isOver(trouble).catch(() => false);
    const at = reported.get(trouble) ?? new Map<string, number>();
    const since = clock.monotonic() - FORGOTTEN_AFTER_MS;
    for (const [location, last] of at)
      if (isAllOver || last < since) {
        at.delete(location);
        log.info("probe.location_recovered", { location, from: trouble });
      }
    if (at.size === 0) reported.delete(trouble);
    else clock.setTimer(() => void look(trouble), LOOK_INTERVAL_MS);
  };
  const note = (location: string, report: Report): void => {
    if (!("error" in report)) return;
    const trouble = locationTroubles.find((each) => each === report.error);
    if (trouble === undefined) return;
    const known = reported.get(trouble);
    if (known !== undefined) return void known.set(location, clock.monotonic());
    reported.set(trouble, new Map([[location, clock.monotonic()]]));
    clock.setTimer(() => void look(trouble), LOOK_INTERVAL_MS);
  };

  return {
    watched: ({ code }, handlers) => ({
      ...handlers,
      async runJob(job) {
        const report = await handlers.runJob(job);
        note(code, report);
        return report;
      },
    }),
    stateOf: ({ code }) => ({
      location: code,
      isOnline: reported.get("offline")?.has(code) !== true,
      resolverAnswers: reported.get("no_resolver")?.has(code) !== true,
    }),
  };
}
