import { hostOfTarget } from "../../domain/target.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { DigestMessage, AlertContext, AlertContexts } from "../channel.ts";
import { truncate } from "../format/alert-lines.ts";
import { labelOf, lateText, pageUrlOf, seenFrom } from "../format/alert-text.ts";
import { foundOf, groupsByReason, type CauseGroup } from "../format/causes.ts";
import { countsByState, digestSubject, groupsOf, titleOf } from "../format/digest.ts";
import { manyLines } from "../format/many-lines.ts";
import { oneLine } from "../format/one-line.ts";
import { besideText, durationText, zonedDayText } from "../format/times.ts";
import { mailSubject, textPage, toneOf } from "./alert-page.ts";
import { renderBranding } from "./branding-text.ts";
import { diagnosticsParts, type DiagnosticsParts } from "./diagnostics-parts.ts";
import {
  answerBox,
  groupHeading,
  partHeading,
  link,
  mailPage,
  ownParagraphs,
  stateHeading,
} from "./layout.ts";
import { paragraphs } from "./text-to-html.ts";

/** Characters of one alert by the account's template. */
const MAX_OF_ONE = 5000;
/** Gmail shows the first 102 KB of a mail; the rest of the page takes less than what is left of that. */
const MAX_BYTES = 85_000;
/** Maximum lines of the response of one check per group. */
const MAX_ANSWER_LINES = 8;
const MAX_TARGET_LENGTH = 300;

/** A mail about several alerts: by state, then by host and reason, with a line for each. */
export function digestPage(
  contexts: AlertContexts,
  { more, stop }: { readonly more: string; readonly stop: string },
): Required<Pick<DigestMessage, "subject" | "body" | "html" | "parts">> {
  const states = groupsOf(contexts);
  const [urgent] = states;
  const isOfOneState = states.length === 1;
  const word = isOfOneState ? (urgent?.word ?? "") : countsByState(contexts);
  const title = titleOf(contexts);
  const sections = sectionsOf(contexts);
  const rest = contexts.length - sections.reduce((sum, { checks }) => sum + checks, 0);
  const restLine = rest === 0 ? "" : `and ${rest} more`;
  const times = timesLine(contexts[0]);
  const used = sections.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0);
  const diagnostics = diagnosticsIn(contexts, MAX_BYTES - used);
  return {
    subject: isOfOneState ? mailSubject(word, title) : digestSubject(contexts),
    body: [
      isOfOneState ? `${word}: ${title}` : `${countsByState(contexts)}.`,
      ...sections.map(({ text }) => text),
      ...(rest === 0 ? [] : [restLine]),
      ...(diagnostics.text.length === 0 ? [] : ["Diagnostics:", ...diagnostics.text]),
      times,
      `Open: ${more}\n`,
    ].join("\n\n"),
    html: mailPage({
      tone: toneOf(urgent?.contexts[0] ?? contexts[0]),
      word,
      title,
      preview: digestSubject(contexts),
      content: [
        ...sections.map(({ html }) => html),
        rest === 0 ? "" : `<p style="margin:16px 0 0">${link(restLine, more)}</p>`,
        diagnostics.html === "" ? "" : partHeading("Diagnostics") + diagnostics.html,
        `<p class="quiet" style="margin:20px 0 0;color:#5d6672;font-size:13px">${escapeHtml(times)}</p>`,
      ].join(""),
      button: { text: "Open the dashboard", url: more },
      stop,
    }),
    parts: contexts.map((context) => renderBranding(context).text ?? textPage(context)),
  };
}

/** Diagnostics that were finished when the mail was written. */
function diagnosticsIn(contexts: AlertContexts, room: number): DiagnosticsParts {
  const [beside] = contexts;
  const reports = contexts.flatMap((context) => {
    const { target } = context.alert.notice.check;
    if (context.diagnostics === undefined) return [];
    return [{ ...context.diagnostics, label: nameOf(context), target, url: pageUrlOf(context) }];
  });
  const timeText = (at: number): string =>
    besideText(at, beside.alert.notice.since, beside.timeZone);
  return diagnosticsParts(reports, { room, timeText, isNamed: true });
}

/** As much of a mail as is kept or left out as one. */
interface Section {
  readonly checks: number;
  readonly text: string;
  readonly html: string;
}

