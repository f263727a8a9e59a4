import { createPasswords } from "../api/passwords.ts";
import { createSystemMailSender } from "../channels/mail/system-mail.ts";
import { createMailer } from "../channels/mail/mailer.ts";
import { createChannels } from "../channels/registry.ts";
import { createSenders } from "../channels/mail/senders.ts";
import { createDispatch } from "../bus/dispatch.ts";
import { createMemoryBus } from "../bus/memory/memory-bus.ts";
import { createMassFailureGuard } from "../confirm/mass-failure-guard.ts";
import { createResolveTick } from "../confirm/resolve-tick.ts";
import { createDiagnostics } from "../diagnostics/diagnostics.ts";
import { createEgress } from "../kit/net/egress.ts";
import { sleep, systemClock } from "../kit/clock.ts";
import { messageOf, Unavailable } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createSealer, hashToken } from "../kit/crypto/seal.ts";
import { createMaintenanceRunner } from "../maintenance/maintenance.ts";
import { createNotifier } from "../notifier/notifier.ts";
import { createMailQueue } from "../notifier/mail-queue.ts";
import { createContactTester } from "../notifier/contact-tester.ts";
import { serveDiagnostics } from "../probe/serve-diagnostics.ts";
import { createEventLoopMonitor } from "../probe/event-loop-monitor.ts";
import { startProbe } from "../probe/probe.ts";
import { createConnectivityProbe } from "../probe/connectivity-probe.ts";
import { createPushHandler } from "../push/handler.ts";
import { createHeartbeats } from "../push/heartbeats.ts";
import { createStalenessWatcher } from "../push/staleness.ts";
import { createScheduler } from "../scheduler/scheduler.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createUnsubscribeLinks } from "../channels/mail/unsubscribe.ts";
import { createTokenAdmin } from "../store/units/token-admin.ts";
import { createUnsubscribePage } from "../web/unsubscribe.ts";
import { publicUrl } from "./config.ts";
import type { Config } from "./config.ts";
import { serveControlSocket } from "./control-socket.ts";
import { createFirstAccount } from "./first-account.ts";
import { loadInstanceKey } from "./instance-key.ts";
import { createMetrics } from "./metrics.ts";
import { providerConfig } from "./provider-config.ts";
import { createHttpServer } from "./server.ts";

export interface RunningService {
  /** Where this process listens, with the port it was given. */
  readonly address: string;
  /** The first account's token, at the very first start only. */
  readonly firstToken: string | undefined;
  /** Ends every part in order and resolves when all that was acknowledged is on disk. */
  readonly stop: () => Promise<void>;
}

const UPKEEP_EVERY_MS = 10_000;
const STOP_WITHIN_MS = 5000;

