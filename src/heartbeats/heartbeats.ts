import type { PreparedPushCheck } from "../checks/check-type.ts";
import { createCheckTracker } from "../tracking/check-tracker.ts";
import { failed, type Outcome } from "../domain/run/outcome.ts";
import { CLOCK_SKEW_TOLERANCE_MS, type Clock } from "../kit/clock.ts";
import { Unavailable } from "../kit/errors.ts";
import { constantTimeEquals } from "../kit/crypto/seal.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { ResultCondition } from "../store/results.ts";
import type { ControllerWrites, Store, Transaction } from "../store/store.ts";
import type { Heartbeat, Sender, Signal } from "./heartbeat.ts";
import {
  createHeartbeatStates,
  type HeartbeatState,
  type HeartbeatStates,
  type ReceivedHeartbeats,
} from "./heartbeat-states.ts";
import { hideTokens } from "./hide-tokens.ts";
import { storeLog } from "./store-log.ts";
import { beginRun, endRun } from "./started-runs.ts";
import { recordHeartbeat, type Recorded } from "./record-heartbeat.ts";

export type HeartbeatStatus =
  | "accepted"
  /** There is no result with which a log could be kept. */
  | "unkept"
  | "throttled"
  | "limited"
  | "unknown"
  | "disabled"
  | "suspended";

export interface Heartbeats extends HeartbeatStates {
  /** Senders for the checks that have an address with this hash from another system. */
  readonly sendersOfAlias: (digest: string) => Promise<readonly Sender[]>;
  /** Whether there is such a check with this token. */
  readonly isKnown: (sender: Sender) => Promise<boolean>;
  /**
   * Resolves once the heartbeat is durable; rejects with Unavailable where it cannot be stored. Where the sender `maySend` no more, it only
   * proves that the check is alive.
   */
  readonly accept: (heartbeat: Heartbeat, arrival: From) => Promise<HeartbeatStatus>;
  /** Records that a check is alive whose heartbeat was refused unread by one of our limits. */
  readonly prove: (sender: Sender, peer: string) => Promise<void>;
  /** Fails an overdue check unless the precondition is false; returns whether it did. */
  readonly failStale: (
    state: HeartbeatState,
    outcome: Outcome,
    precondition: (tx: Transaction) => Promise<boolean>,
  ) => Promise<boolean>;
}

interface From {
  /** Client, as counted for connections. */
  readonly peer: string;
  readonly maySend: () => boolean;
}

interface Deps {
  readonly store: Store;
  /** Writes for absent heartbeats, which only the controller of a check may store. */
  readonly controllerWrites?: ControllerWrites;
  /** Whether other processes receive heartbeats of the same checks or judge their absence, so that each judgment must read what they stored. */
  readonly sharesChecks?: boolean;
  /** Called for each heartbeat that is not stored because of the limit. */
  readonly saw?: (checkNo: number) => void;
  /** Called after each flip, because alerts may be due. */
  readonly flipped: () => void;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

const THROTTLE_WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 5;
/** How many checks, each of another account, receive a heartbeat to one address of another system. */
const MAX_HOLDERS = 5;
/** Maximum times a heartbeat is judged again after a concurrent change of its check or a newer result; at most five heartbeats a minute are accepted. */
const MAX_ATTEMPTS = 2 * MAX_IN_WINDOW;

export function createHeartbeats(deps: Deps): Heartbeats {
  const { store, clock, sharesChecks = false, saw = () => {} } = deps;
  const tracker = createCheckTracker({ ...deps, source: "push" });
  const controllerStore = deps.controllerWrites ?? store;
  const ofController = createCheckTracker({ ...deps, store: controllerStore, source: "push" });
  const states = createHeartbeatStates(store, clock, sharesChecks);
  const shared = { store, sharesChecks, clock };

  const record = async (
    state: HeartbeatState,
    found: Parameters<typeof recordHeartbeat>[2],
    by = tracker,
  ): Promise<Recorded> => {
    const recorded = await recordHeartbeat({ ...shared, tracker: by }, state, found);
    if (recorded === "lost") states.forget(state.tracked.check.id);
    return recorded;
  };

  const authenticated = (sender: Sender) => findFor(states, sender);

  /** Judges the heartbeat by the check's current configuration; undefined if the check changed before the result could be stored. */
  const acceptOnce = async (
    heartbeat: Heartbeat,
    { at, seen, peer, isLimited }: Arrival,
  ): Promise<HeartbeatStatus | undefined> => {
    const state = await authenticated(heartbeat);
    if (state === undefined) return "unknown";
    if (state.isAccountSuspended) return "suspended";
    if (!state.isSwitchedOn) return "disabled";
    const { received } = state;
    if (heartbeat.signal === "log")
      return acceptLog(deps, state, { ...heartbeat, at, seen, isLimited });
    // A started run does not show that the previous one ended well.
    const isStart = heartbeat.signal === "start";
    if (!isStart) see(received, { seen, peer });
    // Also of what is refused below: its run is over.
    const run = isStart ? undefined : await endRun(shared, state, heartbeat);
    // guard: rate of heartbeats = else
    const isRefused = isThrottled(received, clock) ? "throttled" : isLimited() && "limited";
    if (isRefused) {
      if (!isStart) saw(state.tracked.check.no);
      return isRefused;
    }
    if (isStart) await beginRun({ store }, state, { ...heartbeat, at });
    received.accepted.push(seen);
    if (isStart) return "accepted";
    let recorded: Recorded = "lost";
    try {
      const runtimeMs = heartbeat.runtimeMs ?? (run === undefined ? undefined : at - run);
      const outcome = judgeHeartbeat(state.prepared, { ...heartbeat, runtimeMs });
      recorded = await record(state, { outcome, at, limit: limitAt(at) });
    } finally {
      if (recorded === "lost" || recorded === "throttled")
        received.accepted.splice(received.accepted.indexOf(seen), 1);
    }
    if (recorded === "lost") return undefined;
    received.endedRuns.delete(heartbeat.runId);
    if (recorded !== "throttled") return "accepted";
    saw(state.tracked.check.no);
    return "throttled";
  };

  return {
    ...states,
    sendersOfAlias: (digest) => sendersOfAlias(deps, states, digest),
    async failStale(state, outcome, precondition) {
      const found = { outcome, at: clock.now(), precondition };
      return (await record(state, found, ofController)) === "flipped";
    },
    isKnown: async (sender) => (await authenticated(sender)) !== undefined,
    async prove(sender, peer) {
      const seen = clock.monotonic();
      const state = await authenticated(sender);
      if (state === undefined) return;
      see(state.received, { seen, peer });
      saw(state.tracked.check.no);
    },
    accept: acceptBy(acceptOnce, clock),
  };
}

/** Accepts it by the check's configuration, retrying while that changes. */
function acceptBy(
  acceptOnce: (heartbeat: Heartbeat, arrival: Arrival) => Promise<HeartbeatStatus | undefined>,
  clock: Clock,
): Heartbeats["accept"] {
  return async (heartbeat, { peer, maySend }) => {
    const [at, seen] = [clock.now(), clock.monotonic()];
    let isLimited: boolean | undefined;
    const limited = (): boolean => (isLimited ??= !maySend());
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const status = await acceptOnce(heartbeat, { at, seen, peer, isLimited: limited });
      if (status !== undefined) return status;
    }
    throw new Unavailable("the check is being changed: send the heartbeat again");
  };
}

