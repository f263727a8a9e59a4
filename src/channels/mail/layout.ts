import { escapeHtml } from "../../kit/http/escape-html.ts";
import { STOP_WORDS } from "./unsubscribe-line.ts";

/** Color of a mail's head by its subject, never without words. */
export type Tone = "failing" | "passing" | "neutral";

/** White on each of them has a contrast of more than 4.5 (WCAG 2.2, 1.4.3), on a light and on a dark ground. */
const heads: Readonly<Record<Tone, string>> = {
  failing: "#b3261e",
  passing: "#12703f",
  neutral: "#3b4a63",
};
const marks: Readonly<Record<Tone, string>> = { failing: "▼", passing: "▲", neutral: "●" };
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

/** Mail programs take these where they know a dark mode, and the inline styles elsewhere; Gmail allows no more than 16 KB of them. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.ground{background:#14171c!important}.paper{background:#1c2027!important;border-color:#2c323b!important}.ink,.ink a{color:#e7eaee!important}.quiet,.quiet a{color:#a6b0bc!important}.line{border-color:#2c323b!important}.answer{background:#14171c!important;color:#e7eaee!important}.failing{color:#ff8078!important}.passing{color:#4cc38a!important}}
@media (max-width:480px){.edge{padding:16px!important}.name,.value{display:block!important;width:auto!important;padding-right:0!important}.name{padding-bottom:0!important}.later{border-top-width:1px!important}.value{border-top-width:0!important;padding-top:2px!important}.outer{padding:0!important}.paper{border-radius:0!important}}`;

interface Link {
  readonly text: string;
  readonly url: string;
}

interface Page {
  readonly tone: Tone;
  /** In capitals on the head: `DOWN`. */
  readonly word: string;
  readonly title: string;
  /** Mail programs show it after the subject, in the list of mails. */
  readonly preview: string;
  /** HTML. */
  readonly content: string;
  readonly button: Link;
  readonly otherLinks?: readonly Link[];
  readonly stop: string | undefined;
  /** Text of the link that stops further mails. */
  readonly stopWords?: string;
  readonly language?: string;
}

/** Tables and inline styles, for mail programs know little else; nothing is loaded, and no script runs. */
export function mailPage(page: Page): string {
  const { tone, word, title, preview, content, button, otherLinks = [], stop } = page;
  const { stopWords = STOP_WORDS, language = "en" } = page;
  const head = heads[tone];
  const others = otherLinks.map(
    (other) =>
      `<p class="ink" style="margin:6px 0 0;color:#1b1f24"><a href="${escapeHtml(other.url)}" style="display:block;padding:11px 0;color:inherit">${escapeHtml(other.text)}</a></p>`,
  );
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body class="ground" style="margin:0;padding:0;background:#f2f4f7">`,
    `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`,
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="outer" align="center" style="padding:24px 12px">',
    '<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:640px;background:#ffffff;border:1px solid #dfe3e8;border-radius:8px;border-collapse:separate;overflow:hidden">',
    `<tr><td class="edge" style="background:${head};padding:20px 28px;color:#ffffff;${FONT}"><div style="font-size:15px;font-weight:700;letter-spacing:1px">${marks[tone]} ${escapeHtml(word)}</div><h1 style="margin:4px 0 0;font-size:24px;line-height:1.25;font-weight:600;overflow-wrap:anywhere">${escapeHtml(title)}</h1></td></tr>`,
    `<tr><td class="edge ink" style="padding:20px 28px;color:#1b1f24;font-size:15px;line-height:1.5;${FONT}">${content}`,
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:24px"><tr><td style="background:${head};border-radius:6px"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 22px;color:#ffffff;font-weight:600;text-decoration:none;${FONT}">${escapeHtml(button.text)}</a></td></tr></table>`,
    ...others,
    "</td></tr></table>",
    stop === undefined
      ? ""
      : `<p class="quiet" style="margin:16px 12px 0;color:#5d6672;font-size:13px;${FONT}"><a href="${escapeHtml(stop)}" style="color:#5d6672">${escapeHtml(stopWords)}</a></p>`,
    "</td></tr></table></body></html>",
  ].join("");
}

interface Named {
  readonly name: string;
  readonly value: string;
}

export function factTable(facts: readonly Named[]): string {
  const rows = facts.map(
    ({ name, value }, index) =>
      `<tr><th class="name quiet line${index === 0 ? "" : " later"}" align="left" valign="top" style="width:104px;padding:7px 16px 7px 0;border-top:${index === 0 ? 0 : 1}px solid #e6e9ed;color:#5d6672;font-size:13px;line-height:1.7;font-weight:500">${escapeHtml(name)}</th><td class="value line" valign="top" style="padding:7px 0;border-top:${index === 0 ? 0 : 1}px solid #e6e9ed;overflow-wrap:anywhere;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="font-size:15px;line-height:1.5">${rows.join("")}</table>`;
}

/** Lines of a target, as it sent them. */
export function answerBox(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : box(title, escapeHtml(lines.join("\n")));
}

function box(title: string, html: string): string {
  return `${heading(title)}<pre class="answer" style="margin:0;padding:12px;background:#f2f4f7;color:#1b1f24;border-radius:6px;font-size:13px;line-height:1.45;white-space:pre-wrap;overflow-wrap:anywhere;word-break:break-word;${MONO}">${html}</pre>`;
}

/** Text in columns; long lines can be scrolled. */
export function columnsBox(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const rows = lines.map(
    (line) => `<div style="padding-left:3em;text-indent:-3em">${escapeHtml(line)}</div>`,
  );
  return box(title, rows.join(""));
}

export function lineList(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const items = lines.map((line) => `<li style="overflow-wrap:anywhere">${escapeHtml(line)}</li>`);
  return `${heading(title)}<ul style="margin:0;padding-left:20px">${items.join("")}</ul>`;
}

/** Heading of the items with that state. */
export function stateHeading(tone: Tone, word: string): string {
  return `<h2 class="${tone}" style="margin:20px 0 6px;color:${heads[tone]};font-size:15px;font-weight:700">${marks[tone]} ${escapeHtml(word)}</h2>`;
}

/** HTML; what is below it has that in common. */
export function groupHeading(html: string): string {
  return `<h3 style="margin:20px 0 4px;font-size:16px;font-weight:600;overflow-wrap:anywhere">${html}</h3>`;
}

/** Heading of a part about all the items above. */
export function partHeading(title: string): string {
  return `<h2 class="line" style="margin:28px 0 0;padding-top:20px;border-top:1px solid #e6e9ed;font-size:18px;line-height:1.3;font-weight:600">${escapeHtml(title)}</h2>`;
}

function heading(title: string): string {
  return `<h2 class="quiet" style="margin:20px 0 6px;color:#5d6672;font-size:13px;font-weight:600">${escapeHtml(title)}</h2>`;
}

export function link(text: string, url: string): string {
  return `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(text)}</a>`;
}

/** Plain text of an account as paragraphs. */
export function ownParagraphs(html: string): string {
  return `<div style="overflow-wrap:anywhere">${html}</div>`;
}
