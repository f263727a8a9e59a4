import { createPageLinks } from "../../src/channels/page-links.ts";
import { createSystemMailSender } from "../../src/channels/mail/system-mail.ts";
import { createUnsubscribeLinks } from "../../src/channels/mail/unsubscribe.ts";
import { createConfirmLinks } from "../../src/channels/mail/confirm.ts";
import { channelsBy } from "../../src/channels/registry.ts";
import type { Channel } from "../../src/channels/channel.ts";
import { createDiagnostics } from "../../src/controller/diagnostics.ts";
import type { DiagnosticsFinding } from "../../src/domain/diagnostics.ts";
import { failed, passed } from "../../src/domain/run/outcome.ts";
import { sleep, type Clock } from "../../src/kit/clock.ts";
import { createSealer, type Sealer } from "../../src/kit/crypto/seal.ts";
import { createIds } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createMailQueue } from "../../src/notifier/mail-queue.ts";
import { createSendSlots } from "../../src/notifier/send-slots.ts";
import type { Bus } from "../../src/bus/bus.ts";
import type { Store } from "../../src/store/store.ts";
import { quietBus } from "../harnesses/quiet-bus.ts";
import { aContact, alice, minute } from "../record-builders.ts";
import { startProcess } from "../simulation/simulated-process.ts";
import { tempStore } from "../stores/temp-store.ts";
import { drainEventLoop, fakeClock, type FakeClock } from "../time/fake-clock.ts";
import { stormReceivers, type StormReceiver, type StormReceivers } from "./receivers.ts";
import { stormChecks, type StormCheck } from "./storm-checks.ts";

export interface Arrival {
  readonly receiver: StormReceiver;
  readonly at: number;
  readonly text: string;
  /** The alert that it is about, or the bundle of several; undefined of a mail that is no alert. */
  readonly alertId: string | undefined;
}

/** An alert of the storm, by the store. */
export interface StormAlert {
  readonly id: string;
  readonly check: StormCheck;
  readonly kind: string;
  readonly receiver: StormReceiver;
  readonly status: string;
  /** When the verdict was stored. */
  readonly verdictAt: number;
  readonly bundle: string | undefined;
}

export interface StormRecord {
  readonly receivers: readonly StormReceiver[];
  readonly arrivals: readonly Arrival[];
  readonly alerts: readonly StormAlert[];
}

interface StormOptions {
  /** How long diagnostics of an outage take; undefined where no check has them. */
  readonly diagnosticsMs?: number;
  /** Only the receivers of these names. */
  readonly only?: readonly string[];
}

const URL_OF_OURS = "https://watch.example.org/";
/** The default of WATCHPOST_GROUP_WAIT_SECONDS. */
const GROUP_WAIT_MS = 5000;
/** Response time of a receiver. */
export const ANSWER_MS = 200;
const STEP_MS = 100;
/** A minute of ticks, the widest window, and some for the last of them. */
const ONE_WAY_MS = 2 * minute + 15_000;
const LOCATIONS = ["ams", "fra", "nyc"];

/**
 * Fails and recovers all checks with every part from the scheduler to the channels, on a clock that is stopped while disks and receivers work, so that only
 * Watchpost's own waits are measured.
 */
export async function alertStorm({ diagnosticsMs, only }: StormOptions = {}): Promise<StormRecord> {
  const clock = fakeClock();
  const sealer = createSealer(new Uint8Array(32));
  await using database = await tempStore({ clock, sealer });
  await using receiving = await stormReceivers({ url: URL_OF_OURS, sealer, only });
  const { receivers } = receiving;
  const work = createWork();
  const store: Store = {
    ...database,
    append: (...args) => work.during(() => database.append(...args)),
    write: (...args) => work.during(() => database.write(...args)),
  };
  const checks = stormChecks({ diagnose: diagnosticsMs !== undefined });
  await insert(database, checks, receivers);
  const targets = { areDown: false };
  const bus = storyBus(clock, { checks, targets, diagnosticsMs });
  const arrivals: Arrival[] = [];
  const receive = receiptsOf(receivers, { clock, work, arrivals });
  const end = startAll({ store, clock, sealer, bus, receiving, receive });
  const pass = async (ms: number): Promise<void> => {
    const until = clock.monotonic() + ms;
    while (clock.monotonic() < until) {
      await clock.advance(STEP_MS);
      while (work.isUnderWay()) await drainEventLoop(1);
    }
  };

  await pass(minute + 10_000);
  targets.areDown = true;
  await pass(ONE_WAY_MS);
  targets.areDown = false;
  await pass(ONE_WAY_MS);

  const alerts = await alertsIn(database, { checks, receivers });
  const ended = end().then(() => true);
  while (!(await Promise.race([ended, pass(1000).then(() => false)])));
  return { receivers, arrivals, alerts };
}

async function insert(
  store: Store,
  checks: readonly StormCheck[],
  receivers: readonly StormReceiver[],
): Promise<void> {
  const addresses = receivers.map(({ address }) => address);
  await store.write(async (tx) => {
    await tx.accounts.insert({ ...alice, timeZone: "Europe/Berlin" });
    await tx.contacts.insert(aContact("ann", { addresses }));
    for (const { record } of checks)
      await tx.checks.insert({ ...record, notifications: [{ ann: "All" }] });
  });
}

interface Story {
  readonly checks: readonly StormCheck[];
  readonly targets: { readonly areDown: boolean };
  readonly diagnosticsMs: number | undefined;
}

