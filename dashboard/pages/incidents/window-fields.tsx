import { Group, Switch, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { errorOf, type Refusal } from "../../parts/records/refusal.ts";
import { useText } from "../../text.ts";

/** When a maintenance is, in the reader's own time. */
interface Window {
  readonly start: string;
  readonly end: string;
  readonly isAutomatic: boolean;
}

interface Props {
  readonly window: Window;
  readonly change: (changes: Partial<Window>) => void;
  readonly refusal: Refusal | undefined;
}

export function WindowFields({ window, change, refusal }: Props): ReactElement {
  const text = useText();
  return (
    <>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          type="datetime-local"
          label={text("incidents.start")}
          value={window.start}
          error={errorOf(refusal, "start")}
          onChange={(event) => change({ start: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={text("incidents.end")}
          value={window.end}
          error={errorOf(refusal, "end")}
          onChange={(event) => change({ end: event.currentTarget.value })}
        />
      </Group>
      <Switch
        label={text("incidents.auto")}
        checked={window.isAutomatic}
        onChange={(event) => change({ isAutomatic: event.currentTarget.checked })}
      />
    </>
  );
}
