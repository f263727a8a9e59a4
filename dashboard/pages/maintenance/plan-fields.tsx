import { Checkbox, Group, Radio, Stack, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import type { ControlProps } from "../../parts/records/field.ts";
import { errorOf } from "../../parts/records/refusal.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { zoneOf } from "../../parts/records/zone.ts";
import { weekdayLabel } from "../../parts/weekday-label.ts";
import { useSession } from "../../shell/session.ts";
import { useLocale, useText } from "../../text.ts";
import { repeats, type Plan } from "./plan.ts";

type PlanProps = Pick<ControlProps<Plan>, "value" | "change">;

/** When a maintenance begins: now, at one time, or again and again. */
export function PlanFields({
  value: plan,
  change,
  form: { refusal, isNew },
}: PlanProps & Pick<ControlProps<Plan>, "form">): ReactElement {
  const text = useText();
  const ways = (["now", "once", "repeated"] as const).filter((way) => isNew || way !== "now");
  return (
    <>
      <Radio.Group
        label={text("maintenance.when")}
        value={plan.when}
        onChange={(when) => change({ ...plan, when })}
      >
        <Group mt="xs">
          {ways.map((way) => (
            <Radio key={way} value={way} label={text(`maintenance.when.${way}`)} />
          ))}
        </Group>
      </Radio.Group>
      {plan.when === "once" && (
        <TextInput
          type="datetime-local"
          label={text("maintenance.start")}
          value={plan.start}
          error={errorOf(refusal, "start")}
          onChange={(event) => change({ ...plan, start: event.currentTarget.value })}
        />
      )}
      {plan.when === "repeated" && (
        <RepeatFields value={plan} change={change} error={errorOf(refusal, "cron")} />
      )}
    </>
  );
}

const weekdays = [1, 2, 3, 4, 5, 6, 0];

interface RepeatProps extends PlanProps {
  readonly error: string | undefined;
}

function RepeatFields({ value: plan, change, error }: RepeatProps): ReactElement {
  const text = useText();
  const { timezone, timezonename } = useSession();
  const { repeat } = plan;
  return (
    <Stack gap="sm">
      <WordSelect
        label={text("maintenance.repeat")}
        value={repeat}
        words={repeats}
        labelOf={(word) => text(`maintenance.repeat.${word}`)}
        choose={(word) => change({ ...plan, repeat: word })}
      />
      {repeat === "weekly" && <Weekdays value={plan} change={change} />}
      {repeat === "monthly" && (
        <TextInput
          label={text("maintenance.day")}
          inputMode="numeric"
          value={plan.day}
          onChange={(event) => change({ ...plan, day: event.currentTarget.value })}
        />
      )}
      {repeat === "cron" ? (
        <TextInput
          label={text("maintenance.cronLabel")}
          description={text("maintenance.cronHelp")}
          placeholder="30 2 * * 0"
          value={plan.cron}
          error={error}
          onChange={(event) => change({ ...plan, cron: event.currentTarget.value })}
        />
      ) : (
        <TextInput
          type="time"
          label={text("maintenance.time", { zone: zoneOf(timezone, timezonename) })}
          value={plan.time}
          error={error}
          onChange={(event) => change({ ...plan, time: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}

function Weekdays({ value: plan, change }: PlanProps): ReactElement {
  const text = useText();
  const locale = useLocale();
  return (
    <Checkbox.Group
      label={text("maintenance.weekdays")}
      value={plan.weekdays.map(String)}
      onChange={(chosen) => change({ ...plan, weekdays: chosen.map(Number) })}
    >
      <Group mt="xs" gap="sm">
        {weekdays.map((day) => (
          <Checkbox key={day} value={String(day)} label={weekdayLabel(day, locale)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