/** Three locations that find what the storm is at. */
function storyBus(clock: Clock, { checks, targets, diagnosticsMs = 0 }: Story): Bus {
  const bus = quietBus(clock);
  const failures = new Map(
    checks.map(({ record, reason, message }) => [record.id, failed(reason, reason, message)]),
  );
  for (const code of LOCATIONS)
    bus.serve(
      { code, region: undefined },
      {
        runJob: async ({ checkId }) => ({
          startOffsetMs: 0,
          endOffsetMs: 5,
          outcome:
            (targets.areDown ? failures.get(checkId) : undefined) ?? passed("5 ms", "connected"),
          connectivityConfirmed: true,
        }),
        async runDiagnostics({ parameters }) {
          await sleep(clock, diagnosticsMs);
          return findingsOf(String(parameters.target));
        },
      },
    );
  return bus;
}

interface Running {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly sealer: Sealer;
  readonly bus: Bus;
  readonly receiving: StormReceivers;
  readonly receive: Receive;
}

/** Gives what ends it. */
function startAll({
  store,
  clock,
  sealer,
  bus,
  receiving,
  receive,
}: Running): () => Promise<unknown> {
  const links = { sealer, url: URL_OF_OURS };
  const pageLinks = createPageLinks({ ...links, days: 30 });
  const ids = createIds();
  const slots = createSendSlots(clock);
  const process = startProcess({
    store: () => store,
    clock,
    bus,
    ids,
    slots,
    pageLinks,
    channels: channelsBy((kind) => slow(receiving.channels[kind], receive)),
    groupWaitMs: GROUP_WAIT_MS,
    egress: {
      resolve: () => Promise.resolve({ address: "127.0.0.1", family: 4 }),
      isPublic: () => false,
    },
  });
  const systemMails = createSystemMailSender({
    mailer: receiving.mailer,
    url: URL_OF_OURS,
    welcomeText: "",
    unsubscribing: createUnsubscribeLinks(links),
    confirming: createConfirmLinks(links),
    pageLinks,
  });
  const stopping = new AbortController();
  const parts = { store, clock, log: silentLog, meter: noMeter };
  const others = [
    createDiagnostics({ ...parts, bus, ids, alertMailLimit: 0 }).run(stopping.signal),
    createMailQueue({
      ...parts,
      slots,
      systemMailSender: {
        send: (...args) => receive("mail", undefined, () => systemMails.send(...args)),
      },
    }).run(stopping.signal),
  ];
  return () => {
    stopping.abort();
    return Promise.all([process.end(), ...others]);
  };
}

interface Work {
  readonly during: <Value>(task: () => Promise<Value>) => Promise<Value>;
  readonly isUnderWay: () => boolean;
}

/** Counts what is done with real files and sockets. */
function createWork(): Work {
  let inFlight = 0;
  return {
    async during(task) {
      inFlight += 1;
      try {
        return await task();
      } finally {
        inFlight -= 1;
      }
    },
    isUnderWay: () => inFlight > 0,
  };
}

type Receive = <Value>(
  addressId: string,
  alertId: string | undefined,
  send: () => Promise<Value>,
) => Promise<Value>;

interface ReceiptDeps {
  readonly clock: Clock;
  readonly work: Work;
  readonly arrivals: Arrival[];
}

/** Notes what comes to a receiver by a send, one after the other, for no time passes meanwhile. */
function receiptsOf(
  receivers: readonly StormReceiver[],
  { clock, work, arrivals }: ReceiptDeps,
): Receive {
  let last: Promise<unknown> = Promise.resolve();
  return async (addressId, alertId, send) => {
    await sleep(clock, ANSWER_MS);
    const turn = last.then(() =>
      work.during(async () => {
        const receiver = receivers.find(({ address }) => address.id === addressId);
        if (receiver === undefined) throw new Error(`no receiver at ${addressId}`);
        const before = receiver.texts().length;
        const value = await send();
        for (const text of receiver.texts().slice(before))
          arrivals.push({ receiver, at: clock.now(), text, alertId });
        return value;
      }),
    );
    last = turn.catch(() => undefined);
    return turn;
  };
}

function slow(channel: Channel, receive: Receive): Channel {
  return {
    ...channel,
    send: (outgoing, context) =>
      receive(outgoing.to.id, outgoing.id, () => channel.send(outgoing, context)),
  };
}

/** The longest finding of a location. */
function findingsOf(target: string): readonly DiagnosticsFinding[] {
  const hops = Array.from(
    { length: 12 },
    (_, hop) => `${String(hop + 1).padStart(3)}  198.51.100.${hop + 1}   0%   1.2   1.4   9.9`,
  );
  return [
    { tool: "lookup", about: target, text: `A: 203.0.113.7 (${target})\nAAAA: none` },
    { tool: "route", about: "203.0.113.7", text: ["hop  address", ...hops].join("\n") },
    { tool: "ping", about: target, text: "1: no answer\n2: no answer\n3: no answer" },
  ];
}

async function alertsIn(
  store: Store,
  {
    checks,
    receivers,
  }: { readonly checks: readonly StormCheck[]; readonly receivers: readonly StormReceiver[] },
): Promise<readonly StormAlert[]> {
  const notifications = await store.alerts.listNotifications({
    accountIds: [alice.id],
    checkId: undefined,
    from: 0,
    limit: 100_000,
    dropped: true,
  });
  return notifications.flatMap(({ alertId: id, checkId, kind, addressId, ...rest }) => {
    const check = checks.find(({ record }) => record.id === checkId);
    const receiver = receivers.find(({ address }) => address.id === addressId);
    if (check === undefined || receiver === undefined) return [];
    const { status, createdAt: verdictAt, bundle } = rest;
    return [{ id, check, kind, receiver, status, verdictAt, bundle }];
  });
}
