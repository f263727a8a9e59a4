import { ColorSwatch, Group, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useText, type Text as Translate } from "../../text.ts";
import { phaseNames, type ChartData, type Division } from "./chart-data.ts";
import { useFormats } from "./formats.ts";
import type { ChartLook } from "./response-chart.tsx";

interface Props {
  readonly data: ChartData;
  readonly looks: readonly ChartLook[];
  readonly division: Division;
  /** Index of the instant under the pointer. */
  readonly index: number | undefined;
}

/** Legend of the lines, with their values at the pointer. */
export function ResponseLegend({ data, looks, division, index }: Props): ReactElement {
  const text = useText();
  const { ms, time } = useFormats();
  const at = index === undefined ? undefined : data.t[index];
  return (
    <Group gap="md" mih={24} aria-hidden={at !== undefined}>
      {data.lines.map(({ name, values }, line) => {
        const value = index === undefined ? undefined : own(data, { division, line, index });
        return (
          <Group key={name} gap={6} wrap="nowrap">
            <ColorSwatch size={12} color={looks[line]?.color ?? ""} withShadow={false} />
            <Text size="sm">
              {nameOf(text, name, division)}
              {value !== undefined && values[index ?? 0] !== null && ` ${ms(value)}`}
            </Text>
          </Group>
        );
      })}
      {at !== undefined && (
        <Text size="sm" c="dimmed">
          {time(at)}
        </Text>
      )}
    </Group>
  );
}

interface LegendRow {
  readonly division: Division;
  readonly line: number;
  readonly index: number;
}

/** A phase without those below it. */
function own({ lines }: ChartData, { division, line, index }: LegendRow): number {
  const value = lines[line]?.values[index] ?? 0;
  return division === "phases" ? value - (lines[line - 1]?.values[index] ?? 0) : value;
}

function nameOf(text: Translate, name: string, division: Division): string {
  if (division === "locations") return name;
  const phase = phaseNames.find((each) => each === name);
  if (phase !== undefined) return text(`check.phase_${phase}`);
  return text(name === "p95" ? "check.p95" : "check.median");
}
