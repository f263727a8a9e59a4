import type { Bus, Change } from "../bus/bus.ts";
import type { Channels } from "../channels/registry.ts";
import type { Senders } from "../channels/mail/senders.ts";
import type { Location } from "../domain/location.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Store } from "../store/store.ts";
import type { CompatibilityMode } from "./http/compatibility.ts";
import type { TestContact } from "./resources/contacts/test-contact.ts";
import type { Passwords } from "./passwords.ts";
import type { RateLimits } from "./http/rate-limit.ts";

export interface ApiDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly meter: Meter;
  readonly egress: Egress;
  readonly compatibility: CompatibilityMode;
  readonly rateLimits: RateLimits;
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** The host name of this installation, shown with contacts. */
  readonly domain: string;
  readonly locations: () => readonly Location[];
  /** Has a location look why a target fails. */
  readonly runDiagnostics: Bus["diagnostics"]["ask"];
  /** Every kind of address there is. */
  readonly channels: Channels;
  /** Whom mails may show as their sender. */
  readonly senders: Pick<Senders, "parse">;
  readonly passwords: Passwords;
  readonly testContact: TestContact;
  /** Told after a change is durable. */
  readonly publishChange: (change: Change) => void;
}
