import { gmt, offsetIn } from "../../domain/account/time-zone.ts";
import type { Notice } from "../../domain/alert.ts";
import { daysLeft } from "../../domain/run/outcome.ts";
import type { State } from "../../domain/run/verdict.ts";
import { manyLines } from "./many-lines.ts";
import { oneLine } from "./one-line.ts";
import type { AlertContext } from "../channel.ts";

/** One thing a person wants to know of an alert. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The text of an alert, for every channel that people read. Nothing in it is markup, and no value has a line break. */
export interface AlertSummary {
  readonly subject: string;
  readonly sentence: string;
  readonly facts: readonly Fact[];
  /** Each run that confirmed it: when, where and what it found. */
  readonly confirmations: readonly string[];
  /** The first lines of the target's response, of a failure only. */
  readonly responseLines: readonly string[];
}

const LABEL_LENGTH = 120;
const TEXT_LENGTH = 500;
const MOST_CONFIRMATIONS = 20;
const MOST_ANSWER_LINES = 30;

/** The label that a test message has in place of a check's. */
export const NOTHING_IS_DOWN = "nothing is down";

export const stateWords: Readonly<Record<State, string>> = { passing: "up", failing: "down" };

export function summaryOf(context: AlertContext): AlertSummary {
  const { notice } = context.alert;
  if (context.kind === "test") return testStory(context);
  const label = labelOf(context);
  return {
    subject: subjectOf(context),
    sentence: sentenceOf(context),
    facts: [
      {
        name: "Check",
        value: `${label} (${notice.check.type}, every ${notice.check.intervalMinutes} min)`,
      },
      { name: "Target", value: oneLine(notice.check.target, TEXT_LENGTH) },
      ...timesOf(context),
      ...acknowledgementOf(context),
      {
        name: "Seen",
        value: oneLine(`${notice.result.text}: ${notice.result.message}`, TEXT_LENGTH),
      },
      { name: "Certificate", value: certificateText(notice) },
      { name: "Account", value: oneLine(notice.account.name, LABEL_LENGTH) },
    ].filter(({ value }) => value !== ""),
    confirmations: confirmationsOf(context),
    responseLines: manyLines(notice.result.evidence ?? "", MOST_ANSWER_LINES),
  };
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
  const { state, downForMs } = context.alert.notice;
  const label = labelOf(context);
  if (context.kind === "test") return `TEST: ${NOTHING_IS_DOWN}`;
  if (context.kind === "first") return `First result: ${label} is ${stateWords[state]}`;
  if (context.kind === "down") return `DOWN: ${label}`;
  if (context.kind === "reminder")
    return `STILL DOWN: ${label} for ${durationText(downSoFar(context))}`;
  if (context.kind === "acknowledged") return `ACKNOWLEDGED: ${label}`;
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
  return downForMs === undefined
    ? `${label} is up again.`
    : `${label} is up again, after ${durationText(downForMs)}.`;
}

/** How long it had been down when a reminder was due, or the acknowledgement made. */
function downSoFar({ alert: { dueAt, notice } }: AlertContext): number {
  return dueAt - notice.since;
}

/** Who sees to it, who was asked to before, and where a person says that they do. */
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
    { name: "Acknowledge", value: context.acknowledgeUrl ?? "" },
  ];
}

function timesOf({ alert: { notice }, timeZone }: AlertContext): readonly Fact[] {
  const { state, since, downForMs } = notice;
  const began = {
    name: state === "failing" ? "Down since" : "Up since",
    value: instantText(since, timeZone),
  };
  if (downForMs === undefined) return [began];
  return [
    { name: "Went down", value: instantText(since - downForMs, timeZone) },
    began,
    { name: "Was down for", value: durationText(downForMs) },
  ];
}

/** Whose certificate the target presented and when it expires, of a failure only. */
function certificateText({ state, result: { certificate, startedAt } }: Notice): string {
  if (state === "passing" || certificate === undefined) return "";
  const { subject, issuer, validTo } = certificate;
  const names = `${subject} by ${issuer}`;
  const end = new Date(validTo).toISOString().slice(0, 10);
  return oneLine(`${names}, ends ${end} (${daysLeft({ validTo }, startedAt)} days)`, TEXT_LENGTH);
}

function confirmationsOf({ alert: { notice }, timeZone }: AlertContext): readonly string[] {
  const lines = notice.confirmations
    .slice(0, MOST_CONFIRMATIONS)
    .map(({ at, location, passed, message }) =>
      oneLine(
        `${localText(at, timeZone)} ${location}: ${passed ? "passed" : "failed"}, ${message}`,
        TEXT_LENGTH,
      ),
    );
  const more = notice.confirmations.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** Where a person reads more of it. */
export function pageUrlOf({
  kind,
  alert,
  url,
}: Pick<AlertContext, "kind" | "alert" | "url">): string {
  return kind === "test" ? url : new URL(`#${alert.checkId}`, url).href;
}

export function labelOf({ alert: { notice } }: AlertContext): string {
  return oneLine(notice.check.label, LABEL_LENGTH) || notice.check.id;
}

/** The account's own time with its offset, and GMT where that is another. */
export function instantText(at: number, timeZone: string): string {
  const local = localText(at, timeZone);
  return offsetIn(timeZone, at) === 0 ? local : `${local} (${localText(at, gmt)})`;
}

const MINUTE_MS = 60_000;

export function localText(at: number, timeZone: string): string {
  const offset = offsetIn(timeZone, at);
  const local = new Date(at + offset).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${zoneText(Math.round(offset / MINUTE_MS))}`;
}

function zoneText(offsetMinutes: number): string {
  if (offsetMinutes === 0) return "GMT";
  const size = Math.abs(offsetMinutes);
  const minutes = size % 60;
  const hours = `${offsetMinutes < 0 ? "-" : "+"}${Math.floor(size / 60)}`;
  return minutes === 0 ? `GMT${hours}` : `GMT${hours}:${String(minutes).padStart(2, "0")}`;
}

const units = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
];

/** The two largest units that are not zero: `45 s`, `12 min`, `1 h 5 min`, `2 d 3 h`. Seconds are shown only below ten minutes. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  let rest = seconds < 600 ? seconds : Math.round(seconds / 60) * 60;
  const parts: string[] = [];
  for (const unit of units) {
    const count = Math.floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    if (count > 0) parts.push(`${count} ${unit.name}`);
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}
