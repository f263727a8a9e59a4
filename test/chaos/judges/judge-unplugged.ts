import type { Receipt } from "./judge-alerts.ts";
import type { Finding } from "./judge-states.ts";

/** State reported by the API for a check behind a link. */
export interface LinkSample {
  readonly id: string;
  /** 1 where it passes. */
  readonly state: number | undefined;
  /** Why its latest ticks have no verdict, if they have none. */
  readonly trouble: string | undefined;
}

export interface LinkStory {
  readonly before: readonly LinkSample[];
  /** While the link was unplugged. */
  readonly samples: readonly LinkSample[];
  readonly after: readonly LinkSample[];
  /** Alerts of these checks, the first result of each included. */
  readonly receipts: readonly Pick<Receipt, "check" | "isUp" | "outage">[];
}

type LinkFinding = Omit<Finding, "at">;

/** Returns the errors while a link was unplugged and after it returned, and whether a check reported missing verdicts. */
export function judgeUnplugged({ before, samples, after, receipts }: LinkStory): {
  readonly findings: readonly LinkFinding[];
  readonly hasMet: boolean;
} {
  const isWell = ({ state, trouble }: LinkSample): boolean => state === 1 && trouble === undefined;
  const idsOf = (some: readonly { readonly id: string }[]): readonly string[] => [
    ...new Set(some.map(({ id }) => id)),
  ];
  const find =
    (kind: Finding["kind"], what: string) =>
    (about: string): LinkFinding => ({ kind, about, what });
  const alerted = receipts.filter(({ isUp, outage }) => !isUp || outage !== null);
  return {
    findings: [
      ...idsOf(before.filter((sample) => !isWell(sample))).map(
        find("missed", "is new, its target answers, and it does not pass"),
      ),
      ...idsOf(samples.filter(({ state }) => state === 0)).map(
        find("false", "is called down while the link of the machine is unplugged"),
      ),
      ...idsOf(alerted.map(({ check }) => ({ id: check }))).map(
        find("unexpected", "was alerted because the link of the machine was unplugged"),
      ),
      ...idsOf(after.filter((sample) => !isWell(sample))).map(
        find("missed", "has its link back, and does not pass"),
      ),
    ],
    hasMet: samples.some(({ trouble }) => trouble === "undecided"),
  };
}
