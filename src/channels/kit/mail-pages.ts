import { escapeHtml } from "../../kit/escape-html.ts";
import type { Story } from "../telling.ts";

const NAME_WIDTH = 14;

export function textPage({ sentence, facts, confirmations, answer }: Story, link: string): string {
  const lines = [
    sentence,
    "",
    ...facts.map(({ name, value }) => `${`${name}:`.padEnd(NAME_WIDTH)} ${value}`),
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
  { sentence, facts, confirmations, answer }: Story,
  { more, stop }: { readonly more: string; readonly stop: string },
): string {
  const rows = facts.map(
    ({ name, value }) =>
      `<tr><th align="left" valign="top" style="padding:2px 16px 2px 0">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const runs = confirmations.map((line) => `<li>${escapeHtml(line)}</li>`);
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<h2>${escapeHtml(sentence)}</h2>`,
    `<table>${rows.join("")}</table>`,
    runs.length === 0 ? "" : `<p>Confirmed by:</p><ul>${runs.join("")}</ul>`,
    answer.length === 0
      ? ""
      : `<p>It answered:</p><pre style="white-space:pre-wrap">${escapeHtml(answer.join("\n"))}</pre>`,
    `<p><a href="${escapeHtml(more)}">${escapeHtml(more)}</a></p>`,
    `<p><small><a href="${escapeHtml(stop)}">Send no more alerts to this address</a></small></p>`,
    "</body></html>",
  ].join("");
}
