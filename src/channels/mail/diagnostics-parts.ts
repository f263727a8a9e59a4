import type {
  DiagnosticsReport,
  DiagnosticTool,
  DiagnosticsFinding,
} from "../../domain/diagnostics.ts";
import { hostOfTarget } from "../../domain/target.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import { manyLines } from "../format/many-lines.ts";
import { columnsLine, oneLine } from "../format/one-line.ts";
import { columnsBox, groupHeading, link } from "./layout.ts";

/** Diagnostics of one failing check. */
export interface CheckDiagnostics extends DiagnosticsReport {
  readonly label: string;
  readonly target: string;
  /** URL of the check's page. */
  readonly url: string;
}

export interface DiagnosticsParts {
  readonly text: readonly string[];
  readonly html: string;
  /** The first line of what was found first. */
  readonly preview: string;
}

interface Room {
  /** In bytes of HTML, which is longer than the text. */
  readonly room: number;
  readonly timeText: (at: number) => string;
  /** False if the mail is about one check, and names it elsewhere. */
  readonly isNamed: boolean;
}

const titles: Readonly<Record<DiagnosticTool, string>> = {
  route: "Route to",
  lookup: "Look-up of",
  page: "Fetch of",
  ping: "Ping of",
};

const MAX_LINES = 60;
/** Maximum lines of each finding in a mail about several checks. */
const MAX_LINES_PER_CHECK = 16;
const MAX_NAME_LENGTH = 120;
const MAX_NAMES = 5;
const MAX_PREVIEW_LENGTH = 140;

/** Checks of one host that were looked at from one location together, each finding once; the largest group first, and as many as have room. */
export function diagnosticsParts(
  reports: readonly CheckDiagnostics[],
  place: Room,
): DiagnosticsParts {
  const groups = [...Map.groupBy(reports, groupKeyOf).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  const most = reports.length === 1 ? MAX_LINES : MAX_LINES_PER_CHECK;
  const kept: Part[] = [];
  let left = place.room;
  let missing = 0;
  for (const group of groups) {
    const part = partOf(group, { ...place, room: left, most });
    if (part === undefined) missing += group.length;
    else {
      kept.push(part);
      left -= Buffer.byteLength(part.html);
    }
  }
  const rest = missing === 0 ? "" : `and those of ${missing} more`;
  return {
    text: [...kept.map(({ text }) => text), ...(rest === "" ? [] : [rest])],
    html: [
      ...kept.map(({ html }) => html),
      rest === "" ? "" : `<p style="margin:16px 0 0">${escapeHtml(rest)}</p>`,
    ].join(""),
    preview: kept[0]?.preview ?? "",
  };
}

interface Part {
  readonly text: string;
  readonly html: string;
  readonly preview: string;
}

function groupKeyOf(report: CheckDiagnostics): string {
  const host = hostOfTarget(report.target);
  return JSON.stringify([report.location, host === "" ? report.url : host]);
}

/** Undefined if not even its first finding fits. */
function partOf(
  group: readonly CheckDiagnostics[],
  { room, timeText, isNamed, most }: Room & { readonly most: number },
): Part | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const from = `Looked from ${oneLine(first.location, MAX_NAME_LENGTH)} at ${timeText(first.at)}`;
  const title =
    group.length === 1 ? nameOf(first) : `${group.length} checks of ${hostOfTarget(first.target)}`;
  const names = group.slice(0, MAX_NAMES);
  const more = group.length === names.length ? "" : ` and ${group.length - names.length} more`;
  const [titleHtml, namesHtml] =
    group.length === 1
      ? [link(title, first.url), ""]
      : [
          escapeHtml(title),
          `: ${names.map((report) => link(nameOf(report), report.url)).join(", ")}${more}`,
        ];
  const headHtml = [
    isNamed ? groupHeading(titleHtml) : "",
    `<div class="quiet" style="color:#5d6672;font-size:13px;overflow-wrap:anywhere">${escapeHtml(from)}${isNamed ? namesHtml : ""}</div>`,
  ].join("");
  let left = room - Buffer.byteLength(headHtml);
  const boxes = findingsOf(group)
    .map((finding) => {
      const heading = `${titles[finding.tool]} ${oneLine(finding.about, MAX_NAME_LENGTH)}`;
      const lines = manyLines(finding.text, most, columnsLine);
      return { heading, lines, html: columnsBox(heading, lines) };
    })
    .filter(({ html }) => {
      const fits = Buffer.byteLength(html) <= left;
      if (fits) left -= Buffer.byteLength(html);
      return fits;
    });
  const [head] = boxes;
  if (head === undefined) return undefined;
  return {
    text: [
      ...(isNamed ? [`${title}:`] : []),
      `${from}:`,
      ...(isNamed ? named(names, group.length) : []),
      ...boxes.map(({ heading, lines }) =>
        ["", `${heading}:`, ...lines.map((line) => `> ${line}`)].join("\n"),
      ),
    ].join("\n"),
    html: headHtml + boxes.map(({ html }) => html).join(""),
    preview: oneLine(`${head.heading}: ${head.lines.at(-1) ?? ""}`, MAX_PREVIEW_LENGTH),
  };
}

/** In text: one is named by the line before. */
function named(names: readonly CheckDiagnostics[], all: number): readonly string[] {
  const lines = names.map((report) => `${all === 1 ? "" : `- ${nameOf(report)}\n`}  ${report.url}`);
  return all === names.length ? lines : [...lines, `and ${all - names.length} more`];
}

/** Checks of one host have the same route and names: what one tool found about one thing is said once. */
function findingsOf(group: readonly CheckDiagnostics[]): readonly DiagnosticsFinding[] {
  const found = new Map<string, DiagnosticsFinding>();
  for (const finding of group.flatMap(({ findings }) => findings)) {
    const key = JSON.stringify([finding.tool, finding.about]);
    if (!found.has(key) && finding.text.trim() !== "") found.set(key, finding);
  }
  return [...found.values()];
}

function nameOf({ label, target }: CheckDiagnostics): string {
  return oneLine(label, MAX_NAME_LENGTH) || oneLine(target, MAX_NAME_LENGTH) || "a check";
}
