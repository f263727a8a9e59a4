import { Anchor, Button, List, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import { barParts } from "../../../src/domain/day-bar.ts";
import { percentUp } from "../../../src/domain/span.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { daysQuery, importedQuery, monthsQuery, type Check } from "./check-queries.ts";
import { useFormats } from "./formats.ts";
import { knownSince } from "./known-since.ts";
import classes from "./uptime-section.module.css";
import { WideTable } from "./wide-table.tsx";

type Bars = components["schemas"]["DayBars"];

const DAY_MS = 86_400_000;
const BAR_WIDTH = 6;
const GAP = 2;
const HEIGHT = 36;
/** Matches a month; the other row is the total. */
const MONTH = /^\d{4}-\d{2}$/;

interface Props {
  readonly check: Check;
  /** Shows the outages of the day that begins then. */
  readonly openDay: (start: number) => void;
}

/** Whether the check was up, by day and by month. */
export function UptimeSection({ check, openDay }: Props): ReactElement {
  const { _id: id, created } = check;
  const text = useText();
  const days = useQuery(daysQuery(id));
  const months = useQuery(monthsQuery(id));
  return (
    <section aria-labelledby="uptime-title">
      <Title order={2} size="h3" mb="sm" id="uptime-title">
        {text("check.uptime")}
      </Title>
      <Stack>
        <Loaded query={days}>
          {({ start, bars }) =>
            bars === undefined ? null : (
              <DayBars days={{ start, bars }} created={created} openDay={openDay} />
            )
          }
        </Loaded>
        <ImportedNote id={id} />
        <Loaded query={months}>{(rows) => <MonthTable rows={rows} />}</Loaded>
      </Stack>
    </section>
  );
}

/** Notice about the part measured by another system. */
function ImportedNote({ id }: { readonly id: string }): ReactElement | null {
  const text = useText();
  const { day } = useFormats();
  const { data } = useQuery(importedQuery(id));
  if (data === undefined || data === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {text("imported.history", { day: day(data.end), origin: visibleText(data.origin) })}
    </Text>
  );
}

interface DaysProps extends Pick<Props, "openDay"> {
  readonly days: { readonly start: number; readonly bars: Bars };
}

function DayBars({
  days,
  created,
  openDay,
}: DaysProps & { readonly created: number }): ReactElement {
  const text = useText();
  const { day, duration } = useFormats();
  const { start, bars } = days;
  const { state, enabled, down, maintenance } = bars;
  const summary = useSummary(days, created);
  return (
    <Stack gap="xs">
      <Text size="sm">{summary}</Text>
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${state.length * BAR_WIDTH} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
      >
        {state.map((each, index) => {
          const at = start + index * DAY_MS;
          const parts = [
            day(at),
            text(`check.day_${each}`),
            ...((down[index] ?? 0) > 0 ? [duration(down[index] ?? 0)] : []),
            ...((maintenance[index] ?? 0) > 0 && each !== "maintenance"
              ? [`${text("check.day_maintenance")} ${duration(maintenance[index] ?? 0)}`]
              : []),
          ];
          return (
            <g
              key={at}
              {...((down[index] ?? 0) > 0 && {
                className: classes.day,
                // Keyboard users reach it through the list of days below.
                onClick: () => openDay(at),
              })}
            >
              <title>{parts.join(", ")}</title>
              {barParts({
                state: each,
                downMs: down[index] ?? 0,
                enabledMs: enabled[index] ?? 0,
              }).map(({ tone, top, bottom }) => (
                <rect
                  key={tone}
                  x={index * BAR_WIDTH}
                  y={top * HEIGHT}
                  width={BAR_WIDTH - GAP}
                  height={(bottom - top) * HEIGHT}
                  fill={`var(--wp-bar-${tone})`}
                />
              ))}
            </g>
          );
        })}
      </svg>
      <BadDays days={days} openDay={openDay} />
    </Stack>
  );
}

/** The share of the time that the check was up, and how far back that is known. */
function useSummary(days: DaysProps["days"], created: number): string {
  const text = useText();
  const { percent, since } = useFormats();
  const { state, enabled, down } = days.bars;
  const known = knownSince(days, created);
  const enabledMs = enabled.reduce((sum, ms) => sum + ms, 0);
  const downMs = down.reduce((sum, ms) => sum + ms, 0);
  const share =
    known === undefined ? undefined : percentUp({ enabledMs, measuredMs: enabledMs, downMs });
  if (known === undefined || share === undefined)
    return text("check.barsNoData", { days: state.length });
  const badDays = down.filter((ms) => ms > 0).length;
  const shown = { percent: percent(share), badDays };
  return known <= days.start
    ? text("check.barsSummary", { ...shown, days: state.length })
    : text("check.barsSince", { ...shown, since: since(known, Date.now()) });
}

/** The days on which it was down, in words; the latest first. */
function BadDays({ days, openDay }: DaysProps): ReactElement | null {
  const { start, bars } = days;
  const text = useText();
  const { day, duration } = useFormats();
  const [isOpen, { toggle }] = useDisclosure(false);
  const bad = bars.down.flatMap((ms, index) =>
    ms > 0 ? [{ at: start + index * DAY_MS, ms }] : [],
  );
  if (bad.length === 0) return null;
  return (
    <div>
      <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
        {text(isOpen ? "check.hideBadDays" : "check.showBadDays")}
      </Button>
      {isOpen && (
        <List size="sm" mt="xs">
          {bad.toReversed().map(({ at, ms }) => (
            <List.Item key={at}>
              <Anchor component="button" type="button" inherit mih={24} onClick={() => openDay(at)}>
                {text("check.badDay", { day: day(at), duration: duration(ms) })}
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </div>
  );
}

/** A duration of two units is too wide for a telephone in one line. */
const wrapped = { whiteSpace: "normal" } as const;

type Months = Readonly<Record<string, components["schemas"]["Uptime"]>>;

function MonthTable({ rows }: { readonly rows: Months }): ReactElement {
  const text = useText();
  const { month, duration, percent } = useFormats();
  const named = Object.entries(rows)
    .filter(([name]) => MONTH.test(name))
    .toReversed();
  const { total } = rows;
  const share = ({ uptime }: Months[string]): string =>
    uptime === undefined ? text("check.noData") : percent(uptime);
  return (
    <WideTable label={text("check.byMonth")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{text("check.month")}</Table.Th>
          <Table.Th scope="col">{text("check.uptime")}</Table.Th>
          <Table.Th scope="col">{text("check.downTime")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {named.map(([name, row]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{month(Date.parse(`${name}-01T00:00:00Z`))}</Table.Th>
            <Table.Td>{share(row)}</Table.Td>
            <Table.Td style={wrapped}>{row.down === 0 ? "–" : duration(row.down)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      {total !== undefined && named.length > 1 && (
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{text("check.total")}</Table.Th>
            <Table.Td>{share(total)}</Table.Td>
            <Table.Td style={wrapped}>{total.down === 0 ? "–" : duration(total.down)}</Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      )}
    </WideTable>
  );
}