/** Builds every role in this one process, and starts it. */
export async function startWatchpost(config: Config, log: Log): Promise<RunningService> {
  const clock = systemClock;
  const ids = createIds();
  const directory = config.WATCHPOST_DATA;
  const sealer = createSealer(loadInstanceKey(directory, config.WATCHPOST_INSTANCE_KEY));
  const store = await openSqliteStore({ directory, clock, sealer, log });

  const metrics = createMetrics({
    planned: () => scheduler.checkCount(),
    canCommit: () => store.writeError() === undefined,
  });
  const { meter } = metrics;
  const egress = createEgress({ mode: config.WATCHPOST_EGRESS, resolver: createResolver() });
  const bus = createMemoryBus();
  const witnesses = createConnectivityProbe(config.WATCHPOST_WITNESSES, { egress, clock });
  const stopping = new AbortController();
  const lag = createEventLoopMonitor(clock);
  for (const location of config.locations) {
    startProbe({ bus, location, egress, witnesses, lag, clock, log, meter });
    serveDiagnostics({ bus, location, egress, clock, stopping: stopping.signal });
  }
  const dispatch = createDispatch({
    bus,
    clock,
    onUnknown: () => meter.count("bus.late_report"),
  });

  const { host, port } = config.WATCHPOST_LISTEN;
  const senders = createSenders({
    own: config.WATCHPOST_MAIL_FROM ?? "",
    domains: config.WATCHPOST_MAIL_FROM_DOMAINS,
  });
  const mailer =
    config.WATCHPOST_SMTP_URL && createMailer({ url: config.WATCHPOST_SMTP_URL, senders });
  if (mailer === undefined)
    log.warn("channels.no_mail_server", {
      setting: "WATCHPOST_SMTP_URL",
      meaning: "mail alerts will be kept as failed deliveries",
    });
  const url = publicUrl(config);
  const channels = createChannels({
    mailer,
    url,
    sealer,
    pushoverToken: config.WATCHPOST_PUSHOVER_TOKEN,
    ...providerConfig(config),
  });
  const notifier = createNotifier({
    store,
    channels,
    clock,
    log,
    meter,
    egress,
    ids,
    url,
    groupWaitMs: config.WATCHPOST_BUNDLE_SECONDS * 1000,
  });
  const flipped = notifier.wake;
  const unsubscribing = createUnsubscribeLinks({ sealer, url });
  const systemMailSender = createSystemMailSender({
    mailer,
    url,
    welcomeText: config.WATCHPOST_WELCOME_TEXT,
    unsubscribing,
  });
  const post = createMailQueue({ store, systemMailSender, clock, log, meter });
  const diagnoses = createDiagnostics({ store, bus, ids, clock, log, meter });
  const maintenance = createMaintenanceRunner({ store, bus, clock, log, meter });

  const settle = createResolveTick({
    store,
    dispatch,
    breaker: createMassFailureGuard(clock),
    egress,
    flipped,
    ids,
    clock,
    log,
    meter,
  });
  const scheduler = createScheduler({ store, bus, dispatch, settle, clock, log, meter });
  const intake = createHeartbeats({ store, flipped, ids, clock, log, meter });
  bus.changes.subscribe(intake.invalidate);
  const silence = createStalenessWatcher({ store, bus, intake, flipped, ids, clock, log, meter });

  const server = createHttpServer({
    api: {
      store,
      clock,
      ids,
      log,
      meter,
      egress,
      compatibility: config.WATCHPOST_COMPATIBILITY,
      rateLimits: {
        perToken: config.WATCHPOST_TOKEN_RATE,
        perAddress: config.WATCHPOST_ADDRESS_RATE,
      },
      trustedProxies: config.WATCHPOST_TRUSTED_PROXIES,
      domain: new URL(url).hostname,
      locations: bus.presence.live,
      runDiagnostics: bus.diagnostics.ask,
      channels,
      senders,
      passwords: createPasswords({ store, clock, ids, canSendMail: mailer !== undefined }),
      testContact: createContactTester({
        store,
        channels,
        clock,
        ids,
        log,
        meter,
        egress,
        url,
        stopping: stopping.signal,
      }),
      publishChange: bus.changes.publish,
    },
    push: createPushHandler({ intake, log, meter }),
    metrics,
    unsubscribePage: createUnsubscribePage({ store, unsubscribing, log }),
    unready: () =>
      [store.writeError(), stopping.signal.aborted ? "stopping" : undefined].filter(
        (reason) => reason !== undefined,
      ),
  });
  const address = await server.listen({ host, port }).catch((cause: unknown) => {
    throw new Unavailable(`cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause });
  });
  // Only now, for a token that was made before a start that failed would never be shown.
  const given = { token: config.WATCHPOST_TOKEN, ownerEmail: config.WATCHPOST_OWNER_EMAIL };
  const firstToken = await createFirstAccount(store, given, { ids, clock });
  if (firstToken === undefined && given.token !== undefined) {
    const known = await store.accounts.findByToken(hashToken(given.token.reveal()));
    if (known === undefined) log.warn("settings.token_ignored", { setting: "WATCHPOST_TOKEN" });
  }
  const desk = createTokenAdmin({ store, ids, clock });
  const control = await serveControlSocket(directory, { desk, log });
  const { signal } = stopping;
  const parts = Promise.all([
    scheduler.run(signal),
    notifier.run(signal),
    post.run(signal),
    diagnoses.run(signal),
    maintenance.run(signal),
    silence.run(signal),
    keepUp(store, { log, signal }),
  ]);

  return {
    address,
    firstToken,
    async stop() {
      stopping.abort();
      control.close();
      lag.stop();
      // Nobody who holds a request open holds the stop up.
      const patience = clock.setTimer(() => server.server.closeAllConnections(), STOP_WITHIN_MS);
      await server.close();
      patience.cancel();
      await parts;
      for (const channel of Object.values(channels)) channel.close();
      await store.close();
    },
  };
}

/** The store's upkeep, and a try to commit where the last one failed: only a commit that works ends the trouble. */
async function keepUp(
  store: Store,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await sleep(systemClock, UPKEEP_EVERY_MS, signal);
    try {
      if (store.writeError() !== undefined) await store.write(() => Promise.resolve());
      await store.runHousekeeping();
    } catch (error) {
      log.error("store.housekeeping_failed", { error: messageOf(error) });
    }
  }
}
