import { escapeHtml } from "../../src/kit/http/escape-html.ts";
import { styleSheet } from "../../src/status-pages/style-sheet.ts";
import { grade } from "../judge/grades.ts";
import { barChart } from "./bar-chart.ts";
import {
  cellOf,
  faultLines,
  figures,
  type Cell,
  type MonitorResult,
  type Results,
} from "./results.ts";

const ownStyle = `
body{max-width:90rem}
.scroll{overflow-x:auto}
th,td{vertical-align:top;white-space:nowrap}
tbody th{font-weight:500}
tbody th small{display:block;color:var(--muted);font-weight:400;white-space:normal;min-width:16rem}
td.good{color:var(--up)}td.poor{color:var(--down);font-weight:600}
td.good::before{content:"✓ "}td.poor::before{content:"✗ "}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem}
.charts svg{height:auto}
svg text{fill:var(--ink);font-size:11px}svg .quiet{fill:var(--muted)}svg .bar{fill:#5b7fd6}svg .own{fill:#2f9e5b}
`.replaceAll("\n", "");

const MEGABYTE = 2 ** 20;

/** One page with the table and the charts, which loads nothing. */
export function resultsPage(results: Results): string {
  const { monitors, rows, schedule, at, seed, minutes, failed } = results;
  const heads = monitors.map(({ name }) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  const sentence = `Monitors: ${monitors.length}, scenarios: ${rows.length}, ${minutes.toFixed(0)} minutes, seed ${seed}; every ${schedule.intervalSeconds} s or as often as the monitor accepts, timeout ${schedule.timeoutSeconds} s, ${schedule.confirmations} failed runs before an alarm. ${at}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Watchpost scoreboard</title><style>${styleSheet}${ownStyle}</style></head><body>
<h1>Scoreboard</h1><p class="muted">${escapeHtml(sentence)}</p>
${doesNotCount(monitors, failed)}
<h2>Summary</h2><div class="scroll"><table><thead><tr><th></th>${heads}</tr></thead><tbody>
${line("version", monitors, ({ version }) => ({ text: version, tone: "none" }))}
${figures.map(({ name, cell }) => line(name, monitors, cell)).join("\n")}
</tbody></table></div>
<h2>Side by side</h2><div class="charts">${charts(monitors)}</div>
<h2>Scenarios</h2><p class="muted">The seconds are from the failure to the alarm, or from the end of the trouble that held it up.</p>
<div class="scroll"><table><thead><tr><th></th>${heads}</tr></thead><tbody>
${rows.map((row) => line(row.name, monitors, (one) => cellOf(row, one), row.breaks)).join("\n")}
</tbody></table></div>
${monitors.map(details).join("\n")}
</body></html>
`;
}

function line(
  name: string,
  monitors: readonly MonitorResult[],
  cell: (result: MonitorResult) => Cell,
  more?: string,
): string {
  const cells = monitors
    .map(cell)
    .map(({ text, tone }) => `<td class="${tone}">${escapeHtml(text)}</td>`)
    .join("");
  const small = more === undefined ? "" : `<small>${escapeHtml(more)}</small>`;
  return `<tr><th scope="row">${escapeHtml(name)}${small}</th>${cells}</tr>`;
}

function doesNotCount(monitors: readonly MonitorResult[], failed: Results["failed"]): string {
  const stopped = monitors.flatMap(({ name, stoppedAlerting }) =>
    stoppedAlerting === undefined ? [] : [`${name} stopped alerting: ${stoppedAlerting}`],
  );
  const absent = failed.map(({ name, why }) => `${name} did not start: ${why}`);
  return [...stopped, ...absent]
    .map((text) => `<p class="sentence partly">${escapeHtml(text)}</p>`)
    .join("");
}

function charts(monitors: readonly MonitorResult[]): string {
  const bars = (valueOf: (one: MonitorResult) => number | undefined) =>
    monitors
      .filter(({ stoppedAlerting }) => stoppedAlerting === undefined)
      .map((one) => ({ name: one.name, value: valueOf(one) }));
  return [
    barChart(
      "Seconds to the alarm, median",
      "s",
      bars(({ judgement }) => grade(judgement).alarm.p50),
    ),
    barChart(
      "Seconds to the alarm, p95",
      "s",
      bars(({ judgement }) => grade(judgement).alarm.p95),
    ),
    barChart(
      "False alarms",
      "",
      bars(({ judgement }) => grade(judgement).faults.false),
    ),
    barChart(
      "CPU seconds a minute",
      "s",
      bars(({ cost }) => cost?.cpuSecondsPerMinute),
    ),
    barChart(
      "Memory",
      "MB",
      bars(({ cost }) => cost && cost.memoryBytes / MEGABYTE),
    ),
  ].join("");
}

function details(result: MonitorResult): string {
  const { name, configuration, notApplicable } = result;
  const list = (items: readonly string[]): string =>
    `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;
  const faults = faultLines(result);
  const absent = [...notApplicable].map(([row, why]) => `${row}: ${why}`);
  return `<h2>${escapeHtml(name)}</h2><details><summary>How it is configured</summary>${list(configuration)}</details>
<details><summary>${faults.length} faults</summary>${list(faults)}</details>
<details><summary>${absent.length} rows that do not apply</summary>${list(absent)}</details>`;
}
