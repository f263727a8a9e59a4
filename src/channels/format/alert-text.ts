import type { Alert, LateReason, Notice } from "../../domain/alert/alert.ts";
import { daysLeft } from "../../domain/run/outcome.ts";
import type { Confirmation } from "../../domain/run/result.ts";
import type { State } from "../../domain/run/verdict.ts";
import { foundText } from "./found.ts";
import { manyLines } from "./many-lines.ts";
import { oneLine } from "./one-line.ts";
import { besideText, durationText, instantText } from "./times.ts";
import type { AlertContext, Digest } from "../channel.ts";

/** One thing a person wants to know of an alert. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Whether its value is one of our own URLs, for people to open. */
  readonly isLink?: true;
}

/** The text of an alert, for every channel that people read. Nothing in it is markup, and no value has a line break. */
export interface AlertSummary {
  readonly subject: string;
  readonly sentence: string;
  readonly facts: readonly Fact[];
  /** Each run of the series that found something else: when, where and what. */
  readonly confirmations: readonly string[];
  /** The first lines of the target's response, of a failure only. */
  readonly responseLines: readonly string[];
}

const LABEL_LENGTH = 120;
const TEXT_LENGTH = 500;
const MAX_CONFIRMATIONS = 20;
const MAX_ANSWER_LINES = 30;

/** The fact that is a link. */
export const ACKNOWLEDGE = "Acknowledge";

/** The label that a test message has in place of a check's. */
export const NOTHING_IS_DOWN = "nothing is down";

export const stateWords: Readonly<Record<State, string>> = { passing: "up", failing: "down" };

export function summaryOf(context: AlertContext): AlertSummary {
  const { notice } = context.alert;
  if (context.digest !== undefined) return digestSummary(context.digest);
  if (context.kind === "test") return testStory(context);
  return {
    subject: subjectOf(context),
    sentence: sentenceOf(context),
    facts: [
      ...timesOf(context),
      ...acknowledgementOf(context),
      {
        name: notice.state === "failing" ? "Error" : "Result",
        value: oneLine(foundText(notice), TEXT_LENGTH),
      },
      { name: "Sent late", value: lateText(context) },
      { name: "Seen from", value: seenFrom(context) },
      { name: "Last passed", value: lastPassedText(context) },
      { name: "Target", value: targetText(context) },
      {
        name: "Check",
        value: `${notice.check.type}, ${intervalText(notice.check.intervalMinutes)}`,
      },
      { name: "Description", value: oneLine(notice.check.description, TEXT_LENGTH) },
      { name: "Certificate", value: certificateText(notice) },
      { name: "Account", value: oneLine(notice.account.name, LABEL_LENGTH) },
    ].filter(({ value }) => value !== ""),
    confirmations: othersOf(context),
    responseLines: manyLines(notice.result.evidence ?? "", MAX_ANSWER_LINES),
  };
}

function digestSummary({ subject, sentence, alerts }: Digest): AlertSummary {
  const facts = alerts.map((each) => {
    const details = [targetText(each), oneLine(foundText(each.alert.notice), TEXT_LENGTH)];
    return { name: labelOf(each), value: details.filter((detail) => detail !== "").join(": ") };
  });
  return { subject, sentence, facts, confirmations: [], responseLines: [] };
}

function testStory(context: AlertContext): AlertSummary {
  const { account, since, result } = context.alert.notice;
  return {
    subject: subjectOf(context),
    sentence: sentenceOf(context),
    facts: [
      { name: "Why", value: oneLine(result.message, TEXT_LENGTH) },
      { name: "At", value: instantText(since, context.timeZone) },
      { name: "Account", value: oneLine(account.name, LABEL_LENGTH) },
    ],
    confirmations: [],
    responseLines: [],
  };
}

export function subjectOf(context: AlertContext): string {
  if (context.digest !== undefined) return context.digest.subject;
  const { state, downForMs } = context.alert.notice;
  const label = labelOf(context);
  if (context.kind === "test") return `TEST: ${NOTHING_IS_DOWN}`;
  if (context.kind === "first") return `First result: ${label} is ${stateWords[state]}`;
  if (context.kind === "down") return `DOWN: ${label}`;
  if (context.kind === "reminder")
    return `STILL DOWN: ${label} for ${durationText(downSoFar(context))}`;
  if (context.kind === "acknowledged") return `ACKNOWLEDGED: ${label}`;
  if (context.kind === "missed") return `WAS DOWN: ${label} for ${durationText(downForMs ?? 0)}`;
  return downForMs === undefined ? `UP: ${label}` : `UP: ${label} after ${durationText(downForMs)}`;
}

function sentenceOf(context: AlertContext): string {
  const { state, downForMs } = context.alert.notice;
  const label = labelOf(context);
  if (context.kind === "test") return `This is a test of Watchpost: ${NOTHING_IS_DOWN}.`;
  if (context.kind === "first")
    return `The first result of ${label} is in: it is ${stateWords[state]}.`;
  if (context.kind === "down") return `${label} is down.`;
  if (context.kind === "reminder")
    return `${label} is still down, for ${durationText(downSoFar(context))}.`;
  if (context.kind === "acknowledged")
    return `${label} is still down, and somebody sees to it: no more reminders are sent.`;
  if (context.kind === "missed")
    return `${label} was down for ${durationText(downForMs ?? 0)}, and is up again.`;
  return downForMs === undefined
    ? `${label} is up again.`
    : `${label} is up again, after ${durationText(downForMs)}.`;
}

/** How long it had been down when a reminder was due, or the acknowledgement made. */
export function downSoFar({ alert: { dueAt, notice } }: AlertContext): number {
  return dueAt - notice.since;
}

