import type { Passwords } from "../../api/passwords.ts";
import type { MailLimits } from "../../domain/contact/mail-limits.ts";
import type { SessionCookie } from "../../kit/http/session-cookie.ts";
import { createMinuteBudget } from "../../kit/http/minute-budget.ts";
import type { SessionAdmin } from "../../store/transactions/session-admin.ts";
import { createPublicPages, type PublicPages } from "../../status-pages/public-pages.ts";
import type { RoleDeps } from "./role.ts";

interface Access {
  readonly passwords: Passwords;
  readonly sessions: SessionAdmin;
  readonly cookie: SessionCookie;
  readonly mailLimits: MailLimits;
}

/** What strangers see of this installation, within the limits of its settings. */
export function openPublicPages(deps: RoleDeps, access: Access): PublicPages {
  const { config, store, clock, interruptions, hearing, delivery } = deps;
  const budget = (perMinute: number) => createMinuteBudget(perMinute, clock, hearing.live);
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
