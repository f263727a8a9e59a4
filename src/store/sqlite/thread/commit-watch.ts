import type { Clock, Timer } from "../../../kit/clock.ts";
import { createLeastUsedQueue } from "../../../kit/concurrency/least-used-queue.ts";
import { Unavailable } from "../../../kit/errors.ts";
import type { Interruptions } from "../../../kit/interruptions.ts";
import { MAY_BE_STORED, NOT_STORED, type PendingWrite } from "./pending-write.ts";

/** Knows how long units have waited, and refuses those that wait for a database that does not answer. */
export interface CommitWatch {
  readonly add: (unit: PendingWrite) => void;
  readonly waiting: () => number;
  /** A commit, or a pause, begins. */
  readonly turnBegan: () => void;
  readonly turnEnded: () => void;
  /** Takes all waiting transactions without an account, which are in progress from then on. */
  readonly takeWaiting: () => readonly PendingWrite[];
  /** Takes the first transaction of the account that has used least time. */
  readonly takeShared: () => PendingWrite | undefined;
  /** Counts the time of a unit as its account's. */
  readonly used: (unit: PendingWrite, ms: number) => void;
  /** Records that transactions in progress may be stored from now on, whatever happens. */
  readonly commitBegan: () => void;
  /** Reports that the pending commit is durable, or its error. */
  readonly commitEnded: (error: string | undefined) => void;
  readonly writeError: () => string | undefined;
  readonly oldestWaitMs: () => number;
  readonly close: () => void;
}

interface Deps {
  /** Number of requests that the database has answered. */
  readonly answered: () => number;
  /** Ensures that transactions in progress are not committed. */
  readonly abandon: () => void;
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
  readonly interruptions: Pick<Interruptions, "begin"> | undefined;
}

const LOOK_INTERVAL_MS = 1000;
/** Inspections without a response after which the database counts as hung. Inspections are counted because a suspended process makes none. */
const SILENT_LOOKS = 4;
const MAX_WAIT_MS = LOOK_INTERVAL_MS * SILENT_LOOKS;
/** A longer wait may miss its deadline. */
const INTERRUPTED_AFTER_MS = 1000;

export function createCommitWatch({ answered, abandon, clock, interruptions }: Deps): CommitWatch {
  const queue = createUnitQueue();
  let inFlight: Waiting[] = [];
  let hasCommitBegun = false;
  let turns = 0;
  let error: string | undefined;
  let timer: Timer | undefined;
  let answeredBefore = 0;
  let silentLooks = 0;
  const interruption = createInterruption(interruptions);

  const oldestSince = (now: number): number =>
    Math.min(inFlight[0]?.addedAt ?? now, queue.commonSince() ?? now);
  const oldestWaitMs = (now = clock.monotonic()): number => now - oldestSince(now);
  const isHanging = (): boolean => silentLooks >= SILENT_LOOKS;
  const hangs = (): string => hangsFor(oldestWaitMs());

  const refuseLate = (): void => {
    const notStored = new Unavailable(`${NOT_STORED}: ${hangs()}`);
    for (const { unit } of queue.takeOlder(clock.monotonic() - MAX_WAIT_MS)) unit.reject(notStored);
    if (inFlight.length === 0) return;
    if (!hasCommitBegun) abandon();
    const maybeStored = new Unavailable(`${MAY_BE_STORED}: ${hangs()}`);
    for (const { unit } of inFlight) unit.reject(hasCommitBegun ? maybeStored : notStored);
  };
  const look = (): void => {
    timer = undefined;
    if (turns === 0 && queue.size() === 0) return;
    silentLooks = answered() === answeredBefore ? silentLooks + 1 : 0;
    answeredBefore = answered();
    if (oldestWaitMs() >= INTERRUPTED_AFTER_MS)
      interruption.begin(clock.monotonic() - oldestWaitMs());
    if (isHanging()) refuseLate();
    timer = clock.setTimer(look, LOOK_INTERVAL_MS);
  };
  const lookLater = (): void => {
    if (timer !== undefined) return;
    answeredBefore = answered();
    silentLooks = 0;
    timer = clock.setTimer(look, LOOK_INTERVAL_MS);
  };

  return {
    add(unit) {
      queue.add({ unit, addedAt: clock.monotonic() });
      lookLater();
    },
    waiting: queue.size,
    turnBegan() {
      turns += 1;
      lookLater();
    },
    turnEnded() {
      turns -= 1;
      silentLooks = 0;
    },
    takeWaiting() {
      inFlight = queue.takeCommon();
      return inFlight.map(({ unit }) => unit);
    },
    takeShared() {
      const next = queue.takeShared();
      if (next !== undefined) inFlight.push(next);
      return next?.unit;
    },
    used: queue.used,
    commitBegan: () => void (hasCommitBegun = true),
    commitEnded(failure) {
      error = failure;
      if (failure === undefined) interruption.end();
      else interruption.begin(clock.monotonic() - oldestWaitMs());
      inFlight = [];
      hasCommitBegun = false;
    },
    writeError: () => error ?? (isHanging() ? hangs() : undefined),
    oldestWaitMs,
    close: () => timer?.cancel(),
  };
}

function hangsFor(ms: number): string {
  return `the disk does not answer: a commit has waited for ${Math.round(ms / 1000)} s`;
}

/** One that begins once, however often it is noticed. */
function createInterruption(interruptions: Deps["interruptions"]): {
  readonly begin: (from: number) => void;
  readonly end: () => void;
} {
  let end: (() => void) | undefined;
  return {
    begin(from) {
      end ??= interruptions?.begin("store", from);
    },
    end() {
      end?.();
      end = undefined;
    },
  };
}

interface Waiting {
  readonly unit: PendingWrite;
  readonly addedAt: number;
}

/** Transactions waiting for a commit, in order: those without an account, and those of accounts, which share commit time. */
interface UnitQueue {
  readonly add: (waiting: Waiting) => void;
  readonly size: () => number;
  /** All of no account. */
  readonly takeCommon: () => Waiting[];
  /** The first of the account that has used least time. */
  readonly takeShared: () => Waiting | undefined;
  readonly used: (unit: PendingWrite, ms: number) => void;
  /** Since when the first waits that will be in the next commit: others wait for their account's turn. */
  readonly commonSince: () => number | undefined;
  /** Takes all that were added by then. */
  readonly takeOlder: (addedAt: number) => readonly Waiting[];
}

function createUnitQueue(): UnitQueue {
  let common: Waiting[] = [];
  const shared = createLeastUsedQueue<Waiting>();
  return {
    add(waiting) {
      const { accountId } = waiting.unit;
      if (/* guard: commit time of an account = true */ accountId === undefined)
        common.push(waiting);
      else shared.add(accountId, waiting);
    },
    size: () => common.length + shared.size(),
    takeCommon() {
      const taken = common;
      common = [];
      return taken;
    },
    takeShared: () => shared.take(),
    used({ accountId }, ms) {
      if (accountId !== undefined) shared.charge(accountId, ms);
    },
    commonSince: () => common[0]?.addedAt,
    takeOlder(by) {
      const isOld = ({ addedAt }: Waiting): boolean => addedAt <= by;
      const taken = [...common, ...shared.items()].filter(isOld);
      common = common.filter((waiting) => !isOld(waiting));
      for (const waiting of taken) shared.remove(waiting.unit.accountId ?? "", waiting);
      return taken;
    },
  };
}
