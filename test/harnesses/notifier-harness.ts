import type { Channel, Receipt, SendContext } from "../../src/channels/channel.ts";
import { channelsBy } from "../../src/channels/registry.ts";
import type { Account } from "../../src/domain/account/account.ts";
import type { Check } from "../../src/domain/check.ts";
import type { Address } from "../../src/domain/contact/contact.ts";
import type { State } from "../../src/domain/run/verdict.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createIds } from "../../src/kit/ids.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import { createSendSlots } from "../../src/notifier/send-slots.ts";
import { createNotifier, type Notifier } from "../../src/notifier/notifier.ts";
import { recordFlip } from "../../src/store/transactions/record-flip.ts";
import type { Store } from "../../src/store/store.ts";
import type { Notification } from "../../src/store/tables/alerts.ts";
import { stepUntil } from "../time/wait-for.ts";
import { fakeClock, drainEventLoop, type FakeClock } from "../time/fake-clock.ts";
import { aCheck, aContact, aResult, alice, anAddress, minute } from "../record-builders.ts";
import { tempStore } from "../stores/temp-store.ts";
import { sampleAcknowledgeLinks, samplePageLinks } from "../sample-alert.ts";

export interface Sent {
  readonly alertId: string;
  /** The message in which it was sent, maybe with others: its id. */
  readonly message: string;
  readonly address: string;
  readonly kind: string;
  readonly attempt: number;
}

export type Sender = (sent: Sent, wire: SendContext) => Promise<Receipt>;

/** A channel whose receiver is `sender`. */
export function scriptedChannel(sender: Sender, changes: Partial<Channel> = {}): Channel {
  return {
    from: "Watchpost",
    unavailableReason: undefined,
    parseAddress: (address) => address,
    render: ({ alert, kind }) => ({ subject: `${kind}: ${alert.notice.check.label}`, body: kind }),
    send: ({ id, to, message }, context) =>
      sender(
        {
          alertId: id,
          message: id,
          address: to.address,
          kind: message.body,
          attempt: context.attempt,
        },
        context,
      ),
    close() {},
    ...changes,
  };
}

/** As a scripted channel, but it sends several alerts in a message; `sender` is asked about each. */
export function digestChannel(sender: Sender): Channel {
  return scriptedChannel(sender, {
    render: ({ alert: { id }, kind }) => ({ subject: "", body: kind, headers: { id, alerts: id } }),
    renderDigest: (alertContexts, id) => ({
      subject: "",
      body: "",
      headers: { id, alerts: alertContexts.map(({ alert }) => alert.id).join() },
      parts: alertContexts.map(({ kind }) => kind),
    }),
    async send({ to, message: { body, headers } }, context) {
      const { id = "", alerts = "" } = headers ?? {};
      const about = { message: id, address: to.address, kind: body, attempt: context.attempt };
      await Promise.all(alerts.split(",").map((alertId) => sender({ alertId, ...about }, context)));
      return { response: "200 OK" };
    },
  });
}

export function hookAddress(id: string, changes: Partial<Address> = {}): Address {
  return anAddress(id, { kind: "webhook", address: `http://${id}.example.net/`, ...changes });
}

export interface NotifierHarnessOptions {
  readonly channel?: Channel;
  /** Sends take place here where no channel is given; it takes everything where it is not given either. */
  readonly sender?: Sender;
  readonly account?: Partial<Account>;
  readonly addresses?: readonly Address[];
  readonly notifications?: Check["notifications"];
  readonly wrap?: (store: Store) => Store;
  readonly checks?: number;
  readonly groupWaitMs?: number;
  readonly alertMailLimit?: number;
}

