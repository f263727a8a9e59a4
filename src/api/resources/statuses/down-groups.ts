import type { CheckStatus } from "../../../domain/run/status.ts";
import type { DownSpan } from "../../../domain/span.ts";
import { hostOfTarget } from "../../../domain/target.ts";
import type { FoundTexts } from "./found-texts.ts";
import type { DownGroupAnswer } from "./overview-response.ts";

const MOST_GROUPS = 50;
/** Over all groups. */
const MOST_LISTED = 500;
/** As many checks of different hosts that fail alike are one group. */
const LEAST_OF_SEVERAL_HOSTS = 5;

interface Down {
  readonly check: CheckStatus;
  readonly since: number;
  readonly host: string;
  readonly result: string;
  readonly message: string;
}

interface Known {
  readonly spans: ReadonlyMap<number, DownSpan>;
  readonly shown: FoundTexts;
  readonly sinceOf: (check: CheckStatus) => number;
}

/** Groups what is down by host and result, the largest group first; checks of different hosts that fail alike follow as groups where they are several, and then the others. */
export function downGroups(
  checks: readonly CheckStatus[],
  { spans, shown, sinceOf }: Known,
): DownGroupAnswer[] {
  const downs = checks.map((check): Down => {
    const { text = "", message = "" } = spans.get(check.no) ?? {};
    return {
      check,
      since: sinceOf(check),
      host: hostOfTarget(check.target()),
      result: shown(check.no, text),
      message: shown(check.no, message),
    };
  });
  const ofOneHost = groupedBy(downs, ({ host, result, check }) =>
    host === "" ? [check.id] : [host, result],
  );
  const alone = ofOneHost.filter(({ length }) => length === 1).flat();
  const alike = groupedBy(alone, ({ result }) => [result]);
  const isLarge = ({ length }: readonly Down[]): boolean => length >= LEAST_OF_SEVERAL_HOSTS;
  const groups = [
    ...ofOneHost.filter(({ length }) => length > 1),
    ...alike.filter(isLarge),
  ].toSorted((one, other) => other.length - one.length);
  const others = alike.filter((group) => !isLarge(group)).flat();
  const singles = others.toSorted((one, other) => other.since - one.since);
  const answered = [...groups, ...singles.map((single) => [single])].slice(0, MOST_GROUPS);
  const lengths = listedOf(answered.map(({ length }) => length));
  return answered.map((group, index) => groupToWire(group, group.slice(0, lengths[index])));
}

/** How many of each group are listed: small ones in full, so that a large one leaves them their part. */
function listedOf(lengths: readonly number[]): readonly number[] {
  const listed = lengths.map(() => 0);
  let left = MOST_LISTED;
  for (const [index, length] of [...lengths.entries()].toSorted(
    ([, one], [, other]) => one - other,
  )) {
    listed[index] = Math.min(length, left);
    left -= listed[index];
  }
  return listed;
}

function groupedBy(
  downs: readonly Down[],
  keyOf: (down: Down) => readonly string[],
): readonly (readonly Down[])[] {
  return [...Map.groupBy(downs, (down) => JSON.stringify(keyOf(down))).values()];
}

function groupToWire(group: readonly Down[], listed: readonly Down[]): DownGroupAnswer {
  const host = sharedBy(group, ({ host: each }) => each);
  const message = sharedBy(group, ({ message: each }) => each);
  return {
    ...(host !== "" && { host }),
    result: sharedBy(group, ({ result }) => result),
    message,
    since: group.reduce((first, { since }) => Math.min(first, since), Infinity),
    count: group.length,
    unacknowledged: group.filter(({ check }) => check.acknowledgement === undefined).length,
    checks: listed.map(({ check: { id, label, acknowledgement }, since }) => ({
      id,
      label,
      since,
      ...(acknowledgement && { by: acknowledgement.by }),
    })),
  };
}

/** What all of them have; empty where they differ. */
function sharedBy(group: readonly Down[], textOf: (down: Down) => string): string {
  const [text = "", ...others] = new Set(group.map(textOf));
  return others.length === 0 ? text : "";
}
