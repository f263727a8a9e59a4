import { createMemoryBus } from "../bus/memory/memory-bus.ts";
import { createEgress } from "../kit/net/egress.ts";
import { sleep, systemClock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createSealer, hashToken } from "../kit/crypto/seal.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createTokenAdmin } from "../store/units/token-admin.ts";
import type { Config } from "./config.ts";
import { serveControlSocket } from "./control-socket.ts";
import { createDelivery } from "./delivery.ts";
import { createFirstAccount } from "./first-account.ts";
import { loadInstanceKey } from "./instance-key.ts";
import { createMetrics } from "./metrics.ts";
import { startApiRole } from "./roles/api.ts";
import { createControllerRole } from "./roles/controller.ts";
import { createNotifierRole } from "./roles/notifier.ts";
import { createProbeRole } from "./roles/probe.ts";
import type { RoleDeps } from "./roles/role.ts";

export interface RunningService {
  /** Where this process listens, with the port it was given. */
  readonly address: string;
  /** The first account's token, at the very first start only. */
  readonly firstToken: string | undefined;
  /** Stops every role, and resolves when everything that was acknowledged is on disk. */
  readonly stop: () => Promise<void>;
}

const HOUSEKEEPING_INTERVAL_MS = 10_000;

/** Starts every role in this one process. */
export async function startWatchpost(config: Config, log: Log): Promise<RunningService> {
  const clock = systemClock;
  const ids = createIds();
  const directory = config.WATCHPOST_DATA;
  const sealer = createSealer(loadInstanceKey(directory, config.WATCHPOST_INSTANCE_KEY));
  const metrics = createMetrics({
    scheduledChecks: () => controller.checkCount(),
    canCommit: () => store.writeError() === undefined,
  });
  const store = await openSqliteStore({
    directory,
    clock,
    sealer,
    log,
    meter: metrics.meter,
    historyDays: config.WATCHPOST_HISTORY_DAYS,
  });
  const stopping = new AbortController();
  const deps: RoleDeps = {
    config,
    store,
    bus: createMemoryBus({ clock, log, meter: metrics.meter }),
    egress: createEgress({ mode: config.WATCHPOST_EGRESS, resolver: createResolver() }),
    ids,
    clock,
    log,
    meter: metrics.meter,
    stopping: stopping.signal,
  };
  store.changes.subscribe(deps.bus.changes.publish);
  const delivery = createDelivery(config, sealer);
  if (delivery.mailer === undefined)
    log.warn("channels.no_mail_server", {
      setting: "WATCHPOST_SMTP_URL",
      meaning: "mail alerts will be recorded as failed",
    });

  const probe = createProbeRole(deps);
  const notifier = createNotifierRole({ ...deps, delivery });
  const flipped = notifier.wake;
  const controller = createControllerRole({ ...deps, flipped });
  const api = await startApiRole({ ...deps, delivery, metrics, flipped });

  // A token that is created before a start that fails would never be shown.
  const firstToken = await firstTokenOf(deps);
  const control = await serveControlSocket(directory, {
    tokenAdmin: createTokenAdmin({ store, ids, clock }),
    log,
  });
  const roles = Promise.all([
    ...[probe, controller, notifier, api].map((role) => role.run()),
    runHousekeeping(store, { log, signal: stopping.signal }),
  ]);

  return {
    address: api.address,
    firstToken,
    async stop() {
      stopping.abort();
      await control.close();
      await roles;
      await deps.bus.close();
      delivery.close();
      await store.close();
    },
  };
}

/** Creates the first account where there is none, and returns its token. */
async function firstTokenOf({
  config,
  store,
  ids,
  clock,
  log,
}: RoleDeps): Promise<string | undefined> {
  const given = { token: config.WATCHPOST_TOKEN, ownerEmail: config.WATCHPOST_OWNER_EMAIL };
  const firstToken = await createFirstAccount(store, given, { ids, clock });
  if (firstToken === undefined && given.token !== undefined) {
    const known = await store.accounts.findByToken(hashToken(given.token.reveal()));
    if (known === undefined) log.warn("settings.token_ignored", { setting: "WATCHPOST_TOKEN" });
  }
  return firstToken;
}

/** Also retries a commit after one failed, because only a successful commit clears the write error. */
async function runHousekeeping(
  store: Store,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await sleep(systemClock, HOUSEKEEPING_INTERVAL_MS, signal);
    try {
      if (store.writeError() !== undefined) await store.write(() => Promise.resolve());
      await store.runHousekeeping();
    } catch (error) {
      log.error("store.housekeeping_failed", { error: messageOf(error) });
    }
  }
}
