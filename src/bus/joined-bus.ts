import type { Bus } from "./bus.ts";

/** A bus to other processes. What is within this one it leaves to another bus. */
export type RemoteBus = Omit<Bus, "serve" | "changes">;

/** The locations of this process together with those on other machines. A location of this process needs no broker. */
export function joinBuses(local: Bus, remote: RemoteBus): Bus {
  const isLocal = (code: string): boolean =>
    local.presence.live().some((location) => location.code === code);
  const busOf = (code: string): RemoteBus => (isLocal(code) ? local : remote);
  return {
    jobs: {
      request: (location, job, options) => busOf(location).jobs.request(location, job, options),
    },
    diagnostics: {
      request: (location, request, options) =>
        busOf(location).diagnostics.request(location, request, options),
    },
    serve: local.serve,
    presence: {
      live: (type) => [
        ...local.presence.live(type),
        ...remote.presence.live(type).filter(({ code }) => !isLocal(code)),
      ],
      gone: () => remote.presence.gone().filter(({ code }) => !isLocal(code)),
      troubles: remote.presence.troubles,
    },
    changes: local.changes,
    hints: remote.hints,
    async close() {
      await Promise.all([local.close(), remote.close()]);
    },
  };
}
