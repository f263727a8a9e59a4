import type { Change } from "../../domain/change.ts";
import type { Location } from "../../domain/location.ts";
import type { Finding } from "../../domain/diagnostics.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Bus, DiagnosticsRequest, Job, Report } from "../bus.ts";

/** The bus of one process: what is sent is received in a later microtask, in order. */
export function createMemoryBus(): Bus {
  const probes = new Map<string, { location: Location; carryOut: (job: Job) => Promise<Report> }>();
  const examiners = new Map<string, (order: DiagnosticsRequest) => Promise<readonly Finding[]>>();
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
    diagnostics: {
      async ask(location, order) {
        const examine = examiners.get(location);
        if (examine === undefined) throw new Unavailable(`location ${location} does not answer`);
        return examine(order);
      },
      serve(location, carryOut) {
        examiners.set(location.code, carryOut);
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
