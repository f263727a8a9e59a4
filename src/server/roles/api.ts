import type { FastifyInstance } from "fastify";

import { createConfirmations } from "../../api/confirmations.ts";
import type { ApiDeps } from "../../api/deps.ts";
import { createPasswords, type Passwords } from "../../api/passwords.ts";
import { sendLateWelcome } from "../../api/welcome.ts";
import { createQuota } from "../../api/quota.ts";
import { acknowledgePath } from "../../channels/acknowledge-links.ts";
import { calendarPath } from "../../channels/calendar-links.ts";
import { pagePath } from "../../channels/page-links.ts";
import { confirmPath } from "../../channels/mail/confirm.ts";
import { unsubscribePath } from "../../channels/mail/unsubscribe.ts";
import type { MailLimits } from "../../domain/contact/mail-limits.ts";
import { createAdmission, type Admission } from "../../kit/http/admission.ts";
import { createMinuteBudget } from "../../kit/http/minute-budget.ts";
import { createDeviceCookie, type DeviceCookie } from "../../kit/http/device-cookie.ts";
import { createSessionCookie, type SessionCookie } from "../../kit/http/session-cookie.ts";
import { createEgress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createContactTester } from "../../notifier/contact-tester.ts";
import { createPublicPages, type PublicPages } from "../../status-pages/public-pages.ts";
import { createSessionAdmin, type SessionAdmin } from "../../store/transactions/session-admin.ts";
import { createPushHandler } from "../../heartbeats/handler.ts";
import { createAcknowledgePage } from "../../web/acknowledge.ts";
import { createCheckPage } from "../../web/check-page.ts";
import { createMaintenanceCalendar } from "../../web/maintenance-calendar.ts";
import { createConfirmPage } from "../../web/confirm.ts";
import type { LinkPages } from "../../web/link-page.ts";
import { createOidcPages } from "../../web/oidc/oidc-pages.ts";
import { oidcPath } from "../../web/oidc/oidc-sign-in.ts";
import { createUnsubscribePage } from "../../web/unsubscribe.ts";
import { createHttpServer } from "../http-server.ts";
import type { ConnectionLimits } from "../connections/connection-limits.ts";
import { createListenerMonitor } from "../health/listener.ts";
import { limitConnections, startListening, type ListeningRole } from "./listening.ts";
import type { RoleDeps } from "./role.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Listens for the API, heartbeats and pages. */
export async function startApiRole(deps: RoleDeps): Promise<ListeningRole> {
  const { config, clock, reception, interruptions, stopping } = deps;
  const monitor = createListenerMonitor({ clock, interruptions });
  const admission = createAdmission({
    clock,
    trustedProxies: config.WATCHPOST_TRUSTED_PROXIES,
    unknownPerMinute: config.WATCHPOST_UNKNOWN_TOKEN_RATE,
    processes: reception.live,
  });
  const limitHeartbeats = createMinuteBudget(
    config.WATCHPOST_HEARTBEAT_RATE,
    clock,
    reception.live,
  );
  const push = createPushHandler({ ...deps, admission, limitHeartbeats });
  const connections = limitConnections(deps);
  const server = createServer({ ...deps, admission, connections }, push);
  const listening = await startListening(server, {
    ...deps,
    connections,
    failed: monitor.failed,
  });
  monitor.listening();
  return {
    ...listening,
    async run() {
      await Promise.all([monitor.run(stopping), listening.run()]);
    },
  };
}

function createServer(
  deps: RoleDeps & { readonly admission: Admission; readonly connections: ConnectionLimits },
  push: ReturnType<typeof createPushHandler>,
): FastifyInstance {
  const {
    admission,
    connections,
    config,
    store,
    bus,
    ids,
    clock,
    log,
    meter,
    egress,
    delivery,
    health,
    flipped,
  } = deps;
  const mailLimits = mailLimitsOf(config);
  const { channels, senders, mailer, calendarLinks, url } = delivery;
  const canSendMail = mailer !== undefined;
  const passwords = createPasswords({ store, clock, ids, canSendMail, mailLimits });
  const required = config.WATCHPOST_CONFIRM_ADDRESSES;
  const confirmations = createConfirmations({ required, clock, ids, mailLimits });
  const browser = browserSessionsOf(deps);
  const signIn = signInOf(deps, browser);
  const testing = { ...deps, egress: deps.alertEgress };
  return createHttpServer({
    api: {
      store,
      clock,
      ids,
      log,
      meter,
      tracer: deps.tracer,
      egress,
      channels,
      senders,
      compatibility: config.WATCHPOST_COMPATIBILITY,
      rateLimits: {
        perToken: config.WATCHPOST_TOKEN_RATE,
        perAddress: config.WATCHPOST_ADDRESS_RATE,
        processes: deps.reception.live,
      },
      admission,
      trustedProxies: config.WATCHPOST_TRUSTED_PROXIES,
      domain: new URL(url).hostname,
      calendarLinks,
      sealer: deps.sealer,
      locations: bus.presence.live,
      goneLocations: bus.presence.gone,
      forgotLocation: (code) => bus.memory?.forgot(code),
      unready: health.unready,
      problems: health.problems,
      runJob: bus.jobs.request,
      runDiagnostics: bus.diagnostics.request,
      passwords,
      confirmations,
      ...signIn.ofApi,
      sessionIdleMs: browser.sessions.lifetimes.idleMs,
      statusDomains: config.WATCHPOST_STATUS_DOMAINS,
      mailLimits,
      alertsInserted: flipped,
      quota: createQuota({ ...deps, limits: config.WATCHPOST_ACCOUNT_LIMITS }),
      testContact: createContactTester({ ...testing, channels, url, mailLimits }),
    },
    push,
    health,
    connections,
    publicPages: openPublicPages(deps, { ...browser, passwords, mailLimits }),
    linkPages: { ...linkPagesOf(deps, passwords), ...signIn.pages },
  });
}

