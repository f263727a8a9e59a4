import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

import { sleep, systemClock } from "../src/kit/clock.ts";
import { start, type CheckRecord, type RunningInstallation } from "../test/e2e/process.ts";
import { smtpPeer, type SmtpBehaviour, type SmtpPeer } from "../test/peers/smtp.ts";
import { receiverPeer, type Receiver } from "../test/peers/webhook-receiver.ts";

const HANGING_HOSTS = 10;
const ALERTS_EACH = 60;
const HEALTHY_HOSTS = 6;
/** To a webhook and to a mailbox each. */
const HEALTHY = 42;
/** Over longer than an attempt that hangs lasts, so that the retries of these are among them. */
const HEALTHY_INTERVAL_MS = 2400;

const HANGING_OF_ANOTHER = 200;
const OWN = 14;
const OWN_INTERVAL_MS = 5000;
const ALONE_INTERVAL_MS = 500;

const MAILS = 240;
const MAIL_MS = 1500;
/** Maximum connections of the mailer. */
const MAIL_CONNECTIONS = 4;

const MAX_ADDRESSES = 100;
const LOOK_INTERVAL_MS = 5;
/** Time after the last flip at which missing alerts are counted. */
const GIVE_UP_MS = 180_000;

/** Measures delivery to others while receivers hang, and the use of a slow mail server: from the heartbeat that flips a check to the arrival. */
export async function benchStarvation(): Promise<string> {
  const hanging = await besideHangingHosts();
  const another = await besideAnotherAccount();
  const mails = await atSlowMailServer();
  return [
    "Starvation: ms from the heartbeat that flips a check to the arrival of its alert; the first alerts of outages, not grouped",
    "",
    "| alerts | p50 | p99 | most | arrived | attempts that hung meanwhile |",
    "|---|---|---|---|---|---|",
    ...hanging,
    ...another,
    "",
    mails,
  ].join("\n");
}

/** Ten hosts hang with sixty alerts each; the others are of the same account. */
async function besideHangingHosts(): Promise<readonly string[]> {
  await using scene = await openScene();
  const { site, smtp } = scene;
  const stuck = await scene.receivers(HANGING_HOSTS, "hang");
  const toStuck = await addContacts(
    scene,
    stuck.map(({ url }) => webhook(url)),
  );
  const flood: CheckRecord[] = [];
  for (let made = 0; made < ALERTS_EACH; made += 1) flood.push(await addCheck(scene, toStuck));
  const healthy = await scene.receivers(HEALTHY_HOSTS);
  const flips: Flip[] = [];
  for (let index = 0; index < HEALTHY; index += 1) {
    const [path, box] = [`/hook-${index}`, `box-${index}@example.net`];
    const url = `${healthy[index % HEALTHY_HOSTS]?.url}${path}`;
    const to = await addContacts(scene, [webhook(url), mailbox(box)]);
    flips.push({ check: await addCheck(scene, to), keys: [path, box] });
  }
  await Promise.all(flood.map((check) => fail(site, check)));
  const delays = await delaysOf(site, {
    flips,
    everyMs: HEALTHY_INTERVAL_MS,
    arrived: () => [...pathsAt(healthy), ...mailboxesAt(smtp)],
  });
  const beside = `beside ${ALERTS_EACH} to each of ${HANGING_HOSTS} hosts that hang`;
  const rest = { wanted: HEALTHY, stuck };
  return [
    rowOf(`to webhooks, ${beside}`, { ...rest, delays: delaysTo(delays, "/hook-") }),
    rowOf(`mails, ${beside}`, { ...rest, delays: delaysTo(delays, "box-") }),
  ];
}

/** Webhooks of another account hang, each on a host of its own. */
async function besideAnotherAccount(): Promise<readonly string[]> {
  await using scene = await openScene();
  const { site } = scene;
  const measure = async (everyMs: number): Promise<readonly number[]> => {
    const receivers = await scene.receivers(1);
    const flips: Flip[] = [];
    for (let index = 0; index < OWN; index += 1) {
      const to = await addContacts(scene, [webhook(`${receivers[0]?.url}/hook-${index}`)]);
      flips.push({ check: await addCheck(scene, to), keys: [`/hook-${index}`] });
    }
    const delays = await delaysOf(site, { flips, everyMs, arrived: () => pathsAt(receivers) });
    return [...delays.values()];
  };
  const alone = await measure(ALONE_INTERVAL_MS);
  const { _id: customerid }: { readonly _id: string } = await site.api("POST accounts", {
    name: "Another",
    contactname: "Ann",
    email: "ann@example.net",
    timezone: "0",
    location: "eur",
  });
  const stuck = await scene.receivers(HANGING_OF_ANOTHER, "hang");
  const another = { site, customerid };
  const to = await addContacts(
    another,
    stuck.map(({ url }) => webhook(url)),
  );
  await fail(site, await addCheck(another, to));
  const beside = `beside ${HANGING_OF_ANOTHER} webhooks of another account that hang`;
  const delays = await measure(OWN_INTERVAL_MS);
  return [
    rowOf("to webhooks, alone", { wanted: OWN, delays: alone, stuck: [] }),
    rowOf(`to webhooks, ${beside}`, { wanted: OWN, delays, stuck }),
  ];
}