export interface NotifierHarness extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly checks: readonly Check[];
  readonly sent: readonly Sent[];
  /** Events logged by the notifiers. */
  readonly events: readonly string[];
  /** Another notifier over the same store, with the same receiver. */
  readonly another: () => Notifier;
  readonly notifier: Notifier;
  /** Records a flip that ends now, and wakes the notifier. */
  readonly flip: (from: State | undefined, to: State, check?: Check) => Promise<void>;
  /** `kind status reason`, in the order of their creation. */
  readonly ends: () => Promise<readonly string[]>;
  readonly notifications: () => Promise<readonly Notification[]>;
  /** Lets time pass until it comes about. */
  readonly until: (
    what: string,
    look: () => boolean | Promise<boolean>,
    stepMs?: number,
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function notifierHarness(
  options: NotifierHarnessOptions = {},
): Promise<NotifierHarness> {
  const {
    addresses = [hookAddress("ann")],
    notifications = [{ ann: "All" }],
    wrap = (store) => store,
  } = options;
  const clock = fakeClock();
  const database = await tempStore({ clock });
  let writing = 0;
  const store: Store = {
    ...database,
    async write(unit) {
      writing += 1;
      try {
        return await database.write(unit);
      } finally {
        writing -= 1;
      }
    },
  };
  const checks = await store.write(async (tx) => {
    await tx.accounts.insert({ ...alice, ...options.account });
    await tx.contacts.insert(aContact("ann", { addresses }));
    const made: Check[] = [];
    for (let index = 0; index < (options.checks ?? 1); index += 1) {
      // Failures of one host for one reason would share one line of a message.
      const parameters = { target: `host${index}.example.net`, port: 80 };
      made.push(await tx.checks.insert(aCheck(`check${index}`, { notifications, parameters })));
    }
    return made;
  });
  const [first] = checks;
  if (first === undefined) throw new Error("a bench needs a check");

  const sent: Sent[] = [];
  const events: string[] = [];
  const sender: Sender = options.sender ?? (() => Promise.resolve({ response: "200 OK" }));
  const recording: Sender = (message, wire) => {
    sent.push(message);
    return sender(message, wire);
  };
  const channel = options.channel ?? scriptedChannel(recording);
  const make = (): Notifier =>
    createNotifier({
      store: wrap(store),
      channels: channelsBy(() => channel),
      clock,
      log: {
        info: (event) => void events.push(event),
        warn: (event) => void events.push(event),
        error: (event) => void events.push(event),
      },
      meter: noMeter,
      egress: createEgress({ mode: "private", resolver: createResolver() }),
      ids: createIds(),
      acknowledgeLinks: sampleAcknowledgeLinks,
      pageLinks: samplePageLinks,
      url: "https://watch.example.org/",
      groupWaitMs: options.groupWaitMs ?? 0,
      alertMailLimit: options.alertMailLimit ?? 0,
      slots: createSendSlots(clock),
      random: () => 1,
    });
  const notifier = make();
  const stopping = new AbortController();
  let running = true;
  const run = notifier.run(stopping.signal).finally(() => {
    running = false;
  });

  let serial = 0;
  const ids = { alert: () => `id-${String((serial += 1)).padStart(4, "0")}` };
  const all = { accountIds: [alice.id], checkId: undefined, from: 0, limit: 9999, dropped: true };
  const byCreation = async (): Promise<readonly Notification[]> =>
    (await store.alerts.listNotifications(all)).toSorted((one, other) =>
      one.alertId < other.alertId ? -1 : 1,
    );
  const until: NotifierHarness["until"] = async (what, look, stepMs = 100) => {
    await stepUntil(what, async () => {
      if (await look()) return true;
      // No time passes while the disk is at work, so that a slow one changes no test.
      if (writing > 0) await drainEventLoop(1);
      else await clock.advance(stepMs);
      return false;
    });
  };
  return {
    clock,
    store,
    checks,
    sent,
    events,
    notifier,
    another: make,
    async flip(from, to, check = first) {
      const at = clock.now();
      const result = aResult(check.no, at, { endedAt: at, passed: to === "passing" });
      await store.write((tx) =>
        recordFlip(tx, { check, from, to, result, since: at - minute, confirmations: [] }, ids),
      );
      notifier.wake();
    },
    ends: async () =>
      (await byCreation()).map(({ kind, status, reason }) =>
        [kind, status, reason].filter((part) => part !== undefined).join(" "),
      ),
    notifications: byCreation,
    until,
    async stop() {
      stopping.abort();
      await run;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await stepUntil("the notifier returns", async () => {
        if (writing > 0) await drainEventLoop(1);
        else await clock.advance(1000);
        return !running;
      });
      await database[Symbol.asyncDispose]();
    },
  };
}
