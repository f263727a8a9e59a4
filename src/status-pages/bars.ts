import { durationText } from "../channels/format/times.ts";
import { percentOf } from "../domain/status/public-check.ts";
import type { DayAvailability } from "../domain/availability.ts";
import { barPaths, type BarTone } from "../domain/day-bar.ts";
import { html, type Safe } from "../kit/html.ts";
import type { createDates, PageWords } from "./words.ts";

interface Shown {
  readonly words: PageWords;
  readonly dates: ReturnType<typeof createDates>;
}

const size = { step: 4, width: 3, height: 30 };

const classes: Readonly<Record<BarTone, string>> = {
  up: "up",
  minor: "minor",
  moderate: "moderate",
  major: "down",
  down: "down",
  maintenance: "maintenance",
  none: "unknown",
};

/** A bar for each day, the oldest first: one path of each color, so that hundreds of them are a few elements. */
export function uptimeBars(days: readonly DayAvailability[], { words, dates }: Shown): Safe {
  const bad = days.filter(({ downMs }) => downMs > 0);
  const known = days.findIndex(({ measuredMs }) => measuredMs > 0);
  const since = known > 0 ? dates.day(days[known]?.day ?? 0) : undefined;
  const label = words.bars(percentText(days), days.length, bad.length);
  const paths = [...barPaths(days, size)].map(
    ([tone, path]) => html`<path class="${classes[tone]}" d="${path}" />`,
  );
  const width = days.length * size.step - (size.step - size.width);
  return html`<svg
      role="img"
      aria-label="${label}"
      viewBox="0 0 ${width} ${size.height}"
      preserveAspectRatio="none"
    >
      ${paths}
    </svg>
    <p class="line small muted">
      <span class="ends">${words.daysAgo(days.length)}</span>
      <span>${words.uptime(percentText(days), days.length, since)}</span>
      <span class="ends">${words.today}</span>
    </p>
    ${badDays(bad, { words, dates })}`;
}

function badDays(bad: readonly DayAvailability[], { words, dates }: Shown): Safe | undefined {
  if (bad.length === 0) return undefined;
  const items = bad
    .toReversed()
    .map(
      ({ day, downMs }) => html`<li>${words.downFor(dates.day(day), durationText(downMs))}</li>`,
    );
  return html`<details>
    <summary>${words.badDays(bad.length)}</summary>
    <ul class="small">
      ${items}
    </ul>
  </details>`;
}

/** To two decimals: cut rather than rounded, so that no outage becomes 100. */
function percentText(days: readonly DayAvailability[]): string | undefined {
  const percent = percentOf(days);
  if (percent === undefined) return undefined;
  return percent === 100 ? "100" : (Math.floor(percent * 100) / 100).toFixed(2);
}
