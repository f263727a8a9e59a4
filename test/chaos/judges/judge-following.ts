import { inEffectAt, type AddressStory, type PromptStory, type Receipt } from "./judge-alerts.ts";
import type { Finding, Observation, VerdictKind } from "./judge-states.ts";
import { livedBetween, maybeDuring, overlaps, type Interval } from "./timeline.ts";

/** Whether an address was reminded, or notified of an acknowledgement, where it should not have been. */
export function judgeFollowing(
  story: AddressStory & { readonly isReminded: boolean },
  { lost }: { readonly lost: readonly Interval[] },
): readonly Finding[] {
  const { about, receipts, following, suspended, suppressed, inactive, acknowledged } = story;
  const findings: Finding[] = [];
  const find = (kind: VerdictKind, { at, id }: Receipt, what: string): void =>
    void findings.push({ kind, about, at, what: `${id} ${what}` });
  const idOf = new Map<string, string>();
  const unsure = new Set<string>();
  for (const receipt of following) {
    const { at, id, outage, reminder, answer } = receipt;
    const mayHaveArrived = unsure.has(id);
    if (answer === "unsure") unsure.add(id);
    const before = receipts.filter((one) => one.outage === outage && one.at <= at);
    const down = before.find(({ isUp }) => !isUp);
    if (down === undefined) find("unexpected", receipt, "follows no Down");
    if (before.some(({ isUp }) => isUp)) find("reordered", receipt, "came after the Up");
    const silence = inEffectAt([...suspended, ...suppressed], at, lost);
    if (silence !== undefined) find("unexpected", receipt, `came while it was ${silence.what}`);
    const pause = inEffectAt(inactive, at, lost);
    if (pause !== undefined && !mayHaveArrived)
      find("unexpected", receipt, `came while it was ${pause.what}`);
    if (reminder === undefined) continue;
    if (!story.isReminded) find("unexpected", receipt, "reminds of what it was to say once");
    const name = `${outage} ${reminder}`;
    if ((idOf.get(name) ?? id) !== id) find("doubled", receipt, `is ${idOf.get(name)} once more`);
    idOf.set(name, id);
    // Earlier messages about the acknowledged outage.
    const ofOutage = acknowledged.filter(({ begun }) => down !== undefined && down.at < begun.from);
    if (inEffectAt(ofOutage, at, lost) !== undefined)
      find("unexpected", receipt, "came while it was acknowledged");
  }
  return findings;
}

/** Whether an address that answers well was reminded of every outage that lasted. */
export function judgeReminded(
  story: Omit<PromptStory, "delayMs"> & { readonly everyMs: number },
  { lost, blurred }: { readonly lost: readonly Interval[]; readonly blurred: readonly Interval[] },
): readonly Finding[] {
  const { about, receipts, following, observations, runs, everyMs, withinMs } = story;
  const changes = [...story.suspended, ...story.suppressed, ...story.inactive, ...story.muted];
  const taken = [...receipts, ...following]
    .filter(({ answer }) => answer === "taken")
    .toSorted((one, other) => one.at - other.at);
  const findings: Finding[] = [];
  let quietSince = 0;
  let pausedUntil = 0;
  let before: Observation | undefined;
  let said: Receipt | undefined;
  for (const observation of observations) {
    const { isUp, from, to } = observation;
    const window = { from: before?.from ?? from, to };
    before = observation;
    if (maybeDuring(changes, window)) pausedUntil = to;
    const hasRun = runs?.some((at) => at > pausedUntil && at <= from) ?? pausedUntil < from;
    const isExcused =
      isUp !== false ||
      pausedUntil === to ||
      (pausedUntil > 0 && !hasRun) ||
      maybeDuring(story.acknowledged, window) ||
      overlaps(blurred, window);
    if (isExcused) quietSince = to;
    const last = taken.findLast(({ at }) => at <= to);
    if (isExcused || last === undefined || last.isUp || last === said) continue;
    const since = Math.max(quietSince, last.at);
    if (livedBetween(lost, { from: since, to: from }) < everyMs + withinMs) continue;
    said = last;
    const what = `is down, and was not reminded since ${Math.round(since)}`;
    findings.push({ kind: "undelivered", about, at: to, what });
  }
  return findings;
}

/** Whether an address that answers well was notified of every acknowledgement that lasted. */
export function judgeAcknowledged(
  story: Omit<PromptStory, "delayMs" | "runs">,
  { lost, blurred }: { readonly lost: readonly Interval[]; readonly blurred: readonly Interval[] },
): readonly Finding[] {
  const { about, receipts, following, observations, withinMs } = story;
  const changes = [...story.suspended, ...story.suppressed, ...story.inactive, ...story.muted];
  return story.acknowledged.flatMap(({ begun, ended }): readonly Finding[] => {
    const window = { from: begun.from, to: ended?.from ?? Infinity };
    if (begun.to === Infinity || livedBetween(lost, { ...window, from: begun.to }) < withinMs)
      return [];
    const last = receipts.findLast(({ at }) => at <= window.to);
    const wasDown = last !== undefined && !last.isUp && last.at < window.from;
    const isSeenDown = observations
      .filter(({ from, to }) => to >= window.from && from <= window.to)
      .every(({ isUp }) => isUp === false);
    if (!wasDown || !isSeenDown || maybeDuring(changes, window) || overlaps(blurred, window))
      return [];
    const isNotified = following.some(
      ({ at, isAcknowledgement, answer }) =>
        isAcknowledgement === true && answer === "taken" && at >= window.from && at <= window.to,
    );
    const what = `${last.outage} is acknowledged, and the address was not notified`;
    return isNotified ? [] : [{ kind: "undelivered", about, at: window.to, what }];
  });
}
