import type { Bus } from "../bus/bus.ts";
import type { CalendarLinks } from "../channels/calendar-links.ts";
import type { Channels } from "../channels/registry.ts";
import type { Senders } from "../channels/mail/senders.ts";
import type { MailLimits } from "../domain/contact/mail-limits.ts";
import type { CompatibilityMode } from "../domain/account/token.ts";
import type { OpenServiceProblem } from "../domain/service-problem.ts";
import type { Clock } from "../kit/clock.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { Admission } from "../kit/http/admission.ts";
import type { MinuteBudget } from "../kit/http/minute-budget.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Tracer } from "../kit/tracing/tracer.ts";
import type { Store } from "../store/store.ts";
import type { TestContact } from "./resources/contacts/test-contact.ts";
import type { Confirmations } from "./confirmations.ts";
import type { Passwords } from "./passwords.ts";
import type { Quota } from "./quota.ts";
import type { BrowserSessions } from "./http/callers/session-caller.ts";
import type { RateLimits } from "./http/limits/rate-limit.ts";

export interface ApiDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly meter: Meter;
  readonly tracer?: Tracer | undefined;
  readonly egress: Egress;
  /** Compatibility mode of responses sent before the caller is known. */
  readonly compatibility: CompatibilityMode;
  readonly rateLimits: RateLimits;
  /** Reads the bodies of requests. */
  readonly admission: Admission;
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The host name of this installation, shown with contacts. */
  readonly domain: string;
  /** Live locations; with a type, only those that run checks of that type. */
  readonly locations: Bus["presence"]["live"];
  readonly goneLocations: Bus["presence"]["gone"];
  /** Called with a location that is no longer in the store. */
  readonly forgotLocation: (code: string) => void;
  /** Runs a job at a location. */
  readonly runJob: Bus["jobs"]["request"];
  /** Reasons why this process is not ready; empty if it is. */
  readonly unready: () => readonly string[];
  /** Current problems of the service itself. */
  readonly problems: () => readonly OpenServiceProblem[];
  /** Runs diagnostics of a target at a location. */
  readonly runDiagnostics: Bus["diagnostics"]["request"];
  /** Every kind of address there is. */
  readonly channels: Channels;
  /** Parses the sender that an account wants its mails to show. */
  readonly senders: Pick<Senders, "parse">;
  readonly passwords: Passwords;
  readonly confirmations: Confirmations;
  /** Limits of accounts; all writes of their records go through it. */
  readonly quota: Quota;
  readonly testContact: TestContact;
  readonly calendarLinks: Pick<CalendarLinks, "linkOf">;
  /** Derives keys from the instance key. */
  readonly sealer: Pick<Sealer, "deriveKey">;
  /** Has the notifier look at once. */
  readonly alertsInserted: () => void;
  readonly sessions: BrowserSessions;
  /** Attempts a minute to sign in, of each client address and for each mailbox, which has more for each network that it signed in from, or of each browser that signed in before. */
  readonly signInAttempts: MinuteBudget;
  /** By which people may sign in beside their password: the text of the link, and where it leads. */
  readonly oidc: { readonly label: string; readonly url: string } | undefined;
  /** Domains below which accounts may have status pages shown. */
  readonly statusDomains: readonly string[];
  /** How many mails may be sent to those who did not ask for them. */
  readonly mailLimits: MailLimits;
  /** How long after its last request a session ends. */
  readonly sessionIdleMs: number;
}

/** What operations are given. What they write goes through their request, which knows whose it is. */
export interface ResourceDeps extends Omit<ApiDeps, "store" | "quota"> {
  readonly store: Omit<Store, "append" | "write">;
  readonly quota: Pick<Quota, "of">;
}
