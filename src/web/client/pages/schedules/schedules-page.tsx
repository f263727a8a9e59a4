import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { Dependents } from "../../parts/records/dependents.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { FoundList } from "../../parts/records/found-list.tsx";
import { RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { zoneOf } from "../../parts/records/zone.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay, useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { OpenNow } from "./open-now.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { readWeek } from "./week.ts";
import type { Week } from "./week.ts";
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
  const mayChange = useMay("edit");
  const { timezone, timezonename } = useSession();
  const [isAdding, setAdding] = useState(false);
  const schedules = useQuery({ queryKey: ["schedules"], queryFn: loadSchedules });
  const add = { label: text("schedules.add"), act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={text("schedules.title")}>
        {mayChange && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      <Text mb="md">{text("schedules.zone", { zone: zoneOf(timezone, timezonename) })}</Text>
      <Loaded query={schedules}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange ? add : undefined}>{text("schedules.none")}</EmptyList>
          ) : (
            <FoundList
              label={text("schedules.title")}
              items={all}
              wordsOf={([name]) => name}
              cols={{ base: 1, sm: 2, lg: 3 }}
            >
              {([name, week]) => <ScheduleCard key={name} name={name} week={week} />}
            </FoundList>
          )
        }
      </Loaded>
      {isAdding && <ScheduleForm close={() => setAdding(false)} />}
    </>
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
  const mayChange = useMay("edit");
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = (): void => setDialog(undefined);
  const shown = visibleText(name);
  const path = { params: { path: { id: name } } };
  const removal = useChange({
    send: () => dataOf(api.DELETE("/schedules/{id}", path)),
    refreshes: ["schedules"],
    done: text("records.deleted", { name: shown }),
    onDone: close,
  });
  return (
    <RecordCard name={shown}>
      <Stack gap="sm" h="100%">
        <Title order={2} size="h4">
          {shown}
        </Title>
        <Stack gap={2}>
          <WeekText week={week} />
        </Stack>
        <OpenNow week={week} />
        {mayChange && (
          <Group gap="xs" mt="auto">
            <Button size="xs" variant="default" onClick={() => setDialog("edit")}>
              {text("common.edit")}
            </Button>
            <Button size="xs" variant="default" onClick={() => setDialog("delete")}>
              {text("common.delete")}
            </Button>
          </Group>
        )}
      </Stack>
      {dialog === "edit" && <ScheduleForm known={{ name, week }} close={close} />}
      {dialog === "delete" && (
        <DeleteModal
          title={text("records.deleteTitle", { name: shown })}
          close={close}
          act={() => removal.mutate(undefined)}
          isSending={removal.isPending}
          error={removal.error}
        >
          <Text>{text("schedules.deleteHelp")}</Text>
          <Dependents of={{ schedule: name }} />
        </DeleteModal>
      )}
    </RecordCard>
  );
}
