import type { Invalidation } from "../domain/change.ts";
import type { Location } from "../domain/location.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf, Unavailable } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Bus, LocationHandlers, Report } from "./bus.ts";
import { createPendingRequests } from "./pending-requests.ts";
import { createHintSubscribers, createSubscribers } from "./subscribers.ts";

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

interface Server {
  readonly location: Location;
  readonly handlers: LocationHandlers;
}

function internalError(error: unknown): Report {
  return { error: "internal_error", message: messageOf(error) };
}

/** The bus of one process: handlers are called directly, subscribers in the order in which they subscribed. */
export function createMemoryBus({ clock, log, meter }: Deps): Bus {
  const servers = new Map<string, Server>();
  const changes = createSubscribers<Invalidation>(log);
  const hints = createHintSubscribers(log);
  const pending = createPendingRequests(clock);
  const onLate = (): void => meter.count("bus.late_report");

  const handlersOf = (location: string): LocationHandlers => {
    const server = servers.get(location);
    if (server === undefined) throw new Unavailable(`location ${location} did not answer`);
    return server.handlers;
  };

  return {
    jobs: {
      request(location, job, options) {
        const run = (): Promise<Report> => handlersOf(location).runJob(job).catch(internalError);
        const { timeoutMs, signal } = options;
        return pending.add(run, { timeoutMs, signal, location, onLate }).catch((error: unknown) => {
          if (signal?.aborted === true) throw error;
          return { error: "unanswered", message: messageOf(error) };
        });
      },
    },
    diagnostics: {
      request: (location, request, options) =>
        pending.add(async () => handlersOf(location).runDiagnostics(request), {
          ...options,
          location,
        }),
    },
    serve(location, handlers) {
      servers.set(location.code, { location, handlers });
    },
    presence: {
      live: () => [...servers.values()].map(({ location }) => location),
      gone: () => [],
      troubles: () => [],
    },
    changes: { publish: changes.deliver, subscribe: changes.subscribe },
    hints: { publish: hints.deliver, subscribe: hints.subscribe },
    close() {
      servers.clear();
      changes.clear();
      hints.clear();
      pending.close();
      return Promise.resolve();
    },
  };
}
