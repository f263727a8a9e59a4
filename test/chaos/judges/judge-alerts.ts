import type { Finding, Observation, Truth, VerdictKind } from "./judge-states.ts";
import {
  livedBetween,
  maybeDuring,
  overlaps,
  surelyDuring,
  type Change,
  type Interval,
} from "./timeline.ts";

/** A webhook as its receiver read it. */
export interface Receipt {
  readonly at: number;
  /** The alert. */
  readonly id: string;
  readonly check: string;
  readonly isUp: boolean;
  /** The outage that it begins or ends; null for a first result that is up. */
  readonly outage: string | null;
  readonly result: string;
  /** Whether it says of an outage that is over that its Down could not be delivered. */
  readonly isMissed?: boolean;
  /** Number of the reminder; undefined for any other message. */
  readonly reminder?: number;
  /** Whether it is about the acknowledgement of the outage. */
  readonly isAcknowledgement?: boolean;
  /** Whether the sender can know that it was taken: it got a response, half of one or none, or a refusal. */
  readonly answer: "taken" | "unsure" | "refused";
}

export interface AddressStory {
  readonly about: string;
  /** States of one check at one address, in order. */
  readonly receipts: readonly Receipt[];
  /** Reminders and acknowledgements of its outages. */
  readonly following: readonly Receipt[];
  /** When nothing may be sent there, and what waits is held: its account suspended. */
  readonly suspended: readonly Change[];
  /** When nothing may be sent there, and what waits is dropped: the address suppressed or gone. */
  readonly suppressed: readonly Change[];
  /** When a check that goes down is not alerted there: muted, outside the window. */
  readonly muted: readonly Change[];
  /** When the check did not run, so that its Downs are held. */
  readonly inactive: readonly Change[];
  /** When an outage was acknowledged. */
  readonly acknowledged: readonly Change[];
  /** When the target went down and up, for heartbeats when they said so. */
  readonly truths: readonly Truth[];
  /** When the first address of all was alerted of an outage. */
  readonly alertedAt?: ReadonlyMap<string, number>;
}

/** A message this soon after the change may have been in delivery before it. */
const LEAVING_MS = 3000;

/** Returns the change that was certainly in effect at an instant, and long enough that no earlier message can arrive then. */
export function inEffectAt(
  changes: readonly Change[],
  at: number,
  lost: readonly Interval[],
): Change | undefined {
  return changes.find(
    (change) =>
      surelyDuring([change], at) &&
      livedBetween(lost, { from: change.begun.to, to: at }) > LEAVING_MS,
  );
}

/** Whether an address was sent what it should not have been, or twice, or the Up of an outage of whose Down it was not alerted. */
export function judgeReceipts(
  story: AddressStory,
  { lost, kills = [] }: { readonly lost: readonly Interval[]; readonly kills?: readonly number[] },
): readonly Finding[] {
  const { about, receipts, suspended, suppressed, muted, inactive, truths, alertedAt } = story;
  const findings: Finding[] = [];
  const find = (kind: VerdictKind, { at, id }: Receipt, what: string): void =>
    void findings.push({ kind, about, at, what: `${id} ${what}` });
  const mayBeClaimedAtKill = (ended: string, upAt: number): boolean => {
    const last = truths.findLast(({ isUp, at }) => !isUp && at <= upAt)?.at ?? Infinity;
    // Later outages may have begun before an Up is delivered.
    const began = Math.min(last, (alertedAt?.get(ended) ?? Infinity) - LEAVING_MS);
    return kills.some((at) => began <= at && at <= upAt);
  };
  const idOf = new Map<string, string>();
  const outages = new Set<string>();
  const taken = new Set<string>();
  const over = new Set<string>();
  const unsure = new Set<string>();
  for (const receipt of receipts) {
    const { at, id, isUp, isMissed = false, outage, result, answer } = receipt;
    const flip = `${result} ${isUp}`;
    if ((idOf.get(flip) ?? id) !== id) find("doubled", receipt, `is ${idOf.get(flip)} once more`);
    const isNew = !idOf.has(flip);
    idOf.set(flip, id);
    const inEffect = (changes: readonly Change[]): Change | undefined =>
      inEffectAt(changes, at, lost);
    const silence = inEffect([...suspended, ...suppressed]);
    if (silence !== undefined) find("unexpected", receipt, `came while it was ${silence.what}`);
    if (isUp) {
      if (outage === null) continue;
      if (isMissed && taken.has(outage))
        find("unexpected", receipt, "says that its Down could not be delivered, and that came");
      if (!isMissed && !outages.has(outage) && !mayBeClaimedAtKill(outage, at))
        find("unexpected", receipt, "is an Up without its Down");
      over.add(outage);
      continue;
    }
    if (isNew && outage !== null && over.has(outage))
      find("reordered", receipt, "is a Down after its Up");
    if (outage !== null) {
      outages.add(outage);
      if (answer === "taken") taken.add(outage);
    }
    const pause = inEffect(inactive);
    // One that may have arrived is tried until it has.
    const mayHaveArrived = unsure.has(id);
    if (answer === "unsure") unsure.add(id);
    if (pause !== undefined && !mayHaveArrived)
      find("unexpected", receipt, `came while it was ${pause.what}`);
    const began = truths.findLast((truth) => !truth.isUp && truth.at <= at)?.at;
    const mute = inEffect(muted);
    if (mute !== undefined && began !== undefined && began > mute.begun.to)
      find("unexpected", receipt, `came while it was ${mute.what}`);
  }
  return findings;
}

