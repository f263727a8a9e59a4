import { hostOfTarget } from "../../domain/target.ts";
import type { AlertContext } from "../channel.ts";
import { foundText, reasonWords } from "./found.ts";
import { oneLine } from "./one-line.ts";

/** Alerts of one state that have a host and a reason in common, or one on its own. */
export interface CauseGroup {
  readonly contexts: readonly [AlertContext, ...AlertContext[]];
  /** Common title, such as `5 checks of db1.example.net`; undefined for a single one. */
  readonly title: string | undefined;
  /** Failure reason: the full text if all are the same. */
  readonly found: string;
}

const MAX_HOST_LENGTH = 80;
const MAX_FOUND_LENGTH = 300;

/** The largest group first, and those on their own after all groups, in the given order. */
export function groupsByCause(contexts: readonly AlertContext[]): readonly CauseGroup[] {
  const byHost = Map.groupBy(contexts, (context) => {
    const host = hostOf(context);
    return host === "" ? context : JSON.stringify([host, reasonOf(context)]);
  });
  const groups: CauseGroup[] = [];
  const rest: AlertContext[] = [];
  for (const some of byHost.values()) {
    const [first, ...others] = some;
    if (first === undefined) continue;
    if (others.length === 0) rest.push(first);
    else groups.push(groupOf([first, ...others], `of ${oneLine(hostOf(first), MAX_HOST_LENGTH)}`));
  }
  return [
    ...groups.toSorted((one, other) => other.contexts.length - one.contexts.length),
    ...rest.map((context) => ({
      contexts: [context] as const,
      title: undefined,
      found: foundOf(context),
    })),
  ];
}

/** Also groups single failures at different hosts by reason. */
export function groupsByReason(contexts: readonly AlertContext[]): readonly CauseGroup[] {
  const groups = groupsByCause(contexts);
  const alone = groups.filter(({ title }) => title === undefined).map(({ contexts: [one] }) => one);
  const byReason = [...Map.groupBy(alone, reasonOf).values()].flatMap((some) => {
    const [first, ...others] = some;
    if (first === undefined || others.length === 0) return groupsByCause(some);
    return [groupOf([first, ...others], "of different hosts")];
  });
  return [
    ...groups.filter(({ title }) => title !== undefined),
    ...byReason.toSorted((one, other) => other.contexts.length - one.contexts.length),
  ];
}

function groupOf(contexts: CauseGroup["contexts"], what: string): CauseGroup {
  const found = new Set(contexts.map(foundOf));
  const [first = ""] = found;
  return {
    contexts,
    title: `${contexts.length} checks ${what}`,
    found: found.size === 1 ? first : reasonWords[contexts[0].alert.notice.result.reason],
  };
}

export function foundOf({ alert: { notice } }: AlertContext): string {
  return oneLine(foundText(notice), MAX_FOUND_LENGTH);
}

function hostOf({ alert: { notice } }: AlertContext): string {
  return hostOfTarget(notice.check.target);
}

function reasonOf({ alert: { notice } }: AlertContext): string {
  return notice.result.reason;
}