function mailLimitsOf(config: RoleDeps["config"]): MailLimits {
  return {
    perMailbox: config.WATCHPOST_MAILBOX_LIMIT,
    perAccount: config.WATCHPOST_ACCOUNT_MAIL_LIMIT,
  };
}

/** How people are signed in, for the API and the pages. */
function browserSessionsOf({ config, store, clock, sealer, delivery: { url } }: RoleDeps): {
  readonly sessions: SessionAdmin;
  readonly cookie: SessionCookie;
  readonly devices: DeviceCookie;
} {
  const isSecure = url.startsWith("https:");
  const lifetimes = {
    maxMs: config.WATCHPOST_SESSION_DAYS * DAY_MS,
    idleMs: config.WATCHPOST_SESSION_IDLE_HOURS * HOUR_MS,
  };
  return {
    sessions: createSessionAdmin({ store, clock, lifetimes }),
    cookie: createSessionCookie({ isSecure }),
    devices: createDeviceCookie({ sealer, clock, isSecure }),
  };
}

/** How people sign in: what the API needs for it, and the pages of a provider of OpenID Connect. */
function signInOf(
  deps: RoleDeps,
  browser: ReturnType<typeof browserSessionsOf>,
): {
  readonly ofApi: Pick<ApiDeps, "sessions" | "signInAttempts" | "oidc">;
  readonly pages: Readonly<Record<string, LinkPages>>;
} {
  const { config, clock, reception } = deps;
  const { url } = deps.delivery;
  const attempts = createMinuteBudget(config.WATCHPOST_SIGN_IN_RATE, clock, reception.live);
  const oidc = oidcOf(deps);
  return {
    ofApi: {
      sessions: { ...browser, admin: browser.sessions, url },
      signInAttempts: attempts,
      oidc: oidc && { label: oidc.label, url: `${url}${oidcPath}` },
    },
    pages: oidc ? createOidcPages({ ...deps, ...browser, url, attempts }, oidc) : {},
  };
}

/** The operator configures the provider, which may be in a private network even if checks may not reach it. */
function oidcOf({ config, sealer, clock }: RoleDeps) {
  const {
    WATCHPOST_OIDC_ISSUER: issuer,
    WATCHPOST_OIDC_CLIENT_ID: clientId,
    WATCHPOST_OIDC_CLIENT_SECRET: clientSecret,
    WATCHPOST_OIDC_LABEL: label,
  } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return undefined;
  const egress = createEgress({ mode: "private", resolver: createResolver() });
  return { issuer, clientId, clientSecret, label, egress, sealer, clock };
}

/** The pages behind the links of messages. */
function linkPagesOf(deps: RoleDeps, passwords: Passwords): Readonly<Record<string, LinkPages>> {
  const { flipped } = deps;
  const { unsubscribeLinks, confirmLinks, acknowledgeLinks, pageLinks, calendarLinks } =
    deps.delivery;
  return {
    [unsubscribePath]: createUnsubscribePage({ ...deps, unsubscribing: unsubscribeLinks }),
    [calendarPath]: createMaintenanceCalendar({ ...deps, calendarLinks }),
    [pagePath]: createCheckPage({ ...deps, pageLinks }),
    [acknowledgePath]: createAcknowledgePage({
      ...deps,
      acknowledging: acknowledgeLinks,
      channels: deps.delivery.channels,
      wake: flipped,
    }),
    [confirmPath]: createConfirmPage({
      ...deps,
      confirming: confirmLinks,
      welcome: (contact) =>
        sendLateWelcome({ ...deps, passwords, mailLimits: mailLimitsOf(deps.config) }, contact),
    }),
  };
}

interface Access {
  readonly passwords: Passwords;
  readonly sessions: SessionAdmin;
  readonly cookie: SessionCookie;
  readonly mailLimits: MailLimits;
}

/** Creates the public pages of this installation, within its limits. */
function openPublicPages(deps: RoleDeps, access: Access): PublicPages {
  const { config, store, clock, interruptions, reception, delivery } = deps;
  const budget = (perMinute: number) => createMinuteBudget(perMinute, clock, reception.live);
  return createPublicPages({
    ...deps,
    ...access,
    url: delivery.url,
    links: delivery.subscriberLinks,
    canSendMail: delivery.mailer !== undefined,
    requests: budget(config.WATCHPOST_PUBLIC_RATE),
    attempts: budget(config.WATCHPOST_SIGN_IN_RATE),
    statusDomains: config.WATCHPOST_STATUS_DOMAINS,
    stoppedSince() {
      if (store.writeError() === undefined) return undefined;
      const stop = interruptions.open().find(({ cause }) => cause === "store");
      return stop?.from ?? clock.monotonic();
    },
  });
}
