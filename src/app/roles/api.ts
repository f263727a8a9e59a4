import type { FastifyInstance } from "fastify";

import { createConfirmations } from "../../api/confirmations.ts";
import { createPasswords, sendLateWelcome } from "../../api/passwords.ts";
import { createQuota } from "../../api/quota.ts";
import { confirmPath } from "../../channels/mail/confirm.ts";
import { unsubscribePath } from "../../channels/mail/unsubscribe.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import { createAdmission } from "../../kit/http/admission.ts";
import type { Admission } from "../../kit/http/admission.ts";
import { createClientAddresses } from "../../kit/http/client-address.ts";
import { createMinuteBudget } from "../../kit/http/minute-budget.ts";
import { createContactTester } from "../../notifier/contact-tester.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { OwnListener } from "../../kit/net/own-listener.ts";
import { createPushHandler } from "../../push/handler.ts";
import { createHeartbeats } from "../../push/heartbeats.ts";
import { createStalenessWatcher } from "../../push/staleness.ts";
import { createConfirmPage } from "../../web/confirm.ts";
import { createUnsubscribePage } from "../../web/unsubscribe.ts";
import { createConnectionLimits } from "../connections/connection-limits.ts";
import { descriptorLimit, mostConnections } from "../connections/descriptor-limit.ts";
import type { Delivery } from "../delivery.ts";
import type { Metrics } from "../metrics.ts";
import { createHttpServer } from "../server.ts";

import { unreadyReasons } from "../health/interruptions.ts";
import { createListenerMonitor } from "../health/listener.ts";
import type { ProbeRole } from "./probe.ts";
import { untilAborted } from "./role.ts";
import type { Role, RoleDeps } from "./role.ts";

const CLOSE_TIMEOUT_MS = 5000;

interface Deps extends RoleDeps {
  /** What the messages of a contact's test are sent by. */
  readonly alertEgress: Egress;
  readonly listener: OwnListener;
  readonly delivery: Delivery;
  readonly metrics: Metrics;
  /** Called when alerts may be due. */
  readonly flipped: () => void;
  readonly probe: Pick<ProbeRole, "trouble">;
}

export interface ApiRole extends Role {
  /** Where it listens, with the port that it was given. */
  readonly address: string;
}

/** Listens for the API, heartbeats and pages, and detects missing heartbeats. */
export async function startApiRole(deps: Deps): Promise<ApiRole> {
  const { config, bus, clock, interruptions, log, stopping } = deps;
  const monitor = createListenerMonitor({ clock, interruptions });
  const heartbeats = createHeartbeats({ ...deps, controllerWrites: deps.controllerStore });
  bus.changes.subscribe(heartbeats.invalidate);
  const staleness = createStalenessWatcher({ ...deps, heartbeats });
  const admission = createAdmission({
    clock,
    trustedProxies: config.WATCHPOST_TRUSTED_PROXIES,
    unknownPerMinute: config.WATCHPOST_UNKNOWN_TOKEN_RATE,
  });
  const limitHeartbeats = createMinuteBudget(config.WATCHPOST_HEARTBEAT_RATE, clock);
  const push = createPushHandler({ ...deps, heartbeats, admission, limitHeartbeats });
  const server = createServer({ ...deps, admission }, push);
  const { host, port } = config.WATCHPOST_LISTEN;
  const address = await server.listen({ host, port }).catch((cause: unknown) => {
    throw new Unavailable(`cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause });
  });
  monitor.listening();
  deps.listener.listensAt(Number(new URL(address).port));
  server.server.on("error", (error) => {
    monitor.failed();
    log.error("api.listener_failed", { error: messageOf(error) });
  });
  const close = async (): Promise<void> => {
    await untilAborted(stopping);
    // A client that keeps a request open must not delay the stop.
    const timeout = clock.setTimer(() => server.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
    await server.close();
    timeout.cancel();
  };
  return {
    address,
    async run() {
      await Promise.all([staleness.run(stopping), monitor.run(stopping), close()]);
    },
  };
}

function createServer(
  deps: Deps & { readonly admission: Admission },
  push: ReturnType<typeof createPushHandler>,
): FastifyInstance {
  const { admission, config, store, bus, ids, clock, log, meter, egress, delivery, metrics } = deps;
  const { interruptions, stopping } = deps;
  const mailLimits = {
    perMailbox: config.WATCHPOST_MAILBOX_LIMIT,
    perAccount: config.WATCHPOST_ACCOUNT_MAIL_LIMIT,
  };
  const { channels, senders, mailer, unsubscribeLinks, confirmLinks, url } = delivery;
  const canSendMail = mailer !== undefined;
  const passwords = createPasswords({ store, clock, ids, canSendMail, mailLimits });
  return createHttpServer({
    api: {
      store,
      clock,
      ids,
      log,
      meter,
      egress,
      channels,
      senders,
      compatibility: config.WATCHPOST_COMPATIBILITY,
      rateLimits: {
        perToken: config.WATCHPOST_TOKEN_RATE,
        perAddress: config.WATCHPOST_ADDRESS_RATE,
      },
      admission,
      trustedProxies: config.WATCHPOST_TRUSTED_PROXIES,
      domain: new URL(url).hostname,
      locations: bus.presence.live,
      runDiagnostics: bus.diagnostics.request,
      passwords,
      confirmations: createConfirmations({
        required: config.WATCHPOST_CONFIRM_ADDRESSES,
        clock,
        ids,
        mailLimits,
      }),
      quota: createQuota({ ...deps, limits: config.WATCHPOST_ACCOUNT_LIMITS }),
      testContact: createContactTester({
        ...deps,
        egress: deps.alertEgress,
        channels,
        url,
        mailLimits,
      }),
    },
    push,
    metrics,
    metricsToken: config.WATCHPOST_METRICS_TOKEN,
    connections: createConnectionLimits({
      most: mostConnections(descriptorLimit(), config.WATCHPOST_CONNECTIONS),
      mostOfClient: config.WATCHPOST_ADDRESS_CONNECTIONS,
      isProxy: createClientAddresses(config.WATCHPOST_TRUSTED_PROXIES).isProxy,
      clock,
      meter,
    }),
    linkPages: {
      [unsubscribePath]: createUnsubscribePage({ store, unsubscribing: unsubscribeLinks, log }),
      [confirmPath]: createConfirmPage({
        ...deps,
        confirming: confirmLinks,
        welcome: (contact) => sendLateWelcome({ store, passwords }, contact),
      }),
    },
    unready: () =>
      [
        store.writeError(),
        store.housekeepingError(),
        deps.probe.trouble(),
        ...unreadyReasons(interruptions, clock),
        stopping.aborted ? "stopping" : undefined,
      ].filter((reason) => reason !== undefined),
  });
}
