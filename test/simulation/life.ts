import type { Bus } from "../../src/bus/bus.ts";
import { createDispatch } from "../../src/bus/dispatch.ts";
import type { Channel } from "../../src/channels/channel.ts";
import { createBreaker } from "../../src/confirm/breaker.ts";
import { createConfirm } from "../../src/confirm/confirm.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { createEgress } from "../../src/kit/egress.ts";
import type { Ids } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createResolver } from "../../src/kit/resolve.ts";
import { createNotifier } from "../../src/notifier/notifier.ts";
import { createScheduler } from "../../src/scheduler/scheduler.ts";
import type { Store } from "../../src/store/store.ts";
import { scriptedChannel } from "../notifier-bench.ts";
import type { Sender, Sent } from "../notifier-bench.ts";

/** What one process has in memory, from its start until it ends. */
export interface Life {
  readonly bus: Bus;
  /** From now on nothing that it does reaches the store. */
  readonly crash: () => void;
  /** Resolves once its parts are over. */
  readonly end: () => Promise<unknown>;
}

export function beginLife(deps: {
  readonly store: (alive: { yet: boolean }) => Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly send: Sender;
  readonly ids: Pick<Ids, "alert" | "bundle">;
}): Life {
  const { bus, clock, ids } = deps;
  const alive = { yet: true };
  const store = deps.store(alive);
  const egress = createEgress({ mode: "private", resolver: createResolver() });
  const shared = { store, clock, log: silentLog, meter: noMeter };
  const notifier = createNotifier({
    ...shared,
    channels: [channelTo(deps.send)],
    egress,
    url: "https://watch.example.org/",
    ids,
    companyMs: 5000,
    random: () => 0,
  });
  const dispatch = createDispatch({ bus, clock, onUnknown() {} });
  const breaker = createBreaker(clock);
  const settle = createConfirm({
    ...shared,
    dispatch,
    breaker,
    egress,
    flipped: notifier.wake,
    ids,
  });
  const scheduler = createScheduler({ ...shared, bus, dispatch, settle });
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

/** Tells several alerts in a message, of which the receiver takes each or none. */
function channelTo(send: Sender): Channel {
  return scriptedChannel(send, {
    render: ({ alert, kind }) => ({ subject: "", body: kind, headers: { alerts: alert.id } }),
    renderTogether: (tellings) => ({
      subject: "",
      body: "",
      headers: { alerts: tellings.map(({ alert }) => alert.id).join() },
      parts: tellings.map(({ kind }) => kind),
    }),
    async send({ to }, { body, headers }, wire) {
      const alerts = headers?.["alerts"]?.split(",") ?? [];
      const sent = (alertId: string): Sent => ({
        alertId,
        address: to.address,
        kind: body,
        attempt: wire.attempt,
      });
      await Promise.all(alerts.map((alertId) => send(sent(alertId), wire)));
      return { response: "200 OK" };
    },
  });
}
