import { markdownTable } from "./markdown-table.ts";
import { figures, type Results } from "./results.ts";

/** The figures of the summary in README.md, in the order of its columns. */
const columns = [
  "runs every",
  "outages seen",
  "false alarms",
  "to the alarm, p50",
  "to the alarm, p95",
  "to the recovery, p50",
  "told twice",
  "recoveries not told",
  "right reasons",
  "CPU time",
  "memory",
];

/** Returns README.md's text about a run: a row for each monitor, and a sentence about the run. */
export function summary({ monitors, rows, schedule, seed, minutes, at }: Results): string {
  const shown = columns.map((name) => {
    const figure = figures.find((one) => one.name === name);
    if (figure === undefined) throw new Error(`there is no figure ${name}`);
    return figure;
  });
  const confirmed =
    schedule.confirmations === 1
      ? "one failed run is an alarm"
      : `${schedule.confirmations} failed runs in a row are an alarm`;
  return [
    ...markdownTable(
      ["", ...columns],
      monitors.map((one) => [
        `${one.name} ${upstreamVersion(one.version)}`,
        ...shown.map(({ cell }) => cell(one).text),
      ]),
    ),
    "",
    `${rows.length} scenarios in ${minutes.toFixed(0)} minutes on ${at.slice(0, 10)}, seed ${seed}; the timeout is ${schedule.timeoutSeconds} s, and ${confirmed}.`,
    "",
  ].join("\n");
}

/** The version of the first package, without what Debian adds. */
function upstreamVersion(version: string): string {
  const [first = ""] = version.split(", ");
  return first.replace(/^\d+:/, "").replace(/(?:\+\w+)?-\d.*$/, "");
}
