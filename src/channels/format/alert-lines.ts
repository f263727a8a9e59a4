import type { State } from "../../domain/run/verdict.ts";
import type { AlertSummary } from "./alert-text.ts";

/** The colors of people's traffic lights, in hex. */
export const stateColors: Readonly<Record<State, string>> = {
  failing: "#c62828",
  passing: "#2e7d32",
};

const MORE = "…";

/** Escapes a value and joins it with its name for a receiver; a link is one of our own URLs. */
export type Mark = (value: string, name?: string, isLink?: true) => string;

/** A summary in lines, the most important first. */
export function summaryLines(
  { facts, confirmations, responseLines }: AlertSummary,
  mark: Mark = plain,
): readonly string[] {
  return [
    ...facts.map(({ name, value, isLink }) => mark(value, name, isLink)),
    ...(confirmations.length === 0 ? [] : ["Other runs:"]),
    ...confirmations.map((line) => mark(line)),
    ...(responseLines.length === 0 ? [] : ["It answered:"]),
    ...responseLines.map((line) => mark(line)),
  ];
}

/** For receivers that have buttons. */
export function withoutLinks(summary: AlertSummary): AlertSummary {
  return { ...summary, facts: summary.facts.filter(({ isLink }) => isLink !== true) };
}

function plain(value: string, name?: string): string {
  return name === undefined ? value : `${name}: ${value}`;
}

/** As many whole lines as fit, in what the service counts. */
export function takeLines(
  lines: readonly string[],
  most: number,
  sizeOf: (text: string) => number = (text) => text.length,
): readonly string[] {
  let left = most - sizeOf(`${MORE}\n`);
  const cut = lines.findIndex((line) => {
    left -= sizeOf(`${line}\n`);
    return left < 0;
  });
  return cut === -1 ? lines : [...lines.slice(0, cut), MORE];
}

/** Returns at most this many UTF-16 units, without half of a pair at the end. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - MORE.length).replace(/[\uD800-\uDBFF]$/, "")}${MORE}`;
}
