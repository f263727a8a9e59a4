import { sleep, systemClock } from "../../src/kit/clock.ts";
import { headerOf, type ReceivedMail } from "../peers/smtp.ts";
import { isRefusal, type Acknowledged } from "./installation.ts";
import type { Random } from "./random.ts";
import type { ChangedAccount, ChangedCheck } from "./accounts.ts";
import { overlaps, type Change, type Interval } from "./judges/timeline.ts";

interface Context {
  readonly account: ChangedAccount;
  readonly random: Random;
  /** Mails so far. */
  readonly mails: () => readonly Pick<ReceivedMail, "raw" | "to">[];
}

/** Something that is changed by the API, lasts for a while, and is taken back. */
interface Undertaking {
  readonly what: string;
  readonly begin: () => Promise<Interval | undefined>;
  readonly end: () => Promise<Interval>;
  /** Where it is written down. */
  readonly books: readonly Change[][];
}

const MAX_PAUSE_MS = 6000;
const LASTS_MS = [1500, 5000, 12_000, 25_000] as const;

/** Makes changes until the signal aborts, one after the other, and takes each back. Those that turn checks off are apart from the others, so that two of them never hold the same check. */
export async function makeChanges(context: Context, signal: AbortSignal): Promise<void> {
  const pausing = [disabling, disablingAll, maintaining, suspending, disabling] as const;
  const others = [editing, muting, closingGate, unsubscribing, replacingMember] as const;
  const rows = [pausing, others, [editing] as const, [acknowledging] as const].map(
    async (kinds) => {
      const random = context.random.split();
      while (!signal.aborted) {
        await sleep(systemClock, MAX_PAUSE_MS * random.next(), signal);
        if (signal.aborted) return;
        const undertaking = random.pick(kinds)({ ...context, random });
        await carryOut(undertaking, random.pick(LASTS_MS), signal);
      }
    },
  );
  await Promise.all(rows);
}

async function carryOut(
  { what, begin, end, books }: Undertaking,
  lastsMs: number,
  signal: AbortSignal,
): Promise<void> {
  const entry: { what: string; begun: Interval; ended?: Interval } = {
    what,
    begun: { from: systemClock.monotonic(), to: Infinity },
  };
  for (const book of books) book.push(entry);
  const begun = await begin();
  if (begun === undefined) {
    for (const book of books) book.splice(book.indexOf(entry), 1);
    return;
  }
  entry.begun = begun;
  await sleep(systemClock, lastsMs, signal);
  entry.ended = { from: systemClock.monotonic(), to: Infinity };
  entry.ended = await end();
}

const someOf = (checks: readonly ChangedCheck[], random: Random): readonly ChangedCheck[] =>
  checks.filter(() => random.chance(0.5));

function disabling({ account: { site, id, checks }, random }: Context): Undertaking {
  const check = random.pick(checks);
  const put = (enabled: boolean): Promise<Acknowledged> =>
    site.insist(`PUT checks/${check.id}`, { customerid: id, enabled });
  return {
    what: "disabled",
    begin: () => put(false),
    end: () => put(true),
    books: [check.inactive],
  };
}

function disablingAll({ account: { site, id, checks } }: Context): Undertaking {
  const put = (disableall: boolean): Promise<Acknowledged> =>
    site.insist("PUT checks", { customerid: id, disableall });
  return {
    what: "disabled with all",
    begin: () => put(true),
    end: () => put(false),
    books: checks.map(({ inactive }) => inactive),
  };
}

/** A clock that is set ahead must not end it. */
const MAX_MAINTENANCE_MINUTES = 10_080;

function maintaining({ account: { site, id, checks }, random }: Context): Undertaking {
  const chosen = someOf(checks, random);
  return {
    what: "in a maintenance",
    begin: async () =>
      chosen.length === 0
        ? undefined
        : site.insist("POST maintenance/ad-hoc", {
            customerid: id,
            duration: MAX_MAINTENANCE_MINUTES,
            checklist: chosen.map((check) => check.id),
          }),
    async end() {
      const from = systemClock.monotonic();
      // One whose response was lost was made twice.
      for (;;) {
        const { body } = await site.insist(`GET maintenance?customerid=${id}`);
        const [first] = Object.keys(body);
        if (first === undefined) return { from, to: systemClock.monotonic() };
        await site.call(`DELETE maintenance/${first}?customerid=${id}`).catch(() => {});
      }
    },
    books: chosen.map(({ inactive }) => inactive),
  };
}

function suspending({ account }: Context): Undertaking {
  const { site, id, checks, suspended } = account;
  const put = (status: string): Promise<Acknowledged> =>
    site.insist(`PUT accounts/${id}`, { status });
  return {
    what: "suspended",
    begin: () => put("Suspend"),
    end: () => put("Active"),
    books: [suspended, ...checks.map(({ inactive }) => inactive)],
  };
}

