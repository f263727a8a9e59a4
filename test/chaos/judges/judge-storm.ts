import {
  confirmMs,
  STALE_AFTER_MS,
  type ChangedAccount,
  type ChangedCheck,
  type StormAddress,
  type StormCheck,
} from "../accounts.ts";
import type { Row } from "../alert-rows.ts";
import {
  judgeEnd,
  judgePrompt,
  judgeReceipts,
  type AddressStory,
  type Receipt,
} from "./judge-alerts.ts";
import { judgeAcknowledged, judgeFollowing, judgeReminded } from "./judge-following.ts";
import {
  judgeProbed,
  judgePush,
  type Finding,
  type Surroundings,
  type Truth,
} from "./judge-states.ts";
import { overlaps, type Change, type Interval } from "./timeline.ts";

/** After the tick before it: some time for the machine. */
const TICK_LATE_MS = 15_000;
/** How late an alert to an address that answers well is delivered at most, with two processors for everything. */
const DELIVERED_WITHIN_MS = 20_000;
const DELAY_MS = 60_000;
const REMINDED_MS = 60_000;

/** Whether the states of a check were ever others than they should have been. */
export function judgeStates(
  check: StormCheck,
  {
    inactive,
    edited,
  }: { readonly inactive: readonly Change[]; readonly edited: readonly Change[] },
  around: Surroundings,
): readonly Finding[] {
  const { id: about, observations, target, beats, sens, intervalMinutes } = check;
  if (target === undefined) {
    const staleAfterMs = check.isStaleAfterSilence ? STALE_AFTER_MS : undefined;
    return judgePush({ about, observations, inactive, beats, staleAfterMs }, around);
  }
  const { truths } = target;
  const confirm = confirmMs(sens);
  return judgeProbed(
    {
      about,
      observations,
      inactive: [...inactive, ...edited],
      truths,
      confirmMs: confirm,
      detectMs: intervalMinutes * 60_000 + (around.lateMs ?? TICK_LATE_MS) + confirm,
    },
    around,
  );
}

/** Whether every address got the alerts of the checks of an account that it should have got, and no others. */
export function judgeAccount(
  account: ChangedAccount,
  rows: readonly Row[],
  around: Surroundings,
): readonly Finding[] {
  const { checks, prompt, delayed, reminded, gate, rough, silent, members } = account;
  const reached = { ...around, lost: [...around.lost, ...(around.away ?? [])] };
  const addresses = [prompt, delayed, reminded, gate, rough, ...members];
  return [
    ...checks.flatMap((check) => judgeStates(check, check, around)),
    ...silent.flatMap(judgeSilent),
    ...checks.flatMap((check) =>
      addresses.flatMap((address) => {
        const story = storyOf({ account, check, address });
        return [
          ...judgeReceipts({ ...story, alertedAt: firstAlertsOf(check, addresses) }, around),
          ...judgeFollowing({ ...story, isReminded: address === reminded }, around),
          ...judgeEnd(savedOf(story, around)),
          ...judgeRows(
            story,
            rows.filter((row) => row.check === check.id && row.contact === address.contact),
            around.unsaved,
          ),
        ];
      }),
    ),
    ...checks.flatMap((check) =>
      [prompt, delayed, reminded].flatMap((address) => {
        const story = {
          ...savedOf(storyOf({ account, check, address }), around),
          observations: check.observations,
          runs: check.target === undefined ? runsOf(check) : undefined,
          withinMs: around.deliveredWithinMs ?? DELIVERED_WITHIN_MS,
        };
        return [
          ...judgeAcknowledged(story, reached),
          ...judgePrompt({ ...story, delayMs: address === delayed ? DELAY_MS : 0 }, reached),
          ...(address === reminded
            ? judgeReminded({ ...story, everyMs: REMINDED_MS }, reached)
            : []),
        ];
      }),
    ),
  ];
}

/** Returns when the first of the addresses was alerted of each outage of a check. */
function firstAlertsOf(
  check: ChangedCheck,
  addresses: readonly StormAddress[],
): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { server, path } of addresses)
    for (const { check: id, outage, isUp, at } of server.receipts(path))
      if (id === check.id && outage !== null && !isUp)
        first.set(outage, Math.min(at, first.get(outage) ?? Infinity));
  return first;
}

