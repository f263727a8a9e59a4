import type { AlertContext, MessageKind } from "../channel.ts";
import {
  ACKNOWLEDGE,
  NOTHING_IS_DOWN,
  downSoFar,
  labelOf,
  pageUrlOf,
  stateWords,
  summaryOf,
  type AlertSummary,
} from "../format/alert-text.ts";
import { besideText, durationText } from "../format/times.ts";
import { diagnosticsParts, type DiagnosticsParts } from "./diagnostics-parts.ts";
import { answerBox, factTable, lineList, mailPage, partHeading, type Tone } from "./layout.ts";

const NAME_WIDTH = 14;

/** First words of a mail: in its subject, its head, and the first line of its text. */
const words: Readonly<Record<MessageKind, (context: AlertContext) => string>> = {
  down: () => "DOWN",
  up: ({ alert: { notice } }) =>
    notice.downForMs === undefined ? "UP" : `UP after ${durationText(notice.downForMs)}`,
  first: ({ alert: { notice } }) => `First result: ${stateWords[notice.state].toUpperCase()}`,
  reminder: (context) => `STILL DOWN for ${durationText(downSoFar(context))}`,
  acknowledged: () => "ACKNOWLEDGED",
  missed: ({ alert: { notice } }) => `WAS DOWN for ${durationText(notice.downForMs ?? 0)}`,
  test: () => "TEST",
};

export function wordOf(context: AlertContext): string {
  return words[context.kind](context);
}

/**
 * Mail programs strip this prefix when they compare subjects (RFC 5256, 2.1; Gmail does the same), so all mails of an outage have one subject, and each shows
 * its state.
 */
export function mailSubject(word: string, title: string): string {
  return `[${word}] ${title}`;
}

export function titleOf(context: AlertContext): string {
  return context.kind === "test" ? NOTHING_IS_DOWN : labelOf(context);
}

export function toneOf({ kind, alert }: AlertContext): Tone {
  return kind === "test" || kind === "acknowledged" ? "neutral" : alert.notice.state;
}

export function textPage(context: AlertContext): string {
  const summary = summaryOf(context);
  const { confirmations, responseLines } = summary;
  const lines = [
    `${wordOf(context)}: ${titleOf(context)}`,
    "",
    ...factLines(summary),
    ...(confirmations.length === 0
      ? []
      : ["", "Other runs:", ...confirmations.map((line) => `- ${line}`)]),
    ...(responseLines.length === 0
      ? []
      : ["", "It answered:", ...responseLines.map((line) => `> ${line}`)]),
    ...diagnosticsLines(context),
    "",
    `Open: ${pageUrlOf(context)}`,
  ];
  return `${lines.join("\n")}\n`;
}

export function htmlPage(context: AlertContext, stop: string): string {
  const summary = summaryOf(context);
  const { facts, confirmations, responseLines } = summary;
  const diagnostics = diagnosticsOf(context).html;
  return mailPage({
    tone: toneOf(context),
    word: wordOf(context),
    title: titleOf(context),
    preview: previewOf(summary),
    content: [
      factTable(facts.filter(({ name }) => name !== ACKNOWLEDGE)),
      lineList("Other runs", confirmations),
      answerBox("It answered", responseLines),
      diagnostics === "" ? "" : partHeading("Diagnostics") + diagnostics,
    ].join(""),
    button: {
      text: context.kind === "test" ? "Open Watchpost" : "Open the check",
      url: pageUrlOf(context),
    },
    otherLinks:
      context.acknowledgeUrl === undefined
        ? []
        : [{ text: "Acknowledge: I see to it", url: context.acknowledgeUrl }],
    stop,
  });
}

/** Empty if nothing is known yet. */
export function diagnosticsLines(context: AlertContext): readonly string[] {
  const { text } = diagnosticsOf(context);
  return text.length === 0 ? [] : ["", "Diagnostics:", "", ...text];
}

/** Space for diagnostics in the 102 KB that Gmail shows, if everything else has its maximum length. */
const DIAGNOSTICS_BYTES = 60_000;

/** Diagnostics of an alert that waited for them. */
function diagnosticsOf({ diagnostics, ...context }: AlertContext): DiagnosticsParts {
  const { check, since } = context.alert.notice;
  const about = { label: labelOf(context), target: check.target, url: pageUrlOf(context) };
  return diagnosticsParts(diagnostics === undefined ? [] : [{ ...diagnostics, ...about }], {
    room: DIAGNOSTICS_BYTES,
    timeText: (at) => besideText(at, since, context.timeZone),
    isNamed: false,
  });
}

const PREVIEW_FACTS = 2;

/** Returns the text that mail programs show after the subject: the failure reason and its start. */
function previewOf({ facts }: Pick<AlertSummary, "facts">): string {
  return facts
    .slice(0, PREVIEW_FACTS)
    .toReversed()
    .map(({ name, value }) => `${name}: ${value}`)
    .join(" · ");
}

export function factLines({ facts }: Pick<AlertSummary, "facts">): readonly string[] {
  return facts.map(({ name, value }) => `${`${name}:`.padEnd(NAME_WIDTH)} ${value}`);
}
