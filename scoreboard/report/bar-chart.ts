import { escapeHtml } from "../../src/kit/http/escape-html.ts";

interface Bar {
  readonly name: string;
  readonly value: number | undefined;
}

const WIDTH = 360;
const NAME_WIDTH = 110;
const VALUE_WIDTH = 60;
const LINE_HEIGHT = 20;
/** Digits behind the point below that. */
const SMALL = 10;

/** Draws horizontal bars from zero, each with its value and unit. */
export function barChart(title: string, unit: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value = 0 }) => value), Number.MIN_VALUE);
  const room = WIDTH - NAME_WIDTH - VALUE_WIDTH;
  const lines = bars.map(({ name, value }, index) => {
    const y = index * LINE_HEIGHT;
    const length = value === undefined ? 0 : Math.max(1, (room * value) / most);
    const text = value === undefined ? "n/a" : `${digits(value)} ${unit}`;
    const kind = name.startsWith("watchpost") ? "own" : "bar";
    return [
      `<text x="0" y="${y + 14}">${escapeHtml(name)}</text>`,
      `<rect class="${kind}" x="${NAME_WIDTH}" y="${y + 4}" width="${length.toFixed(1)}" height="13" rx="2"/>`,
      `<text class="quiet" x="${(NAME_WIDTH + length + 6).toFixed(1)}" y="${y + 14}">${escapeHtml(text.trim())}</text>`,
    ].join("");
  });
  return `<div class="card"><h3>${escapeHtml(title)}</h3><svg role="img" aria-label="${escapeHtml(title)}" viewBox="0 0 ${WIDTH} ${bars.length * LINE_HEIGHT + 4}">${lines.join("")}</svg></div>`;
}

function digits(value: number): string {
  return value.toFixed(value < SMALL && !Number.isInteger(value) ? 1 : 0);
}
