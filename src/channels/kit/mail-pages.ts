import { escapeHtml } from "../../kit/escape-html.ts";
import type { Story } from "../telling.ts";
import { stopLine } from "./stop-line.ts";

const NAME_WIDTH = 14;

export function textPage(story: Story, link: string): string {
  const { sentence, confirmations, answer } = story;
  const lines = [
    sentence,
    "",
    ...factLines(story),
    ...(confirmations.length === 0
      ? []
      : ["", "Confirmed by:", ...confirmations.map((line) => `- ${line}`)]),
    ...(answer.length === 0 ? [] : ["", "It answered:", ...answer.map((line) => `> ${line}`)]),
    "",
    link,
  ];
  return `${lines.join("\n")}\n`;
}

export function htmlPage(
  story: Story,
  { more, stop }: { readonly more: string; readonly stop: string },
): string {
  const { sentence, answer } = story;
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<h2>${escapeHtml(sentence)}</h2>`,
    factTable(story),
    runList(story),
    answer.length === 0
      ? ""
      : `<p>It answered:</p><pre style="white-space:pre-wrap">${escapeHtml(answer.join("\n"))}</pre>`,
    `<p>${linked(more, more)}</p>`,
    stopLine(stop),
    "</body></html>",
  ].join("");
}

export function factLines({ facts }: Story): readonly string[] {
  return facts.map(({ name, value }) => `${`${name}:`.padEnd(NAME_WIDTH)} ${value}`);
}

export function factTable({ facts }: Story): string {
  const rows = facts.map(
    ({ name, value }) =>
      `<tr><th align="left" valign="top" style="padding:2px 16px 2px 0">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}

export function runList({ confirmations }: Story): string {
  if (confirmations.length === 0) return "";
  const runs = confirmations.map((line) => `<li>${escapeHtml(line)}</li>`);
  return `<p>Confirmed by:</p><ul>${runs.join("")}</ul>`;
}

export function linked(text: string, url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