/** Body of the first change, and of the one that undoes it. */
type Edit = readonly [object, object];

/** Each PUT ends what the check is about to confirm, and runs it at once. */
function editing({ account: { site, id, checks }, random }: Context): Undertaking {
  const check = random.pick(checks);
  const edits: readonly [Edit, ...Edit[]] = [
    [{ label: `edited ${random.next()}` }, { description: "edited" }],
    [{ interval: 2 }, { interval: check.intervalMinutes }],
    [{ threshold: 4 }, { threshold: 5 }],
    [{ notifications: check.notifications }, { notifications: check.notifications.toReversed() }],
  ];
  const [there, back] = random.pick(edits);
  const put = (edit: object): Promise<Acknowledged> =>
    site.insist(`PUT checks/${check.id}`, { customerid: id, ...edit });
  return {
    what: "edited",
    begin: () => put(there),
    end: () => put(back),
    books: [check.edited],
  };
}

function muting({ account: { site, id, checks }, random }: Context): Undertaking {
  const check = random.pick(checks);
  const put = (mute: boolean): Promise<Acknowledged> =>
    site.insist(`PUT checks/${check.id}`, { customerid: id, mute });
  return { what: "muted", begin: () => put(true), end: () => put(false), books: [check.muted] };
}

/** Acknowledges by a failing check. A request without a response may or may not have been carried out. */
function acknowledging({ account: { site, id, checks }, random }: Context): Undertaking {
  const check = random.pick(checks);
  const put = async (acknowledge: boolean): Promise<Interval | undefined> => {
    const from = systemClock.monotonic();
    try {
      await site.call(`POST checks/acknowledge/${check.id}`, { customerid: id, acknowledge });
      return { from, to: systemClock.monotonic() };
    } catch (error) {
      return isRefusal(error) ? undefined : { from, to: Infinity };
    }
  };
  return {
    what: "acknowledged",
    begin: () => put(true),
    async end() {
      const from = systemClock.monotonic();
      // Refused where the outage is over, or is not acknowledged.
      while ((await put(false))?.to === Infinity) await sleep(systemClock, AGAIN_MS);
      return { from, to: systemClock.monotonic() };
    },
    books: [check.acknowledged],
  };
}

function closingGate({ account: { gate, setGate } }: Context): Undertaking {
  return {
    what: "outside its window",
    begin: () => setGate(false),
    end: () => setGate(true),
    books: [gate.muted],
  };
}

/** Unsubscribes by a mail's link, as a mail program does; undone by the operator. */
function unsubscribing({ account, mails }: Context): Undertaking {
  const { site, id, leaver } = account;
  return {
    what: "unsubscribed",
    async begin() {
      const mail = mails().findLast(
        ({ raw, to }) =>
          to.includes(leaver.mailbox) && headerOf(raw, "list-unsubscribe") !== undefined,
      );
      const link = /<(https?:[^>]+)>/.exec(
        headerOf(mail?.raw ?? "", "list-unsubscribe") ?? "",
      )?.[1];
      if (link === undefined) return undefined;
      const { pathname, search } = new URL(link);
      return insistOn(() =>
        site.fetch(`${pathname}${search}`, { method: "POST", body: "List-Unsubscribe=One-Click" }),
      );
    },
    end: () =>
      site.insist(`PUT contacts/${leaver.contact}`, {
        customerid: id,
        addresses: { [leaver.address]: { suppressall: false } },
      }),
    books: [leaver.suppressed],
  };
}

/** Time after which a failing request is given up. */
const INSIST_MS = 2 * 60_000;
const AGAIN_MS = 300;

async function insistOn(request: () => Promise<Response>): Promise<Interval> {
  const from = systemClock.monotonic();
  for (;;) {
    const status = await request().then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return { from, to: systemClock.monotonic() };
    if (systemClock.monotonic() > from + INSIST_MS) throw new Error(`it answered ${status}`);
    await sleep(systemClock, AGAIN_MS);
  }
}

/** The contact goes, and another one takes its place in the group. */
function replacingMember({ account }: Context): Undertaking {
  const { site, id, addMember, members } = account;
  const member = members.at(-1);
  return {
    what: "deleted",
    async begin() {
      const from = systemClock.monotonic();
      for (;;) {
        await site.call(`DELETE contacts/${member?.contact}?customerid=${id}`).catch(() => {});
        const read = await site.insist(`GET contacts?customerid=${id}`);
        // Where its files are lost, a process still reads the deletion that it could not save and refused.
        const isSaved = !overlaps(site.unsaved, read);
        if (isSaved && read.body[member?.contact ?? ""] === undefined)
          return { from, to: systemClock.monotonic() };
        await sleep(systemClock, AGAIN_MS);
      }
    },
    async end() {
      await addMember();
      // A deleted check does not return.
      return { from: Infinity, to: Infinity };
    },
    books: member === undefined ? [] : [member.suppressed],
  };
}
