import { markdownTable } from "./markdown-table.ts";
import { cellOf, faultLines, figures, type Results } from "./results.ts";

/** The summary, all rows and every fault, as tables of Markdown. */
export function terminalReport(results: Results): string {
  const { monitors, rows, failed } = results;
  const names = monitors.map(({ name }) => name);
  const lines = [
    ...markdownTable(
      ["", ...names],
      [
        ["version", ...monitors.map(({ version }) => version)],
        ...figures.map(({ name, cell }) => [name, ...monitors.map((one) => cell(one).text)]),
      ],
    ),
    "",
    ...markdownTable(
      ["scenario", ...names],
      rows.map((row) => [row.name, ...monitors.map((one) => cellOf(row, one).text)]),
    ),
    "",
    ...monitors.flatMap(({ name, stoppedAlerting }) =>
      stoppedAlerting === undefined ? [] : [`${name} does not count: ${stoppedAlerting}`],
    ),
    ...failed.map(({ name, why }) => `${name} did not start: ${why}`),
    ...monitors.flatMap((one) => faultLines(one).map((line) => `${one.name}: ${line}`)),
  ];
  return `${lines.join("\n")}\n`;
}
