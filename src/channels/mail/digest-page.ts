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

/** Of the words of an account for one alert: a hundred of them still make a mail that every server takes. */
const MOST_OF_ONE = 5000;

/** What a mail says of one alert among others. */
interface Part {
  readonly title: string;
  /** Where there is more. */
  readonly page: string;
  readonly text: string;
  readonly html: string;
}

/** A mail that tells several alerts: first a line of each, then what there is to say of it. */
export function digestPage(
  tellings: AlertContexts,
  { more, stop }: { readonly more: string; readonly stop: string },
): Required<Pick<DigestMessage, "subject" | "body" | "html" | "parts">> {
  const parts = new Map(tellings.map((telling) => [telling, partOf(telling)]));
  const shown = byUrgency(tellings).flatMap((telling) => parts.get(telling) ?? []);
  const counts = `${countsByState(tellings)}.`;
  return {
    subject: digestSubject(tellings),
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
    parts: tellings.map((telling) => parts.get(telling)?.text ?? ""),
  };
}

function partOf(telling: AlertContext): Part {
  const story = summaryOf(telling);
  const own = renderBranding(telling);
  const head = { title: own.subject ?? story.subject, page: pageUrlOf(telling) };
  return own.text === undefined
    ? { ...head, text: textOf(story), html: `${factTable(story)}${confirmationList(story)}` }
    : { ...head, text: ownText(own.text), html: paragraphs(ownText(own.text)) };
}

function ownText(text: string): string {
  return truncate(text.trim(), MOST_OF_ONE);
}

/** What it answered is left to the page: a mail about a hundred checks has to stay one that can be read. */
function textOf(story: AlertSummary): string {
  const runs = story.confirmations.map((line) => `- ${line}`);
  return [...factLines(story), ...(runs.length === 0 ? [] : ["Confirmed by:", ...runs])].join("\n");
}
