import { channelsBy, type Channels } from "../../src/channels/registry.ts";
import { once } from "node:events";
import { createServer } from "node:http";

import type { Bus } from "../../src/bus/bus.ts";
import { createSystemMailSender, defaultWelcomeText } from "../../src/channels/mail/system-mail.ts";
import type { Mailer } from "../../src/channels/mail/mailer.ts";
import { createLocationVisibility } from "../../src/controller/confirm/location-visibility.ts";
import { createMassFailureGuard } from "../../src/controller/confirm/mass-failure-guard.ts";
import { createRunTick } from "../../src/controller/confirm/run-tick.ts";
import type { Location } from "../../src/domain/location.ts";
import type { Egress } from "../../src/kit/net/egress.ts";
import type { Ids } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createSendSlots } from "../../src/notifier/send-slots.ts";
import { createNotifier } from "../../src/notifier/notifier.ts";
import { createMailQueue } from "../../src/notifier/mail-queue.ts";
import { createInterruptions } from "../../src/kit/interruptions.ts";
import { lostBefore, ownReception } from "../../src/store/heartbeat-reception.ts";
import { noStalls } from "../../src/kit/time/event-loop-monitor.ts";
import { createJobRunner } from "../../src/probe/job-runner.ts";
import { createTargetMemory } from "../../src/probe/target-memory.ts";
import { createAddressSlots } from "../../src/probe/address-slots.ts";
import { createConnectivityProbe } from "../../src/probe/connectivity-probe.ts";
import { createOwnTrouble } from "../../src/probe/own-trouble.ts";
import { createPushHandler } from "../../src/heartbeats/handler.ts";
import { createHeartbeats } from "../../src/heartbeats/heartbeats.ts";
import { createStalenessWatcher } from "../../src/controller/staleness.ts";
import { createScheduler } from "../../src/controller/scheduler/scheduler.ts";
import type { Store } from "../../src/store/store.ts";
import { stepUntil } from "../time/wait-for.ts";
import { drainEventLoop as letOthers, type FakeClock } from "../time/fake-clock.ts";
import { portOf } from "../peers/tcp.ts";
import { unlimited } from "../harnesses/unlimited.ts";
import { noHostLimits } from "../../src/kit/concurrency/host-limiter.ts";
import { sampleAcknowledgeLinks, samplePageLinks } from "../sample-alert.ts";

interface Deps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: FakeClock;
  readonly ids: Ids;
  readonly egress: Egress;
  readonly channels: Channels;
  readonly mailer: Mailer;
  readonly url: string;
}

/** All of the service but its API: probes, verdicts, alerts, system mails and the PUSH intake, on a clock that is moved by hand. */
export interface Service extends AsyncDisposable {
  /** Begins to run checks and to send alerts and system mails. */
  readonly start: () => void;
  /** Lets time pass, but none while anything is under way, so that a slow machine changes nothing. */
  readonly advance: (ms: number) => Promise<void>;
  /** Lets time pass until it comes about. */
  readonly until: <Value>(
    what: string,
    look: () => Promise<Value | undefined | false>,
  ) => Promise<Value>;
  /** Where heartbeats are sent. */
  readonly pushUrl: () => Promise<string>;
}

/** One for each region, and a second one in Europe. */
const locations: readonly Location[] = [
  { code: "fra", region: "eur" },
  { code: "lon", region: "eur" },
  { code: "nyc", region: "nam" },
  { code: "sao", region: "lam" },
  { code: "tyo", region: "eao" },
];

const STEP_MS = 500;

export function createService({
  store,
  bus,
  clock,
  ids,
  egress,
  channels,
  mailer,
  url,
}: Deps): Service {
  let inFlight = 0;
  const counted = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    inFlight += 1;
    try {
      return await work();
    } finally {
      inFlight -= 1;
    }
  };
  const shared = {
    store: {
      ...store,
      write: <Value>(unit: Parameters<typeof store.write<Value>>[0]) =>
        counted(() => store.write(unit)),
      append: (...result: Parameters<Store["append"]>) => counted(() => store.append(...result)),
    },
    clock,
    interruptions: createInterruptions(clock),
    eventLoop: noStalls,
    ids,
    log: silentLog,
    meter: noMeter,
  };
  const connectivity = createConnectivityProbe([], { egress, clock });
  const ownTrouble = createOwnTrouble({ egress, connectivity, clock });
  const addressSlots = createAddressSlots(noHostLimits, clock);
  for (const location of locations) {
    const memory = createTargetMemory(clock);
    const deps = { ...shared, location, egress, ownTrouble, memory, addressSlots };
    const runJob = createJobRunner(deps);
    bus.serve(location, {
      runJob: (job) => counted(() => runJob(job)),
      runDiagnostics: () => Promise.resolve([]),
    });
  }
  const slots = createSendSlots(clock);
  const notifier = createNotifier({
    ...shared,
    slots,
    egress,
    acknowledgeLinks: sampleAcknowledgeLinks,
    pageLinks: samplePageLinks,
    url,
    channels: channelsBy((kind) => ({
      ...channels[kind],
      send: (...sent) => counted(() => channels[kind].send(...sent)),
    })),
    ids,
    groupWaitMs: 0,
    alertMailLimit: 0,
    random: () => 0,
  });
  const flipped = notifier.wake;
  const heartbeats = createHeartbeats({ ...shared, flipped });
  store.changes.subscribe(bus.changes.publish);
  bus.changes.subscribe(heartbeats.invalidate);
  const server = createServer(createPushHandler({ ...shared, ...unlimited, heartbeats }));
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  const step = async (): Promise<void> => {
    if (inFlight > 0) await letOthers(1);
    else await clock.advance(STEP_MS);
  };

  return {
    start() {
      const massFailureGuard = createMassFailureGuard(clock);
      const sight = createLocationVisibility({ ...shared, bus, egress });
      const deciding = { ...shared, bus, massFailureGuard, sight, egress, flipped };
      const runTick = createRunTick(deciding);
      const scheduler = createScheduler({
        ...shared,
        bus,
        runTick,
        hostLimits: noHostLimits,
      });
      const staleness = createStalenessWatcher({
        ...shared,
        ...unlimited,
        reception: ownReception(shared.interruptions, lostBefore(clock, undefined)),
        bus,
        heartbeats,
      });
      const systemMailSender = createSystemMailSender({
        mailer,
        url,
        welcomeText: defaultWelcomeText,
        unsubscribing: { linkOf: () => url },
        confirming: { linkOf: () => url },
        pageLinks: samplePageLinks,
      });
      const post = createMailQueue({ ...shared, slots, systemMailSender });
      running = Promise.all(
        [scheduler, staleness, notifier, post].map((part) => part.run(stopping.signal)),
      );
    },
    async advance(ms) {
      const until = clock.monotonic() + ms;
      while (clock.monotonic() < until || inFlight > 0) await step();
    },
    until: (what, look) =>
      stepUntil(what, async () => {
        const found = await look();
        if (found === undefined || found === false) await step();
        return found;
      }),
    async pushUrl() {
      if (!server.listening) {
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
      }
      return `http://127.0.0.1:${portOf(server)}/v1`;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      let isOver = false;
      const ended = running.finally(() => (isOver = true));
      while (!isOver) await step();
      await ended;
      server.closeAllConnections();
      server.close();
    },
  };
}
