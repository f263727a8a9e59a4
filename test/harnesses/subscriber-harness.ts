import { createChannels } from "../../src/channels/registry.ts";
import { createMailer } from "../../src/channels/mail/mailer.ts";
import { createSenders } from "../../src/channels/mail/senders.ts";
import { createSubscriberLinks } from "../../src/channels/subscriber-links.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createSendSlots, type SendSlots } from "../../src/notifier/send-slots.ts";
import { createSubscriberNotifier } from "../../src/notifier/subscriber-notifier.ts";
import { createSubscriptionMessages } from "../../src/status-pages/subscription-messages.ts";
import type { ApiFixture } from "../api-fixture.ts";
import { smtpPeer, type SmtpPeer } from "../peers/smtp.ts";
import { waitFor } from "../time/wait-for.ts";

export interface SubscriberHarness extends AsyncDisposable {
  readonly server: SmtpPeer;
  /** Advances time, and waits until this many mails were accepted in total. */
  readonly mailsAfter: (ms: number, count: number) => Promise<readonly ParsedMail[]>;
  readonly start: () => { readonly stop: () => Promise<void> };
}

/** A mail as its reader has it. */
export interface ParsedMail {
  readonly to: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The text, decoded. */
  readonly text: string;
  readonly raw: string;
}

/** A mail server, and what sends to the subscribers of status pages over the store of a fixture. */
export async function subscriberHarness(
  { store, clock, deps }: Pick<ApiFixture, "store" | "clock" | "deps">,
  slots: SendSlots = createSendSlots(clock),
): Promise<SubscriberHarness> {
  const server = await smtpPeer();
  const senders = createSenders({ own: "Watchpost <watchpost@example.org>", domains: [] });
  const mailer = createMailer({ url: new Secret(server.url), senders });
  const sealer = createSealer(new Uint8Array(32));
  const { url } = deps.sessions;
  const stops: (() => Promise<void>)[] = [];
  return {
    server,
    async mailsAfter(ms, count) {
      await clock.advance(ms);
      await waitFor(`${count} mails`, () => server.mails.length >= count);
      return server.mails.map(parsed);
    },
    start() {
      const stopping = new AbortController();
      const running = createSubscriberNotifier({
        store,
        clock,
        log: deps.log,
        meter: noMeter,
        slots,
        random: () => 1,
        mailer,
        webhooks: createChannels({ mailer, url, sealer }).webhook,
        egress: createEgress({ mode: "private", resolver: { resolve: async () => [] } }),
        texts: createSubscriptionMessages({
          links: createSubscriberLinks({ ...deps, sealer, url }),
          url,
        }),
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

function parsed({ to, raw }: SmtpPeer["mails"][number]): ParsedMail {
  const [head = ""] = raw.split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name.toLowerCase(), value.join(": ")] as const;
    }),
  );
  const [, part = ""] = /text\/plain[^]*?\r\n\r\n([^]*?)\r\n----/.exec(raw) ?? [];
  return { to: to.join(), headers, text: quotedPrintable(part), raw };
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
