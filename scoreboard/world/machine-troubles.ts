import { fill, pause } from "../../test/e2e/trouble.ts";
import type { TroubleKind } from "../scenario.ts";
import type { Candidate } from "./candidate.ts";
import type { NameServer } from "./name-server.ts";
import { places, type Network } from "./network.ts";

const HOUR_MS = 3_600_000;

/** Returns the reason why a trouble is impossible for a monitor; undefined if it is possible. */
export function hindrance(
  kind: TroubleKind,
  { monitor, running }: Pick<Candidate, "monitor" | "running">,
): string | undefined {
  switch (kind) {
    case "killed":
      return running.restart === undefined ? "cannot be started again here" : undefined;
    case "database-away":
      return running.partTroubles?.database === undefined ? "has no database server" : undefined;
    case "upgraded":
      return running.partTroubles?.upgrade === undefined ? "is not upgraded here" : undefined;
    case "location-cut":
      return monitor.locations > 1 ? undefined : "has one location";
    case "clock-forward":
    case "clock-back":
      return monitor.readsClockThroughLibc ? undefined : "does not read the clock through libc";
    default:
      return undefined;
  }
}

/** Causes a trouble for one monitor, until disposed. */
export async function beginTrouble(
  kind: TroubleKind,
  candidate: Candidate,
): Promise<AsyncDisposable> {
  const { machine, running, folder, clock, otherLocations } = candidate;
  switch (kind) {
    case "link-down":
      return machine.takeLinkDown();
    case "network-cut":
      return machine.cut();
    case "location-cut":
      return (otherLocations[0] ?? machine).cut();
    case "paused": {
      const stack = new AsyncDisposableStack();
      for (const pid of running.pids()) stack.use(pause(pid));
      return stack;
    }
    case "disk-full": {
      const stack = new AsyncDisposableStack();
      stack.use(fill(folder));
      return stack;
    }
    case "killed":
      await running.restart?.();
      return nothing;
    case "upgraded":
      return (await running.partTroubles?.upgrade?.()) ?? nothing;
    case "database-away":
      return (await running.partTroubles?.database?.()) ?? nothing;
    case "clock-forward":
    case "clock-back": {
      const by = kind === "clock-forward" ? HOUR_MS : -HOUR_MS;
      await clock?.step(by);
      return { [Symbol.asyncDispose]: async () => clock?.step(-by) };
    }
    default:
      return nothing;
  }
}

/** Causes a trouble for the servers shared by all monitors. */
export async function beginSharedTrouble(
  kind: TroubleKind,
  { network, resolver }: { readonly network: Network; readonly resolver: NameServer },
): Promise<AsyncDisposable> {
  switch (kind) {
    case "resolver-silent":
    case "resolver-servfail":
      resolver.answerAll(kind === "resolver-silent" ? "silence" : "servfail");
      return { [Symbol.asyncDispose]: async () => resolver.answerAll(undefined) };
    case "receiver-away":
      return network.treat("refused", places.receiver);
    default:
      return nothing;
  }
}

const nothing: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };
