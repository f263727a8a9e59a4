import { sharesOf } from "../domain/account/limits.ts";
import { createEgress } from "../kit/net/egress.ts";
import type { EgressMode } from "../kit/net/egress.ts";
import { systemClock } from "../kit/clock.ts";
import { createEventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import { createIds } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import { createOwnListener } from "../kit/net/own-listener.ts";
import { alertsToItself, checksOfItself } from "../kit/net/own-policy.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createSteadyClock } from "../kit/time/steady-clock.ts";
import { createSealer, hashToken } from "../kit/crypto/seal.ts";
import { createServiceBus } from "./nats/service-bus.ts";
import type { ServiceBus } from "./nats/service-bus.ts";
import type { Config } from "./config.ts";
import { createAdministration } from "./control/administration.ts";
import { serveControlSocket } from "./control/control-socket.ts";
import { secureDataFolder } from "./data-folder.ts";
import { createDelivery } from "./delivery.ts";
import type { Delivery } from "./delivery.ts";
import { createFirstAccount } from "./first-account.ts";
import { followClock } from "./health/follow-clock.ts";
import { loadInstanceKey } from "./instance-key.ts";
import { createProcessInterruptions } from "./health/interruptions.ts";
import { createMetrics } from "./metrics.ts";
import { openStore } from "./open-store.ts";
import type { OpenedStore } from "./open-store.ts";
import { startApiRole } from "./roles/api.ts";
import { createControllerRole } from "./roles/controller.ts";
import { createNotifierRole } from "./roles/notifier.ts";
import { createProbeRole } from "./roles/probe.ts";
import type { ProbeRole } from "./roles/probe.ts";
import { keepStore, unlessStoreHangs } from "./health/store-upkeep.ts";
import type { RoleDeps } from "./roles/role.ts";

export interface RunningService {
  /** Where this process listens, with the port it was given. */
  readonly address: string;
  /** The first account's token, at the very first start only. */
  readonly firstToken: string | undefined;
  /** Stops every role, and resolves when everything that was acknowledged is on disk; rejects where the disk does not answer. */
  readonly stop: () => Promise<void>;
}

/** Starts every role in this one process. */
export async function startWatchpost(config: Config, log: Log): Promise<RunningService> {
  const clock = createSteadyClock(systemClock);
  const directory = config.WATCHPOST_DATA;
  secureDataFolder(directory, log);
  const sealer = createSealer(loadInstanceKey(config));
  const metrics = createMetrics({
    scheduledChecks: () => controller.checkCount(),
    canCommit: () => store.writeError() === undefined,
    oldestCommitMs: () => store.oldestWaitMs(),
    probeThreads: () => probe.readyThreads(),
    bus: () => deps.bus,
    ownedShards: () => opened.shards.owned().length,
    changeLagMs: () => store.changes.lagMs(),
    limitShares: async () => sharesOf(config.WATCHPOST_ACCOUNT_LIMITS, await store.usage.most()),
  });
  const { meter } = metrics;
  let bus: ServiceBus | undefined;
  const interruptions = createProcessInterruptions({ clock, log, meter });
  const eventLoop = createEventLoopMonitor(clock, {
    interrupted: (from, to) => interruptions.record("stalled", from, to),
  });
  const busOk = (): boolean => bus?.isConnected?.() ?? true;
  const opened = await openStore(config, { clock, sealer, log, meter, interruptions, busOk });
  const { store } = opened;
  if (!config.WATCHPOST_CONFIRM_ADDRESSES) await store.write((tx) => tx.contacts.confirmAll());
  const stopping = new AbortController();
  const { listener, egress, alertEgress } = createEgresses(config.WATCHPOST_EGRESS);
  bus = await createServiceBus(config, { sealer, clock, log, meter });
  const deps: RoleDeps & { readonly bus: ServiceBus } = {
    config,
    store,
    controllerStore: opened.controllerStore,
    shards: opened.shards,
    bus,
    egress,
    ids: createIds(),
    clock,
    interruptions,
    eventLoop,
    log,
    meter,
    stopping: stopping.signal,
  };
  store.changes.subscribe(deps.bus.changes.publish);
  const delivery = createDelivery(config, { sealer, listener });
  if (delivery.mailer === undefined) warnOfNoMailServer(log);
  const probe = await createProbeRole({ ...deps, ownPort: listener.port });
  const notifier = createNotifierRole({ ...deps, egress: alertEgress, delivery });
  const flipped = notifier.wake;
  const controller = createControllerRole({ ...deps, flipped });
  const sharing = { alertEgress, listener, delivery, metrics, flipped, probe };
  const api = await startApiRole({ ...deps, ...sharing });

  // A token that is created before a start that fails would never be shown.
  const firstToken = await firstTokenOf(deps);
  const isEmbedded = config.WATCHPOST_DATABASE_URL === undefined;
  const control = isEmbedded ? await serveControl(deps) : undefined;
  const roles = Promise.all([
    ...[probe, controller, notifier, api].map((role) => role.run()),
    keepStore(store, { clock, log, signal: stopping.signal }),
    // One on a server has its own clock, and may have other processes.
    followClock({ ...deps, store: isEmbedded ? store : undefined }, stopping.signal),
  ]);

  return {
    address: api.address,
    firstToken,
    async stop() {
      stopping.abort();
      const parts = { ...deps, ...opened, probe, delivery, eventLoop, control };
      await unlessStoreHangs(
        roles.then(() => endInOrder(parts)),
        store,
        clock,
      );
    },
  };
}

function serveControl({ config, ...deps }: RoleDeps): ReturnType<typeof serveControlSocket> {
  const compatibility = config.WATCHPOST_COMPATIBILITY;
  const administration = createAdministration({ ...deps, compatibility });
  return serveControlSocket(config.WATCHPOST_DATA, { ...administration, log: deps.log });
}

interface Parts extends Pick<RoleDeps, "bus" | "store">, Pick<OpenedStore, "giveShards"> {
  readonly probe: Pick<ProbeRole, "close">;
  readonly delivery: Pick<Delivery, "close">;
  readonly eventLoop: Pick<EventLoopMonitor, "stop">;
  readonly control: { readonly close: () => Promise<void> } | undefined;
}

async function endInOrder(parts: Parts): Promise<void> {
  await parts.giveShards();
  await parts.bus.close();
  await parts.probe.close();
  parts.delivery.close();
  parts.eventLoop.stop();
  await parts.store.close();
  // Last, for its file is removed in this thread, which must not wait for a disk that hangs.
  await parts.control?.close();
}

/** One policy, under which checks and alerts may reach less of this process itself than of others. */
function createEgresses(mode: EgressMode) {
  const resolver = createResolver();
  const listener = createOwnListener();
  return {
    listener,
    egress: createEgress({ mode, resolver, own: checksOfItself(listener) }),
    alertEgress: createEgress({ mode, resolver, own: alertsToItself(listener) }),
  };
}

function warnOfNoMailServer(log: Log): void {
  log.warn("channels.no_mail_server", {
    setting: "WATCHPOST_SMTP_URL",
    meaning: "mail alerts will be recorded as failed",
  });
}

/** Creates the first account where there is none, and returns its token. */
async function firstTokenOf({
  config,
  store,
  ids,
  clock,
  log,
}: RoleDeps): Promise<string | undefined> {
  const given = {
    token: config.WATCHPOST_TOKEN,
    ownerEmail: config.WATCHPOST_OWNER_EMAIL,
    timeZone: config.WATCHPOST_TIMEZONE,
    compatibility: config.WATCHPOST_COMPATIBILITY,
  };
  const firstToken = await createFirstAccount(store, given, { ids, clock });
  if (firstToken === undefined && given.token !== undefined) {
    const known = await store.accounts.findByToken(hashToken(given.token.reveal()));
    if (known === undefined) log.warn("settings.token_ignored", { setting: "WATCHPOST_TOKEN" });
  }
  return firstToken;
}
