import { Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useLocale, useText } from "../../text.ts";
import { DAY, dayLabel, dayNames, timeText, type DayName, type Week } from "./week.ts";

/** A week in words, days that are alike together. */
export function WeekText({ week }: { readonly week: Week }): ReactElement {
  const text = useText();
  const locale = useLocale();
  const nameOf = (days: readonly DayName[]): string => {
    const names = days.map((day) => dayLabel(day, locale));
    return names.length < 3 ? names.join(", ") : `${names[0]} – ${names.at(-1)}`;
  };
  const timesOf = (day: DayName): string => {
    const spans = week[day];
    const [first] = spans;
    if (first === undefined) return text("schedules.closed");
    if (first.start === 0 && first.end === DAY) return text("schedules.allDay");
    return spans.map(({ start, end }) => `${timeText(start)} – ${timeText(end)}`).join(", ");
  };
  return (
    <>
      {runsOf(week).map((days) => (
        <Text key={days[0]} size="sm">
          <Text span fw={600} inherit>
            {nameOf(days)}
          </Text>
          : {timesOf(days[0] ?? "monday")}
        </Text>
      ))}
    </>
  );
}

/** Days that follow one another and have the same times. */
function runsOf(week: Week): readonly (readonly DayName[])[] {
  const runs: DayName[][] = [];
  for (const day of dayNames) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (before !== undefined && JSON.stringify(week[before]) === JSON.stringify(week[day]))
      last?.push(day);
    else runs.push([day]);
  }
  return runs;
}
