import type { Channels } from "../../src/channels/registry.ts";
import type { Bus } from "../../src/bus/bus.ts";
import { createLocationVisibility } from "../../src/controller/confirm/location-visibility.ts";
import { createMassFailureGuard } from "../../src/controller/confirm/mass-failure-guard.ts";
import { createRunTick } from "../../src/controller/confirm/run-tick.ts";
import { createEgress, type Egress } from "../../src/kit/net/egress.ts";
import type { Ids } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import { createSendSlots, type SendSlots } from "../../src/notifier/send-slots.ts";
import { createNotifier, type NotifierDeps } from "../../src/notifier/notifier.ts";
import type { SteadyClock } from "../../src/kit/time/steady-clock.ts";
import { createScheduler } from "../../src/controller/scheduler/scheduler.ts";
import type { Store } from "../../src/store/store.ts";
import { noHostLimits } from "../../src/kit/concurrency/host-limiter.ts";
import { sampleAcknowledgeLinks, samplePageLinks } from "../sample-alert.ts";

/** In-memory state of one process from its start to its end. */
export interface SimulatedProcess {
  readonly bus: Bus;
  /** From now on nothing that it does reaches the store. */
  readonly crash: () => void;
  /** Resolves once its parts are over. */
  readonly end: () => Promise<unknown>;
}

export function startProcess(deps: {
  readonly store: (alive: { yet: boolean }) => Store;
  readonly bus: Bus;
  readonly clock: SteadyClock;
  readonly channels: Channels;
  readonly groupWaitMs: number;
  readonly pageLinks?: NotifierDeps["pageLinks"];
  readonly slots?: SendSlots;
  readonly egress?: Egress;
  readonly ids: Pick<Ids, "alert" | "bundle">;
}): SimulatedProcess {
  const { bus, clock, ids, channels, groupWaitMs } = deps;
  const { pageLinks = samplePageLinks, slots = createSendSlots(clock) } = deps;
  const alive = { yet: true };
  const store = deps.store(alive);
  const egress = deps.egress ?? createEgress({ mode: "private", resolver: createResolver() });
  const shared = { store, clock, log: silentLog, meter: noMeter };
  const notifier = createNotifier({
    ...shared,
    channels,
    egress,
    acknowledgeLinks: sampleAcknowledgeLinks,
    pageLinks,
    url: "https://watch.example.org/",
    ids,
    groupWaitMs,
    alertMailLimit: 0,
    slots,
    random: () => 0,
  });
  const massFailureGuard = createMassFailureGuard(clock);
  const runTick = createRunTick({
    ...shared,
    bus,
    massFailureGuard,
    sight: createLocationVisibility({ ...shared, bus, egress }),
    egress,
    flipped: notifier.wake,
    ids,
  });
  const scheduler = createScheduler({
    ...shared,
    bus,
    runTick,
    hostLimits: noHostLimits,
  });
  const stopping = new AbortController();
  const ended = Promise.all([scheduler.run(stopping.signal), notifier.run(stopping.signal)]);
  return {
    bus,
    crash() {
      alive.yet = false;
    },
    end() {
      stopping.abort();
      return ended;
    },
  };
}