/** A log counts among the five a minute, and shows nothing. */
async function acceptLog(
  { store, clock }: Pick<Deps, "store" | "clock">,
  state: HeartbeatState,
  log: Heartbeat & Pick<Arrival, "at" | "seen" | "isLimited">,
): Promise<HeartbeatStatus> {
  if (isThrottled(state.received, clock)) return "throttled";
  if (log.isLimited()) return "limited";
  state.received.accepted.push(log.seen);
  return storeLog(store, state, log);
}

/** Time of arrival by both clocks. */
interface Arrival {
  readonly at: number;
  readonly seen: number;
  readonly peer: string;
  /** Whether its sender has sent too many; counts it once. */
  readonly isLimited: () => boolean;
}

function see(received: ReceivedHeartbeats, { seen, peer }: Pick<Arrival, "seen" | "peer">): void {
  received.lastSeen = Math.max(received.lastSeen ?? -Infinity, seen);
  received.peer = peer;
}

/** The check of that id, where the token is its own. */
async function findFor(
  states: Pick<HeartbeatStates, "find">,
  { id, token }: Sender,
): Promise<HeartbeatState | undefined> {
  const state = await states.find(id);
  return state === undefined || /* guard: check tokens */ !hasToken(state, token)
    ? undefined
    : state;
}

async function sendersOfAlias(
  { store }: Pick<Deps, "store">,
  states: Pick<HeartbeatStates, "find">,
  digest: string,
): Promise<readonly Sender[]> {
  const holders = await store.heartbeatAliases.listHolders(digest, MAX_HOLDERS);
  const found = await Promise.all(holders.map(({ checkId }) => states.find(checkId)));
  return found.flatMap((state) =>
    state === undefined ? [] : [{ id: state.tracked.check.id, token: tokenOf(state) }],
  );
}

function hasToken({ tracked }: HeartbeatState, token: string): boolean {
  return constantTimeEquals(token, tokenOf({ tracked }));
}

function tokenOf({ tracked }: Pick<HeartbeatState, "tracked">): string {
  return String(tracked.check.parameters.checktoken);
}

/** Limit shared by all processes, by the clock that they share. */
function limitAt(at: number): ResultCondition["limit"] {
  return { from: at - THROTTLE_WINDOW_MS, to: at + CLOCK_SKEW_TOLERANCE_MS, most: MAX_IN_WINDOW };
}

function isThrottled({ accepted }: ReceivedHeartbeats, clock: Clock): boolean {
  const [oldest] = accepted;
  if (oldest === undefined || accepted.length < MAX_IN_WINDOW) return false;
  if (oldest > clock.monotonic() - THROTTLE_WINDOW_MS) return true;
  accepted.shift();
  return false;
}

type Judge = Pick<PreparedPushCheck, "judge" | "redact">;

/** Returns the outcome that a heartbeat reports. Metrics count unless the sender failed anyway. */
export function judgeHeartbeat({ judge, redact }: Judge, heartbeat: Heartbeat): Outcome {
  const { signal, data, message, runtimeMs } = heartbeat;
  const found = failureOf(signal) ?? judge(data);
  // A metric out of range is more specific than the sender's message, because the sender did not know the range.
  const isOwn = found.passed || found.reason !== "metric";
  const text = data === undefined || !found.passed ? heartbeat.text() : undefined;
  return {
    ...found,
    ...(message !== undefined && isOwn && { message: hideTokens(redact(message)) }),
    ...(runtimeMs !== undefined && { runtimeMs }),
    ...(text !== undefined && { evidence: hideTokens(redact(text)) }),
  };
}

function failureOf(signal: Signal): Outcome | undefined {
  if (signal === "fail") return failed("status", "Failure", "The sender reported a failure");
  if (typeof signal === "string" || signal === 0) return undefined;
  return failed("status", `Exit ${signal}`, `The exit code was ${signal}`);
}
