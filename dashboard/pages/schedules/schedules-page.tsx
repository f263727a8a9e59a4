import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Dependents } from "../../parts/records/dependents.tsx";
import { EditableCard } from "../../parts/records/record-card.tsx";
import { RecordPage } from "../../parts/records/record-page.tsx";
import { zoneOf } from "../../parts/records/zone.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { OpenNow } from "./open-now.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { readWeek, type Week } from "./week.ts";
import { WeekText } from "./week-text.tsx";

type Named = readonly [name: string, week: Week];

async function loadSchedules(): Promise<readonly Named[]> {
  const all: readonly (readonly [string, object])[] = Object.entries(
    await dataOf(api.GET("/schedules")),
  );
  return all
    .map(([name, days]) => [name, readWeek({ ...days })] as const)
    .toSorted(([one], [other]) => one.localeCompare(other));
}

/** When alerts may go out. */
export function SchedulesPage(): ReactElement {
  const text = useText();
  const { timezone, timezonename } = useSession();
  const schedules = useQuery({ queryKey: ["schedules"], queryFn: loadSchedules });
  return (
    <RecordPage
      texts="schedules"
      query={schedules}
      wordsOf={([name]) => name}
      cols={{ base: 1, sm: 2, lg: 3 }}
      form={(close) => <ScheduleForm close={close} />}
      card={([name, week]) => <ScheduleCard key={name} name={name} week={week} />}
      above={
        <Text mb="md">{text("schedules.zone", { zone: zoneOf(timezone, timezonename) })}</Text>
      }
    />
  );
}

function ScheduleCard({
  name,
  week,
}: {
  readonly name: string;
  readonly week: Week;
}): ReactElement {
  const text = useText();
  const path = { params: { path: { id: name } } };
  return (
    <EditableCard
      name={visibleText(name)}
      remove={() => dataOf(api.DELETE("/schedules/{id}", path))}
      refreshes={["schedules"]}
      consequences={
        <>
          <Text>{text("schedules.deleteHelp")}</Text>
          <Dependents of={{ schedule: name }} />
        </>
      }
      form={(close) => <ScheduleForm known={{ name, week }} close={close} />}
    >
      <Stack gap={2}>
        <WeekText week={week} />
      </Stack>
      <OpenNow week={week} />
    </EditableCard>
  );
}