/** Returns who acknowledged, who was asked before, and where to acknowledge. */
function acknowledgementOf({ alert, ...context }: AlertContext): readonly Fact[] {
  const { acknowledgement: known } = alert.notice;
  const others = context.unacknowledgedBy;
  return [
    {
      name: "Acknowledged",
      value:
        known === undefined
          ? ""
          : oneLine(`by ${known.by}${known.note === "" ? "" : `: ${known.note}`}`, TEXT_LENGTH),
    },
    {
      name: "Escalated",
      value:
        others === undefined
          ? ""
          : `nobody has acknowledged it; ${others === 1 ? "one other address was" : `${others} other addresses were`} alerted before`,
    },
    { name: "Reminder", value: context.kind === "reminder" ? `number ${alert.number ?? 1}` : "" },
    { name: ACKNOWLEDGE, value: context.acknowledgeUrl ?? "", isLink: true },
  ];
}

function timesOf({ alert: { notice }, timeZone }: AlertContext): readonly Fact[] {
  const { state, since, downForMs } = notice;
  if (state === "failing") return [{ name: "Down since", value: instantText(since, timeZone) }];
  if (downForMs === undefined) return [{ name: "Up since", value: instantText(since, timeZone) }];
  const began = since - downForMs;
  return [
    { name: "Went down", value: instantText(began, timeZone) },
    { name: "Up since", value: besideText(since, began, timeZone) },
  ];
}

const lateTexts: Readonly<Record<LateReason, string>> = {
  outside_window: "its window was closed until now",
  check_muted: "the check was muted until now",
  address_muted: "this address was muted until now",
  dependency_down: "the check that it depends on was down until now",
};

const UNDELIVERED = "it was over before this could be delivered";

/** Why a Down is sent long after the outage began, or only after it. */
export function lateText(context: AlertContext): string {
  if (context.kind === "missed") return UNDELIVERED;
  const reason = lateReasonOf(context);
  return reason === undefined ? "" : lateTexts[reason];
}

/** Returns the rule that delayed a Down. */
export function lateReasonOf({
  kind,
  alert: { waitedFor },
}: Pick<AlertContext, "kind" | "alert">): LateReason | undefined {
  return kind === "down" || kind === "first" ? waitedFor : undefined;
}

/** Said once: a label that nobody chose is the target. */
function targetText(context: AlertContext): string {
  const target = oneLine(context.alert.notice.check.target, TEXT_LENGTH);
  return target === labelOf(context) ? "" : target;
}

const SECONDS = 60;

function intervalText(minutes: number): string {
  if (minutes < 1) return `every ${minutes * SECONDS} s`;
  return minutes === 1 ? "every minute" : `every ${minutes} min`;
}

/** Describes the last run before the outage: its result and its duration. */
function lastPassedText({ alert: { notice }, timeZone }: AlertContext): string {
  const { lastPassed, since } = notice;
  if (lastPassed === undefined) return "";
  const { startedAt, location, text, runtimeMs } = lastPassed;
  const from = location === "" ? "" : ` from ${location}`;
  return oneLine(
    `${besideText(startedAt, since, timeZone)}${from}: ${text}, ${runtimeMs} ms`,
    TEXT_LENGTH,
  );
}

/** Describes the certificate of a failing target and its expiry. */
function certificateText({ state, result: { certificate, startedAt } }: Notice): string {
  if (state === "passing" || certificate === undefined) return "";
  const { subject, issuer, validTo } = certificate;
  const names = `${subject} by ${issuer}`;
  const end = new Date(validTo).toISOString().slice(0, 10);
  return oneLine(`${names}, ends ${end} (${daysLeft({ validTo }, startedAt)} days)`, TEXT_LENGTH);
}

/** The locations that found the same, and when. */
export function seenFrom({ alert: { notice }, timeZone }: AlertContext): string {
  const runs = notice.confirmations.filter((run) => agrees(run, notice) && run.location !== "");
  const seen = runs
    .slice(0, MAX_CONFIRMATIONS)
    .map(({ at, location }) => `${location} ${besideText(at, notice.since, timeZone)}`);
  const more = runs.length - seen.length;
  return oneLine([...seen, ...(more > 0 ? [`and ${more} more`] : [])].join(", "), TEXT_LENGTH);
}

function agrees({ passed, message }: Confirmation, { state, result }: Notice): boolean {
  return passed === (state === "passing") && message === result.message;
}

function othersOf({ alert: { notice }, timeZone }: AlertContext): readonly string[] {
  const others = notice.confirmations.filter((run) => !agrees(run, notice));
  const lines = others
    .slice(0, MAX_CONFIRMATIONS)
    .map(({ at, location, passed, message }) =>
      oneLine(
        `${location} ${besideText(at, notice.since, timeZone)}: ${passed ? "passed" : "failed"}, ${message}`,
        TEXT_LENGTH,
      ),
    );
  const more = others.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** Returns the page with more details. */
export function pageUrlOf({
  pageUrl,
  digest,
  ...context
}: Pick<AlertContext, "kind" | "alert" | "url" | "pageUrl" | "digest">): string {
  if (context.kind === "test" || digest !== undefined) return context.url;
  return pageUrl ?? dashboardUrlOf(context);
}

/** The check on the dashboard, for which an API token is needed. */
export function dashboardUrlOf({
  alert,
  url,
}: Pick<AlertContext, "url"> & { readonly alert: Pick<Alert, "checkId"> }): string {
  return new URL(`#${alert.checkId}`, url).href;
}

export function labelOf({ alert: { notice } }: AlertContext): string {
  return oneLine(notice.check.label, LABEL_LENGTH) || notice.check.id;
}
