import type { DigestMessage, AlertContext, AlertContexts } from "../channel.ts";
import { labelOf, stateWords } from "./alert-text.ts";
import { groupsByCause } from "./causes.ts";

/** Group of alerts with a common property, most urgent first. */
interface Turn {
  readonly word: string;
  readonly sentence: (count: number) => string;
  readonly holds: (context: AlertContext) => boolean;
}

const checks = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? " is" : "s are"}`;

const turns: readonly Turn[] = [
  {
    word: "DOWN",
    sentence: (count) => `${checks(count, "check")} down`,
    holds: ({ kind }) => kind === "down",
  },
  {
    word: "STILL DOWN",
    sentence: (count) => `${checks(count, "check")} still down`,
    holds: ({ kind }) => kind === "reminder",
  },
  {
    word: `First result ${stateWords.failing}`,
    sentence: (count) => `${checks(count, "new check")} down`,
    holds: ({ kind, alert }) => kind === "first" && alert.notice.state === "failing",
  },
  {
    word: "ACKNOWLEDGED",
    sentence: (count) => `${count} ${count === 1 ? "outage is" : "outages are"} acknowledged`,
    holds: ({ kind }) => kind === "acknowledged",
  },
  {
    word: "WAS DOWN",
    sentence: (count) =>
      `${count} ${count === 1 ? "outage" : "outages"} could not be alerted in time`,
    holds: ({ kind }) => kind === "missed",
  },
  {
    word: "UP",
    sentence: (count) => `${checks(count, "check")} up again`,
    holds: ({ kind }) => kind === "up",
  },
  {
    word: `First result ${stateWords.passing}`,
    sentence: (count) => `${checks(count, "new check")} up`,
    holds: ({ kind, alert }) => kind === "first" && alert.notice.state === "passing",
  },
];

export interface StateGroup extends Turn {
  readonly contexts: readonly AlertContext[];
}

/** Alerts grouped by state, the most urgent first, each group in the given order. */
export function groupsOf(contexts: readonly AlertContext[]): readonly StateGroup[] {
  return turns
    .map((turn) => ({ ...turn, contexts: contexts.filter(turn.holds) }))
    .filter((group) => group.contexts.length > 0);
}

/** The most urgent first. */
export function byUrgency(contexts: readonly AlertContext[]): readonly AlertContext[] {
  return groupsOf(contexts).flatMap((group) => group.contexts);
}

/** `3 checks are down, 1 check is up again`. */
export function countsByState(contexts: readonly AlertContext[]): string {
  return groupsOf(contexts)
    .map((group) => group.sentence(group.contexts.length))
    .join(", ");
}

/** `DOWN: shop, mail and 8 more; UP: blog`, with as many names as fit; those that do not are counted. */
export function namesByState(
  contexts: readonly AlertContext[],
  fits: (line: string) => boolean,
  nameOf: (context: AlertContext) => string = labelOf,
): string {
  return fitting(contexts, fits, (most) =>
    groupsOf(contexts)
      .map(({ word, contexts: some }) => `${word}: ${listed(namesOf(some, nameOf), most)}`)
      .join("; "),
  );
}

/** `2 checks are down: shop, mail. 1 check is up again: blog`, with as many names as fit. */
export function countsAndNames(
  contexts: readonly AlertContext[],
  fits: (text: string) => boolean,
  nameOf: (context: AlertContext) => string,
): string {
  return fitting(contexts, fits, (most) =>
    groupsOf(contexts)
      .map(({ sentence, contexts: some }) => {
        const count = sentence(some.length);
        return most === 0 ? count : `${count}: ${listed(namesOf(some, nameOf), most)}`;
      })
      .join(". "),
  );
}

interface Name {
  readonly text: string;
  /** Number of checks in the group. */
  readonly count: number;
}

/** One name for checks of one host that turned for one reason. */
function namesOf(
  contexts: readonly AlertContext[],
  nameOf: (context: AlertContext) => string,
): readonly Name[] {
  return groupsByCause(contexts).map(({ contexts: some, title, found }) => ({
    text: title === undefined ? nameOf(some[0]) : `${title}${isDown(some[0]) ? ` (${found})` : ""}`,
    count: some.length,
  }));
}

function isDown({ alert }: AlertContext): boolean {
  return alert.notice.state === "failing";
}

/** Returns the common title of the mails about the start and the end of the same outages, without their state. */
export function titleOf(contexts: readonly AlertContext[]): string {
  const names = groupsByCause(contexts).map(({ contexts: some, title }) => ({
    text: title ?? labelOf(some[0]),
    count: some.length,
  }));
  return fitting(
    contexts,
    (text) => text.length <= SUBJECT_LENGTH,
    (most) => listed(names, most),
  );
}

function fitting(
  { length }: readonly AlertContext[],
  fits: (text: string) => boolean,
  textOf: (most: number) => string,
): string {
  for (let most = length; most > 0; most -= 1) if (fits(textOf(most))) return textOf(most);
  return textOf(0);
}

/** A message with the same text for each alert, for a channel with little space. */
export function uniformDigest(contexts: AlertContexts, body: string): DigestMessage {
  return { subject: digestSubject(contexts), body, parts: contexts.map(() => body) };
}

/** Several alerts as the one of a channel that has no form of its own for them. */
export function digestContext(contexts: AlertContexts, id: string): AlertContext {
  const [{ acknowledgeUrl: _ofOne, ...head }] = contexts;
  const sentence = `${countsByState(contexts)}.`;
  const digest = { subject: digestSubject(contexts), sentence, alerts: contexts };
  return { ...head, alert: { ...head.alert, id }, digest };
}

const SUBJECT_LENGTH = 150;

export function digestSubject(contexts: readonly AlertContext[]): string {
  return namesByState(contexts, (line) => line.length <= SUBJECT_LENGTH);
}

function listed(names: readonly Name[], most: number): string {
  const rest = names.slice(most).reduce((sum, { count }) => sum + count, 0);
  const shown = names.slice(0, most).map(({ text }) => text);
  if (rest === 0) return shown.join(", ");
  return most === 0 ? checksIn(rest) : `${shown.join(", ")} and ${rest} more`;
}

function checksIn(count: number): string {
  return count === 1 ? "1 check" : `${count} checks`;
}