function storyOf({
  account: { suspended },
  check,
  address,
}: {
  readonly account: ChangedAccount;
  readonly check: ChangedCheck;
  readonly address: StormAddress;
}): AddressStory {
  const all = address.server.receipts(address.path).filter((receipt) => receipt.check === check.id);
  const isFollowing = ({ reminder, isAcknowledgement = false }: Receipt): boolean =>
    reminder !== undefined || isAcknowledgement;
  return {
    about: `${check.id} at ${address.path}`,
    receipts: all.filter((receipt) => !isFollowing(receipt)),
    following: all.filter(isFollowing),
    suspended,
    suppressed: address.suppressed,
    muted: [...check.muted, ...address.muted],
    inactive: check.inactive,
    acknowledged: check.acknowledged,
    truths: truthsOf(check),
  };
}

/** Without what was sent by a process that saved nothing of it. */
function savedOf(story: AddressStory, { unsaved = [] }: Surroundings): AddressStory {
  const isSaved = ({ at }: Receipt): boolean => !overlaps(unsaved, { from: at, to: at });
  return {
    ...story,
    receipts: story.receipts.filter(isSaved),
    following: story.following.filter(isSaved),
  };
}

function runsOf({ beats }: StormCheck): readonly number[] {
  return beats.filter(({ outcome }) => outcome === "stored").map(({ to }) => to);
}

/** Heartbeats give the true state; their absence does not give its start. */
export function truthsOf({ target, beats, isStaleAfterSilence }: StormCheck): readonly Truth[] {
  if (target !== undefined) return target.truths;
  if (isStaleAfterSilence) return [];
  const said: Truth[] = [];
  for (const { from, isPassing, outcome } of beats)
    if (outcome !== "refused" && said.at(-1)?.isUp !== isPassing)
      said.push({ at: from, isUp: isPassing });
  return said;
}

function judgeSilent({ path, server }: StormAddress): readonly Finding[] {
  return server.receipts(path).map(({ at, id, check }) => ({
    kind: "unexpected",
    about: `${check} at ${path}`,
    at,
    what: `${id} came, and nothing ever should`,
  }));
}

/** Whether what is stored of the alerts is what their receiver saw, and in the same order. */
export function judgeRows(
  { about, receipts, following }: Pick<AddressStory, "about" | "receipts" | "following">,
  rows: readonly Row[],
  unsaved: readonly Interval[] = [],
): readonly Finding[] {
  const findings: Finding[] = [];
  const find = (kind: Finding["kind"], what: string): void =>
    void findings.push({ kind, about, at: Infinity, what });
  const withAnswer = (...answers: readonly Receipt["answer"][]): ReadonlySet<string> =>
    new Set(
      [...receipts, ...following]
        .filter(({ answer }) => answers.includes(answer))
        .map(({ id }) => id),
    );
  const taken = withAnswer("taken");
  const isKnown = (id: string): boolean =>
    receipts.some((one) => one.id === id && !overlaps(unsaved, { from: one.at, to: one.at }));
  const refused = withAnswer("refused");
  const ofStates = rows.filter(({ type }) => type !== "reminder" && type !== "acknowledged");
  const states = new Set(ofStates.map(({ _id }) => _id));
  for (const { _id, status, reason } of rows) {
    if (status === "waiting" || status === "held") find("lost", `${_id} is ${status} for ever`);
    if (status === "delivered" && !taken.has(_id))
      find("lost", `${_id} was delivered, and nobody took it`);
    if (status === "failed" && !refused.has(_id))
      find("lost", `${_id} failed, and nobody refused it`);
    // A reminder that may have arrived is not sent again once it is wrong.
    if (status === "dropped" && taken.has(_id) && states.has(_id) && isKnown(_id))
      find("unexpected", `${_id} was dropped (${reason}), and somebody took it`);
  }
  const came = [...new Set(receipts.map(({ id }) => id).filter((id) => states.has(id)))];
  const inOrder = [...states].filter((id) => came.includes(id));
  if (came.join() !== inOrder.join())
    find("reordered", `came as ${came.join()} instead of ${inOrder.join()}`);
  return findings;
}
