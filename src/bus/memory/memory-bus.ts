import type { Location } from "../../domain/location.ts";
import type { Bus, Change, Job, Report } from "../bus.ts";

/** The bus of one process: what is sent is received in a later microtask, in order. */
export function createMemoryBus(): Bus {
  const probes = new Map<string, { location: Location; carryOut: (job: Job) => Promise<Report> }>();
  const reportReceivers: ((report: Report) => void)[] = [];
  const changeReceivers: ((change: Change) => void)[] = [];

  return {
    jobs: {
      send(location, job) {
        // An unknown location answers nothing, as a probe that just died would; the sender's deadline ends the job.
        void probes
          .get(location)
          ?.carryOut(job)
          .then((report) => {
            for (const receive of reportReceivers) receive(report);
          });
      },
      serve(location, carryOut) {
        probes.set(location.code, { location, carryOut });
      },
    },
    reports: {
      subscribe(receive) {
        reportReceivers.push(receive);
      },
    },
    presence: { live: () => [...probes.values()].map(({ location }) => location) },
    changes: {
      publish(change) {
        for (const receive of changeReceivers) receive(change);
      },
      subscribe(receive) {
        changeReceivers.push(receive);
      },
    },
  };
}
