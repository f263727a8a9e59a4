import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { DigestMessage, AlertContext, AlertContexts } from "../channel.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import type { AlertSummary } from "../format/alert-text.ts";
import { byUrgency, countsByState, digestSubject } from "../format/digest.ts";
import { renderBranding } from "./branding-text.ts";
import { factLines, factTable, link, confirmationList } from "./alert-page.ts";
import { unsubscribeLine } from "./unsubscribe-line.ts";
import { truncate } from "../format/alert-lines.ts";
import { paragraphs } from "./text-to-html.ts";

/** Characters of one alert by the account's template: a hundred of them still make a mail that mail servers accept. */
const MOST_OF_ONE = 5000;

/** The section of a mail about one of several alerts. */
interface Part {
  readonly title: string;
  /** Where there is more. */
  readonly page: string;
  readonly text: string;
  readonly html: string;
}

/** A mail about several alerts: first a line for each, then a section for each. */
export function digestPage(
  contexts: AlertContexts,
  { more, stop }: { readonly more: string; readonly stop: string },
): Required<Pick<DigestMessage, "subject" | "body" | "html" | "parts">> {
  const parts = new Map(contexts.map((context) => [context, partOf(context)]));
  const shown = byUrgency(contexts).flatMap((context) => parts.get(context) ?? []);
  const counts = `${countsByState(contexts)}.`;
  return {
    subject: digestSubject(contexts),
    body: [
      counts,
      "",
      ...shown.map(({ title }) => `- ${title}`),
      ...shown.flatMap(({ title, text, page }) => ["", "", title, "", text, "", page]),
      "",
      more,
      "",
    ].join("\n"),
    html: [
      '<!doctype html><html><body style="font-family:sans-serif">',
      `<h2>${escapeHtml(counts)}</h2>`,
      `<ul>${shown.map(({ title }) => `<li>${escapeHtml(title)}</li>`).join("")}</ul>`,
      ...shown.map(({ title, html, page }) => `<h3>${link(title, page)}</h3>${html}`),
      `<p>${link(more, more)}</p>`,
      unsubscribeLine(stop),
      "</body></html>",
    ].join(""),
    parts: contexts.map((context) => parts.get(context)?.text ?? ""),
  };
}

function partOf(context: AlertContext): Part {
  const summary = summaryOf(context);
  const own = renderBranding(context);
  const head = { title: own.subject ?? summary.subject, page: pageUrlOf(context) };
  return own.text === undefined
    ? { ...head, text: textOf(summary), html: `${factTable(summary)}${confirmationList(summary)}` }
    : { ...head, text: ownText(own.text), html: paragraphs(ownText(own.text)) };
}

function ownText(text: string): string {
  return truncate(text.trim(), MOST_OF_ONE);
}

/** Without the target's response: a mail about a hundred checks must stay readable. */
function textOf(summary: AlertSummary): string {
  const runs = summary.confirmations.map((line) => `- ${line}`);
  return [...factLines(summary), ...(runs.length === 0 ? [] : ["Confirmed by:", ...runs])].join(
    "\n",
  );
}
