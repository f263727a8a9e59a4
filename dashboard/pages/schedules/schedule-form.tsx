import { Button, Group, Input, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { ControlProps, Fields } from "../../parts/records/field.ts";
import { textField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { zoneOf } from "../../parts/records/zone.ts";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { OpenNow } from "./open-now.tsx";
import { presetNames, presets, writeWeek, type Week } from "./week.ts";
import { WeekGrid } from "./week-grid.tsx";
import { WeekText } from "./week-text.tsx";

interface Props {
  /** Undefined for a new one. */
  readonly known?: { readonly name: string; readonly week: Week };
  readonly close: () => void;
}

interface Values {
  /** The name, by which the API knows a schedule. */
  readonly id: string;
  readonly week: Week;
}

const PREVIEW_AFTER_MS = 400;

const fields: Fields<Values> = {
  id: textField({ label: "records.name", maxLength: 100, fixed: "schedules.nameStays" }),
  week: { label: "schedules.week", initial: presets.workingHours, Control: WeekPainter },
};

/** Paints a week, and names it. */
export function ScheduleForm({ known, close }: Props): ReactElement {
  const text = useText();
  return (
    <RecordForm
      title={known === undefined ? "schedules.add" : "schedules.edit"}
      size="xl"
      name="schedule"
      record={known?.name}
      fields={fields}
      known={known && { id: known.name, week: known.week }}
      send={async ({ id: name, week }) => {
        const id = name.trim();
        // To write it would replace the one that has the name.
        const isTaken = known === undefined && id in (await dataOf(api.GET("/schedules")));
        if (isTaken) throw new Error(`id: ${text("schedules.taken")}`);
        const body = { data: writeWeek(week) };
        return dataOf(api.PUT("/schedules", { params: { query: { id } }, body }));
      }}
      refreshes={["schedules"]}
      close={close}
    />
  );
}

type PainterProps = Pick<ControlProps<Week>, "label" | "value" | "change">;

function WeekPainter({ label, value: week, change }: PainterProps): ReactElement {
  const text = useText();
  const { timezone, timezonename } = useSession();
  const [settled] = useDebouncedValue(week, PREVIEW_AFTER_MS);
  return (
    <>
      <Input.Wrapper
        label={label}
        labelElement="div"
        description={text("schedules.paintHelp", { zone: zoneOf(timezone, timezonename) })}
      >
        <Group gap="xs" my="xs">
          {presetNames.map((preset) => (
            <Button
              key={preset}
              size="compact-sm"
              variant="default"
              onClick={() => change(presets[preset])}
            >
              {text(`schedules.preset.${preset}`)}
            </Button>
          ))}
        </Group>
        <WeekGrid week={week} paint={change} />
      </Input.Wrapper>
      <div>
        <WeekText week={week} />
      </div>
      <OpenNow week={settled} />
      <Text size="sm" c="dimmed">
        {text("schedules.keys")}
      </Text>
    </>
  );
}
