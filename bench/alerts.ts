import { createChannels } from "../src/channels/registry.ts";
import { createPageLinks } from "../src/channels/page-links.ts";
import { createMailer, type Mailer } from "../src/channels/mail/mailer.ts";
import { createSenders } from "../src/channels/mail/senders.ts";
import type { Address } from "../src/domain/contact/contact.ts";
import { systemClock } from "../src/kit/clock.ts";
import { createEgress } from "../src/kit/net/egress.ts";
import { createIds } from "../src/kit/ids.ts";
import { silentLog } from "../src/kit/log.ts";
import { noMeter } from "../src/kit/meter.ts";
import { createResolver } from "../src/kit/net/resolver.ts";
import { createAcknowledgeLinks } from "../src/channels/acknowledge-links.ts";
import { createSealer } from "../src/kit/crypto/seal.ts";
import { Secret } from "../src/kit/crypto/secret.ts";
import { createNotifier } from "../src/notifier/notifier.ts";
import { createSendSlots } from "../src/notifier/send-slots.ts";
import type { Store } from "../src/store/store.ts";
import { receiverPeer, type Receiver } from "../test/peers/webhook-receiver.ts";
import { smtpPeer, type SmtpPeer } from "../test/peers/smtp.ts";
import { aContact, alice, anAddress, anAlert } from "../test/record-builders.ts";
import { dataFolder, fill, median, openStore } from "./fixture.ts";

const CONTACTS = 100;
const ADDRESSES_EACH = 20;
const ALERTS = CONTACTS * ADDRESSES_EACH;
const HOSTS = 4;
/** As many as the notifier sends at a time. */
const HOOKS_AT_ONCE = 16;
const MAILS_AT_ONCE = 4;
const URL_OF_US = "https://watch.example.org/";
const LOOK_INTERVAL_MS = 2;

/**
 * Alerts a second from the store to their receivers, each to an address of its own, claimed, judged, signed or rendered, and written down with its delivery; against the same
 * bytes sent by node:http, and by nodemailer over as many connections, and kept nowhere. In turns, in one run.
 */
export async function benchAlerts(rounds: number): Promise<string> {
  const rows: string[] = [];
  for (const kind of ["webhook", "email"] as const) {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await using scene = await openScene(kind);
      ours.push(await scene.notify());
      bare.push(await scene.sendBare());
    }
    const ratios = ours.map((rate, round) => rate / (bare[round] ?? 1));
    rows.push(
      `| ${kind} | ${Math.round(median(ours))} | ${Math.round(median(bare))} | ${median(ratios).toFixed(2)} |`,
    );
  }
  return [
    `Alerts: ${ALERTS} at once, each to its own address; ${rounds} rounds, medians`,
    "",
    "| kind | alerts a second | bare | ratio |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

interface Scene extends AsyncDisposable {
  /** Sends what waits in the store, and gives the alerts a second. */
  readonly notify: () => Promise<number>;
  readonly sendBare: () => Promise<number>;
}

async function openScene(kind: "webhook" | "email"): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await dataFolder());
  await fill(folder, ALERTS, () => ({}));
  const store = await openStore(folder);
  stack.defer(() => store.close());
  const hooks = await Promise.all(Array.from({ length: HOSTS }, () => receiverPeer()));
  for (const hook of hooks) stack.use(hook);
  const smtp = stack.use(await smtpPeer());
  const mailer = createMailer({
    url: new Secret(`${smtp.url}/`),
    senders: createSenders({ own: "watch@example.net", domains: [] }),
  });
  stack.defer(() => mailer.close());
  await fillAlerts(store, (index) =>
    kind === "email"
      ? { address: `box${index}@example.net` }
      : { kind, address: `${hooks[index % HOSTS]?.url}/${index}` },
  );
  const taken = (): number =>
    kind === "email"
      ? smtp.mails.length
      : hooks.reduce((sum, { requests }) => sum + requests.length, 0);

  return {
    async notify() {
      const sealer = createSealer(folder.key);
      const notifier = createNotifier({
        store,
        channels: createChannels({ mailer, url: URL_OF_US, sealer }),
        clock: systemClock,
        log: silentLog,
        meter: noMeter,
        egress: createEgress({ mode: "private", resolver: createResolver() }),
        ids: createIds(),
        acknowledgeLinks: createAcknowledgeLinks({ sealer, url: URL_OF_US }),
        pageLinks: createPageLinks({ sealer, url: URL_OF_US, days: 30 }),
        url: URL_OF_US,
        groupWaitMs: 0,
        alertMailLimit: 0,
        slots: createSendSlots(systemClock),
      });
      const stopping = new AbortController();
      const began = performance.now();
      const running = notifier.run(stopping.signal);
      while (taken() < ALERTS) await pause();
      const seconds = (performance.now() - began) / 1000;
      stopping.abort();
      await running;
      return ALERTS / seconds;
    },
    sendBare: () => (kind === "email" ? bareMails(smtp, mailer) : bareHooks(hooks)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function fillAlerts(
  store: Store,
  addressOf: (index: number) => Partial<Address>,
): Promise<void> {
  const checks = (await Array.fromAsync(store.checks.list(alice.id))).flat();
  await store.write(async (tx) => {
    for (let contact = 0; contact < CONTACTS; contact += 1) {
      const first = contact * ADDRESSES_EACH;
      const addresses = Array.from({ length: ADDRESSES_EACH }, (_, index) =>
        anAddress(`address${first + index}`, addressOf(first + index)),
      );
      await tx.contacts.insert(aContact(`contact${contact}`, { addresses }));
    }
    for (const [index, { check }] of checks.entries()) {
      const contactId = `contact${Math.floor(index / ADDRESSES_EACH)}`;
      const addressId = `address${index}`;
      await tx.alerts.insert(anAlert(`alert${index}`, check, { contactId, addressId }));
    }
  });
}

/** Sends the notifier's messages again. */
async function bareHooks(hooks: readonly Receiver[]): Promise<number> {
  const sent = hooks.flatMap(({ url, requests }) =>
    requests.slice().map((request) => ({ url: `${url}${request.path}`, request })),
  );
  return rateOf(sent, HOOKS_AT_ONCE, async ({ url, request: { body, headers } }) => {
    const signature = String(headers["webhook-signature"]);
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "webhook-signature": signature },
    });
    await response.text();
  });
}

async function bareMails(smtp: SmtpPeer, mailer: Mailer): Promise<number> {
  const text = smtp.mails[0]?.raw ?? "";
  const { signal } = new AbortController();
  return rateOf(smtp.mails.slice(), MAILS_AT_ONCE, async ({ to }) => {
    const mail = { to: to[0] ?? "", subject: "DOWN", text, html: undefined, headers: {} };
    await mailer.send({ ...mail, date: new Date(0) }, signal);
  });
}

/** Items a second. */
async function rateOf<Item>(
  items: readonly Item[],
  atOnce: number,
  send: (item: Item) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await send(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return items.length / ((performance.now() - began) / 1000);
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, LOOK_INTERVAL_MS));
}
