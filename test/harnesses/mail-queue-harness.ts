import {
  createSystemMailSender,
  defaultWelcomeText,
  type SystemMailSender,
} from "../../src/channels/mail/system-mail.ts";
import { createMailer } from "../../src/channels/mail/mailer.ts";
import { createSenders } from "../../src/channels/mail/senders.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { createMailQueue } from "../../src/notifier/mail-queue.ts";
import { createSendSlots } from "../../src/notifier/send-slots.ts";
import type { Store } from "../../src/store/store.ts";
import { samplePageLinks } from "../sample-alert.ts";
import { smtpPeer, type SmtpPeer } from "../peers/smtp.ts";

export interface MailQueueHarness extends AsyncDisposable {
  readonly server: SmtpPeer;
  /** Logged and counted events, while both are the same. */
  readonly events: readonly string[];
  /** Runs a mail queue over the store until it is stopped, or until the end of the scope. */
  readonly start: (
    store: Store,
    sender?: SystemMailSender,
  ) => { readonly stop: () => Promise<void> };
}

/** A mail server, and as many mail queues over it as are wanted. */
export async function mailQueueHarness(clock: Clock): Promise<MailQueueHarness> {
  const server = await smtpPeer();
  const mailer = createMailer({
    url: new Secret(server.url),
    senders: createSenders({ own: "Watchpost <watchpost@example.org>", domains: [] }),
  });
  const usual = createSystemMailSender({
    mailer,
    url: "https://watch.example.org",
    welcomeText: defaultWelcomeText,
    unsubscribing: { linkOf: () => "https://watch.example.org/unsubscribe" },
    confirming: { linkOf: () => "https://watch.example.org/confirm" },
    pageLinks: samplePageLinks,
  });
  const events: string[] = [];
  const keep = (event: string): void => void events.push(event);
  const stops: (() => Promise<void>)[] = [];
  return {
    server,
    events,
    start(store, systemMailSender = usual) {
      const stopping = new AbortController();
      const running = createMailQueue({
        store,
        systemMailSender,
        clock,
        log: { info: keep, warn: keep, error: keep },
        meter: { count: (event) => keep(`counted ${event}`), observe() {} },
        slots: createSendSlots(clock),
        random: () => 1,
      }).run(stopping.signal);
      const stop = (): Promise<void> => {
        stopping.abort();
        return running;
      };
      stops.push(stop);
      return { stop };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
      mailer.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
