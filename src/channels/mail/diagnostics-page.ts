import type { DiagnosticTool } from "../../domain/diagnostics.ts";
import type { DiagnosticsMail } from "../../domain/system-mail.ts";
import { instantText } from "../format/times.ts";
import { manyLines } from "../format/many-lines.ts";
import { oneLine } from "../format/one-line.ts";
import { factLines, mailSubject } from "./alert-page.ts";
import { answerBox, factTable, mailPage } from "./layout.ts";

const MOST_LINES = 60;
const LONGEST_NAME = 120;
const WORD = "Diagnostics";

const titles: Readonly<Record<DiagnosticTool, string>> = {
  route: "Route to",
  lookup: "Look-up of",
  page: "Fetch of",
  ping: "Ping of",
};

interface Page {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What was found where a check went down, as a mail of the thread of its outage; `stop` leads to where no more of them are wanted. */
export function diagnosticsPage(
  { label, target, location, at, timeZone, findings }: Omit<DiagnosticsMail, "attempts">,
  { stop, url }: { readonly stop: string | undefined; readonly url: string },
): Page {
  const title = oneLine(label, LONGEST_NAME);
  const facts = [
    { name: "Looked from", value: location },
    { name: "At", value: instantText(at, timeZone) },
    { name: "Target", value: oneLine(target, LONGEST_NAME) },
  ].filter(({ value }) => value !== title);
  const parts = findings.map((finding) => ({
    title: `${titles[finding.tool]} ${oneLine(finding.about, LONGEST_NAME)}`,
    lines: manyLines(finding.text, MOST_LINES),
  }));
  const [first] = parts;
  return {
    subject: mailSubject(WORD, title),
    text: [
      `${WORD}: ${title}`,
      factLines({ facts }).join("\n"),
      ...parts.map((part) => [part.title, "", ...part.lines].join("\n")),
      `Open: ${url}\n`,
    ].join("\n\n"),
    html: mailPage({
      tone: "neutral",
      word: WORD,
      title,
      preview: first === undefined ? "" : `${first.title}: ${first.lines.at(-1) ?? ""}`,
      content: [factTable(facts), ...parts.map((part) => answerBox(part.title, part.lines))].join(
        "",
      ),
      button: { text: "Open Watchpost", url },
      stop,
    }),
  };
}
