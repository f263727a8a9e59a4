import { Button, Group, Input, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
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
  readonly name: string;
  readonly week: Week;
}

const PREVIEW_AFTER_MS = 400;

/** Paints a week, and names it. */
export function ScheduleForm({ known, close }: Props): ReactElement {
  const text = useText();
  const { timezone, timezonename } = useSession();
  const draft = useDraft<Values>({
    form: "schedule",
    record: known?.name,
    before: { name: known?.name ?? "", week: known?.week ?? presets.workingHours },
  });
  const { name, week } = draft.values;
  const setWeek = (next: Week): void => draft.set({ week: next });
  const [settled] = useDebouncedValue(week, PREVIEW_AFTER_MS);
  const change = useChange({
    send: async () => {
      const id = name.trim();
      // To write it would replace the one that has the name.
      const isTaken = known === undefined && id in (await dataOf(api.GET("/schedules")));
      if (isTaken) throw new Error(`id: ${text("schedules.taken")}`);
      const body = { data: writeWeek(week) };
      return dataOf(api.PUT("/schedules", { params: { query: { id } }, body }));
    },
    refreshes: ["schedules"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(known === undefined ? "schedules.add" : "schedules.edit")}
      close={close}
      draft={draft}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["id"]}
      size="xl"
    >
      <TextInput
        label={text("records.name")}
        value={name}
        maxLength={100}
        disabled={known !== undefined}
        description={known === undefined ? undefined : text("schedules.nameStays")}
        error={errorOf(refusal, "id")}
        onChange={(event) => draft.set({ name: event.currentTarget.value })}
      />
      <Input.Wrapper
        label={text("schedules.week")}
        labelElement="div"
        description={text("schedules.paintHelp", { zone: zoneOf(timezone, timezonename) })}
      >
        <Group gap="xs" my="xs">
          {presetNames.map((preset) => (
            <Button
              key={preset}
              size="compact-sm"
              variant="default"
              onClick={() => setWeek(presets[preset])}
            >
              {text(`schedules.preset.${preset}`)}
            </Button>
          ))}
        </Group>
        <WeekGrid week={week} paint={setWeek} />
      </Input.Wrapper>
      <div>
        <WeekText week={week} />
      </div>
      <OpenNow week={settled} />
      <Text size="sm" c="dimmed">
        {text("schedules.keys")}
      </Text>
    </FormModal>
  );
}