export interface PromptStory extends AddressStory {
  readonly observations: readonly Observation[];
  /** When it ran; undefined where it runs by itself, at once after a pause. */
  readonly runs?: readonly number[] | undefined;
  /** How long after a check went down its alert is due, and how much later it may be. */
  readonly delayMs: number;
  readonly withinMs: number;
}

/** Whether an address that answers well was alerted of every state that lasted. */
export function judgePrompt(
  story: PromptStory,
  { lost, blurred }: { readonly lost: readonly Interval[]; readonly blurred: readonly Interval[] },
): readonly Finding[] {
  const { about, receipts, observations, runs, delayMs, withinMs } = story;
  // After a delay nobody is alerted of what is acknowledged.
  const muted = [...story.muted, ...(delayMs > 0 ? story.acknowledged : [])];
  const kept = [...story.suspended, ...story.suppressed, ...story.inactive];
  const findings: Finding[] = [];
  /** Since when the API said this state, and whether a mute may have kept its beginning back. */
  let state: { isUp: boolean | undefined; since: number; isSaid: boolean; wasMuted: boolean } = {
    isUp: undefined,
    since: Infinity,
    isSaid: false,
    wasMuted: false,
  };
  let before: Observation | undefined;
  let pausedUntil = 0;
  for (const observation of observations) {
    const { isUp, from, to } = observation;
    if (isUp !== state.isUp) state = { isUp, since: to, isSaid: false, wasMuted: false };
    // A muted alert is judged when it is due, which may be much later.
    const window = { from: before?.from ?? from, to };
    if (maybeDuring(muted, window)) state.wasMuted = true;
    if (maybeDuring(kept, window)) pausedUntil = to;
    // An alert held during a pause is sent when the check runs again and still fails.
    const hasRun = runs?.some((at) => at > pausedUntil && at <= from) ?? pausedUntil < from;
    const isWaiting = isUp === false && pausedUntil > 0 && !hasRun;
    if (pausedUntil === to || isWaiting || overlaps(blurred, window)) state.since = to;
    before = observation;
    if (isUp === undefined || state.isSaid) continue;
    // The state is that of some instant of the observation.
    const taken = receipts.filter((receipt) => receipt.answer === "taken" && receipt.at <= to);
    const last = taken.findLast((receipt) => receipt.at <= from);
    const possible = [last, ...taken.filter((receipt) => receipt.at > from)];
    const allowed = withinMs + (isUp ? 0 : delayMs);
    if (livedBetween(lost, { from: state.since, to: from }) < allowed) continue;
    const isAlerted = isUp
      ? possible.some((one) => one?.isUp !== false)
      : possible.some((one) => one?.isUp === false) || state.wasMuted;
    if (isAlerted) continue;
    state.isSaid = true;
    findings.push({
      kind: "undelivered",
      about,
      at: to,
      what: `is ${isUp ? "up" : "down"} since ${Math.round(state.since)}, and its last alert was ${last === undefined ? "none" : last.isUp ? "Up" : "Down"}`,
    });
  }
  return findings;
}

/** Whether, once all is well and up, the last that an address got is a Down. */
export function judgeEnd({
  about,
  receipts,
  suppressed,
}: Pick<AddressStory, "about" | "receipts" | "suppressed">): readonly Finding[] {
  const last = receipts.findLast(({ answer }) => answer === "taken");
  if (last === undefined || last.isUp) return [];
  const isEndRefused = receipts.some(
    ({ outage, isUp, answer }) => outage === last.outage && isUp && answer !== "taken",
  );
  const wasSuppressed = maybeDuring(suppressed, { from: last.at, to: Infinity });
  if (isEndRefused || wasSuppressed) return [];
  return [
    { kind: "lost", about, at: last.at, what: `${last.id} was its last, and it is up since` },
  ];
}
