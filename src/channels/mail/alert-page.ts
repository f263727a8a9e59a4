import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { AlertSummary } from "../format/alert-text.ts";
import { unsubscribeLine } from "./unsubscribe-line.ts";

const NAME_WIDTH = 14;

export function textPage(summary: AlertSummary, link: string): string {
  const { sentence, confirmations, responseLines } = summary;
  const lines = [
    sentence,
    "",
    ...factLines(summary),
    ...(confirmations.length === 0
      ? []
      : ["", "Confirmed by:", ...confirmations.map((line) => `- ${line}`)]),
    ...(responseLines.length === 0
      ? []
      : ["", "It answered:", ...responseLines.map((line) => `> ${line}`)]),
    "",
    link,
  ];
  return `${lines.join("\n")}\n`;
}

export function htmlPage(
  summary: AlertSummary,
  { more, stop }: { readonly more: string; readonly stop: string },
): string {
  const { sentence, responseLines } = summary;
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<h2>${escapeHtml(sentence)}</h2>`,
    factTable(summary),
    confirmationList(summary),
    responseLines.length === 0
      ? ""
      : `<p>It answered:</p><pre style="white-space:pre-wrap">${escapeHtml(responseLines.join("\n"))}</pre>`,
    `<p>${link(more, more)}</p>`,
    unsubscribeLine(stop),
    "</body></html>",
  ].join("");
}

export function factLines({ facts }: AlertSummary): readonly string[] {
  return facts.map(({ name, value }) => `${`${name}:`.padEnd(NAME_WIDTH)} ${value}`);
}

export function factTable({ facts }: AlertSummary): string {
  const rows = facts.map(
    ({ name, value }) =>
      `<tr><th align="left" valign="top" style="padding:2px 16px 2px 0">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}

export function confirmationList({ confirmations }: AlertSummary): string {
  if (confirmations.length === 0) return "";
  const runs = confirmations.map((line) => `<li>${escapeHtml(line)}</li>`);
  return `<p>Confirmed by:</p><ul>${runs.join("")}</ul>`;
}

export function link(text: string, url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
