import type { DiagnosticTool } from "../../domain/diagnostics.ts";
import type { DiagnosticsMail } from "../../domain/system-mail.ts";
import { instantText } from "../format/alert-text.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import { manyLines } from "../format/many-lines.ts";
import { oneLine } from "../format/one-line.ts";
import { unsubscribeLine } from "./unsubscribe-line.ts";

const MOST_LINES = 60;
const LONGEST_NAME = 120;

const titles: Readonly<Record<DiagnosticTool, string>> = {
  route: "Route to",
  lookup: "Look-up of",
  page: "Fetch of",
};

interface Page {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What was found where a check went down, as a mail; `stop` leads to where no more of them are wanted. */
export function diagnosticsPage(
  { label, target, location, at, timeZone, findings }: Omit<DiagnosticsMail, "attempts">,
  stop: string | undefined,
): Page {
  const name = oneLine(label, LONGEST_NAME);
  const sentence = `${name} is down. This is what ${location} found at ${instantText(at, timeZone)}.`;
  const about = `Target: ${oneLine(target, LONGEST_NAME)}`;
  const parts = findings.map((finding) => ({
    title: `${titles[finding.tool]} ${oneLine(finding.about, LONGEST_NAME)}`,
    text: manyLines(finding.text, MOST_LINES).join("\n"),
  }));
  return {
    subject: `Diagnostics: ${name}`,
    text: [sentence, about, ...parts.map(({ title, text }) => `${title}\n\n${text}`), ""].join(
      "\n\n",
    ),
    html: [
      '<!doctype html><html><body style="font-family:sans-serif">',
      `<p>${escapeHtml(sentence)}</p><p>${escapeHtml(about)}</p>`,
      ...parts.map(
        ({ title, text }) => `<h3>${escapeHtml(title)}</h3><pre>${escapeHtml(text)}</pre>`,
      ),
      stop === undefined ? "" : unsubscribeLine(stop),
      "</body></html>",
    ].join(""),
  };
}
