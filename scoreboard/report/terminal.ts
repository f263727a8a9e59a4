import { cellOf, faultLines, figures } from "./results.ts";
import type { Results } from "./results.ts";

/** The summary, all rows and every fault, as tables of Markdown. */
export function terminalReport(results: Results): string {
  const { monitors, rows, failed } = results;
  const names = monitors.map(({ name }) => name);
  const lines = [
    ...table(
      ["", ...names],
      [
        ["version", ...monitors.map(({ version }) => version)],
        ...figures.map(({ name, cell }) => [name, ...monitors.map((one) => cell(one).text)]),
      ],
    ),
    "",
    ...table(
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

/** With columns as wide as their widest cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((cell, index) =>
    Math.max(3, cell.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