/** The most urgent first, as many as a mail shows whole. */
function sectionsOf(contexts: AlertContexts): readonly Section[] {
  let left = MAX_BYTES;
  const kept: Section[] = [];
  const states = groupsOf(contexts);
  for (const state of states) {
    for (const [index, group] of groupsByReason(state.contexts).entries()) {
      const word = states.length === 1 || index > 0 ? undefined : state.word;
      const section = sectionOf(group, { word, room: left, beside: contexts[0] });
      if (section === undefined) return kept;
      left -= Buffer.byteLength(section.html);
      kept.push(section);
    }
  }
  return kept;
}

interface RowLayout {
  /** Heading of the state that starts here. */
  readonly word: string | undefined;
  readonly room: number;
  /** The alert whose day and zone the mail says. */
  readonly beside: AlertContext;
}

const GAP = '<div style="height:16px;line-height:16px;font-size:1px"></div>';

/** Undefined if not even one of its checks fits. */
function sectionOf(
  { contexts, title, found }: CauseGroup,
  { word, room, beside }: RowLayout,
): Section | undefined {
  const [first] = contexts;
  const isGroup = title !== undefined;
  const rows = contexts.map((context) => rowOf(context, beside, isGroup ? found : undefined));
  const answer = manyLines(first.alert.notice.result.evidence ?? "", MAX_ANSWER_LINES);
  const head = [
    word === undefined ? "" : stateHeading(toneOf(first), word),
    isGroup ? groupHeading(escapeHtml(`${title}: ${found}`)) : "",
  ].join("");
  const answerHtml = answerBox(isGroup ? `${nameOf(first)} answered` : "It answered", answer);
  let left = room - Buffer.byteLength(head) - Buffer.byteLength(answerHtml);
  const missing = rows.findIndex(({ html }) => (left -= Buffer.byteLength(html)) < 0);
  const shown = missing === -1 ? rows : rows.slice(0, missing);
  if (shown.length === 0) return undefined;
  return {
    checks: shown.length,
    html: [head, ...shown.map(({ html }) => html), answerHtml, GAP].join(""),
    text: [
      ...(word === undefined ? [] : [`${word}:`]),
      ...(isGroup ? [`${title}: ${found}`] : []),
      ...shown.map(({ text }) => `- ${text}`),
      ...(answer.length === 0 ? [] : [`${nameOf(first)} answered:`]),
      ...answer.map((line) => `> ${line}`),
    ].join("\n"),
  };
}

interface Row {
  readonly text: string;
  readonly html: string;
}

/** A check, and what its group does not say of it. */
function rowOf(context: AlertContext, beside: AlertContext, saidOfAll: string | undefined): Row {
  const name = nameOf(context);
  const { notice } = context.alert;
  const found = notice.state === "failing" ? foundOf(context) : "";
  const target = oneLine(notice.check.target, MAX_TARGET_LENGTH);
  const isSaid = target === name || (saidOfAll !== undefined && target === hostOfTarget(target));
  const seen = seenFrom(context);
  const details = [
    found === saidOfAll ? "" : found,
    timeOf(context, beside),
    lateText(context),
    seen === "" ? "" : `seen from ${seen}`,
    isSaid ? "" : target,
  ].filter((detail) => detail !== "");
  const own = renderBranding(context).text;
  const words = own === undefined ? details.join("; ") : truncate(own.trim(), MAX_OF_ONE);
  return {
    text: `${name}: ${words}\n  ${pageUrlOf(context)}`,
    html: `<div class="line" style="padding:8px 0;border-top:1px solid #e6e9ed;overflow-wrap:anywhere"><a href="${escapeHtml(pageUrlOf(context))}" style="display:block;padding:2px 0;color:inherit">${escapeHtml(name)}</a>${
      own === undefined
        ? `<div class="quiet" style="color:#5d6672;font-size:13px">${escapeHtml(words)}</div>`
        : ownParagraphs(paragraphs(words))
    }</div>`,
  };
}

function nameOf(context: AlertContext): string {
  return renderBranding(context).subject ?? labelOf(context);
}

function timeOf({ kind, alert, timeZone }: AlertContext, beside: AlertContext): string {
  const { since, downForMs } = alert.notice;
  const timeText = (at: number): string => besideText(at, beside.alert.notice.since, timeZone);
  if (kind === "missed" && downForMs !== undefined)
    return `from ${timeText(since - downForMs)} to ${timeText(since)}`;
  const start = `since ${timeText(since)}`;
  return downForMs === undefined ? start : `${start}, after ${durationText(downForMs)}`;
}

/** Once for all times of the mail. */
function timesLine({ alert: { notice }, timeZone }: AlertContext): string {
  return `Times without a day are of ${zonedDayText(notice.since, timeZone)}.`;
}