/** From the flip until the last mail is taken, against all connections of the mailer in use all that time. */
async function atSlowMailServer(): Promise<string> {
  await using scene = await openScene({ mailMs: MAIL_MS });
  const { site, smtp } = scene;
  const keys = Array.from({ length: MAILS }, (_, index) => `box-${index}@example.net`);
  const check = await addCheck(
    scene,
    await addContacts(
      scene,
      keys.map((key) => mailbox(key)),
    ),
  );
  const delays = await delaysOf(site, {
    flips: [{ check, keys }],
    everyMs: 0,
    arrived: () => mailboxesAt(smtp),
  });
  const tookMs = Math.max(...delays.values());
  const used = (delays.size * MAIL_MS) / MAIL_CONNECTIONS / tookMs;
  return (
    `A mail server of ${MAIL_MS} ms a mail: ${delays.size} of ${MAILS} mails in ${Math.round(tookMs)} ms, ` +
    `${(used * 100).toFixed(1)} % of what ${MAIL_CONNECTIONS} connections can take`
  );
}

interface Scene extends AsyncDisposable {
  readonly site: RunningInstallation;
  readonly smtp: SmtpPeer;
  readonly receivers: (count: number, reply?: "hang") => Promise<readonly Receiver[]>;
}

async function openScene(manner: SmtpBehaviour = {}): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  const smtp = stack.use(await smtpPeer(manner));
  const path = await mkdtemp(join(import.meta.dirname, "../data-bench-"));
  stack.defer(() => rm(path, { recursive: true }));
  const site = stack.use(
    await start(path, {
      WATCHPOST_OWNER_EMAIL: "owner@example.net",
      WATCHPOST_MAIL_FROM: "watch@example.net",
      WATCHPOST_SMTP_URL: smtp.url,
      WATCHPOST_GROUP_WAIT_SECONDS: "0",
      WATCHPOST_TOKEN_RATE: "0",
      WATCHPOST_ADDRESS_RATE: "0",
    }),
  );
  return {
    site,
    smtp,
    async receivers(count, reply) {
      const peers: Receiver[] = [];
      for (let index = 0; index < count; index += 1) {
        const peer = stack.use(await receiverPeer());
        if (reply !== undefined) peer.reply(reply);
        peers.push(peer);
      }
      return peers;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

interface NewAddress {
  readonly type: "webhook" | "email";
  readonly address: string;
}

function webhook(address: string): NewAddress {
  return { type: "webhook", address };
}

function mailbox(address: string): NewAddress {
  return { type: "email", address };
}

interface Owner {
  readonly site: RunningInstallation;
  /** A subaccount; the primary account without. */
  readonly customerid?: string;
}

/** As many contacts as the addresses need. */
async function addContacts(
  { site, customerid }: Owner,
  addresses: readonly NewAddress[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < addresses.length; from += MAX_ADDRESSES) {
    const newaddresses = addresses.slice(from, from + MAX_ADDRESSES);
    const contact = { name: "Bench", custrole: "notify", newaddresses, customerid };
    ids.push((await site.api("POST contacts", contact))._id);
  }
  return ids;
}

/** Its first heartbeat is not sent yet. */
function addCheck({ site, customerid }: Owner, contacts: readonly string[]): Promise<CheckRecord> {
  return site.api("POST checks", {
    type: "PUSH",
    label: "pushed",
    interval: 60,
    enabled: true,
    fields: { load: { name: "load", min: 0, max: 4 } },
    notifications: contacts.map((id) => ({ [id]: "All" })),
    customerid,
  });
}

async function fail(site: RunningInstallation, { _id, parameters }: CheckRecord): Promise<void> {
  const status = await site.push(_id, String(parameters.checktoken), { load: 9 });
  if (status !== 200) throw new Error(`a heartbeat was not taken: ${status}`);
}

function pathsAt(receivers: readonly Receiver[]): readonly string[] {
  return receivers.flatMap(({ requests }) => requests.map(({ path }) => path));
}

function mailboxesAt({ mails }: SmtpPeer): readonly string[] {
  return mails.flatMap(({ to }) => to);
}

interface Flip {
  readonly check: CheckRecord;
  /** Keys of its alerts at arrival. */
  readonly keys: readonly string[];
}

interface Flips {
  readonly flips: readonly Flip[];
  readonly everyMs: number;
  /** The keys of all that arrived. */
  readonly arrived: () => readonly string[];
}

/** Flips the checks one after the other, and gives by key how long each alert took that arrived. */
async function delaysOf(
  site: RunningInstallation,
  { flips, everyMs, arrived }: Flips,
): Promise<ReadonlyMap<string, number>> {
  const flippedAt = new Map<string, number>();
  const delays = new Map<string, number>();
  const flipAll = async (): Promise<void> => {
    for (const { check, keys } of flips) {
      for (const key of keys) flippedAt.set(key, systemClock.monotonic());
      await Promise.all([fail(site, check), sleep(systemClock, everyMs)]);
    }
  };
  const watch = async (): Promise<void> => {
    const wanted = flips.flatMap(({ keys }) => keys).length;
    const endsAt = systemClock.monotonic() + flips.length * everyMs + GIVE_UP_MS;
    while (delays.size < wanted && systemClock.monotonic() < endsAt) {
      for (const key of arrived())
        if (!delays.has(key))
          delays.set(key, systemClock.monotonic() - (flippedAt.get(key) ?? NaN));
      await sleep(systemClock, LOOK_INTERVAL_MS);
    }
  };
  await Promise.all([flipAll(), watch()]);
  return delays;
}

function delaysTo(delays: ReadonlyMap<string, number>, prefix: string): readonly number[] {
  return [...delays].flatMap(([key, delay]) => (key.startsWith(prefix) ? [delay] : []));
}

interface Outcome {
  readonly wanted: number;
  readonly delays: readonly number[];
  readonly stuck: readonly Receiver[];
}

function rowOf(name: string, { wanted, delays, stuck }: Outcome): string {
  const sorted = delays.toSorted((one, other) => one - other);
  const cells = [0.5, 0.99, 1].map((share) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN),
  );
  const hung = pathsAt(stuck).length;
  return `| ${name} | ${cells.join(" | ")} | ${sorted.length} of ${wanted} | ${hung} |`;
}
